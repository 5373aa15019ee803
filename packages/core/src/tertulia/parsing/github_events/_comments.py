"""A comment, and what it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tertulia.event import find_commands
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
    ident = str(comment["id"])
    made = {
        "id": ident,
        "parent_id": ident if root is None else str(root),
        "body": (comment.get("body") or "")[:_MAX_TEXT],
        "author": author(person(comment["user"])) if "user" in comment else None,
        "handle": comment.get("node_id") or None,
        "created_at": comment.get("created_at"),
        "url": web_url(comment.get("html_url"), "comment.html_url"),
    }
    if action != "deleted" and not is_engine(comment, engine):
        made |= _asked(action, comment, changes, engine)
    return {"kind": COMMENT_KINDS[action], "comment": made}


def _asked(action: str, comment: Comment, changes: object, engine: Account | None) -> dict[str, Any]:
    now = find_commands((comment.get("body") or "")[:_MAX_READ], engine=engine)
    if action == "edited":
        before = _old_body(changes)
        if before is None:
            return {}
        now = now.added_to(find_commands(before[:_MAX_READ], engine=engine))
    if engine is None and not (now.command or now.commands):
        return {}
    return {
        "command": now.command,
        "instruction": now.instruction,
        "commands": now.commands or None,
        "addressed": now.addressed if engine is not None else None,
    }


def _old_body(changes: object) -> str | None:
    """Find the text before an edit; GitHub sends `changes: {}` too, and its emulators `{"title": true}`."""
    before = as_object(as_object(changes).get("body")).get("from")
    return before if isinstance(before, str) else None
