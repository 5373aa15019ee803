"""Reads the first page of a root's replies and calls it all."""

from tertulia.conversation import Thread
from tertulia.testing.conversation import Client
from tertulia.thread import Listing, Message, ThreadRef
from tertulia_contract import ConversationContract

FAILS = {
    "test_a_page_of_replies_that_shifts_hides_nothing_silently",
    "test_a_thread_that_goes_on_shrinking_hides_nothing_silently",
    "test_every_page_of_replies_is_read",
    "test_every_page_of_roots_and_of_their_replies_is_read",
    "test_replies_listed_twice_are_given_once_or_twice",
    "test_the_edge_of_a_page_of_replies_loses_nothing",
}


class Liar(Client):
    """Stop early below a root."""

    async def read(self, thread: ThreadRef, /) -> Listing:
        """Say that it is complete."""
        listing = await super().read(thread)
        return Listing(messages=listing.messages)

    async def _whole(self, thread: Thread) -> list[Message]:
        return (await super()._whole(thread))[: self.native.page_size + 1]


class TestLiar(ConversationContract):
    """What the kit finds."""
