"""Slack's messages and what becomes of channels, normalized. Pure: nobody is asked, nothing is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple, cast

from tertulia.errors import Invalid
from tertulia.event import Category, Delivery, Event, Ignored, Normalized, delivery_key, revision, thread_key
from tertulia.parsing import checked
from tertulia.thread import Account
from tertulia_conversation_slack import _comments as comments
from tertulia_conversation_slack._config import Config
from tertulia_conversation_slack._format import markdown
from tertulia_conversation_slack._payload import NAMES, Channel, Envelope, Inner, Message, Native, read, short
from tertulia_conversation_slack._people import NOBODY, Person, actor, engine_of, person, team_of
from tertulia_conversation_slack._ts import instant
from tertulia_conversation_slack._urls import channel_url

__all__ = ["NAMES", "normalize"]

_NO_CONFIG = Config()
_CHANNEL, _PRIVATE, _GROUP, _DIRECT = (Category(name=name) for name in ("channel", "private-channel", "group-dm", "dm"))
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

    native: Native
    config: Config

    @property
    def event(self) -> Inner:
        return self.native.event

    @property
    def envelope(self) -> Envelope:
        return self.native.envelope

    @property
    def channel(self) -> str:
        channel = self.event["channel"]
        return channel if isinstance(channel, str) else channel["id"]

    @property
    def key(self) -> str:
        return f"{team_of(self.envelope)}/{self.channel}"

    @property
    def engine(self) -> Account | None:
        return engine_of(self.envelope, self.native.delivery.engine)

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
    made = native if isinstance(native, Ignored) else _made(_Case(native, config))
    return Normalized(ignored=made) if isinstance(made, Ignored) else Normalized(events=(made,))


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
    time = instant(message["ts"])
    mark = _mark(case, message, message["ts"], "comment_added", time)
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
    conversation = {
        "title": name or None,
        "closed": {"closed": True, "reopened": False}.get(kind),
    }
    thread = thread_key("slack", case.key)
    at = revision(case.sent, case.native.delivery.payload)
    mark = {"key": delivery_key(thread, ("channel", case.channel), at, word), "time": case.sent}
    by = _actor(case, who, None) | {"is_entity_author": kind == "opened" and bool(creator)}
    return _event(case, {"kind": kind}, by, mark, conversation)


def _told(channel: Channel) -> tuple[str | None, str | None]:
    return channel.get("name"), channel.get("creator")


def _actor(case: _Case, who: Person, message: Message | None) -> dict[str, Any]:
    return actor(who, case.envelope, message, case.config)


def _mark(case: _Case, message: Message, stamp: str | None, word: str, time: datetime | None) -> dict[str, Any]:
    """Write `delivery` of a message's event. A `ts` is unique in its channel, and finer than whole seconds."""
    thread = thread_key("slack", case.key, root=comments.root_of(message))
    at = stamp or revision(None, case.native.delivery.payload)
    return {"key": delivery_key(thread, ("slack_message", message["ts"]), at, word), "time": time}


def _event(
    case: _Case,
    transition: dict[str, Any],
    by: dict[str, Any],
    mark: dict[str, Any],
    conversation: Mapping[str, Any] | None = None,
) -> Event:
    event = case.event
    document = {
        "repo": case.native.delivery.repo or case.config.repository(case.channel),
        "entity": {
            "kind": "conversation",
            "key": case.key,
            "url": channel_url(team_of(case.envelope), case.channel),
        },
        "transition": transition,
        "actor": by,
        "state": {
            "labels": (),
            "conversation": {"category": _category(case)} | dict(conversation or {}),
        },
        "source": {"system": "slack", "raw_type": event["type"], "raw_action": event.get("subtype") or None},
        "delivery": mark,
    }
    return checked(lambda: Event.model_validate(document), f"slack {event['type']}")


def _category(case: _Case) -> Category:
    """Give a channel's section; without one the kind of channel, which has no id and so is told from a section.

    Its kind is `channel`, `private-channel`, `group-dm` or `dm`. A mention tells it by the channel's id only.
    """
    section = case.config.section(case.channel)
    if section is not None:
        return section
    if case.event["type"].startswith("group_"):
        return _PRIVATE
    kind = _KINDS.get(case.event.get("channel_type") or "")
    return kind or _KINDS_BY_ID.get(case.channel[0], _CHANNEL)


_MAKERS: Mapping[str, Callable[[_Case], Event | Ignored]] = {"message_changed": _changed, "message_deleted": _deleted}
