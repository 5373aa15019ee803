"""Paging: every page, and honest words when one may be missing."""

from __future__ import annotations

import pytest

from tertulia.errors import Unavailable
from tertulia.thread import MessageRef, ThreadRef, Threads
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._marks import needs

__all__ = ["Paging"]


class Paging:
    """Hold what `read` says of a thread that does not fit on a page."""

    @needs(Ability.SPEAK)
    @pytest.mark.parametrize("more", [-1, 0, 1])
    async def test_the_edge_of_a_page_loses_nothing(
        self, client: Threads, backend: Backend, thread: ThreadRef, more: int
    ) -> None:
        """Read every page, where a page is nearly full, full, and just overflows."""
        said = await _filled(backend, thread, backend.page + more)

        listing = await client.read(thread)

        assert listing.complete
        assert [(one.source_type, one.id) for one in listing.messages[1:]] == [(m.source_type, m.id) for m in said]

    @needs(Ability.SPEAK)
    async def test_every_page_is_read(self, client: Threads, backend: Backend, thread: ThreadRef) -> None:
        """Read every page."""
        said = await _filled(backend, thread, 3 * backend.page + 7)

        listing = await client.read(thread)

        assert listing.complete
        assert {(one.source_type, one.id) for one in listing.messages[1:]} == {(m.source_type, m.id) for m in said}

    @needs(Ability.SPEAK, Ability.SHIFT)
    async def test_a_page_that_shifts_hides_nothing_silently(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """`complete` is false when anything may be missing: a deletion moves a message to a page that was read."""
        said = await _filled(backend, thread, 2 * backend.page + 5)
        await backend.shift(thread, said[3])

        listing = await client.read(thread)

        left = {message.id for message in said} - {said[3].id}
        assert left <= {one.id for one in listing.messages} or not listing.complete

    @needs(Ability.SPEAK, Ability.SHIFT)
    async def test_a_thread_that_goes_on_shrinking_hides_nothing_silently(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """`complete` is false when anything may be missing, however often it was read again."""
        said = await _filled(backend, thread, backend.page + 30)
        going = said[: min(20, backend.page - 1)]
        for message in going:
            await backend.shift(thread, message)

        listing = await client.read(thread)

        left = {message.id for message in said} - {message.id for message in going}
        assert left <= {one.id for one in listing.messages} or not listing.complete

    @needs(Ability.SPEAK, Ability.REPEAT)
    async def test_items_listed_twice_are_given_once_or_twice(
        self, client: Threads, backend: Backend, thread: ThreadRef
    ) -> None:
        """Items the backend lists twice are given once or twice: none is lost for it."""
        said = await _filled(backend, thread, backend.page + 5)
        await backend.break_wire(Ability.REPEAT)

        listing = await client.read(thread)

        ids = [one.id for one in listing.messages[1:]]
        assert set(ids) == {message.id for message in said}
        assert all(ids.count(ident) <= 2 for ident in ids)

    @needs(Ability.SPEAK, Ability.CUT)
    async def test_a_page_that_is_cut_is_no_page(self, client: Threads, backend: Backend, thread: ThreadRef) -> None:
        """Raise Unavailable: half of an answer is none."""
        await _filled(backend, thread, backend.page + 5)
        await backend.break_wire(Ability.CUT)

        with pytest.raises(Unavailable):
            await client.read(thread)


async def _filled(backend: Backend, thread: ThreadRef, count: int) -> list[MessageRef]:
    return [await backend.say(thread, f"Number {number}.") for number in range(count)]
