"""Who the client is: the account its token belongs to, unless another engine is configured."""

from __future__ import annotations

import re
from typing import NamedTuple

from tertulia.errors import Denied, Invalid, NotFound
from tertulia.parsing import as_object
from tertulia.thread import Account
from tertulia_conversation_slack._api import Call
from tertulia_conversation_slack._convert import unreadable
from tertulia_conversation_slack._fields import Json, word
from tertulia_conversation_slack._urls import workspace_of

__all__ = ["Home", "identify", "resolve"]

_TEAM = re.compile(r"[TE][A-Z0-9]{1,63}")


class Home(NamedTuple):
    """Hold whose the token is, and in which workspace; `site` is its address, and `grid` tells that it is one of several."""

    me: Account
    team: str
    site: str
    grid: bool = False

    def admit(self, named: str | None) -> None:
        """Take the workspace or team that a web address names for this one. Raises Invalid for another.

        What cannot be told from outside is left to Slack, which finds nothing in another's: which workspaces are of one
        organisation, and what a server is called that is not slack.com.
        """
        known = workspace_of(self.site)
        if named is None or named in (self.team, known):
            return
        by_team = _TEAM.fullmatch(named) is not None
        if (self.grid and (by_team or named.endswith(".enterprise"))) or (known is None and not by_team):
            return
        told = f"the address is in the workspace {named}, and the token in {self.team if by_team else known}"
        raise Invalid(f"slack: url: {told}", field="url")


async def identify(call: Call) -> Home:
    """Ask whose the token is: an app's user, whose bot is an alias."""
    told = await call.ask("auth.test")
    me, team, bot = word(told, "user_id"), word(told, "team_id"), word(told, "bot_id")
    if not me or not team:
        raise unreadable("auth.test tells no account")
    grid = bool(word(told, "enterprise_id"))
    return Home(_account(me, word(told, "user"), {bot}), team, word(told, "url"), grid)


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
