"""Read a GitHub webhook body strictly and once, and only the fields that events are made of.

The shapes below are what GitHub documents for its webhooks (https://docs.github.com/webhooks), reduced to what is used.
Everything may be absent or null unless it is `Required`; a field of another type is `Invalid` and named.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, Required, cast

from pydantic import AwareDatetime, Field, StringConstraints, TypeAdapter, ValidationError
from pydantic_core import SchemaValidator
from typing_extensions import TypedDict

from tertulia.errors import Invalid
from tertulia.event import Delivery
from tertulia.parsing import MAX_BYTES, invalid

__all__ = [
    "SHAPES",
    "App",
    "Comment",
    "Issue",
    "Named",
    "Payload",
    "PullRequest",
    "Review",
    "Side",
    "User",
    "event_name",
    "read",
    "read_body",
]

_BOM = b"\xef\xbb\xbf"
_JSON = "application/json"
_FORM = "application/x-www-form-urlencoded"

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


class Named(TypedDict, total=False):
    """A label, a milestone or a team, as it stands beside the thing it was put on."""

    name: Word | None
    title: str | None
    number: Number | None
    slug: Word | None


class Tag(TypedDict, total=False):
    """A label in the list of what stands on a thing."""

    name: Any


Tags = list[Annotated[Tag | Any, Field(union_mode="left_to_right")]]
"""Labels, and whatever else a server puts among them."""


class Repository(TypedDict, total=False):
    """A repository; a deleted fork is null."""

    full_name: str | None


class Side(TypedDict, total=False):
    """One side of a pull request."""

    ref: Required[Annotated[str, StringConstraints(min_length=1, max_length=255)]]
    sha: str | None
    repo: Repository | None


class Issue(TypedDict, total=False):
    """An issue; `pull_request` is an object when it is a pull request seen as an issue."""

    id: Number | None
    number: Required[Number]
    html_url: str | None
    user: User | None
    labels: Tags | None
    pull_request: Nothing | None
    updated_at: Moment | None
    closed_at: Moment | None


class PullRequest(TypedDict, total=False):
    """A pull request."""

    id: Number | None
    number: Required[Number]
    html_url: str | None
    user: User | None
    labels: Tags | None
    head: Required[Side]
    base: Required[Side]
    merged: bool | None
    updated_at: Moment | None
    closed_at: Moment | None


class Comment(TypedDict, total=False):
    """A comment on an issue or a pull request, or a review comment; `in_reply_to_id` is the thread's first comment."""

    id: Required[Number]
    node_id: Word | None
    body: str | None
    user: User | None
    html_url: str | None
    in_reply_to_id: Number | None
    performed_via_github_app: App | None
    created_at: Moment | None
    updated_at: Moment | None


class Review(TypedDict, total=False):
    """A review; GitHub gives it no `updated_at` of its own in many payloads."""

    id: Number | None
    body: str | None
    state: Word | None
    user: User | None
    submitted_at: Moment | None
    updated_at: Moment | None


class Payload(TypedDict, total=False):
    """The union of what the six events carry. The keys of `_TELLING` are absent or an object, never null."""

    action: Required[Annotated[str, StringConstraints(min_length=1, max_length=128)]]
    issue: Issue
    pull_request: PullRequest
    comment: Comment
    review: Review
    thread: Nothing
    discussion: Nothing
    label: Named | None
    assignee: User | None
    milestone: Named | None
    requested_reviewer: User | None
    requested_team: Named | None
    changes: Any
    repository: Repository | None
    sender: User | None


SHAPES: Mapping[str, frozenset[str]] = {
    "issues": frozenset({"issue"}),
    "issue_comment": frozenset({"issue", "comment"}),
    "pull_request": frozenset({"pull_request"}),
    "pull_request_target": frozenset({"pull_request"}),
    "pull_request_review": frozenset({"pull_request", "review"}),
    "pull_request_review_comment": frozenset({"pull_request", "comment"}),
}
"""The keys that tell the events apart: exactly these are there. GitHub signs the body and not the event's name."""

_TELLING = frozenset({"issue", "pull_request", "comment", "review", "thread", "discussion"})


@cache
def _payloads() -> SchemaValidator:
    return cast(SchemaValidator, TypeAdapter(Payload).validator)


def event_name(delivery: Delivery) -> str:
    """Give the native event's name; a header that names another event is `Invalid`."""
    if delivery.system != "github":
        raise Invalid(f"delivery: system is {short(delivery.system)}, not github", field="system")
    name = delivery.name
    if not isinstance(name, str) or not name:
        raise Invalid("delivery: has no event name", field="name")
    header = delivery.headers.get("x-github-event")
    if header is not None and header != name and str(header).strip() != name:
        raise Invalid(f"delivery: x-github-event is {short(header)}, the name {short(name)}", field="x-github-event")
    return name


def read_body(delivery: Delivery) -> bytes:
    """Give the JSON document of a delivery, taken out of a form when the hook sends forms; not parsed yet."""
    raw, what = delivery.payload, "payload"
    if not isinstance(raw, bytes):
        raise Invalid(f"{what}: must be bytes", field="payload")
    if len(raw) > MAX_BYTES:
        raise Invalid(f"{what}: {len(raw)} bytes are more than {MAX_BYTES}", field="payload")
    kind = delivery.headers.get("content-type", _JSON)
    if kind != _JSON and str(kind).partition(";")[0].strip().lower() == _FORM:
        raw = _unform(raw)
    raw = raw.removeprefix(_BOM)
    if not raw or raw.isspace():
        raise Invalid(f"{what}: is empty", field="payload")
    return raw


def _unform(raw: bytes) -> bytes:
    from urllib.parse import unquote_to_bytes

    fields = [part.partition(b"=")[2] for part in raw.split(b"&", 64) if part.partition(b"=")[0] == b"payload"]
    if len(fields) != 1:
        raise Invalid("payload: a form must have one field named payload", field="payload")
    return unquote_to_bytes(fields[0].replace(b"+", b" "))


def read(raw: bytes, name: str) -> Payload:
    """Read one of the six events. The payload's own keys must agree with the event's name."""
    try:
        payload = cast(Payload, _payloads().validate_json(raw, strict=True))
    except ValidationError as error:
        raise invalid(error, f"github {name}") from None
    wanted, found = SHAPES[name], _TELLING.intersection(payload)
    if found != wanted:
        key = min(wanted - found or found - wanted)
        wrong = "missing" if key in wanted else f"unexpected in {name}"
        raise Invalid(f"github {name}: {key}: {wrong}", field=key)
    return payload


def short(value: object) -> str:
    """Write a stranger's word into a message: quoted, printable, at most 64 characters."""
    text = str(value)
    return repr(text if len(text) <= 64 else f"{text[:63]}…")
