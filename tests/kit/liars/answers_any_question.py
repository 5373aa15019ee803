"""Marks an answer where the category takes none."""

from tertulia.conversation import Conversation
from tertulia.errors import Invalid
from tertulia.testing.conversation import Client
from tertulia.thread import MessageRef, ThreadRef
from tertulia_contract import ConversationContract

FAILS = {
    "test_a_category_without_answers_takes_none",
    "test_an_opening_post_answers_nothing",
}


class Liar(Client):
    """Do nothing, and say that it is done."""

    async def mark_answer(self, message: MessageRef, /, *, answer: bool = True) -> Conversation:
        """Never refuse."""
        try:
            return await super().mark_answer(message, answer=answer)
        except Invalid:
            return await self.get_conversation(ThreadRef(conversation=message.conversation))


class TestLiar(ConversationContract):
    """What the kit finds."""
