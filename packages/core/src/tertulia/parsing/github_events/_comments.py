"""A comment, and what it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tertulia.event import Commands, find_commands
from tertulia.parsing import as_object
from tertulia.parsing.github_events._people import author, is_engine, person
from tertulia.parsing.github_events._subjects import web_url

if TYPE_CHECKING:
    from tertulia.parsing.github_events._shapes import Comment
    from tertulia.thread import Account

__all__ = ["COMMENT_KINDS", "comment_transition"]

COMMENT_KINDS = {"created": "comment_added", "edited": "comment_edited", "deleted": "comment_deleted"}

_MAX_TEXT = 4096
_MAX_READ = 256 * 1024


def comment_transition(
    action: str, comment: Comment, root: int | None, changes: object, engine: Account | None
) -> dict[str, Any]:
    """Write the transition of a comment event.

    `root` is the id of the comment that its thread begins with; without one it is its own root. A null `user` is a
    deleted account (`ghost`); without that key the author is not known and is left out.
    """
    ident, body = str(comment["id"]), comment.get("body") or ""
    made = {
        "id": ident,
        "parent_id": ident if root is None else str(root),
        "body": body[:_MAX_TEXT],
        "author": author(person(comment["user"])) if "user" in comment else None,
        "handle": comment.get("node_id") or None,
        "created_at": comment.get("created_at"),
        "url": web_url(comment.get("html_url"), "comment.html_url"),
    }
    may_ask = "/" in body if engine is None else not is_engine(comment, engine)
    if may_ask and action != "deleted":
        asked = _asked(action, body, changes, engine)
        if asked is not None and (engine is not None or asked.command or asked.commands):
            made |= _written(asked, engine)
    return {"kind": COMMENT_KINDS[action], "comment": made}


def _asked(action: str, body: str, changes: object, engine: Account | None) -> Commands | None:
    """Read what a text asks for; nothing is known of an edit when nobody says of what."""
    now = find_commands(body[:_MAX_READ], engine=engine)
    if action != "edited":
        return now
    before = _old_body(changes)
    return None if before is None else now.added_to(find_commands(before[:_MAX_READ], engine=engine))


def _written(asked: Commands, engine: Account | None) -> dict[str, Any]:
    return {
        "command": asked.command,
        "instruction": asked.instruction,
        "commands": asked.commands or None,
        "addressed": asked.addressed if engine is not None else None,
    }


def _old_body(changes: object) -> str | None:
    """Find the text before an edit; GitHub sends `changes: {}` too, and its emulators `{"title": true}`."""
    before = as_object(as_object(changes).get("body")).get("from")
    return before if isinstance(before, str) else None
