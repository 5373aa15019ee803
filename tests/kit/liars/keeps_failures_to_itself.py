"""Reacts, and says nothing when that failed: a reaction is not worth an error."""

from tertulia.errors import RateLimited, Unavailable
from tertulia.testing.tracker import Client
from tertulia.thread import MessageRef
from tertulia_contract import TrackerContract

FAILS = {"test_what_is_declared_and_cannot_be_done_is_an_error"}


class Liar(Client):
    """Look away."""

    async def react(self, message: MessageRef, reaction: str, /) -> None:
        """Pretend."""
        try:
            await super().react(message, reaction)
        except (RateLimited, Unavailable):
            return


class TestLiar(TrackerContract):
    """What the kit finds."""
