"""Declares that it edits, and refuses to."""

from tertulia.testing.tracker import Client
from tertulia.thread import Draft, Message, MessageRef
from tertulia.tracker import Capability
from tertulia_contract import TrackerContract

FAILS = {
    "test_what_is_declared_and_cannot_be_done_is_an_error",
    "test_a_message_of_somebody_else_is_not_edited",
    "test_a_message_that_is_gone_is_not_edited",
    "test_an_edit_over_the_limit_is_invalid",
    "test_an_edited_body_passes_through_outbound",
    "test_an_edited_message_is_known_by_its_key",
    "test_an_operation_is_done_or_refused",
    "test_edit_keeps_agent_and_key",
    "test_edit_replaces_the_body",
}


class Liar(Client):
    """Refuse."""

    async def edit(self, message: MessageRef, draft: Draft, /) -> Message:
        """Refuse what is declared."""
        raise self._cannot(Capability.EDIT)


class TestLiar(TrackerContract):
    """What the kit finds."""
