"""Reads the first page and calls it all."""

from tertulia.testing.tracker import Client
from tertulia.thread import Listing, ThreadRef
from tertulia_contract import TrackerContract

FAILS = {
    "test_a_page_that_shifts_hides_nothing_silently",
    "test_a_thread_that_goes_on_shrinking_hides_nothing_silently",
    "test_every_page_is_read",
    "test_items_listed_twice_are_given_once_or_twice",
    "test_the_edge_of_a_page_loses_nothing",
}


class Liar(Client):
    """Stop early."""

    async def read(self, thread: ThreadRef, /) -> Listing:
        """Read one page."""
        listing = await super().read(thread)
        return Listing(messages=listing.messages[: self.native.page_size + 1], reported=None)


class TestLiar(TrackerContract):
    """What the kit finds."""
