"""Gives a root that was deleted as the site gave it before."""

from tertulia.testing.conversation import Client
from tertulia.thread import Listing, Message, MessageRef, ThreadRef
from tertulia_contract import ConversationContract

FAILS = {
    "test_a_deleted_root_is_gone_or_read_as_deleted",
    "test_a_root_that_a_person_deleted_is_gone_or_read_as_deleted",
    "test_a_thread_whose_root_was_deleted_is_found",
    "test_the_replies_to_a_deleted_root_are_still_read",
}


class Liar(Client):
    """Call nothing deleted."""

    async def read(self, thread: ThreadRef, /) -> Listing:
        """Say that it is there."""
        listing = await super().read(thread)
        return listing.model_copy(update={"messages": tuple(_alive(one) for one in listing.messages)})

    async def get_message(self, message: MessageRef, /) -> Message:
        """Say that it is there."""
        return _alive(await super().get_message(message))


def _alive(message: Message) -> Message:
    return message.model_copy(update={"deleted": False})


class TestLiar(ConversationContract):
    """What the kit finds."""
