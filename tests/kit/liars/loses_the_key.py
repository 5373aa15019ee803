"""Forgets the key of an answer when it edits it."""

from tertulia import outbound
from tertulia.testing.tracker import Client
from tertulia.thread import Draft, Message, MessageRef
from tertulia_contract import TrackerContract

FAILS = {"test_an_edited_message_is_known_by_its_key", "test_edit_keeps_agent_and_key"}


class Liar(Client):
    """Write the lines anew."""

    async def edit(self, message: MessageRef, draft: Draft, /) -> Message:
        """Replace the whole body."""
        await self._own(message)
        body = outbound.prepare(draft, carrier="markdown", limit=self.limits.body_chars)
        return self.native.alter(message.conversation, message.id, body)


class TestLiar(TrackerContract):
    """What the kit finds."""
