"""Takes an answer in another thread for the one to post."""

from datetime import datetime

from tertulia.outbound import find_key
from tertulia.testing.conversation import Client
from tertulia.thread import Message, ThreadRef
from tertulia_contract import ConversationContract

FAILS = {"test_a_key_under_another_root_is_another_answer"}


class Liar(Client):
    """Look in the whole conversation."""

    async def _look(self, thread: ThreadRef, digest: str, since: datetime | None) -> Message | None:
        messages = (await self.read(ThreadRef(conversation=thread.conversation))).messages
        return next((one for one in self._mine(messages, since) if find_key(one.body) == digest), None)


class TestLiar(ConversationContract):
    """What the kit finds."""
