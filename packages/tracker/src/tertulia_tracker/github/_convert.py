"""Objects of GitHub's REST API made into the models of the core. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from tertulia import ledger
from tertulia.errors import Invalid, Unavailable
from tertulia.parsing import checked
from tertulia.thread import Account, Message
from tertulia.tracker import Issue
from tertulia_tracker.github._place import Place

__all__ = ["counts", "is_own", "is_pull", "issue", "items", "label_names", "message", "thing", "unreadable"]

_OPENING = ("issue", "pull_request")


def thing(data: Any) -> Mapping[str, Any]:
    """Give an answer back when it is an object."""
    if not isinstance(data, Mapping):
        raise unreadable("it is not an object")
    return cast("Mapping[str, Any]", data)


def items(data: Any) -> Iterator[Mapping[str, Any]]:
    """Go through an answer that is a list of objects."""
    if not isinstance(data, list | tuple):
        raise unreadable("it is not a list")
    return map(thing, cast("Iterable[Any]", data))


def unreadable(reason: str) -> Unavailable:
    """Make the error for an answer that is not what GitHub documents."""
    return Unavailable(f"an answer cannot be read: {reason}", backend="github")


def is_pull(data: Mapping[str, Any]) -> bool:
    """Say whether an opening post is a pull request, seen as an issue or as itself."""
    return isinstance(data.get("pull_request"), Mapping) or "head" in data


def message(data: Mapping[str, Any], source_type: str) -> Message | None:
    """Make a message of a REST object; None for a review nobody has submitted yet.

    The parent is the thread's root: itself where the surface is flat, the first comment in a review thread.
    """
    parent = data.get("in_reply_to_id") or data.get("id") if source_type not in _OPENING else None
    try:
        return ledger.to_message(
            {**data, "source_type": source_type, "parent_id": parent}, f"{source_type}:{data.get('id')}", what="github"
        )
    except Invalid as error:
        raise unreadable(error.message) from error


def issue(data: Mapping[str, Any], place: Place) -> Issue:
    """Make an issue of an opening post."""
    pull = is_pull(data)
    opening = message(data, "pull_request" if pull else "issue")
    assert opening is not None  # only reviews can be pending
    fields = {
        "conversation": place.conversation,
        "title": opening.title or "",
        "state": data.get("state"),
        "state_reason": data.get("state_reason"),
        "labels": label_names(data.get("labels") or []),
        "locked": data.get("locked") is True,
        "is_change_proposal": pull,
        "comments": counts(data).get("issue_comment"),
    }
    shared = {name: getattr(opening, name) for name in _SHARED}
    try:
        return checked(lambda: Issue.model_validate(fields | shared), "github", "issue")
    except Invalid as error:
        raise unreadable(error.message) from error


_SHARED = ("id", "body", "author", "association", "created_at", "updated_at", "url")


def label_names(data: Any) -> tuple[str, ...]:
    """Give the names of labels."""
    names = (label.get("name") for label in items(data))
    return tuple(name for name in names if isinstance(name, str))


def counts(data: Mapping[str, Any]) -> dict[str, int]:
    """Give how many messages of each kind GitHub itself counts; it says so of comments only, never of reviews."""
    told = {"issue_comment": data.get("comments"), "review_comment": data.get("review_comments")}
    return {kind: count for kind, count in told.items() if isinstance(count, int) and not isinstance(count, bool)}


def is_own(author: Account | None, me: Account) -> bool:
    """Say whether an account is our own. Ids decide: a login can be renamed and taken over."""
    return author is not None and me.id is not None and author.id == me.id
