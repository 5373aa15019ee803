"""The object that the registry finds."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any

from tertulia.conversation import Capability, Trait
from tertulia.parsing.github import SETTINGS, scopes_of
from tertulia.registry import Adapter
from tertulia.thread import Limits
from tertulia_conversation_github._events import NAMES, normalize
from tertulia_conversation_github._urls import recognise

if TYPE_CHECKING:
    from tertulia.event import Event
    from tertulia_conversation_github._client import Client

__all__ = ["CAPABILITIES", "LIMITS", "TRAITS", "adapter"]

CAPABILITIES = frozenset(Capability)

TRAITS = frozenset(Trait)

LIMITS = Limits(body_chars=65_536)
"""GitHub refuses longer bodies with this number in its words; it counts code points."""


_READING = ("whoami", "read", "get_message", "get_conversation", "conversations", "threads")
_WRITING = ("post", *sorted(CAPABILITIES - {Capability.BROWSE}), "enrich")


def _connect(**options: Any) -> AbstractAsyncContextManager[Client]:
    """Load the client and its GraphQL library only now."""
    from tertulia_conversation_github._client import connect

    return connect(**options)


async def _enrich(event: Event, client: Client) -> Event:
    """Ask GitHub for what an event does not carry."""
    from tertulia_conversation_github._enrich import enrich

    return await enrich(event, conversation=client)


adapter = Adapter(
    name="conversation-github",
    system="github",
    kind="conversation",
    names=NAMES,
    normalize=normalize,
    recognise=recognise,
    connect=_connect,
    enrich=_enrich,
    capabilities=frozenset(capability.value for capability in CAPABILITIES),
    traits=frozenset(trait.value for trait in TRAITS),
    settings=SETTINGS,
    limits=LIMITS,
    scopes=scopes_of(_READING, _WRITING),
)
