"""Loses what a deletion moves to a page that was read, and says that all is there."""

from tertulia.testing.tracker import Client
from tertulia.thread import Listing, Message, MessageRef, ThreadRef
from tertulia_contract import TrackerContract

FAILS = {
    "test_a_page_that_shifts_hides_nothing_silently",
    "test_a_thread_that_goes_on_shrinking_hides_nothing_silently",
}


class Liar(Client):
    """Never look back."""

    async def read(self, thread: ThreadRef, /) -> Listing:
        """Say that it is complete."""
        place = thread.conversation
        opening = await self.get_message(MessageRef(conversation=place, source_type="issue", id=self._opening(place)))
        found: dict[str, Message] = {}
        number = 0
        while page := await self._page("read", place, number):
            found |= {one.ref: one for one in page}
            number += 1
        return Listing(messages=(opening, *found.values()))

    def _opening(self, place: str) -> str:
        return self.native.opening(place).id


class TestLiar(TrackerContract):
    """What the kit finds."""
