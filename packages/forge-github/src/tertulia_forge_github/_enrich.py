"""Ask GitHub for what an event does not carry: the sender's role, the labels as they are now, the pull request."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, TypeVar

from tertulia.errors import Error, Invalid
from tertulia.event import Event
from tertulia.parsing.github import is_shown_by

if TYPE_CHECKING:
    from tertulia.event import Actor
    from tertulia_forge_github._client import Client

__all__ = ["enrich"]

T = TypeVar("T")

_log = logging.getLogger("tertulia.forge_github")
_NOBODY = "ghost"


async def enrich(event: Event, *, forge: Client) -> Event:
    """Fill in an event: `actor.role` (and that it was looked up), `state.labels`, and `state.change_proposal` on a pull request.

    The role belongs to an account: when its login is another account's by now, it is none, unverified. A pull request
    that an event carries itself stays as it was then; labels are those of now. What cannot be looked up, whatever the
    reason, is logged and left with less trust: no role, the labels of the payload, no pull request. For a discussion
    the role is all there is to ask for here.

    Raises Invalid for an event of another system or on another host, before any request.
    """
    if event.source.system != "github" or event.repo is None:
        raise Invalid(f"enrich: source.system is {event.source.system}, not github", field="source.system")
    if not is_shown_by(event.entity.url, forge.http.api_url):
        raise Invalid("enrich: entity.url is not on the configured host", field="entity.url")
    actor = await _actor(event, event.repo, forge)
    state = await _state(event, event.repo, forge)
    document = event.model_copy(update={"actor": actor, "state": event.state.model_copy(update=state)})
    return Event.check(document.document())


async def _actor(event: Event, repo: str, forge: Client) -> Actor:
    actor = event.actor
    unknown = actor.model_copy(update={"role": "none", "role_verified": False})
    if actor.id == _NOBODY:
        return unknown
    found = await _asked(forge.permission_of(repo, actor.id), "the role of the actor", event)
    if found is None:
        return unknown
    permission, ident = found
    if ident is not None and actor.account_id is not None and ident != actor.account_id:
        _log.warning("%s: the actor's login belongs to another account now", event.thread_key)
        return unknown
    return actor.model_copy(update={"role": permission.role, "role_verified": True})


async def _state(event: Event, repo: str, forge: Client) -> dict[str, Any]:
    entity, number = event.entity, event.entity.id
    if number is None or entity.kind == "conversation":
        return {}
    if entity.kind == "work_item" and entity.linked_change_proposal is None:
        labels = await _asked(forge.labels(repo, number), "the labels", event)
        return {} if labels is None else {"labels": labels}
    change = await _asked(forge.get_change(repo, number), "the pull request", event)
    if change is None or change.number != number:
        return {}
    return {"labels": change.labels, "change_proposal": event.state.change_proposal or change.proposal}


async def _asked(look_up: Awaitable[T], what: str, event: Event) -> T | None:
    try:
        return await look_up
    except Error as error:
        _log.warning("%s: %s could not be looked up: %s", event.thread_key, what, type(error).__name__)
        return None
