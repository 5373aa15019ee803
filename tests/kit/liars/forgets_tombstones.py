"""Leaves out a root that was deleted, and the replies below it."""

from tertulia.testing.conversation import Client
from tertulia.thread import Listing, ThreadRef
from tertulia_contract import ConversationContract

FAILS = {
    "test_a_deleted_root_is_gone_or_read_as_deleted",
    "test_a_root_that_a_person_deleted_is_gone_or_read_as_deleted",
    "test_a_thread_whose_root_was_deleted_is_found",
    "test_the_replies_to_a_deleted_root_are_still_read",
}


class Liar(Client):
    """Forget the thread with its root."""

    async def read(self, thread: ThreadRef, /) -> Listing:
        """Leave out what has no root any more."""
        listing = await super().read(thread)
        gone = {one.id for one in listing.messages if one.deleted}
        left = tuple(one for one in listing.messages if one.parent_id not in gone)
        return Listing(messages=left, complete=listing.complete)


class TestLiar(ConversationContract):
    """What the kit finds."""
