"""What a delivery reports, as one fact: the same key for every delivery of it, and never the key of another fact."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from tertulia.event import delivery_key, encode_part, revision

if TYPE_CHECKING:
    from tertulia.parsing.github_events._shapes import Comment, Subject

__all__ = ["comment_mark", "entity_mark", "mark"]

_MOVING = frozenset({"converted_to_draft", "deleted", "locked", "transferred", "unlocked"})
"""Actions without a transition of their own that happen once or move `updated_at`. Pinning moves nothing."""

_SECONDS = len("2026-10-01T10:00:00")
_SHORT, _MAX_IDENT = 64, 1024
"""A key holds 2,048 characters, and encoding makes up to twelve of one."""


def mark(
    thread: str, raw: bytes, thing: tuple[str, str], changed: str | None, word: str, time: str | None
) -> dict[str, Any]:
    """Write `delivery` of an event. `changed` is the thing's own `updated_at`; without one the raw body tells it apart."""
    ident = thing[1]
    if len(ident) > _SHORT and len(encode_part(ident)) > _MAX_IDENT:
        thing = (thing[0], hashlib.sha256(ident.encode()).hexdigest())
    at = f"{changed[:_SECONDS]}Z" if changed else revision(None, raw)
    return {"key": delivery_key(thread, thing, at, word), "time": time}


def comment_mark(thread: str, raw: bytes, thing: str, comment: Comment, word: str, subject: Subject) -> dict[str, Any]:
    """Mark what happened to a comment: it has an id and, on GitHub, always an `updated_at`."""
    changed = comment.get("updated_at")
    time = changed or comment.get("created_at") or subject.get("updated_at")
    at = f"{changed[:_SECONDS]}Z" if changed else revision(None, raw)
    return {"key": delivery_key(thread, (thing, str(comment["id"])), at, word), "time": time}


def entity_mark(
    thread: str,
    raw: bytes,
    thing: str,
    subject: Subject,
    action: str,
    transition: dict[str, Any],
    beside: tuple[str, str] | None = None,
) -> dict[str, Any]:
    """Mark what happened to a subject, or to what is on it: a label, or what `beside` names."""
    word, changed = transition["kind"], subject.get("updated_at")
    time = changed or subject.get("closed_at")
    if word == "label_changed":
        label = transition["label"]
        return mark(thread, raw, ("label", label["name"]), None, f"{word}:{label['action']}", time)
    itself = (thing, str(subject.get("id") or subject["number"]))
    if word != "updated":
        return mark(thread, raw, itself, changed, word, time)
    moved = changed if action in _MOVING else None
    return mark(thread, raw, beside or itself, moved, f"{word}:{encode_part(action)}", time)
