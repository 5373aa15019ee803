"""Slack's messages and what becomes of channels, normalized. Pure: nobody is asked, nothing is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple, cast

from tertulia.errors import Invalid
from tertulia.event import (
    Actor,
    Delivery,
    Entity,
    Event,
    Ignored,
    Normalized,
    Source,
    State,
    delivery_key,
    revision,
    thread_key,
)
from tertulia.parsing import build
from tertulia.thread import Account
from tertulia_conversation_slack import _comments as comments
from tertulia_conversation_slack._config import Config, category_of
from tertulia_conversation_slack._format import markdown
from tertulia_conversation_slack._payload import NAMES, Channel, Envelope, Inner, Message, Native, read, short
from tertulia_conversation_slack._people import NOBODY, Person, actor, engine_of, person, team_of
from tertulia_conversation_slack._ts import instant
from tertulia_conversation_slack._urls import channel_url

__all__ = ["NAMES", "normalize"]

_NO_CONFIG = Config()
_CHANNEL, _PRIVATE, _GROUP, _DIRECT = "channel", "private-channel", "group-dm", "dm"
_KINDS = {"channel": _CHANNEL, "group": _PRIVATE, "mpim": _GROUP, "im": _DIRECT, "app_home": _DIRECT}
_KINDS_BY_ID = {"C": _CHANNEL, "G": _PRIVATE, "D": _DIRECT}

_CHANGES = {
    "archive": ("closed", "closed"),
    "created": ("opened", "opened"),
    "deleted": ("updated", "updated:deleted"),
    "name": ("edited", "edited:name"),
    "purpose": ("edited", "edited:purpose"),
    "rename": ("edited", "edited:name"),
    "topic": ("edited", "edited:topic"),
    "unarchive": ("reopened", "reopened"),
}
"""What becomes of a channel: the transition, and the word for it in the key."""


class _Case(NamedTuple):
    """One event with what stands around it."""

    delivery: Delivery
    envelope: Envelope
    event: Inner
    channel: str
    config: Config

    @property
    def engine(self) -> Account | None:
        return engine_of(self.envelope, self.delivery.engine)

    @property
    def sent(self) -> datetime | None:
        """Say when Slack sent the event, which for a message that is new is when it was written."""
        ts, seconds = self.event.get("event_ts") or self.event.get("ts"), self.envelope.get("event_time")
        if ts is None:
            return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
        return instant(ts)


def normalize(delivery: Delivery, *, config: Config = _NO_CONFIG) -> Normalized:
    """Turn one delivery of Slack's Events API into the event it means, or say why there is none.

    The payload is the body of an HTTP request or a frame of Socket Mode. `name` is the type of the inner event, or empty.
    A message that mentions the app arrives twice, as `message` and as `app_mention`: both give the same `event.key`.
    Offline: what `config` does not say about sections, repositories and roles is not known.

    Raises Invalid, and nothing else, when the payload is not what Slack sends.
    """
    native = read(delivery)
    made = native if isinstance(native, Ignored) else _made(_case(native, config))
    return Normalized(ignored=made) if isinstance(made, Ignored) else Normalized(events=(made,))


def _case(native: Native, config: Config) -> _Case:
    channel = native.event["channel"]
    return _Case(*native, channel if isinstance(channel, str) else channel["id"], config)


def _made(case: _Case) -> Event | Ignored:
    kind, _, change = case.event["type"].partition("_")
    if kind in ("channel", "group"):
        return _channel_changed(case, change)
    subtype = case.event.get("subtype") or ""
    if subtype in comments.KINDS:
        return _added(case)
    make = _MAKERS.get(subtype)
    if make is not None:
        return make(case)
    place, _, change = subtype.partition("_")
    if place in ("channel", "group") and change in _CHANGES:
        return _channel_changed(case, change)
    return Ignored("unsupported-subtype", f"{short(subtype)} is nothing that somebody said")


def _added(case: _Case) -> Event | Ignored:
    if "message" in case.event and not case.event.get("subtype"):
        return Ignored("reply-count", "the event counts the replies of a thread; they arrive as events of their own")
    message = _itself(case.event)
    author, body = person(message), markdown(message)
    said = comments.comment(message, body, author) | comments.asked(body, author, case.engine)
    mark = _mark(case, message, message["ts"], "comment_added", said["created_at"])
    return _event(case, {"kind": "comment_added", "comment": said}, _actor(case, author, message), mark)


def _itself(event: Inner) -> Message:
    if not event.get("ts"):
        raise Invalid(f"slack {event['type']}: event.ts: missing", field="event.ts")
    return cast("Message", event)


def _changed(case: _Case) -> Event | Ignored:
    message, before = _part(case.event.get("message")), case.event.get("previous_message")
    subtype = message.get("subtype") or ""
    if subtype == "tombstone":
        return _gone(case, message, before)
    if subtype not in comments.KINDS:
        return Ignored("unsupported-subtype", f"{short(subtype)} is nothing that somebody said")
    edited = message.get("edited") or {}
    if not (comments.is_changed(before, message) if before else edited):
        return Ignored("text-unchanged", "the text is the same: a preview, a count or metadata changed")
    author, body, stamp = person(message), markdown(message), edited.get("ts")
    said = comments.comment(message, body, author)
    if before:
        said |= comments.asked_now(markdown(before), body, author, case.engine)
    time = instant(stamp) if stamp else case.sent
    mark = _mark(case, message, stamp or case.event.get("event_ts"), "comment_edited", time)
    who = _editor(edited.get("user"), author)
    return _event(case, {"kind": "comment_edited", "comment": said}, _actor(case, who, message), mark)


def _editor(user: str | None, author: Person) -> Person:
    return author if not user or user == author.id else Person(user, "human")


def _part(message: Message | None) -> Message:
    if message is None:
        raise Invalid("slack message: event.message: missing", field="event.message")
    return message


def _deleted(case: _Case) -> Event | Ignored:
    before, ts = case.event.get("previous_message"), case.event.get("deleted_ts")
    if before is None and not ts:
        raise Invalid("slack message: event.deleted_ts: missing", field="event.deleted_ts")
    return _gone(case, before or {"ts": ts or ""}, before)


def _gone(case: _Case, message: Message, before: Message | None) -> Event | Ignored:
    """Report a deletion. Slack does not say whose it was; `before` is the message as it was, when that is known."""
    subtype = (before.get("subtype") or "") if before else ""
    if subtype not in comments.KINDS:
        return Ignored("unsupported-subtype", f"{short(subtype)} is nothing that somebody said")
    said = comments.comment(message, markdown(before) if before else "", person(before) if before else None)
    mark = _mark(case, message, message["ts"], "comment_deleted", case.sent)
    return _event(case, {"kind": "comment_deleted", "comment": said}, _actor(case, NOBODY, None), mark)


def _channel_changed(case: _Case, change: str) -> Event:
    kind, word = _CHANGES[change]
    channel = case.event["channel"]
    name, creator = (case.event.get("name"), None) if isinstance(channel, str) else _told(channel)
    who = Person(creator, "human") if creator else person(cast("Message", case.event))
    thread = _thread(team_of(case.envelope), case.channel, None)
    at = revision(case.sent, case.delivery.payload)
    mark = {"key": delivery_key(thread, ("channel", case.channel), at, word), "time": case.sent}
    is_author = kind == "opened" and bool(creator)
    closed = {"closed": True, "reopened": False}.get(kind)
    state = _state(case.config.sections.get(case.channel), _kind(case), name or None, closed)
    return _event(case, {"kind": kind}, _actor(case, who, None, is_author=is_author), mark, state)


def _told(channel: Channel) -> tuple[str | None, str | None]:
    return channel.get("name"), channel.get("creator")


def _actor(case: _Case, who: Person, message: Message | None, *, is_author: bool = False) -> Actor:
    return actor(who, case.envelope, message, case.config, is_author=is_author)


def _mark(case: _Case, message: Message, stamp: str | None, word: str, time: datetime | None) -> dict[str, Any]:
    """Write `delivery` of a message's event. A `ts` is unique in its channel, and finer than whole seconds."""
    thread = _thread(team_of(case.envelope), case.channel, comments.root_of(message))
    at = stamp or revision(None, case.delivery.payload)
    return {"key": delivery_key(thread, ("slack_message", message["ts"]), at, word), "time": time}


def _event(
    case: _Case, transition: dict[str, Any], by: Actor, mark: dict[str, Any], state: State | None = None
) -> Event:
    event, channel, config = case.event, case.channel, case.config
    document = {
        "repo": case.delivery.repo or config.repository(channel),
        "entity": _entity(team_of(case.envelope), channel),
        "transition": transition,
        "actor": by,
        "state": state or _usual_state(config.sections.get(channel), _kind(case)),
        "source": _source(event["type"], event.get("subtype") or None),
        "delivery": mark,
    }
    return build(Event, document, f"slack {event['type']}", extra="ignore")


def _key(team: str, channel: str) -> str:
    return f"{team}/{channel}"


@lru_cache(maxsize=1024)
def _thread(team: str, channel: str, root: str | None) -> str:
    return thread_key("slack", _key(team, channel), root=root)


@lru_cache(maxsize=1024)
def _entity(team: str, channel: str) -> Entity:
    return Entity(kind="conversation", key=_key(team, channel), url=channel_url(team, channel))


@lru_cache(maxsize=256)
def _source(kind: str, subtype: str | None) -> Source:
    return build(Source, {"system": "slack", "raw_type": kind, "raw_action": subtype}, f"slack {kind}", "source")


def _state(section: str | None, kind: str, title: str | None, closed: bool | None) -> State:
    """Make the state of a channel. Its category is its section; without one its kind, which has no id to tell them apart."""
    category = {"name": kind} if section is None else category_of(section)
    conversation = {"category": category, "title": title, "closed": closed}
    return build(State, {"labels": (), "conversation": conversation}, "slack", "state")


@lru_cache(maxsize=1024)
def _usual_state(section: str | None, kind: str) -> State:
    return _state(section, kind, None, None)


def _kind(case: _Case) -> str:
    """Say what kind of channel it is: `channel`, `private-channel`, `group-dm` or `dm`. A mention has only the channel's id."""
    if case.event["type"].startswith("group_"):
        return _PRIVATE
    kind = _KINDS.get(case.event.get("channel_type") or "")
    return kind or _KINDS_BY_ID.get(case.channel[0], _CHANNEL)


_MAKERS: Mapping[str, Callable[[_Case], Event | Ignored]] = {"message_changed": _changed, "message_deleted": _deleted}
