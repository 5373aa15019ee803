"""The object that the registry finds, beside the forge's: the same addresses, another client."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any

from tertulia.parsing.github import scopes_of
from tertulia.registry import Adapter
from tertulia.thread import Limits
from tertulia.tracker import Capability

try:
    from tertulia_forge_github import adapter as forge
except ModuleNotFoundError as error:
    if error.name != "tertulia_forge_github":
        raise
    raise ModuleNotFoundError(
        "tertulia_forge_github is not installed: install tertulia-tracker[github]", name=error.name
    ) from None

if TYPE_CHECKING:
    from tertulia_tracker.github._client import Client

__all__ = ["CAPABILITIES", "LIMITS", "adapter"]

CAPABILITIES = frozenset({Capability.EDIT, Capability.DELETE, Capability.LABEL})

LIMITS = Limits(body_chars=65_536)
"""GitHub refuses longer bodies with this number in its words; it counts code points."""


def _connect(**options: Any) -> AbstractAsyncContextManager[Client]:
    """Load the client and its HTTP library only now."""
    from tertulia_tracker.github._client import connect

    return connect(**options)


adapter = Adapter(
    name="tracker-github",
    system="github",
    kind="tracker",
    names=frozenset(),
    normalize=None,
    recognise=forge.recognise,
    connect=_connect,
    capabilities=frozenset(capability.value for capability in CAPABILITIES),
    settings=forge.settings,
    limits=LIMITS,
    scopes=scopes_of(("whoami", "read", "get_message", "get_issue"), ("post", "edit", "delete", "label")),
)
