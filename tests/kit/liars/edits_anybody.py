"""Edits what somebody else wrote, because the site lets a maintainer do so."""

from tertulia.testing.tracker import Client
from tertulia.thread import Message, MessageRef
from tertulia_contract import TrackerContract

FAILS = {"test_a_message_of_somebody_else_is_not_deleted", "test_a_message_of_somebody_else_is_not_edited"}


class Liar(Client):
    """Overreach."""

    async def _own(self, message: MessageRef) -> Message:
        return await self.get_message(message)


class TestLiar(TrackerContract):
    """What the kit finds."""
