"""Ask GitHub for what an event does not carry: the sender's role, the labels as they are now, the pull request."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from tertulia.enriching import filled, look_up, with_role
from tertulia.errors import Invalid
from tertulia.event import Event
from tertulia.parsing.github import is_shown_by

if TYPE_CHECKING:
    from tertulia.event import Actor
    from tertulia_forge_github._client import Client

__all__ = ["enrich"]

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
    return filled(event, actor, await _state(event, event.repo, forge))


async def _actor(event: Event, repo: str, forge: Client) -> Actor:
    login = event.actor.id
    known = login != _NOBODY
    found = await look_up(forge.permission_of(repo, login), "the role of the actor", event, _log) if known else None
    permission, account_id = found or (None, None)
    return with_role(event, permission.role if permission is not None else None, account_id, _log)


async def _state(event: Event, repo: str, forge: Client) -> dict[str, Any]:
    entity, number = event.entity, event.entity.id
    if number is None or entity.kind == "conversation":
        return {}
    if entity.kind == "work_item" and entity.linked_change_proposal is None:
        labels = await look_up(forge.labels(repo, number), "the labels", event, _log)
        return {} if labels is None else {"labels": labels}
    change = await look_up(forge.get_change(repo, number), "the pull request", event, _log)
    if change is None or change.number != number:
        return {}
    return {"labels": change.labels, "change_proposal": event.state.change_proposal or change.proposal}
