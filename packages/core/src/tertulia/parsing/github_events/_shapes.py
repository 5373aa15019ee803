"""What GitHub documents for its webhooks (https://docs.github.com/webhooks), reduced to what more than one event uses.

Everything may be absent or null unless it is `Required`; a field of another type is `Invalid` and named.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Required

from pydantic import AwareDatetime, Field, StringConstraints
from typing_extensions import TypedDict

__all__ = [
    "App",
    "Comment",
    "Label",
    "Labels",
    "Moment",
    "Nothing",
    "Number",
    "Payload",
    "Repository",
    "Subject",
    "User",
    "Word",
]

Number = Annotated[int, Field(ge=1, le=2**63 - 1)]
Word = Annotated[str, StringConstraints(max_length=255)]
Moment = Annotated[
    AwareDatetime,
    Field(ge=datetime(1970, 1, 1, tzinfo=UTC), le=datetime(9999, 12, 30, tzinfo=UTC)),
]


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

    full_name: str | None


class Subject(TypedDict, total=False):
    """What issues, pull requests and discussions have in common."""

    id: Number | None
    number: Required[Number]
    html_url: str | None
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
    html_url: str | None
    performed_via_github_app: App | None
    created_at: Moment | None
    updated_at: Moment | None


class Payload(TypedDict, total=False):
    """What every event carries."""

    action: Required[Annotated[str, StringConstraints(min_length=1, max_length=128)]]
    label: Label | None
    repository: Repository | None
    sender: User | None
