"""A message as the comment of an event, and what it asks for."""

from __future__ import annotations

from typing import Any

from tertulia.event import Commands, find_commands
from tertulia.thread import Account
from tertulia_conversation_slack._format import markdown
from tertulia_conversation_slack._payload import Message
from tertulia_conversation_slack._people import Person, author_of
from tertulia_conversation_slack._ts import instant

__all__ = ["KINDS", "asked", "asked_now", "comment", "is_changed", "root_of"]

KINDS = frozenset({"", "bot_message", "file_share", "thread_broadcast", "me_message"})
"""The subtypes of messages that somebody said; the empty one is no subtype."""

_MAX_TEXT = 4096
_MAX_READ = 256 * 1024


def root_of(message: Message) -> str:
    """Give the `ts` of a message's thread: its own when it is a root. A broadcast reply may name its root only inside."""
    root = message.get("root")
    inside = (root.get("thread_ts") or root.get("ts")) if root else None
    return message.get("thread_ts") or inside or message["ts"]


def comment(message: Message, body: str, author: Person | None) -> dict[str, Any]:
    """Write what stands in every comment."""
    return {
        "id": message["ts"],
        "parent_id": root_of(message),
        "body": body[:_MAX_TEXT],
        "author": author_of(author) if author is not None else None,
        "created_at": instant(message["ts"]),
    }


def asked(body: str, author: Person, engine: Account | None) -> dict[str, Any]:
    """Write what a message asks for. The engine asks itself for nothing."""
    return {} if author.is_account(engine) else _written(_commands(body, engine), engine)


def asked_now(before: str, body: str, author: Person, engine: Account | None) -> dict[str, Any]:
    """Write what an edit asks for that the text before did not."""
    if author.is_account(engine):
        return {}
    return _written(_commands(body, engine).added_to(_commands(before, engine)), engine)


def _commands(body: str, engine: Account | None) -> Commands:
    return find_commands(body[:_MAX_READ], engine=engine)


def _written(found: Commands, engine: Account | None) -> dict[str, Any]:
    return {
        "command": found.command,
        "instruction": found.instruction,
        "commands": found.commands or None,
        "addressed": found.addressed if engine is not None else None,
    }


def is_changed(before: Message, now: Message) -> bool:
    """Say whether people see another text than before; a link's preview, a count of replies and metadata are none.

    Text that is the same proves nothing about blocks, and blocks on one side only prove nothing about the text.
    """
    if before.get("text") == now.get("text") and not (before.get("blocks") and now.get("blocks")):
        return not now.get("text") and markdown(before) != markdown(now)
    return markdown(before) != markdown(now)
