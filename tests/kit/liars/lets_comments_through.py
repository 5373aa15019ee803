"""Sends a body as the agent wrote it, with its comments."""

from tertulia.testing.tracker import Client
from tertulia.thread import Message, ThreadRef
from tertulia_contract import TrackerContract

FAILS = {"test_no_comment_of_the_agents_leaves", "test_no_key_of_the_agents_leaves"}


class Liar(Client):
    """Trust the agent."""

    async def _send(self, thread: ThreadRef, body: str) -> Message:
        return await super()._send(thread, body.replace("&lt;!--", "<!--"))


class TestLiar(TrackerContract):
    """What the kit finds."""
