"""What `chat.postMessage` is told to say for a draft."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from tertulia import outbound
from tertulia.errors import Invalid
from tertulia.thread import Draft
from tertulia_conversation_slack._adapter import MARKDOWN_CHARS, TEXT_CHARS

__all__ = ["Words", "words"]


class Words(NamedTuple):
    """Hold what is said, in one of the two arguments that take it."""

    markdown_text: str | None = None
    text: str | None = None


async def words(draft: Draft) -> Words:
    """Give a draft as Markdown, or what is too long for that in Slack's own markup. Raises Invalid for what fits neither.

    The converter is loaded when it is needed, and works beside the event loop: hostile text takes it seconds.
    """
    body = outbound.prepare(draft, carrier="none", limit=TEXT_CHARS)
    if len(body) <= MARKDOWN_CHARS:
        return Words(markdown_text=body)
    from tertulia_conversation_slack._to_mrkdwn import to_mrkdwn

    text = await asyncio.to_thread(to_mrkdwn, body)
    if len(text) > TEXT_CHARS:
        told = f"body: {len(body)} characters are {len(text)} in Slack's own markup, more than {TEXT_CHARS}"
        raise Invalid(told, field="body")
    return Words(text=text)
