"""Tells the category among the labels, as those do that have no field for it."""

from tertulia.conversation import Conversation
from tertulia.testing.conversation import Client
from tertulia.thread import ThreadRef
from tertulia_contract import ConversationContract

FAILS = {
    "test_a_category_is_never_a_label",
    "test_a_conversation_says_what_it_is",
    "test_a_conversation_is_closed_and_opened",
    "test_a_conversation_is_started",
    "test_a_label_leaves_the_category_as_it_is",
    "test_a_label_that_the_place_does_not_have_is_invalid",
    "test_a_message_is_marked_as_the_answer",
    "test_an_answer_is_taken_back",
    "test_conversations_are_found_by_category",
    "test_conversations_of_a_place_are_found",
    "test_labels_are_added_by_name",
    "test_labels_are_removed_by_name",
    "test_what_was_transferred_is_labelled_where_it_is",
}


class Liar(Client):
    """Mix them up."""

    async def get_conversation(self, thread: ThreadRef, /) -> Conversation:
        """Smuggle."""
        found = await super().get_conversation(thread)
        assert found.category is not None
        return found.model_copy(update={"labels": (*found.labels, found.category.name)})


class TestLiar(ConversationContract):
    """What the kit finds."""
