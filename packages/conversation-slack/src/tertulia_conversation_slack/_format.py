"""What a message says, as Markdown. Pure."""

from __future__ import annotations

from tertulia_conversation_slack._fields import Json, objects, word
from tertulia_conversation_slack._mrkdwn import decoded, from_mrkdwn, joined, link
from tertulia_conversation_slack._rich import Unknown, from_block

__all__ = ["markdown"]


def markdown(message: Json) -> str:
    """Write what people see of a message: its blocks, else its text, else its attachments.

    The text beside blocks is what a notification shows; it stands in for blocks of a kind that is not known.
    """
    text = word(message, "text")
    return _from_blocks(message, text) or from_mrkdwn(text) or _from_attachments(message)


def _from_blocks(message: Json, text: str) -> str:
    parts: list[str] = []
    for block in objects(message.get("blocks")):
        try:
            parts.append(from_block(block))
        except Unknown:
            if text:
                return ""
    return joined(parts)


def _from_attachments(message: Json) -> str:
    return joined([_attachment(one) for one in objects(message.get("attachments"))])


def _attachment(attachment: Json) -> str:
    title = decoded(word(attachment, "title"))
    target = decoded(word(attachment, "title_link"))
    parts = [
        from_mrkdwn(word(attachment, "pretext")),
        link(target, title) if target else title,
        from_mrkdwn(word(attachment, "text")) or _from_blocks(attachment, ""),
    ]
    return joined(parts) or from_mrkdwn(word(attachment, "fallback"))
