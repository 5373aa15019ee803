"""Limits: how much a backend takes."""

from __future__ import annotations

import pytest

from tertulia import outbound
from tertulia.errors import Invalid
from tertulia.thread import Draft, ThreadRef, Threads
from tertulia.thread import Limits as Declared
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._helpers import draft, posted_by, written
from tertulia_contract._marks import needs

__all__ = ["Limits"]

_UNLIMITED = 100_000


class Limits:
    """Hold what `limits` says, and what `post` makes of it."""

    async def test_limits_say_how_much_the_backend_takes(self, client: Threads) -> None:
        """Say how much the backend takes."""
        assert isinstance(client.limits, Declared)

    @pytest.mark.parametrize("char", ["x", "é", "\U0001f600"])
    async def test_a_body_within_the_limit_is_taken(self, client: Threads, thread: ThreadRef, char: str) -> None:
        """`body_chars` counts code points in one message, the host's own lines included."""
        body = char * (_most(client) - outbound.overhead(draft(), carrier="markdown"))

        await client.post(thread, draft(body))

        (found,) = await posted_by(client, thread)
        assert written(found) == body or found.cut > 0

    async def test_a_body_over_the_limit_is_invalid(self, client: Threads, thread: ThreadRef) -> None:
        """Raise Invalid over a limit, with a key and without."""
        limit = client.limits.body_chars
        for one in (Draft(body="x" * _over(limit), agent="helper"), draft("x" * _over(limit), key="k")):
            with pytest.raises(Invalid):
                await client.post(thread, one)

        assert await posted_by(client, thread) == []

    @needs(Ability.WATCH)
    async def test_a_body_over_the_limit_is_not_sent(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """Raise Invalid before anything is written."""
        before = await backend.writes()

        with pytest.raises(Invalid):
            await client.post(thread, draft("x" * _over(client.limits.body_chars)))

        assert await backend.writes() == before

    async def test_the_hosts_lines_count(self, client: Threads, thread: ThreadRef) -> None:
        """`body_chars` has the host's own lines included, so a body of that many code points with lines is too long."""
        posted = await client.post(thread, draft())
        around = len(posted.body) - len(written(posted))
        body = "x" * (_most(client) - around + 1)

        if client.limits.body_chars is None or around == 0:
            assert (await client.post(thread, draft("x" * (_most(client) - around)))).id
            return
        with pytest.raises(Invalid):
            await client.post(thread, draft(body))


def _most(client: Threads) -> int:
    return client.limits.body_chars or _UNLIMITED


def _over(limit: int | None) -> int:
    # a backend without a limit is held to refusing what has nothing to read in it
    return limit + 1 if limit is not None else 0
