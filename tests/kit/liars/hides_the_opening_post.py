"""Says that a conversation begins with an opening post, and leaves it out."""

from tertulia.testing.conversation import Client
from tertulia.thread import Listing, ThreadRef
from tertulia_contract import ConversationContract

FAILS = {
    "test_a_cancelled_question_ends",
    "test_a_conversation_is_about_its_opening_post",
    "test_a_conversation_is_its_opening_post_if_any_and_then_its_threads",
    "test_a_conversation_is_started",
    "test_a_deadline_of_the_caller_is_kept",
    "test_a_failure_of_one_task_is_its_own",
    "test_a_message_is_hidden_with_a_reason",
    "test_a_message_is_read_alone_as_in_its_thread",
    "test_a_started_conversation_carries_agent_and_key",
    "test_a_started_conversation_passes_through_outbound",
    "test_a_thread_is_read_again_after_a_refusal",
    "test_a_thread_read_whole_is_complete",
    "test_a_thread_without_answers_has_its_opening_post",
    "test_an_opening_post_answers_nothing",
    "test_an_opening_post_has_no_parent",
    "test_an_opening_post_is_hidden_or_refused",
    "test_an_opening_post_of_somebody_else_is_not_deleted",
    "test_an_opening_post_of_somebody_else_is_not_edited",
    "test_an_own_opening_post_is_edited",
    "test_an_own_opening_post_is_not_deleted",
    "test_every_page_is_read",
    "test_items_listed_twice_are_given_once_or_twice",
    "test_post_answers_in_the_thread",
    "test_reading_beside_writing_gives_whole_messages",
    "test_the_edge_of_a_page_loses_nothing",
    "test_the_opening_post_is_a_message",
    "test_the_opening_post_is_first",
    "test_what_a_person_wrote_is_read_as_it_is",
    "test_what_others_say_is_read",
    "test_what_was_deleted_is_not_read_as_said",
    "test_what_was_transferred_takes_an_answer",
}


class Liar(Client):
    """Read what was said below."""

    async def read(self, thread: ThreadRef, /) -> Listing:
        """Leave out what has no parent."""
        listing = await super().read(thread)
        said = tuple(one for one in listing.messages if one.parent_id is not None)
        return listing.model_copy(update={"messages": said})


class TestLiar(ConversationContract):
    """What the kit finds."""
