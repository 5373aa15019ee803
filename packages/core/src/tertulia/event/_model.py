"""NormalizedEvent: one routing document for every system, v1 of the public schema with our additions.

The rules here are the one source of truth; `schema()` in `_schema.py` exports them. Every refusal is an `Invalid` that
names the field.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError, PydanticSerializationError, to_json
from pydantic_core.core_schema import datetime_schema

from tertulia._frozen import Frozen, checked, in_utc, refuse
from tertulia._json import load_object
from tertulia._usual import Usual
from tertulia.errors import Invalid
from tertulia.event._keys import CHAT_SYSTEMS, fallback_key, thread_key_of

__all__ = [
    "CHAT_SYSTEMS",
    "COMMENT_KINDS",
    "Actor",
    "Author",
    "Category",
    "ChangeProposal",
    "Comment",
    "Conversation",
    "DeliveryMark",
    "Entity",
    "EntityKind",
    "Event",
    "Format",
    "Label",
    "LinkedChangeProposal",
    "Review",
    "Role",
    "Source",
    "State",
    "System",
    "Transition",
    "TransitionKind",
]

MAX_TEXT = 4096
MAX_COMMANDS = 100
MAX_NAME = 255
MAX_REPO = 512
MAX_KEY = 2048
MAX_URI = 2048

System = Literal["github", "gitlab", "jira", "manual", "schedule", "slack"]
EntityKind = Literal["work_item", "change_proposal", "conversation"]
Kind = Literal["human", "bot"]
Role = Literal["admin", "maintain", "write", "triage", "read", "none", "external"]
Format = Literal["discussion", "question_answer", "announcement", "poll", "other"]
TransitionKind = Literal[
    "opened",
    "reopened",
    "edited",
    "synchronized",
    "updated",
    "closed",
    "merged",
    "marked_ready",
    "label_changed",
    "comment_added",
    "comment_edited",
    "comment_deleted",
    "review_submitted",
]
COMMENT_KINDS: frozenset[str] = frozenset({"comment_added", "comment_edited", "comment_deleted"})

_REPO = r"^[a-zA-Z0-9._-]+(/[a-zA-Z0-9._-]+)+$"
URI_CHARACTER = r"[!#$%&'()*+,\-./0-9:;=?@A-Z_a-z~\[\]]"
_URI = rf"^[A-Za-z][A-Za-z0-9+.-]*:{URI_CHARACTER}*$"
JIRA_KEY = r"^[A-Za-z][A-Za-z0-9_]+-[0-9]+$"
_CHAT_KEY = r"^[^\s\x00-\x1f\x7f-\x9f]+$"
_TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})$"
_NO_SEGMENTS = frozenset({".", ".."})
_IN_UTC = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"
_SHA = r"^([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$"


def _segments(value: str) -> str:
    if "./" in value or value.endswith("."):
        for segment in _NO_SEGMENTS.intersection(value.split("/")):
            raise PydanticCustomError("tertulia", "the segment '{segment}' is not allowed", {"segment": segment})
    return value


def _integer(value: Any) -> Any:
    """Take 42.0 for 42: a JSON Schema integer is any number without a fraction."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def rfc3339(value: Any) -> datetime:
    """Take RFC 3339 only: pydantic would read bare digits as seconds, and a schema could not say so."""
    if isinstance(value, datetime):
        return in_utc(value)
    try:
        if isinstance(value, str) and re.fullmatch(_TIME, value):
            return in_utc(datetime.fromisoformat(value.upper()))
    except ValueError:
        pass
    raise PydanticCustomError("tertulia", "must be an RFC 3339 time with its offset from UTC")


Repo = Annotated[str, StringConstraints(pattern=_REPO, min_length=3, max_length=MAX_REPO), AfterValidator(_segments)]
Uri = Annotated[
    str, StringConstraints(pattern=_URI, min_length=1, max_length=MAX_URI), Field(json_schema_extra={"format": "uri"})
]
Name = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME)]
Number = Annotated[int, Field(ge=1), BeforeValidator(_integer)]
Text = Annotated[str, StringConstraints(max_length=MAX_TEXT)]
Stamp = Annotated[
    datetime,
    BeforeValidator(rfc3339),
    Usual(_IN_UTC, "must be an RFC 3339 time with its offset from UTC", datetime_schema(tz_constraint=0)),
    Field(json_schema_extra={"pattern": _TIME}),
]
Command = Annotated[str, StringConstraints(max_length=64)]


class LinkedChangeProposal(Frozen):
    """Point from a work item to the change proposal it also is (a comment on a GitHub pull request)."""

    id: Number
    url: Uri


class Entity(Frozen):
    """Name what the event is about. `id` is the number people see; `key` is the id of systems that use words."""

    kind: EntityKind
    id: Number | None = None
    key: Annotated[str, StringConstraints(pattern=_CHAT_KEY, min_length=1, max_length=255)] | None = None
    url: Uri
    linked_change_proposal: LinkedChangeProposal | None = None


class Label(Frozen):
    """Name the label that was added or removed."""

    name: Name
    action: Literal["added", "removed"]


class Author(Frozen):
    """Name who wrote a comment: its author may not be the sender of the event. `id` is the account id."""

    id: Name | None = None
    login: Name
    kind: Kind


class Comment(Frozen):
    """Carry a comment: `parent_id` is the thread root's id, always the safe place to reply.

    `body` and `instruction` are as written, cut to 4,096 code points. `handle` is the adapter's own (a GitHub node id).
    """

    id: Name | None = None
    parent_id: Name | None = None
    command: Command | None = None
    body: Text
    instruction: Text | None = None
    author: Author | None = None
    handle: Name | None = None
    created_at: Stamp | None = None
    url: Uri | None = None
    commands: Annotated[tuple[Command, ...], Field(max_length=MAX_COMMANDS)] | None = None
    addressed: bool | None = None


class Review(Frozen):
    """Carry a submitted review; `reviewer_id` is a login."""

    state: Literal["approved", "changes_requested", "commented", "dismissed"]
    reviewer_id: Name


class Transition(Frozen):
    """Say what happened. Each sub-object belongs to its own kinds only."""

    kind: TransitionKind
    label: Label | None = None
    comment: Comment | None = None
    review: Review | None = None


class Actor(Frozen):
    """Name who did it. `role_verified` is true only when the permission was looked up; an unverified role opens nothing."""

    id: Name
    kind: Kind
    role: Role
    is_entity_author: bool
    account_id: Name | None = None
    role_verified: bool | None = None


class Category(Frozen):
    """Name the one category of a conversation: never a label, and it grants nothing."""

    id: Name | None = None
    name: Name
    slug: Name | None = None
    format: Format | None = None

    @model_validator(mode="after")
    def _named(self) -> Category:
        if not self.name.strip():
            raise refuse("name", "must not be blank")
        return self


class Conversation(Frozen):
    """Snapshot a conversation at event time: what people see of it."""

    category: Category
    title: Annotated[str, StringConstraints(max_length=1024)] | None = None
    locked: bool | None = None
    closed: bool | None = None
    answered: bool | None = None


class ChangeProposal(Frozen):
    """Snapshot a change proposal: without `head_repo` (a deleted fork has no name) `is_fork` is true."""

    id: Number
    head_repo: Repo | None = None
    base_repo: Repo
    head_ref: Name
    base_ref: Name
    head_sha: Annotated[str, StringConstraints(pattern=_SHA)] | None = None
    author_id: Name
    is_fork: bool

    @model_validator(mode="after")
    def _fork(self) -> ChangeProposal:
        if self.head_repo is None and not self.is_fork:
            raise refuse("is_fork", "must be true when head_repo is absent")
        return self


class State(Frozen):
    """Snapshot the entity at event time: `labels` are its labels, never its category."""

    labels: tuple[Name, ...]
    conversation: Conversation | None = None
    change_proposal: ChangeProposal | None = None


class Source(Frozen):
    """Say where the event came from: the system and its native words."""

    system: System
    raw_type: Annotated[str, StringConstraints(min_length=1, max_length=128)]
    raw_action: Annotated[str, StringConstraints(max_length=128)] | None = None


class DeliveryMark(Frozen):
    """Identify the fact for de-duplication (`key`) and say when it happened (`time`, UTC)."""

    key: Annotated[str, StringConstraints(min_length=1, max_length=MAX_KEY)]
    time: Stamp | None = None


class Event(Frozen):
    """Be one NormalizedEvent: who did what to which entity, and where a reply goes."""

    repo: Repo | None = None
    entity: Entity
    transition: Transition
    actor: Actor
    state: State
    source: Source
    delivery: DeliveryMark | None = None

    @model_validator(mode="after")
    def _whole(self) -> Event:
        entity, state = self.entity, self.state
        _check_parts(self.transition)
        _check_ids(entity, self.source.system, self.repo)
        if entity.kind == "conversation" or state.conversation is not None:
            _check_conversation(self)
        if state.change_proposal is not None or entity.linked_change_proposal is not None:
            _check_change_proposal(self)
        return self

    @classmethod
    def parse(cls, document: bytes | str) -> Event:
        """Read one JSON document strictly; anything wrong is an `Invalid` that names the field."""
        return cls.check(load_object(document, "event"))

    @classmethod
    def check(cls, value: Any) -> Event:
        """Validate a parsed document strictly (no number is taken for a string, no null for an absence); else `Invalid`."""
        try:
            document = to_json(value)
        except (PydanticSerializationError, ValueError, RecursionError):
            raise Invalid("event: is not a JSON document") from None
        event = checked(lambda: cls.model_validate_json(document, strict=True), "event")
        null = _null(value)
        if null is not None:
            raise Invalid(f"event: {null}: must be absent, not null", field=null)
        return event

    def document(self) -> dict[str, Any]:
        """Give the JSON document: absent fields are absent, never null."""
        return self.model_dump(mode="json", exclude_none=True)

    @property
    def key(self) -> str:
        """Identify the fact, the same for every delivery of it; derived from the document when the adapter set none."""
        return self.delivery.key if self.delivery is not None else fallback_key(self)

    @property
    def time(self) -> datetime | None:
        """Say when it happened (aware UTC datetime), or None when the source did not say."""
        return self.delivery.time if self.delivery is not None else None

    @property
    def thread_key(self) -> str:
        """Name the thread: `github:acme/demo#7`, `slack:T1/C1/1700000000.000100`."""
        return thread_key_of(self)


def _null(value: object, path: str = "") -> str | None:
    """Give the path of the first null in a valid document, whose depth is that of the model."""
    if value is None:
        return path
    if not isinstance(value, dict):
        return None
    parts = cast("dict[str, object]", value)
    found = (_null(part, f"{path}.{name}".lstrip(".")) for name, part in parts.items())
    return next((one for one in found if one is not None), None)


def _check_parts(transition: Transition) -> None:
    kind = transition.kind
    if (transition.label is None) is (kind == "label_changed"):
        raise _misplaced("label", transition.label, kind)
    if (transition.comment is None) is (kind in COMMENT_KINDS):
        raise _misplaced("comment", transition.comment, kind)
    if (transition.review is None) is (kind == "review_submitted"):
        raise _misplaced("review", transition.review, kind)


def _misplaced(name: str, part: object, kind: str) -> PydanticCustomError:
    return refuse(f"transition.{name}", f"{'required' if part is None else 'forbidden'} on {kind}")


def _check_ids(entity: Entity, system: str, repo: str | None) -> None:
    if system in CHAT_SYSTEMS:
        if entity.key is None:
            raise refuse("entity.key", f"required when source.system is {system}")
        return
    if repo is None:
        raise refuse("repo", f"required when source.system is {system}")
    if entity.id is None:
        raise refuse("entity.id", f"required when source.system is {system}")
    if entity.key is None and system == "jira":
        raise refuse("entity.key", "required when source.system is jira")
    if entity.key is not None and not re.fullmatch(JIRA_KEY, entity.key):
        raise refuse("entity.key", "must look like PROJ-123")


def _check_conversation(event: Event) -> None:
    if event.entity.kind != "conversation":
        raise refuse("state.conversation", f"forbidden when entity.kind is {event.entity.kind}")
    if event.state.conversation is None:
        raise refuse("state.conversation", "required when entity.kind is conversation")
    comment = event.transition.comment
    if comment is None:
        return
    for name, value in (("id", comment.id), ("parent_id", comment.parent_id)):
        if value is None or not value.strip():
            raise refuse(f"transition.comment.{name}", "required on a conversation, not blank")


def _check_change_proposal(event: Event) -> None:
    entity, proposal = event.entity, event.state.change_proposal
    if entity.kind == "change_proposal" and entity.linked_change_proposal is not None:
        raise refuse("entity.linked_change_proposal", "forbidden on a change proposal")
    if proposal is None:
        return
    if entity.kind == "change_proposal" and proposal.id != entity.id:
        raise refuse("state.change_proposal.id", "must equal entity.id")
    if entity.kind == "work_item" and entity.linked_change_proposal is None:
        raise refuse("entity.linked_change_proposal", "required when state.change_proposal is present on a work item")
    linked = entity.linked_change_proposal
    if linked is not None and linked.id != proposal.id:
        raise refuse("state.change_proposal.id", "must equal entity.linked_change_proposal.id")
