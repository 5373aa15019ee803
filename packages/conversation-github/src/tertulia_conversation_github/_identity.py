"""Who the client acts as."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tertulia.errors import Denied, Invalid, NotFound
from tertulia.thread import Account
from tertulia_conversation_github import _queries as queries
from tertulia_conversation_github._convert import account
from tertulia_conversation_github._errors import BACKEND
from tertulia_conversation_github._graphql import Operation

__all__ = ["identify"]

_ADVICE = "name the account it posts as (engine=)"
_BOT = "[bot]"


async def identify(asked: Operation, engine: Account | str | None, *, anonymous: bool) -> Account:
    """Resolve the configured engine, else the account behind the token, which GraphQL calls the viewer."""
    if isinstance(engine, Account) and engine.id is not None:
        return engine
    if engine is None and anonymous:
        raise _denied(asked, f"there is no token, so the client acts as nobody: set GITHUB_TOKEN, or {_ADVICE}")
    viewer = None if anonymous else await _viewer(asked)
    if engine is None:
        return _known(viewer, asked)
    return await _named(asked, engine.login if isinstance(engine, Account) else engine, viewer)


async def _viewer(asked: Operation) -> Account | None:
    """Ask whose token it is; None when it tells nobody's name."""
    answer = await asked.ask(queries.VIEWER)
    try:
        viewer: Mapping[str, Any] = answer.at("viewer")
    except (NotFound, Invalid, Denied):
        return None
    found = account(viewer)
    if found is None or not found.login.lower().endswith(_BOT):
        return found
    return found.model_copy(update={"kind": "bot"})


async def _named(asked: Operation, name: str, viewer: Account | None) -> Account:
    """Find the configured engine: the viewer under that name or id, else somebody else, whom GraphQL finds by login."""
    if viewer is not None and (name == viewer.id or _bare(name) == _bare(viewer.login)):
        return viewer
    if name.isascii() and name.isdigit():
        return Account(id=name, login=name)
    try:
        answer = await asked.ask(queries.USER, login=name.removeprefix("@"))
        return _known(account(answer.at("user")), asked)
    except NotFound:
        if name.lower().endswith(_BOT):
            return Account(login=name.removeprefix("@"), kind="bot")
        raise _denied(asked, "the configured engine is no account that can be seen (engine=)") from None


def _known(found: Account | None, asked: Operation) -> Account:
    if found is None or found.placeholder or found.id is None:
        raise _denied(asked, f"GitHub does not say whose token this is: {_ADVICE}")
    return found


def _bare(login: str) -> str:
    return login.removeprefix("@").lower().removesuffix(_BOT)


def _denied(asked: Operation, message: str) -> Denied:
    return Denied(message, backend=BACKEND, operation=asked.name)
