"""GitHub's discussion events, normalized. Pure: nobody is asked, nothing is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tertulia.category import format_of
from tertulia.event import Delivery, Entity, Event, Ignored, Normalized
from tertulia.parsing.github_events import (
    COMMENT_KINDS,
    Maker,
    Native,
    comment_mark,
    comment_transition,
    entity,
    entity_mark,
    event_repo,
    labels_of,
    normalized,
    snapshot,
    with_label,
)
from tertulia_conversation_github._payload import Category, Discussion, DiscussionComment, Discussions

__all__ = ["NAMES", "normalize"]

_KINDS = {"created": "opened", "edited": "edited", "closed": "closed", "reopened": "reopened"}
_CLOSED = {"open": False, "closed": True}
"""What a state says about being closed. The others (locked, converting, transferring) say nothing about it."""

_MAX_TITLE = 1024


def normalize(delivery: Delivery) -> Normalized:
    """Turn one GitHub event into the event it means, or say why there is none.

    Reads `discussion` and `discussion_comment`; every other name is ignored with a reason. The body may come from a hook that
    sends JSON or forms, or from a runner's event file. Offline: the role is none, unverified, and labels are mostly missing,
    until somebody looks them up. A discussion that was transferred is the one at its new place.

    Raises Invalid, and nothing else, when the body is not what GitHub sends under that name.
    """
    return normalized(delivery, _MAKERS)


def _discussion(native: Native[Discussions]) -> Event:
    native = _moved(native)
    discussion, action = native.payload["discussion"], native.payload["action"]
    transition = native.transition(_KINDS)
    labels = with_label(labels_of(discussion, "discussion"), transition.label)
    thread, raw = native.thread(discussion), native.delivery.payload
    marked = entity_mark(thread, raw, "discussion", discussion, action, transition)
    state = snapshot(labels, conversation=_conversation(discussion))
    return native.event(discussion, _entity(discussion, native.repo), transition, state, marked)


def _moved(native: Native[Discussions]) -> Native[Discussions]:
    """Follow a discussion that was transferred: the payload is about the place it left."""
    payload, changes = native.payload, native.payload.get("changes") or {}
    there = changes.get("new_discussion")
    if payload["action"] != "transferred" or there is None:
        return native
    repo = (changes.get("new_repository") or {}).get("full_name") or native.repo
    return native._replace(repo=event_repo(repo), payload={**payload, "discussion": there})


def _discussion_comment(native: Native[DiscussionComment]) -> Event | Ignored:
    payload, delivery = native.payload, native.delivery
    discussion, comment, action = payload["discussion"], payload["comment"], payload["action"]
    if action not in COMMENT_KINDS:
        return native.unsupported_action()
    root = comment.get("parent_id") or comment["id"]
    transition = comment_transition(action, comment, root, payload.get("changes"), delivery.engine)
    thread = native.thread(discussion, str(root))
    marked = comment_mark(thread, delivery.payload, "discussion_comment", comment, transition.kind, discussion)
    state = snapshot(labels_of(discussion, "discussion"), conversation=_conversation(discussion))
    return native.event(discussion, _entity(discussion, native.repo), transition, state, marked)


def _entity(discussion: Discussion, repo: str) -> Entity:
    """Write a discussion. Without `html_url` the address is the one on github.com."""
    number = discussion["number"]
    url = discussion.get("html_url") or f"https://github.com/{repo}/discussions/{number}"
    return entity("conversation", number, url)


def _conversation(discussion: Discussion) -> dict[str, Any]:
    """Write what people see of a discussion.

    `locked` alone says whether it is locked: after unlocking, the reason it was locked for is still there.
    """
    answered = discussion.get("answer_chosen_at") or discussion.get("answer_html_url")
    return {
        "category": _category(discussion["category"]),
        "title": (discussion.get("title") or "")[:_MAX_TITLE] or None,
        "locked": discussion.get("locked"),
        "closed": _CLOSED.get(discussion.get("state") or ""),
        "answered": bool(answered) if discussion["category"].get("is_answerable") else None,
    }


def _category(category: Category) -> dict[str, Any]:
    return {
        "id": category.get("node_id") or None,
        "name": category["name"],
        "slug": category.get("slug") or None,
        "format": format_of(answerable=category.get("is_answerable")),
    }


_MAKERS: Mapping[str, Maker[Any]] = {
    "discussion": Maker(Discussions, {"discussion"}, _discussion),
    "discussion_comment": Maker(DiscussionComment, {"discussion", "comment"}, _discussion_comment),
}

NAMES = frozenset(_MAKERS)
"""The native events that are understood."""
