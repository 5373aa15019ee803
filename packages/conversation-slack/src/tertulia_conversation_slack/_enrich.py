"""Ask Slack for what an event does not carry: who is in the operator's user groups, and what kind a channel is."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from tertulia.enriching import filled, look_up, with_role
from tertulia.errors import Invalid
from tertulia.thread import ThreadRef

if TYPE_CHECKING:
    from tertulia.event import Actor, Event
    from tertulia_conversation_slack._client import Client

__all__ = ["enrich"]

_log = logging.getLogger("tertulia.conversation_slack")


async def enrich(event: Event, *, conversation: Client) -> Event:
    """Fill in an event: the role the operator's file gives a group the actor is in, and the category and name of the channel.

    A role that the file gives the person stands, and so does `external`. What cannot be looked up is logged and left with
    less trust. Raises Invalid for an event of another system, before any request.
    """
    if event.source.system != "slack" or event.state.conversation is None:
        raise Invalid(f"enrich: source.system is {event.source.system}, not slack", field="source.system")
    actor = await _actor(event, conversation)
    return filled(event, actor, await _state(event, conversation))


async def _actor(event: Event, client: Client) -> Actor:
    actor = event.actor
    if actor.role_verified or actor.role == "external" or actor.account_id is None:
        return actor
    role = await look_up(client.group_role(actor.account_id), "the role of the actor", event, _log)
    return with_role(event, role, actor.account_id, _log)


async def _state(event: Event, client: Client) -> dict[str, Any]:
    known = event.state.conversation
    asked = client.get_conversation(ThreadRef(conversation=event.entity.key or ""))
    found = await look_up(asked, "the channel", event, _log)
    if known is None or found is None or found.category is None:
        return {}
    now = known.model_copy(update={"category": found.category, "title": found.title, "closed": found.closed})
    return {"conversation": now}
