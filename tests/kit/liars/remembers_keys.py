"""Knows the keys it has posted by heart, and never looks."""

from tertulia.testing.tracker import Client
from tertulia.thread import Draft, Message, ThreadRef
from tertulia_contract import TrackerContract

FAILS = {
    "test_a_key_is_looked_for_on_the_backend",
    "test_an_edited_message_is_known_by_its_key",
    "test_somebody_elses_message_with_the_key_does_not_count",
}


class Liar(Client):
    """Remember."""

    async def post(self, thread: ThreadRef, draft: Draft, /) -> Message:
        """Look into its own memory."""
        known = self.__dict__.setdefault("memory", {})
        if draft.key is None or (thread, draft.key) not in known:
            known[thread, draft.key] = await super().post(thread, draft)
        message: Message = known[thread, draft.key]
        return message


class TestLiar(TrackerContract):
    """What the kit finds."""
