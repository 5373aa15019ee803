"""Says NotFound of whatever it cannot see."""

from tertulia.errors import Denied, NotFound
from tertulia.testing.tracker import Client
from tertulia.thread import Message, MessageRef
from tertulia_contract import TrackerContract

FAILS = {
    "test_refused_credentials_are_denied",
    "test_what_cannot_be_seen_is_not_proven_deleted",
    "test_what_is_declared_and_cannot_be_done_is_an_error",
}


class Liar(Client):
    """Prove what is not so."""

    async def get_message(self, message: MessageRef, /) -> Message:
        """Say that it is not there."""
        try:
            return await super().get_message(message)
        except Denied:
            raise NotFound("not there", backend=self.backend, operation="get_message") from None


class TestLiar(TrackerContract):
    """What the kit finds."""
