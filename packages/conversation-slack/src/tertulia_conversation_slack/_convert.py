"""Objects of Slack's Web API made into the models of the core. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from tertulia import ledger
from tertulia.conversation import Conversation
from tertulia.errors import Invalid, Unavailable
from tertulia.event import Category
from tertulia.parsing import as_object, checked
from tertulia.thread import Account, Message
from tertulia_conversation_slack._comments import root_of
from tertulia_conversation_slack._fields import Json, number, objects, word
from tertulia_conversation_slack._format import markdown
from tertulia_conversation_slack._payload import Message as Said
from tertulia_conversation_slack._people import Person, person
from tertulia_conversation_slack._place import SOURCE_TYPE, Place
from tertulia_conversation_slack._ts import instant, is_ts
from tertulia_conversation_slack._urls import channel_url, permalink

__all__ = [
    "MARKER",
    "Member",
    "association",
    "conversation",
    "is_own",
    "last_activity",
    "message",
    "own_marker",
    "said",
    "unreadable",
]

MARKER = "tertulia"
"""The type of the metadata that our own messages carry."""

_KINDS = (("is_im", "dm"), ("is_mpim", "group-dm"), ("is_private", "private-channel"))
_SAID = TypeAdapter(Said)


class Member(NamedTuple):
    """Hold what Slack says about a user: the association, and the name that is shown."""

    association: str
    name: str | None = None
    is_bot: bool = False


STRANGER = Member("NONE")


def unreadable(reason: str) -> Unavailable:
    """Make the error for an answer that is not what Slack documents."""
    return Unavailable(f"an answer cannot be read: {reason}", backend="slack")


def said(data: Json) -> Said:
    """Read a message of an answer, and only the fields that are used."""
    try:
        return checked(lambda: _SAID.validate_python(data, strict=True), "slack", "message")
    except Invalid as error:
        raise unreadable(error.message) from error


def association(user: Json, home: str) -> Member:
    """Say what a user is to the home workspace: owner, member, or nobody we know (a guest, an outsider, one who left).

    A heuristic: Slack knows no repository. Owners and admins are OWNER, full members MEMBER, everybody else NONE.
    """
    shown = word(as_object(user.get("profile")), "display_name")
    name = shown or word(user, "real_name") or word(user, "name")
    return Member(_standing(user, home), name or None, user.get("is_bot") is True)


def _standing(user: Json, home: str) -> str:
    apart = ("deleted", "is_restricted", "is_ultra_restricted", "is_stranger", "is_bot")
    if user.get("team_id") != home or any(user.get(name) for name in apart):
        return "NONE"
    return "OWNER" if any(user.get(name) for name in ("is_owner", "is_admin", "is_primary_owner")) else "MEMBER"


def message(data: Json, place: Place, site: str, members: Mapping[str, Member]) -> Message:
    """Make a message; `site` is the workspace's address, and `members` what is known about its people.

    What an app posts may say anything about itself: its name is shown, and its id decides who it is.
    """
    told = said(data)
    who, root = person(told), root_of(told)
    member = members.get(who.id or "", STRANGER)
    deleted = told.get("subtype") == "tombstone"
    edited = told.get("edited") or {}
    editor, changed = edited.get("user"), edited.get("ts")
    item = {
        "source_type": SOURCE_TYPE,
        "id": place.name(told["ts"]),
        "parent_id": place.name(root),
        "user": None if deleted else _user(who, member),
        "author_association": "NONE" if who.kind == "bot" or deleted else member.association,
        "created_at": instant(told["ts"]),
        "updated_at": instant(changed) if changed else None,
        "last_edited_at": instant(changed) if changed else None,
        "editor": _user(Person(editor, "human"), STRANGER) if editor and editor != who.id else None,
        "body": "" if deleted else markdown(told),
        "html_url": permalink(site, place.channel, told["ts"], root),
        "tombstone": deleted,
        "files": [_file(one) for one in objects(data.get("files"))],
        "marker": own_marker(data.get("metadata")),
    }
    try:
        made = ledger.to_message(item, "message", what="slack")
    except Invalid as error:
        raise unreadable(error.message) from error
    assert made is not None  # only reviews can be pending
    return made


def _user(who: Person, member: Member) -> Json | None:
    if who.id is None:
        return None
    kind = "Bot" if who.kind == "bot" or member.is_bot else "User"
    return {"id": who.id, "login": who.id, "type": kind, "name": who.name or member.name, "aliases": who.aliases}


def _file(data: Json) -> Json:
    return {
        "name": word(data, "name") or None,
        "mimetype": word(data, "mimetype") or None,
        "size": number(data, "size"),
    }


def own_marker(metadata: object) -> Json | None:
    """Read agent and key out of a message's metadata; none unless it is ours. Who posted it decides what it is worth."""
    told = as_object(metadata)
    payload = as_object(told.get("event_payload"))
    agent = word(payload, "agent")
    if told.get("event_type") != MARKER or not agent:
        return None
    return {"agent": agent, "key": word(payload, "key") or None}


def last_activity(root: Json) -> datetime:
    """Say when something was last said in a thread: a root tells of its replies."""
    latest = word(root, "latest_reply")
    return instant(latest if is_ts(latest) else said(root)["ts"])


def conversation(data: Json, place: Place, section: Category | None) -> Conversation:
    """Make a conversation of a channel. An archived one is closed, and takes no answer."""
    archived = data.get("is_archived") is True
    creator, created = word(data, "creator"), f"{number(data, 'created')}.0"
    if not is_ts(created):
        raise unreadable("channel.created: is no time")
    told: dict[str, Any] = {
        "conversation": place.conversation,
        "id": place.channel,
        "title": word(data, "name") or place.channel,
        "category": section or Category(name=_kind(data)),
        "author": Account(id=creator, login=creator) if creator else None,
        "closed": archived,
        "locked": archived,
        "created_at": instant(created),
        "url": channel_url(place.team, place.channel),
    }
    try:
        return checked(lambda: Conversation.model_validate(told), "slack", "channel")
    except Invalid as error:
        raise unreadable(error.message) from error


def _kind(data: Json) -> str:
    return next((kind for name, kind in _KINDS if data.get(name) is True), "channel")


def is_own(author: Account | None, me: Account) -> bool:
    """Say whether an account is our own, under any of its ids."""
    return author is not None and bool(({author.id} | author.aliases) & ({me.id} | me.aliases) - {None})
