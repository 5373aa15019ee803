"""What GitHub documents for its webhooks (https://docs.github.com/webhooks), reduced to what more than one event uses.

Everything may be absent or null unless it is `Required`; a field of another type is `Invalid` and named.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Required

from pydantic import BeforeValidator, Field, StringConstraints
from typing_extensions import TypedDict

from tertulia._usual import Only, Usual
from tertulia.event._model import MAX_NAME, MAX_REPO, MAX_URI, URI_CHARACTER, rfc3339

__all__ = [
    "App",
    "Comment",
    "Label",
    "Labels",
    "Moment",
    "Nothing",
    "Number",
    "Page",
    "Payload",
    "Repository",
    "Subject",
    "User",
    "Word",
    "instant",
]

_DAY = "(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31"
_USUAL = rf"^(19[7-9][0-9]|[2-8][0-9]{{3}})-({_DAY})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$"
_FIRST_YEAR = 1970
_WEB = rf"^(https?://{URI_CHARACTER}*)?$"


def _written(value: object) -> str:
    """Write a time in the usual form, with the part of a second it may have."""
    moment = rfc3339(value)
    if moment.year < _FIRST_YEAR:
        raise ValueError
    return f"{moment.replace(tzinfo=None).isoformat()}Z"


Number = Annotated[int, Field(ge=1, le=2**63 - 1)]
Word = Annotated[str, StringConstraints(max_length=MAX_NAME)]
Moment = Annotated[
    str, BeforeValidator(_written), Usual(_USUAL, "must be a time with its offset from UTC, not before 1970")
]
"""A time as text, in UTC: as GitHub writes nearly all of them, and it is read once, where there is an event."""
Page = Annotated[str, Only(_WEB, MAX_URI, f"must be a web address of at most {MAX_URI} characters")]
"""A page's address as an event takes it, or nothing."""


def instant(written: str | None) -> datetime | None:
    """Read a `Moment`; it can be read, because that was checked with the payload."""
    return datetime.fromisoformat(written) if written else None


class Nothing(TypedDict):
    """An object of which no field is used."""


class User(TypedDict, total=False):
    """An account; `type` is User, Bot, Organization or Mannequin."""

    login: Word | None
    id: Number | None
    type: Word | None


class App(TypedDict, total=False):
    """The GitHub App a person acted through."""

    id: Number | None
    slug: Word | None


class Label(TypedDict, total=False):
    """The label that was put on something or taken off."""

    name: Word | None


class Listed(TypedDict, total=False):
    """A label in the list of what stands on something."""

    name: Any


Labels = list[Annotated[Listed | Any, Field(union_mode="left_to_right")]]
"""The labels that stand on something, and whatever else a server puts among them."""


class Repository(TypedDict, total=False):
    """A repository; a deleted fork is null."""

    full_name: Annotated[str, StringConstraints(max_length=MAX_REPO)] | None


class Subject(TypedDict, total=False):
    """What issues, pull requests and discussions have in common."""

    id: Number | None
    number: Required[Number]
    html_url: Page | None
    user: User | None
    labels: Labels | None
    updated_at: Moment | None
    closed_at: Moment | None


class Comment(TypedDict, total=False):
    """A comment on one of them."""

    id: Required[Number]
    node_id: Word | None
    body: str | None
    user: User | None
    html_url: Page | None
    performed_via_github_app: App | None
    created_at: Moment | None
    updated_at: Moment | None


class Payload(TypedDict, total=False):
    """What every event carries."""

    action: Required[Annotated[str, StringConstraints(min_length=1, max_length=128)]]
    label: Label | None
    repository: Repository | None
    sender: User | None
