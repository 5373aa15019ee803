"""What `chat.postMessage` is told to say for a draft."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from tertulia import outbound
from tertulia.errors import Invalid
from tertulia.thread import Draft
from tertulia_conversation_slack._adapter import LIMITS, MARKDOWN_CHARS

__all__ = ["words"]


async def words(draft: Draft) -> Mapping[str, str]:
    """Give a draft as Markdown, or what is too long for that in Slack's own markup. Raises Invalid for what fits neither.

    What is read is loaded, and away from the event loop, when it is needed: hostile text takes seconds.
    """
    body = outbound.prepare(draft, carrier="none", limit=LIMITS.body_chars)
    if len(body) <= MARKDOWN_CHARS:
        return {"markdown_text": body}
    from tertulia_conversation_slack._to_mrkdwn import to_mrkdwn

    text = await asyncio.to_thread(to_mrkdwn, body)
    if LIMITS.body_chars is not None and len(text) > LIMITS.body_chars:
        told = f"body: {len(body)} characters are {len(text)} in Slack's own markup, more than {LIMITS.body_chars}"
        raise Invalid(told, field="body")
    return {"text": text}
