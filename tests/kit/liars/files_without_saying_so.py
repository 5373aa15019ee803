"""Says that its conversations are in no category, and gives one."""

from tertulia.conversation import Trait
from tertulia.testing.conversation import Client
from tertulia_contract import ConversationContract

FAILS = {
    "test_a_category_is_a_question_only_when_it_takes_answers",
    "test_a_category_is_never_a_label",
    "test_a_conversation_is_started_in_a_category_by_id_or_slug",
    "test_a_label_leaves_the_category_as_it_is",
    "test_conversations_are_found_by_category",
    "test_only_questions_have_answers_and_only_categories_take_them",
}


class Liar(Client):
    """Say the least."""

    traits = frozenset({Trait.OPENING})


class TestLiar(ConversationContract):
    """What the kit finds."""
