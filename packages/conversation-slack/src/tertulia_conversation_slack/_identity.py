"""Who the client is: the account its token belongs to, unless another engine is configured."""

from __future__ import annotations

from typing import NamedTuple

from tertulia.errors import Denied, NotFound
from tertulia.parsing import as_object
from tertulia.thread import Account
from tertulia_conversation_slack._api import Call
from tertulia_conversation_slack._convert import unreadable
from tertulia_conversation_slack._fields import Json, word

__all__ = ["Home", "identify", "resolve"]


class Home(NamedTuple):
    """Hold whose the token is, and in which workspace; `site` is its address."""

    me: Account
    team: str
    site: str


async def identify(call: Call) -> Home:
    """Ask whose the token is: an app's user, whose bot is an alias."""
    told = await call.ask("auth.test")
    me, team, bot = word(told, "user_id"), word(told, "team_id"), word(told, "bot_id")
    if not me or not team:
        raise unreadable("auth.test tells no account")
    return Home(_account(me, word(told, "user"), {bot}), team, word(told, "url"))


async def resolve(call: Call, engine: Account | str | None, me: Account) -> Account:
    """Give the configured engine, by its id or, of the token's own account, by its name. Raises Denied for any other name."""
    if isinstance(engine, Account) and engine.id is not None:
        return engine
    name = engine.login if isinstance(engine, Account) else engine
    if name is None or name in {me.id, me.login, *me.aliases}:
        return me
    try:
        user = as_object((await call.ask("users.info", user=name)).get("user"))
    except NotFound:
        told = "the configured engine is no account that can be seen: name it by its id (engine=)"
        raise Denied(told, backend="slack", operation=call.operation) from None
    profile: Json = as_object(user.get("profile"))
    return _account(
        word(user, "id") or name, word(user, "name"), {word(profile, "bot_id"), word(profile, "api_app_id")}
    )


def _account(ident: str, name: str, aliases: set[str]) -> Account:
    others = frozenset(aliases - {""})
    return Account(id=ident, login=name or ident, kind="bot" if others else "human", aliases=others)
