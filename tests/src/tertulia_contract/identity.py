"""Identity: whom a client acts as."""

from __future__ import annotations

import asyncio

import pytest

from tertulia.errors import Denied, Unavailable
from tertulia.thread import Threads
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._marks import needs

__all__ = ["Identity"]


class Identity:
    """Hold what `whoami` says."""

    async def test_whoami_names_an_account(self, client: Threads) -> None:
        """Give the account this client acts as: somebody, with an id."""
        me = await client.whoami()

        assert me.id
        assert me.login
        assert not me.placeholder

    @needs(Ability.CUT)
    async def test_whoami_is_resolved_once(self, client: Threads, backend: Backend) -> None:
        """Resolve the account once and cache it."""
        me = await client.whoami()
        await backend.break_wire(Ability.CUT)

        assert await client.whoami() == me

    async def test_whoami_is_the_same_for_every_task(self, client: Threads) -> None:
        """Resolve the account once, though many ask at the same time."""
        accounts = await asyncio.gather(*(client.whoami() for _ in range(5)))

        assert len({account.id for account in accounts}) == 1

    @needs(Ability.DENY)
    async def test_whoami_is_denied_when_the_credentials_are_refused(self, client: Threads, backend: Backend) -> None:
        """Raise Denied when the credentials are refused."""
        await backend.break_wire(Ability.DENY)

        with pytest.raises(Denied):
            await client.whoami()

    @needs(Ability.NAMELESS)
    async def test_whoami_is_denied_when_the_credentials_name_nobody(self, client: Threads, backend: Backend) -> None:
        """Raise Denied when the credentials tell nobody's name."""
        await backend.break_wire(Ability.NAMELESS)

        with pytest.raises(Denied):
            await client.whoami()

    @needs(Ability.CUT)
    async def test_whoami_is_unavailable_when_nobody_could_be_asked(self, client: Threads, backend: Backend) -> None:
        """Raise Unavailable when nobody could be asked."""
        await backend.break_wire(Ability.CUT)

        with pytest.raises(Unavailable):
            await client.whoami()

    @needs(Ability.CUT)
    async def test_a_failure_is_not_cached(self, client: Threads, backend: Backend) -> None:
        """Resolve the account once: a failure resolves nothing."""
        await backend.break_wire(Ability.CUT)
        with pytest.raises(Unavailable):
            await client.whoami()
        await backend.mend()

        assert (await client.whoami()).id
