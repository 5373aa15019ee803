"""Outcomes: a send of which nobody knows whether it landed."""

from __future__ import annotations

import pytest

from tertulia.errors import Unavailable
from tertulia.thread import ThreadRef, Threads
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._helpers import draft, posted_by
from tertulia_contract._marks import needs

__all__ = ["Outcomes"]


class Outcomes:
    """Hold what `post` says of a send whose outcome is not known."""

    @needs(Ability.LOSE)
    async def test_an_answer_that_landed_is_found_again(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """Look at the own messages again after a send whose outcome is not known."""
        await backend.break_wire(Ability.LOSE)

        posted = await client.post(thread, draft(key="k"))

        assert await posted_by(client, thread) == [posted]

    @needs(Ability.LOSE, Ability.WATCH)
    async def test_an_answer_that_landed_is_not_sent_again(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """Never a second send."""
        before = await backend.writes()
        await backend.break_wire(Ability.LOSE)

        await client.post(thread, draft(key="k"))

        assert await backend.writes() == before + 1

    @needs(Ability.DROP)
    async def test_an_answer_that_could_not_be_found_is_ambiguous(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """Raise Unavailable, with `ambiguous` true when the answer may have landed and could not be found."""
        await backend.break_wire(Ability.DROP)

        with pytest.raises(Unavailable) as failed:
            await client.post(thread, draft(key="k"))

        assert failed.value.ambiguous

    @needs(Ability.DROP, Ability.WATCH)
    async def test_an_answer_that_could_not_be_found_is_not_sent_again(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """Never a second send, though the first did not land."""
        before = await backend.writes()
        await backend.break_wire(Ability.DROP)

        with pytest.raises(Unavailable):
            await client.post(thread, draft(key="k"))

        assert await backend.writes() == before + 1
        assert await posted_by(client, thread) == []

    @needs(Ability.DROP)
    async def test_the_caller_may_post_again_with_the_same_key(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """A known key returns the existing message, and one that never landed is posted."""
        await backend.break_wire(Ability.DROP)
        with pytest.raises(Unavailable):
            await client.post(thread, draft(key="k"))

        posted = await client.post(thread, draft(key="k"))

        assert await client.post(thread, draft(key="k")) == posted
        assert await posted_by(client, thread) == [posted]

    @needs(Ability.LOSE)
    async def test_without_a_key_an_unknown_outcome_is_ambiguous(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """Raise Unavailable with `ambiguous` true: without a key nothing can be looked for, and nothing is sent twice."""
        await backend.break_wire(Ability.LOSE)

        with pytest.raises(Unavailable) as failed:
            await client.post(thread, draft())

        assert failed.value.ambiguous
        assert len(await posted_by(client, thread)) == 1
