"""Fill in an event with what an adapter looked up. What could not be looked up is less trust, logged, and no error."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from typing import Any, TypeVar

from tertulia.errors import Error
from tertulia.event import Actor, Event, Role

__all__ = ["filled", "look_up", "with_role"]

_T = TypeVar("_T")


async def look_up(found: Awaitable[_T], what: str, event: Event, log: logging.Logger) -> _T | None:
    """Wait for something that is looked up for an event; None, and a warning, when it cannot be."""
    try:
        return await found
    except Error as error:
        log.warning("%s: %s could not be looked up: %s", event.thread_key, what, type(error).__name__)
        return None


def with_role(event: Event, role: Role | None, account_id: str | None, log: logging.Logger) -> Actor:
    """Give the actor of an event with a role that was looked up by login; None is one that could not be.

    The role belongs to an account, whose id is `account_id` when the backend says it: when the login is another
    account's by now, the role is none, unverified.
    """
    actor = event.actor
    is_another = account_id is not None and actor.account_id not in (None, account_id)
    if is_another:
        log.warning("%s: the actor's login belongs to another account now", event.thread_key)
    if role is None or is_another:
        return actor.model_copy(update={"role": "none", "role_verified": False})
    return actor.model_copy(update={"role": role, "role_verified": True})


def filled(event: Event, actor: Actor, state: dict[str, Any]) -> Event:
    """Give an event with another actor, and other fields of its state."""
    document = event.model_copy(update={"actor": actor, "state": event.state.model_copy(update=state)})
    return Event.check(document.document())
