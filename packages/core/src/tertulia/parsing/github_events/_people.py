"""Who did it, who wrote it, and whether that is the engine itself."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from tertulia._frozen import assembled
from tertulia.event import Actor, Author

if TYPE_CHECKING:
    from tertulia.parsing.github_events._shapes import Comment, User
    from tertulia.thread import Account

__all__ = ["GHOST", "Person", "actor", "author", "fold", "is_engine", "is_same", "person"]

_BOT = "[bot]"


class Person(NamedTuple):
    """An account as a payload or a runner names it; `id` is GitHub's number in decimal, which survives a renaming.

    An event can carry what it holds: a login has 1 to 255 characters.
    """

    login: str
    id: str | None
    kind: Literal["human", "bot"]


GHOST = Person("ghost", None, "human")
"""A deleted account. GitHub shows them all as one user, so that its number says nothing about who it was."""


def fold(login: str) -> str:
    """Compare logins without case, and only as GitHub does: a Kelvin sign is not a K."""
    return login.lower() if login.isascii() else login


def person(user: User | None, fallback: str | None = None) -> Person:
    """Read an account. Without a login it is the fallback's (what a runner says), else the ghost."""
    if user is not None and (login := user.get("login")):
        return _person(login, user.get("id"), user.get("type"))
    return _person(fallback, None, None)


@lru_cache(maxsize=1024)
def _person(login: str | None, number: int | None, kind: str | None) -> Person:
    if not login or fold(login) == "ghost":
        return GHOST
    is_bot = (kind is not None and kind.lower() == "bot") or login[-5:].lower() == _BOT
    return Person(login, None if number is None else str(number), "bot" if is_bot else "human")


def is_same(one: Person, other: Person) -> bool:
    """Compare by account id when both are there, else by login; the ghost is nobody, not even itself."""
    if one is GHOST or other is GHOST:
        return False
    if one.id is not None and other.id is not None:
        return one.id == other.id
    return fold(one.login) == fold(other.login)


@lru_cache(maxsize=1024)
def actor(who: Person, author: Person) -> Actor:
    """Make the actor of an event. Nobody looked up a role: it is none, unverified (`author_association` is no role)."""
    made = {
        "id": who.login,
        "kind": who.kind,
        "role": "none",
        "is_entity_author": is_same(who, author),
        "account_id": who.id,
        "role_verified": False,
    }
    return assembled(Actor, made)


@lru_cache(maxsize=1024)
def author(who: Person) -> Author:
    """Make the author of a comment."""
    return assembled(Author, {"id": who.id, "login": who.login, "kind": who.kind})


def is_engine(comment: Comment, engine: Account | None) -> bool:
    """Say whether the engine wrote a comment: as itself, or as the app that somebody's token belongs to.

    `[bot]` and case do not matter in the login: REST writes `helper[bot]`, GraphQL `helper`, an app's slug is `helper`.
    """
    if engine is None or engine.placeholder:
        return False
    user, app = comment.get("user"), comment.get("performed_via_github_app")
    return (user is not None and _is_account(user, engine)) or (
        app is not None and (str(app.get("id")) in engine.aliases or _is_app(app.get("slug"), engine))
    )


def _is_account(user: User, engine: Account) -> bool:
    number, login = user.get("id"), user.get("login")
    if number is not None and (str(number) == engine.id or str(number) in engine.aliases):
        return True
    missing = number is None or engine.id is None
    return missing and bool(login) and _bare(login or "") == _bare(engine.login)


def _is_app(slug: str | None, engine: Account) -> bool:
    is_bot = engine.kind == "bot" or fold(engine.login).endswith(_BOT)
    return bool(slug) and is_bot and fold(slug or "") == _bare(engine.login)


def _bare(login: str) -> str:
    return fold(login).removesuffix(_BOT)
