"""The object that the registry finds."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any

from tertulia.parsing.github import SETTINGS, scopes_of
from tertulia.registry import Adapter
from tertulia_forge_github._events import NAMES, normalize
from tertulia_forge_github._urls import recognise

if TYPE_CHECKING:
    from tertulia.event import Event
    from tertulia_forge_github._client import Client

__all__ = ["adapter"]


def _connect(**options: Any) -> AbstractAsyncContextManager[Client]:
    """Connect to GitHub; the SDK is loaded now, and not before."""
    from tertulia_forge_github._client import connect

    return connect(**options)


async def _enrich(event: Event, client: Client) -> Event:
    """Ask GitHub for what an event does not carry."""
    from tertulia_forge_github._enrich import enrich

    return await enrich(event, forge=client)


# A role is told to whoever may push, which a token that only reads may not.
adapter = Adapter(
    name="github",
    system="github",
    kind="forge",
    names=NAMES,
    normalize=normalize,
    recognise=recognise,
    connect=_connect,
    enrich=_enrich,
    settings=SETTINGS,
    scopes=scopes_of(("whoami", "get_change", "get_file"), ("permission", "enrich")),
)
