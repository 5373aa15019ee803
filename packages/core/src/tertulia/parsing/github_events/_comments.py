"""A comment, and what it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertulia._frozen import assembled
from tertulia.event import Commands, Transition, find_commands
from tertulia.event._model import MAX_TEXT, Comment
from tertulia.parsing import as_object
from tertulia.parsing.github_events._people import author, is_engine, person
from tertulia.parsing.github_events._shapes import instant

if TYPE_CHECKING:
    from tertulia.parsing.github_events import _shapes
    from tertulia.thread import Account

__all__ = ["COMMENT_KINDS", "comment_transition"]

COMMENT_KINDS = {"created": "comment_added", "edited": "comment_edited", "deleted": "comment_deleted"}

_MAX_READ = 256 * 1024
_NOTHING = Commands()


def comment_transition(
    action: str, comment: _shapes.Comment, root: int | None, changes: object, engine: Account | None
) -> Transition:
    """Make the transition of a comment event, out of values that the shape of the payload checked.

    `root` is the id of the comment that its thread begins with; without one it is its own root. A null `user` is a
    deleted account (`ghost`); without that key the author is not known and is left out.
    """
    ident, body = str(comment["id"]), comment.get("body") or ""
    may_ask = "/" in body if engine is None else not is_engine(comment, engine)
    read = _asked(action, body, changes, engine) if may_ask and action != "deleted" else None
    asked = read or _NOTHING
    made = {
        "id": ident,
        "parent_id": ident if root is None else str(root),
        "command": asked.command,
        "body": body[:MAX_TEXT],
        "instruction": asked.instruction,
        "author": author(person(comment["user"])) if "user" in comment else None,
        "handle": comment.get("node_id") or None,
        "created_at": instant(comment.get("created_at")),
        "url": comment.get("html_url") or None,
        "commands": asked.commands or None,
        "addressed": None if read is None or engine is None else read.addressed,
    }
    parts = {"kind": COMMENT_KINDS[action], "label": None, "comment": assembled(Comment, made), "review": None}
    return assembled(Transition, parts)


def _asked(action: str, body: str, changes: object, engine: Account | None) -> Commands | None:
    """Read what a text asks for; nothing is known of an edit when nobody says of what."""
    now = find_commands(body[:_MAX_READ], engine=engine)
    if action != "edited":
        return now
    before = _old_body(changes)
    return None if before is None else now.added_to(find_commands(before[:_MAX_READ], engine=engine))


def _old_body(changes: object) -> str | None:
    """Find the text before an edit; GitHub sends `changes: {}` too, and its emulators `{"title": true}`."""
    before = as_object(as_object(changes).get("body")).get("from")
    return before if isinstance(before, str) else None
