"""Reading: the thread whole, opening post first."""

from __future__ import annotations

import pytest

from tertulia.errors import Denied, NotFound
from tertulia.thread import ThreadRef, Threads
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._helpers import draft, posted_by, ref_of
from tertulia_contract._marks import needs

__all__ = ["Reading"]


class Reading:
    """Hold what `read` says of a thread that fits on a page."""

    async def test_the_opening_post_is_first(self, client: Threads, thread: ThreadRef) -> None:
        """Read the thread whole: opening post first."""
        await client.post(thread, draft())

        opening, answer = (await client.read(thread)).messages

        assert opening.created_at <= answer.created_at
        assert (opening.author and opening.author.id) != (await client.whoami()).id

    async def test_a_thread_without_answers_has_its_opening_post(self, client: Threads, thread: ThreadRef) -> None:
        """Read the thread whole, though nobody has answered."""
        listing = await client.read(thread)

        assert len(listing.messages) == 1
        assert listing.complete

    @needs(Ability.SPEAK)
    async def test_what_others_say_is_read(self, client: Threads, backend: Backend, thread: ThreadRef) -> None:
        """Read the thread whole: whoever wrote in it."""
        said = await backend.say(thread, "It happens on Tuesdays.")

        found = (await client.read(thread)).messages[1]

        assert (found.source_type, found.id, found.body) == (said.source_type, said.id, "It happens on Tuesdays.")
        assert found.author is not None
        assert found.author.id != (await client.whoami()).id

    async def test_a_thread_read_whole_is_complete(self, client: Threads, thread: ThreadRef) -> None:
        """`complete` is false when anything may be missing, and true when nothing is."""
        for _ in range(3):
            await client.post(thread, draft())

        listing = await client.read(thread)

        assert listing.complete
        assert len(listing.messages) == 4

    async def test_what_is_reported_is_what_is_there(self, client: Threads, thread: ThreadRef) -> None:
        """`reported` says how many items of a source type the backend itself counts."""
        for _ in range(3):
            await client.post(thread, draft())

        listing = await client.read(thread)

        listed = [one.source_type for one in listing.messages]
        assert all(listed.count(kind) == count for kind, count in (listing.reported or {}).items())

    @needs(Ability.DELETE)
    async def test_what_was_deleted_is_not_read_as_said(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """A deleted message is not listed, or listed as deleted."""
        posted = await client.post(thread, draft())
        await backend.remove(ref_of(thread, posted))

        listing = await client.read(thread)

        assert [one.ref for one in listing.messages if not one.deleted] == [listing.messages[0].ref]

    async def test_reading_changes_nothing(self, client: Threads, thread: ThreadRef) -> None:
        """Read the thread twice and get the same."""
        await client.post(thread, draft())

        assert await client.read(thread) == await client.read(thread)

    async def test_a_thread_that_is_not_there_is_not_found(self, client: Threads, backend: Backend) -> None:
        """Raise NotFound when the thread is not there."""
        with pytest.raises(NotFound):
            await client.read(await backend.missing())

    @needs(Ability.ERASE)
    async def test_a_thread_that_was_deleted_is_not_found(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """Raise NotFound when the thread is not there any more."""
        await backend.erase(thread)

        with pytest.raises(NotFound):
            await client.read(thread)

    @needs(Ability.DENY)
    async def test_a_thread_is_read_again_after_a_refusal(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """A failure leaves the client usable."""
        await backend.break_wire(Ability.DENY)
        with pytest.raises(Denied):
            await client.read(thread)
        await backend.mend()

        assert len((await client.read(thread)).messages) == 1
        assert await posted_by(client, thread) == []
