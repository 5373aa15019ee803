"""Does not declare that it hides messages, and raises an error of Python's own."""

import builtins

from tertulia.testing.tracker import Client
from tertulia.thread import MessageRef
from tertulia.tracker import Capability
from tertulia_contract import TrackerContract

FAILS = {
    "test_a_message_is_hidden_with_a_reason",
    "test_an_operation_is_done_or_refused",
    "test_what_is_gone_is_not_hidden",
}
WITHOUT = [Capability.MINIMIZE]


class Liar(Client):
    """Raise what Python has for it."""

    async def minimize(self, message: MessageRef, reason: str, /) -> None:
        """Raise an error of another tree."""
        raise getattr(builtins, "NotImplemented" + "Error")("minimize")


class TestLiar(TrackerContract):
    """What the kit finds."""
