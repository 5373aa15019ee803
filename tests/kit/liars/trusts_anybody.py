"""Takes anybody's key line for its own answer."""

from datetime import datetime

from tertulia import outbound
from tertulia.testing.tracker import Client
from tertulia.thread import Message, ThreadRef
from tertulia_contract import TrackerContract

FAILS = {"test_somebody_elses_message_with_the_key_does_not_count"}


class Liar(Client):
    """Look at the line, not at who wrote it."""

    async def _look(self, thread: ThreadRef, digest: str, since: datetime | None) -> Message | None:
        listing = await self.read(thread)
        return next((one for one in listing.messages if outbound.find_key(one.body) == digest), None)


class TestLiar(TrackerContract):
    """What the kit finds."""
