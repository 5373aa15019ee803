"""Does not declare reactions, and says nothing when asked for one."""

from tertulia.testing.tracker import Client
from tertulia.thread import MessageRef
from tertulia.tracker import Capability
from tertulia_contract import TrackerContract

FAILS = {
    "test_a_reaction_that_is_there_is_no_error",
    "test_an_operation_is_done_or_refused",
    "test_nobody_reacts_to_what_is_gone",
}
WITHOUT = [Capability.REACT]


class Liar(Client):
    """Keep silent."""

    async def react(self, message: MessageRef, reaction: str, /) -> None:
        """Do nothing."""


class TestLiar(TrackerContract):
    """What the kit finds."""
