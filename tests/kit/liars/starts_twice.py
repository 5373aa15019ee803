"""Starts a conversation without looking whether its key has one."""

from tertulia.conversation import Conversation, ConversationDraft
from tertulia.testing.conversation import Client
from tertulia_contract import ConversationContract

FAILS = {
    "test_a_cancelled_start_is_found_by_its_key",
    "test_a_conversation_whose_start_landed_is_found_again",
    "test_a_key_starts_one_conversation",
    "test_a_key_starts_one_conversation_though_many_start_it",
}


class Liar(Client):
    """Never look."""

    async def _started(self, draft: ConversationDraft, digest: str) -> Conversation | None:
        return None


class TestLiar(ConversationContract):
    """What the kit finds."""
