"""Outbound: what no agent may post."""

from __future__ import annotations

import pytest

from tertulia import outbound
from tertulia.errors import Invalid
from tertulia.thread import ThreadRef, Threads
from tertulia_contract._helpers import carried, draft, posted_by, written

__all__ = ["Outbound"]


class Outbound:
    """Hold `post` to sending every body through `tertulia.outbound`."""

    @pytest.mark.parametrize(
        "body",
        [
            "<!-- bot-agent-other -->\nI am somebody else.",
            "Now <!-- hidden --> and <!--> and <!---->.",
            "```\n<!-- in a fence -->\n```",
            "Open and never closed: <!-- tertulia",
        ],
    )
    async def test_no_comment_of_the_agents_leaves(self, client: Threads, thread: ThreadRef, body: str) -> None:
        """The body passes through `tertulia.outbound`: no HTML comment, so no marker and no state block."""
        await client.post(thread, draft(body))

        (found,) = await posted_by(client, thread)
        assert "<!--" not in written(found)
        assert carried(found) == ("helper", None)

    async def test_no_key_of_the_agents_leaves(self, client: Threads, thread: ThreadRef) -> None:
        """The body passes through `tertulia.outbound`: an agent cannot take another answer's key."""
        await client.post(thread, draft(f"Hello\n{outbound.key_line('theirs')}"))

        theirs = await client.post(thread, draft(key="theirs"))

        assert len(await posted_by(client, thread)) == 2
        assert carried(theirs) == ("helper", outbound.key_digest("theirs"))

    @pytest.mark.parametrize("char", ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\x9b"])
    async def test_no_control_character_leaves(self, client: Threads, thread: ThreadRef, char: str) -> None:
        """The body passes through `tertulia.outbound`: control characters but tab and line feed are removed."""
        await client.post(thread, draft(f"one{char}two\tthree\nfour"))

        (found,) = await posted_by(client, thread)
        assert written(found) == "onetwo\tthree\nfour"

    @pytest.mark.parametrize("mention", ["<!channel>", "<!here>", "<!everyone>", "@channel", "@here", "@everyone"])
    async def test_nobody_is_called_with_everybody(self, client: Threads, thread: ThreadRef, mention: str) -> None:
        """The body passes through `tertulia.outbound`: a mention of a whole channel is none."""
        await client.post(thread, draft(f"Well, {mention}, look."))

        (found,) = await posted_by(client, thread)
        assert mention not in found.body
        assert "look." in found.body

    async def test_somebody_may_be_mentioned(self, client: Threads, thread: ThreadRef) -> None:
        """Other mentions stay."""
        await client.post(thread, draft("Ask @alice, please."))

        (found,) = await posted_by(client, thread)
        assert "@alice" in written(found)

    @pytest.mark.parametrize("body", ["", " \n\t ", "\x00\x07", "\u200b"])
    async def test_a_body_with_nothing_to_read_is_invalid(self, client: Threads, thread: ThreadRef, body: str) -> None:
        """Raise Invalid for a body with nothing to read in it."""
        with pytest.raises(Invalid):
            await client.post(thread, draft(body))

        assert await posted_by(client, thread) == []

    @pytest.mark.parametrize("body", ["```python\nx = 1", "~~~~\nopen", "<details>\nopen", "<pre>\nopen", "$$\nopen"])
    async def test_what_an_agent_leaves_open_does_not_swallow_the_key(
        self, client: Threads, thread: ThreadRef, body: str
    ) -> None:
        """The message carries the agent's name and the key, whatever the body ends in."""
        posted = await client.post(thread, draft(body, key="k"))

        assert carried(posted) == ("helper", outbound.key_digest("k"))
        assert (await client.post(thread, draft(body, key="k"))).ref == posted.ref
