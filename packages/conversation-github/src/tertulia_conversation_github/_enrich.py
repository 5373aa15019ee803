"""Ask GitHub for what an event about a discussion does not carry: the sender's role, the labels as they are now."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from tertulia.enriching import filled, look_up, with_role
from tertulia.errors import Invalid
from tertulia.event import Event
from tertulia.parsing.github import is_shown_by
from tertulia.thread import ThreadRef

if TYPE_CHECKING:
    from tertulia import forge as forges
    from tertulia.event import Actor
    from tertulia_conversation_github._client import Client

__all__ = ["enrich"]

_log = logging.getLogger("tertulia.conversation_github")
_NOBODY = "ghost"


async def enrich(event: Event, *, conversation: Client, forge: forges.Client | None = None) -> Event:
    """Fill in an event about a discussion: `actor.role` (and that it was looked up), and `state.labels` as they are now.

    The role is asked of the forge client when there is one, else through GraphQL, which shows collaborators to those with
    push access only. It belongs to an account: when its login is another account's by now, it is none, unverified.
    What cannot be looked up, whatever the reason, is logged and left with less trust: no role, the payload's labels.

    Raises Invalid for an event that is about no discussion of GitHub's or on another host, before any request.
    """
    if event.source.system != "github" or event.repo is None or event.entity.kind != "conversation":
        raise Invalid("enrich: the event is about no discussion", field="entity.kind")
    if not is_shown_by(event.entity.url, conversation.graphql.url):
        raise Invalid("enrich: entity.url is not on the configured host", field="entity.url")
    actor = await _actor(event, event.repo, conversation, forge)
    ref = ThreadRef(conversation=ThreadRef.of(event).conversation)
    found = await look_up(conversation.get_conversation(ref), "the labels", event, _log)
    return filled(event, actor, {} if found is None else {"labels": found.labels})


async def _actor(event: Event, repo: str, conversation: Client, forge: forges.Client | None) -> Actor:
    login, what = event.actor.id, "the role of the actor"
    if login == _NOBODY:
        return with_role(event, None, None, _log)
    if forge is not None:
        permission = await look_up(forge.permission(repo, login), what, event, _log)
        return with_role(event, permission.role if permission is not None else None, None, _log)
    found = await look_up(conversation.role_of(repo, login), what, event, _log)
    role, account_id = found or (None, None)
    return with_role(event, role, account_id, _log)
