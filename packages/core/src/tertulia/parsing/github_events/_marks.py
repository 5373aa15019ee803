"""What a delivery reports, as one fact: the same key for every delivery of it, and never the key of another fact."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from tertulia._frozen import assembled
from tertulia.errors import Invalid
from tertulia.event import DeliveryMark, delivery_key, encode_part, revision
from tertulia.event._model import MAX_KEY
from tertulia.parsing.github_events._shapes import instant

if TYPE_CHECKING:
    from tertulia.event import Transition
    from tertulia.parsing.github_events._shapes import Comment, Subject

__all__ = ["comment_mark", "entity_mark", "mark"]

_MOVING = frozenset({"converted_to_draft", "deleted", "locked", "transferred", "unlocked"})
"""Actions without a transition of their own that happen once or move `updated_at`. Pinning moves nothing."""

_SECONDS = len("2026-10-01T10:00:00")
_SHORT, _MAX_IDENT = 64, 1024
"""A key holds MAX_KEY characters, and encoding makes up to twelve of one."""


def mark(
    thread: str, raw: bytes, thing: tuple[str, str], changed: str | None, word: str, time: str | None
) -> DeliveryMark:
    """Make `delivery` of an event. `changed` is the thing's own `updated_at`; without one the raw body tells it apart."""
    ident = thing[1]
    if len(ident) > _SHORT and len(encode_part(ident)) > _MAX_IDENT:
        thing = (thing[0], hashlib.sha256(ident.encode()).hexdigest())
    at = f"{changed[:_SECONDS]}Z" if changed else revision(None, raw)
    key = delivery_key(thread, thing, at, word)
    if len(key) > MAX_KEY:
        raise Invalid(f"github: delivery.key: {len(key)} characters are more than {MAX_KEY}", field="delivery.key")
    return assembled(DeliveryMark, {"key": key, "time": instant(time)})


def comment_mark(thread: str, raw: bytes, thing: str, comment: Comment, word: str, subject: Subject) -> DeliveryMark:
    """Mark what happened to a comment: it has an id and, on GitHub, always an `updated_at`."""
    changed = comment.get("updated_at")
    time = changed or comment.get("created_at") or subject.get("updated_at")
    return mark(thread, raw, (thing, str(comment["id"])), changed, word, time)


def entity_mark(
    thread: str,
    raw: bytes,
    thing: str,
    subject: Subject,
    action: str,
    transition: Transition,
    beside: tuple[str, str] | None = None,
) -> DeliveryMark:
    """Mark what happened to a subject, or to what is on it: a label, or what `beside` names."""
    word, changed, label = transition.kind, subject.get("updated_at"), transition.label
    time = changed or subject.get("closed_at")
    if label is not None:
        return mark(thread, raw, ("label", label.name), None, f"{word}:{label.action}", time)
    itself = (thing, str(subject.get("id") or subject["number"]))
    if word != "updated":
        return mark(thread, raw, itself, changed, word, time)
    moved = changed if action in _MOVING else None
    return mark(thread, raw, beside or itself, moved, f"{word}:{encode_part(action)}", time)
