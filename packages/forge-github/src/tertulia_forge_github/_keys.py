"""What a delivery reports, as one fact: the same key for every delivery of it, and never the key of another fact."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tertulia.event import delivery_key, encode_part, revision

if TYPE_CHECKING:
    from tertulia_forge_github._payload import Comment, Issue, Payload, PullRequest, Review

__all__ = ["comment_mark", "entity_mark", "review_mark"]

_MOVING = frozenset({"converted_to_draft", "deleted", "locked", "transferred", "unlocked"})
"""Actions without a transition of their own that happen once or move `updated_at`. Pinning moves nothing."""

_SHORT, _MAX_IDENT = 64, 1024
"""A key holds 2,048 characters, and encoding makes up to twelve of one."""


def comment_mark(
    thread: str, raw: bytes, thing: str, comment: Comment, word: str, entity: Issue | PullRequest
) -> dict[str, Any]:
    """Mark what happened to a comment: it has an id and, on GitHub, always an `updated_at`."""
    changed = comment.get("updated_at")
    time = changed or comment.get("created_at") or entity.get("updated_at")
    return _mark(thread, raw, (thing, str(comment["id"])), changed, word, time)


def review_mark(thread: str, raw: bytes, review: Review, word: str, pull: PullRequest) -> dict[str, Any]:
    """Mark what happened to a review; most payloads give it no `updated_at`."""
    ident, changed = review.get("id"), review.get("updated_at")
    time = changed or review.get("submitted_at") or pull.get("updated_at")
    return _mark(thread, raw, ("review", str(ident or "")), changed if ident else None, word, time)


def entity_mark(
    thread: str, raw: bytes, thing: str, payload: Payload, entity: Issue | PullRequest, transition: dict[str, Any]
) -> dict[str, Any]:
    """Mark what happened to an issue or a pull request, or to what is on it: a label, an assignee, a reviewer."""
    word, action = transition["kind"], payload["action"]
    changed = entity.get("updated_at")
    time = changed or entity.get("closed_at")
    if word == "label_changed":
        label = transition["label"]
        return _mark(thread, raw, ("label", label["name"]), None, f"{word}:{label['action']}", time)
    itself = (thing, str(entity.get("id") or entity["number"]))
    if word != "updated":
        return _mark(thread, raw, itself, changed, word, time)
    moved = changed if action in _MOVING else None
    return _mark(thread, raw, _beside(action, payload) or itself, moved, f"{word}:{encode_part(action)}", time)


def _mark(
    thread: str, raw: bytes, thing: tuple[str, str], changed: datetime | None, word: str, time: datetime | None
) -> dict[str, Any]:
    """Write `delivery` of an event. `changed` is the thing's own `updated_at`; without one the raw body tells it apart."""
    kind, ident = thing
    if len(ident) > _SHORT and len(encode_part(ident)) > _MAX_IDENT:
        thing = (kind, hashlib.sha256(ident.encode()).hexdigest())
    return {"key": delivery_key(thread, thing, revision(changed, raw), word), "time": time}


def _beside(action: str, payload: Payload) -> tuple[str, str] | None:
    if action in ("assigned", "unassigned"):
        return _thing("assignee", (payload.get("assignee") or {}).get("login"))
    if action in ("milestoned", "demilestoned"):
        return _thing("milestone", (payload.get("milestone") or {}).get("number"))
    if action in ("review_requested", "review_request_removed"):
        team = payload.get("requested_team") or {}
        reviewer = _thing("reviewer", (payload.get("requested_reviewer") or {}).get("login"))
        return reviewer or _thing("team", team.get("slug") or team.get("name"))
    return None


def _thing(kind: str, ident: str | int | None) -> tuple[str, str] | None:
    return (kind, str(ident)) if ident else None
