"""Concurrency: any number of tasks may use a client at the same time."""

from __future__ import annotations

import asyncio

from tertulia.thread import ThreadRef, Threads
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._helpers import draft, posted_by
from tertulia_contract._marks import needs

__all__ = ["Concurrency"]


class Concurrency:
    """Hold that what is true of one call is true of several at once."""

    async def test_a_key_posts_once_though_many_post_it(self, client: Threads, thread: ThreadRef) -> None:
        """At most once for a key, whoever is faster."""
        posted = await asyncio.gather(*(client.post(thread, draft(key="k")) for _ in range(5)))

        assert len({one.ref for one in posted}) == 1
        assert len(await posted_by(client, thread)) == 1

    @needs(Ability.WATCH)
    async def test_a_key_is_sent_once_though_many_post_it(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """Never a second send, whoever is faster."""
        before = await backend.writes()

        await asyncio.gather(*(client.post(thread, draft(key="k")) for _ in range(5)))

        assert await backend.writes() == before + 1

    async def test_keys_do_not_mix(self, client: Threads, thread: ThreadRef) -> None:
        """Each key has its own message."""
        posted = await asyncio.gather(*(client.post(thread, draft(f"Body {n}", key=f"k/{n}")) for n in range(5)))

        assert len({one.ref for one in posted}) == 5
        assert all(f"Body {n}" in one.body for n, one in enumerate(posted))

    async def test_reading_beside_writing_gives_whole_messages(self, client: Threads, thread: ThreadRef) -> None:
        """A thread is read while it is written in; the opening post is first all the same."""
        await asyncio.gather(*(client.post(thread, draft()) for _ in range(3)), client.read(thread))
        listings = await asyncio.gather(*(client.read(thread) for _ in range(8)))

        assert {len(listing.messages) for listing in listings} == {4}
        assert len({listing.messages[0].ref for listing in listings}) == 1

    @needs(Ability.DENY)
    async def test_a_failure_of_one_task_is_its_own(self, client: Threads, backend: Backend, thread: ThreadRef) -> None:
        """An error reaches each who asked, and leaves the client usable."""
        await backend.break_wire(Ability.DENY)
        failed = await asyncio.gather(*(client.read(thread) for _ in range(4)), return_exceptions=True)
        await backend.mend()

        assert all(isinstance(one, Exception) for one in failed)
        assert len((await client.read(thread)).messages) == 1
