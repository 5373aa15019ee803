"""Takes a cancellation for a reason to try again."""

import asyncio

from tertulia.testing.tracker import Client
from tertulia.thread import Listing, ThreadRef
from tertulia_contract import TrackerContract

FAILS = {"test_a_cancelled_question_ends", "test_a_deadline_of_the_caller_is_kept"}


class Liar(Client):
    """Go on."""

    async def read(self, thread: ThreadRef, /) -> Listing:
        """Read, whatever happens."""
        try:
            return await super().read(thread)
        except asyncio.CancelledError:
            self._wire.mend()
            return await super().read(thread)


class TestLiar(TrackerContract):
    """What the kit finds."""
