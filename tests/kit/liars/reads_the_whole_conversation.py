"""Reads the whole conversation whatever the root, as one reads an issue."""

from tertulia.testing.conversation import Client
from tertulia.thread import Listing, ThreadRef
from tertulia_contract import ConversationContract

FAILS = {
    "test_a_deleted_reply_leaves_its_thread",
    "test_a_root_of_another_conversation_is_none_of_this",
    "test_a_root_that_a_person_deleted_is_gone_or_read_as_deleted",
    "test_a_root_that_was_never_there_is_not_read",
    "test_a_thread_is_its_root_and_then_its_replies",
    "test_a_thread_whose_root_was_deleted_is_found",
    "test_an_answer_to_a_reply_goes_to_its_root",
    "test_post_without_a_root_starts_a_thread",
    "test_replies_listed_twice_are_given_once_or_twice",
    "test_the_edge_of_a_page_of_replies_loses_nothing",
    "test_threads_are_found_with_their_roots",
}


class Liar(Client):
    """Take every thread for one."""

    async def read(self, thread: ThreadRef, /) -> Listing:
        """Forget the root."""
        return await super().read(ThreadRef(conversation=thread.conversation))


class TestLiar(ConversationContract):
    """What the kit finds."""
