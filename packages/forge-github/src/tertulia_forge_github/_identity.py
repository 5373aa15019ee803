"""Who the client acts as."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tertulia.errors import Denied, Invalid, NotFound
from tertulia.parsing import as_object
from tertulia.thread import Account
from tertulia_forge_github._api import path
from tertulia_forge_github._convert import account

if TYPE_CHECKING:
    from tertulia_forge_github._http import Http

__all__ = ["identify"]

_WHOAMI = "whoami"
_VIEWER = "query { viewer { __typename login databaseId } }"
_INTEGRATION = "not accessible by integration"
_REFUSED = "credentials were refused"
_ADVICE = "name the account it posts as (engine=)"


async def identify(http: Http, engine: Account | str | None, *, anonymous: bool) -> Account:
    """Resolve the configured engine, else the account behind the token."""
    if isinstance(engine, Account) and engine.id is not None:
        return engine
    if engine is not None:
        return await _named(http, engine.login if isinstance(engine, Account) else engine)
    if anonymous:
        raise _denied(f"there is no token, so the client acts as nobody: set GITHUB_TOKEN, or {_ADVICE}")
    try:
        answer = await http.get("/user", operation=_WHOAMI)
    except NotFound:
        return await _viewer(http, is_app=False)
    except Denied as error:
        if _INTEGRATION not in error.message.lower():
            raise
        return await _viewer(http, is_app=True)
    return _known(answer.data, "the token")


async def _named(http: Http, name: str) -> Account:
    """Look up an account by its id, when the name is a number, or its login."""
    route = path("user", name) if name.isascii() and name.isdigit() else path("users", name.removeprefix("@"))
    try:
        answer = await http.get(route, operation=_WHOAMI)
    except NotFound:
        raise _denied("the configured engine is no account that can be seen (engine=)") from None
    return _known(answer.data, "the configured engine")


async def _viewer(http: Http, *, is_app: bool) -> Account:
    """Ask GraphQL, which names the bot of an installed app where REST does not, in some places without `[bot]`."""
    try:
        answer = await http.ask_graphql(_VIEWER, operation=_WHOAMI)
    except (NotFound, Invalid):
        raise _unknown() from None
    except Denied as error:
        if _REFUSED in error.message:
            raise
        raise _unknown() from None
    viewer = as_object(as_object(as_object(answer.data).get("data")).get("viewer"))
    login = viewer.get("login")
    if not isinstance(login, str) or not login:
        raise _unknown()
    is_bot = is_app or viewer.get("__typename") == "Bot" or login.lower().endswith("[bot]")
    if is_bot and not login.lower().endswith("[bot]"):
        login = f"{login}[bot]"
    number = viewer.get("databaseId")
    if not isinstance(number, int) or isinstance(number, bool):
        return await _named(http, login)
    return Account(id=str(number), login=login, kind="bot" if is_bot else "human")


def _known(user: Any, what: str) -> Account:
    found = account(user)
    if found is None or found.id is None or found.placeholder or user.get("type") == "Organization":
        raise _denied(f"{what} names no account that can act: {_ADVICE}")
    return found


def _unknown() -> Denied:
    return _denied(f"GitHub does not say whose token this is: {_ADVICE}")


def _denied(message: str) -> Denied:
    return Denied(message, backend="github", operation=_WHOAMI)
