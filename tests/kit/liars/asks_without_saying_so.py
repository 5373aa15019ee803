"""Says that no category takes answers, and reads questions and answers all the same."""

from tertulia.conversation import Trait
from tertulia.testing.conversation import Client
from tertulia_contract import ConversationContract

FAILS = {
    "test_a_category_is_a_question_only_when_it_takes_answers",
    "test_only_questions_have_answers_and_only_categories_take_them",
}


class Liar(Client):
    """Keep the questions to itself."""

    traits = frozenset(Trait) - {Trait.QUESTIONS}


class TestLiar(ConversationContract):
    """What the kit finds."""
