"""GitHub Discussions for Tertulia: read them whole, answer under the right root, once.

`connect` gives the client, `adapter` is what the registry finds. Every name loads on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertulia_conversation_github._adapter import adapter
    from tertulia_conversation_github._client import Client, connect
    from tertulia_conversation_github._enrich import enrich
    from tertulia_conversation_github._graphql import HttpOptions

__all__ = ["Client", "HttpOptions", "adapter", "connect", "enrich"]

_HOMES = {
    "Client": "_client",
    "HttpOptions": "_graphql",
    "adapter": "_adapter",
    "connect": "_client",
    "enrich": "_enrich",
}


def __getattr__(name: str) -> Any:
    """Load a public name on first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
