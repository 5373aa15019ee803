"""Calls a category a question because of its name."""

from tertulia.conversation import Conversation
from tertulia.testing.conversation import Client
from tertulia_contract import ConversationContract

FAILS = {
    "test_a_category_is_a_question_only_when_it_takes_answers",
    "test_a_category_without_answers_takes_none",
    "test_a_conversation_is_closed_and_opened",
    "test_a_conversation_is_started",
    "test_a_key_starts_one_conversation",
    "test_conversations_of_a_place_are_found",
}


class Liar(Client):
    """Guess."""

    async def _conversation(self, operation: str, conversation: str) -> Conversation:
        found = await super()._conversation(operation, conversation)
        assert found.category is not None
        guessed = found.category.model_copy(update={"format": "question_answer"})
        return found.model_copy(update={"category": guessed, "answered": found.answered or False})


class TestLiar(ConversationContract):
    """What the kit finds."""
