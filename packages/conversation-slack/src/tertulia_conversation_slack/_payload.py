"""Read what Slack sends strictly and once, and only the fields that events are made of.

The shapes are those of the Events API (docs.slack.dev, "Events API"), reduced to what is used. Everything may be absent or
null unless it is `Required`; a field of another type is `Invalid` and named. Over HTTP the envelope is the body; in Socket
Mode it is the `payload` of a frame.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, Required, cast

from pydantic import Field, StringConstraints, TypeAdapter, ValidationError
from pydantic_core import SchemaValidator
from typing_extensions import TypedDict

from tertulia.errors import Invalid
from tertulia.event import Delivery, Ignored
from tertulia.parsing import MAX_BYTES, checked, load_object
from tertulia_conversation_slack._ts import PATTERN

__all__ = ["NAMES", "Envelope", "Inner", "Message", "Native", "Profile", "read", "short"]

Ident = Annotated[str, StringConstraints(pattern=r"^[A-Z0-9]{0,64}$")]
"""Slack's ids are upper case; an empty one is none."""
Place = Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9]{0,63}$")]
Ts = Annotated[str, StringConstraints(pattern=PATTERN)]
Word = Annotated[str, StringConstraints(max_length=255)]
Seconds = Annotated[int, Field(ge=0, le=99_999_999_999)]


class Authorization(TypedDict, total=False):
    """One installation the event is for: the app's own user in its workspace, when `is_bot` says so."""

    team_id: Ident | None
    user_id: Ident | None
    is_bot: bool | None


class Envelope(TypedDict, total=False):
    """What stands around an event; an organisation's may have no `team_id`. `context_team_id` is where the app is installed."""

    team_id: Ident | None
    context_team_id: Ident | None
    enterprise_id: Ident | None
    api_app_id: Ident | None
    event_time: Seconds | None
    authorizations: list[Authorization] | None
    is_ext_shared_channel: bool | None


class Edited(TypedDict, total=False):
    """Who edited a message, and when."""

    user: Ident | None
    ts: Ts | None


class Profile(TypedDict, total=False):
    """The bot that posted a message; `app_id` is its app."""

    id: Ident | None
    app_id: Ident | None
    name: str | None


class Root(TypedDict, total=False):
    """The root of a thread, as it stands in a reply that was sent to the channel too."""

    ts: Ts | None
    thread_ts: Ts | None


class _Said(TypedDict, total=False):
    thread_ts: Ts | None
    subtype: Word | None
    user: Ident | None
    bot_id: Ident | None
    app_id: Ident | None
    bot_profile: Profile | None
    username: str | None
    team: Ident | None
    user_team: Ident | None
    source_team: Ident | None
    text: str | None
    blocks: list[Any] | None
    attachments: list[Any] | None
    edited: Edited | None
    root: Root | None


class Message(_Said, total=False):
    """A message, as it stands in an event. `ts` names it in its channel."""

    ts: Required[Ts]


class Channel(TypedDict, total=False):
    """A channel that was created or renamed."""

    id: Required[Place]
    name: str | None
    creator: Ident | None


class Inner(_Said, total=False):
    """The event in an envelope: a message, what became of one, or what became of a channel, which has no `ts`."""

    type: Required[str]
    ts: Ts | None
    channel: Required[Place | Channel]
    channel_type: Word | None
    event_ts: Ts | None
    deleted_ts: Ts | None
    message: Message | None
    previous_message: Message | None
    name: str | None


class Callback(Envelope, total=False):
    """An envelope with its event, as it comes over HTTP."""

    type: Required[Literal["event_callback"]]
    event: Required[Inner]


class Native(NamedTuple):
    """One delivery, read."""

    delivery: Delivery
    envelope: Envelope
    event: Inner


_CHANNEL = ("archive", "created", "deleted", "rename", "unarchive")
_GROUP = ("archive", "deleted", "rename", "unarchive")
NAMES = frozenset(
    {"message", "app_mention", *(f"channel_{word}" for word in _CHANNEL), *(f"group_{word}" for word in _GROUP)}
)
"""The types of events that are understood."""

_WRAPPERS = frozenset({"event_callback", "events_api"})
_ALIVE = {
    "url_verification": Ignored("url-verification", "Slack asks for the challenge to be sent back"),
    "app_rate_limited": Ignored("rate-limited", "Slack has left out events of this app for a minute"),
    "hello": Ignored("socket-mode", "the connection is open"),
    "disconnect": Ignored("socket-mode", "the connection is about to end"),
    "slash_commands": Ignored("unsupported-event", "slash commands are no messages, and do not work in threads"),
    "interactive": Ignored("unsupported-event", "interactions are no messages"),
}


@cache
def _callbacks() -> SchemaValidator:
    return cast("SchemaValidator", TypeAdapter(Callback).validator)


@cache
def _envelopes() -> SchemaValidator:
    return cast("SchemaValidator", TypeAdapter(Envelope).validator)


@cache
def _events() -> SchemaValidator:
    return cast("SchemaValidator", TypeAdapter(Inner).validator)


def read(delivery: Delivery) -> Native | Ignored:
    """Read a delivery, or say why it holds no event that is understood."""
    name = _name(delivery)
    return _usual(delivery, name) or _closely(delivery, name)


def _usual(delivery: Delivery, name: str) -> Native | None:
    """Read what nearly every delivery is, in one go; whatever is not as it should be is nothing here, and looked at closely."""
    raw = delivery.payload
    if not isinstance(raw, bytes) or len(raw) > MAX_BYTES:
        return None
    try:
        body = cast("Callback", _callbacks().validate_json(raw, strict=True))
    except ValidationError:
        return None
    event = body["event"]
    kind = event["type"]
    is_meant = kind in NAMES and (not name or name == kind or name in _WRAPPERS)
    return Native(delivery, body, event) if is_meant else None


def _closely(delivery: Delivery, name: str) -> Native | Ignored:
    body = _body(delivery)
    kind = _kind(body, "type")
    if kind == "events_api":
        body = _object(body, "payload")
        kind = _kind(body, "payload.type")
    if kind != "event_callback":
        return _ALIVE.get(kind) or Ignored("unsupported-event", f"{short(kind)} is no event callback")
    event = _object(body, "event")
    inner = _kind(event, "event.type")
    if name and name not in _WRAPPERS and name != inner:
        raise Invalid(f"slack: event.type is {short(inner)}, the delivery's name {short(name)}", field="event.type")
    if inner not in NAMES:
        return Ignored("unsupported-event", f"{short(inner)} is not one of {', '.join(sorted(NAMES))}")
    envelope = checked(lambda: _envelopes().validate_python(body, strict=True), "slack")
    return Native(
        delivery, envelope, checked(lambda: _events().validate_python(event, strict=True), f"slack {inner}", "event")
    )


def _name(delivery: Delivery) -> str:
    if delivery.system != "slack":
        raise Invalid(f"delivery: system is {short(delivery.system)}, not slack", field="system")
    if not isinstance(delivery.name, str):
        raise Invalid("delivery: name: must be a string", field="name")
    return delivery.name


def _body(delivery: Delivery) -> dict[str, Any]:
    if not isinstance(delivery.payload, bytes):
        raise Invalid("payload: must be bytes", field="payload")
    return load_object(delivery.payload, "payload")


def _object(body: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = body.get(name)
    if not isinstance(value, dict):
        raise Invalid(f"slack: {name}: must be an object", field=name)
    return cast("dict[str, Any]", value)


def _kind(body: Mapping[str, Any], path: str) -> str:
    kind = body.get("type")
    if not isinstance(kind, str) or not kind:
        raise Invalid(f"slack: {path}: must be a word", field=path)
    return kind


def short(value: object) -> str:
    """Write a stranger's word into a message: quoted, printable, at most 64 characters."""
    text = str(value)
    return repr(text if len(text) <= 64 else f"{text[:63]}…")
