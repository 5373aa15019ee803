"""Closes a conversation, and then finds that the reason is none."""

from tertulia.conversation import Conversation
from tertulia.testing.conversation import Client
from tertulia.thread import ThreadRef
from tertulia_contract import ConversationContract

FAILS = {"test_a_reason_that_is_none_changes_nothing"}


class Liar(Client):
    """Do first what can be done."""

    async def set_state(
        self, thread: ThreadRef, /, *, closed: bool | None = None, locked: bool | None = None, reason: str | None = None
    ) -> Conversation:
        """Change one thing after the other."""
        await super().set_state(thread, closed=closed)
        return await super().set_state(thread, closed=closed, locked=locked, reason=reason)


class TestLiar(ConversationContract):
    """What the kit finds."""
