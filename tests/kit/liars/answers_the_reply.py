"""Posts an answer to a reply under that reply, and not under its root."""

from tertulia.testing.conversation import Client
from tertulia.thread import Message, ThreadRef
from tertulia_contract import ConversationContract

FAILS = {
    "test_an_answer_to_a_reply_goes_to_its_root",
    "test_an_answer_to_somebody_elses_reply_goes_to_its_root",
}


class Liar(Client):
    """Nest."""

    async def _send(self, thread: ThreadRef, body: str) -> Message:
        posted = await super()._send(thread, body)
        return posted if thread.root is None else posted.model_copy(update={"parent_id": thread.root})


class TestLiar(ConversationContract):
    """What the kit finds."""
