"""Who wrote a message, who did it, and whether that is the engine itself."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from tertulia.errors import Invalid
from tertulia.event import Actor, Author
from tertulia.parsing import build
from tertulia.thread import Account
from tertulia_conversation_slack._config import Config
from tertulia_conversation_slack._payload import Envelope, Message, Profile

__all__ = ["NOBODY", "Person", "actor", "author_of", "engine_of", "is_external", "person", "team_of"]

_SLACKBOT = "USLACKBOT"
_TEAMS = ("user_team", "source_team", "team")
_NO_PROFILE = Profile()
_NO_IDS: frozenset[str] = frozenset()


class Person(NamedTuple):
    """An account as a message names it: a user, else a bot. `name` is what is shown, which anybody may choose."""

    id: str | None
    kind: Literal["human", "bot"]
    name: str | None = None
    aliases: frozenset[str] = frozenset()

    def is_account(self, account: Account | None) -> bool:
        """Say whether an account is this one, under any of the ids a Slack app has."""
        if account is None or account.placeholder:
            return False
        if self.id is not None and (self.id == account.id or self.id in account.aliases):
            return True
        return account.id in self.aliases or not self.aliases.isdisjoint(account.aliases)


NOBODY = Person(None, "human")
"""Whoever Slack does not name: it never says who deleted a message."""


def person(message: Message) -> Person:
    """Read who wrote a message. A message of an app names its bot, and today also the bot's user."""
    user = message.get("user")
    profile = message.get("bot_profile") or _NO_PROFILE
    bot = message.get("bot_id") or profile.get("id")
    is_bot = bool(bot) or message.get("subtype") == "bot_message" or user == _SLACKBOT
    app = message.get("app_id") or profile.get("app_id")
    name = (message.get("username") or profile.get("name")) if not user else None
    return Person(
        id=user or bot or None,
        kind="bot" if is_bot else "human",
        name=name if name and name.strip() else None,
        aliases=frozenset({bot or "", app or ""} - {""}) if bot or app else _NO_IDS,
    )


def author_of(who: Person) -> Author:
    """Make the author of a comment. `login` is for people to read: accounts are compared by id."""
    return _author(who.id, (who.name or who.id or "ghost")[:255], who.kind)


@lru_cache(maxsize=1024)
def _author(ident: str | None, login: str, kind: str) -> Author:
    return build(Author, {"id": ident, "login": login, "kind": kind}, "slack", "transition.comment.author")


def engine_of(envelope: Envelope, told: Account | None) -> Account | None:
    """Give the engine: who the delivery says it is, else the app's own user in the workspace it is installed in."""
    if told is not None:
        return told
    for one in envelope.get("authorizations") or ():
        user = one.get("user_id")
        if one.get("is_bot") and user:
            return _app(user, envelope.get("api_app_id"))
    return None


@lru_cache(maxsize=256)
def _app(user: str, app: str | None) -> Account:
    return Account(id=user, login="", kind="bot", aliases=frozenset({app} if app else ()))


def actor(who: Person, envelope: Envelope, message: Message | None, config: Config, *, is_author: bool) -> Actor:
    """Make the actor of an event. The operator's table gives the role; without it the role is none, unverified."""
    external = message is not None and is_external(envelope, message)
    granted = None if external or who.id is None else config.roles.get(who.id)
    return _actor(who.id, who.kind, "external" if external else granted or "none", granted is not None, is_author)


@lru_cache(maxsize=1024)
def _actor(ident: str | None, kind: str, role: str, verified: bool, is_author: bool) -> Actor:
    made = {"kind": kind, "role": role, "is_entity_author": is_author, "account_id": ident, "role_verified": verified}
    return build(Actor, {"id": ident or "ghost", **made}, "slack", "actor")


def is_external(envelope: Envelope, message: Message) -> bool:
    """Say whether an author is from another organisation, as happens in channels that are shared with one.

    In a channel nobody outside can join, an author of another workspace is from the same organisation.
    """
    if envelope.get("is_ext_shared_channel") is False:
        return False
    home = (_home(envelope), envelope.get("enterprise_id"), None, "")
    return any(team not in home for team in map(message.get, _TEAMS))


def team_of(envelope: Envelope) -> str:
    """Give the workspace an event is from; where the envelope names none, the one the app is installed in."""
    team = envelope.get("team_id") or _home(envelope)
    if not team:
        raise Invalid("slack: team_id: missing", field="team_id")
    return team


def _home(envelope: Envelope) -> str:
    installed = (one.get("team_id") for one in envelope.get("authorizations") or ())
    told = (envelope.get("context_team_id"), *installed, envelope.get("team_id"))
    return next((team for team in told if team), "")
