"""Posts what the agent wrote, and says nowhere which agent that was."""

from tertulia.testing.tracker import Client
from tertulia.thread import Message, ThreadRef
from tertulia_contract import TrackerContract

FAILS = {
    "test_a_post_carries_the_agents_name_where_read_finds_it",
    "test_a_post_carries_the_key_where_read_finds_it",
    "test_any_text_is_a_key",
    "test_edit_keeps_agent_and_key",
    "test_no_comment_of_the_agents_leaves",
    "test_no_key_of_the_agents_leaves",
    "test_the_hosts_lines_count",
    "test_what_an_agent_leaves_open_does_not_swallow_the_key",
}


class Liar(Client):
    """Leave the first line out."""

    async def _send(self, thread: ThreadRef, body: str) -> Message:
        return await super()._send(thread, body.partition("\n")[2])


class TestLiar(TrackerContract):
    """What the kit finds."""
