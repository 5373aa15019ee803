"""Slack for Tertulia: native events in, normalized events out, and a client for its channels and threads.

`adapter` is what the registry finds, and `normalize` its pure part: both load the core only. `connect` gives the client.
`Config` is what the operator says about a workspace. Every name loads on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertulia_conversation_slack._adapter import adapter
    from tertulia_conversation_slack._api import HttpOptions
    from tertulia_conversation_slack._client import Client, connect
    from tertulia_conversation_slack._config import Config, config_schema
    from tertulia_conversation_slack._events import normalize

__all__ = ["Client", "Config", "HttpOptions", "adapter", "config_schema", "connect", "normalize"]

_HOMES = {
    "Client": "_client",
    "Config": "_config",
    "HttpOptions": "_api",
    "adapter": "_adapter",
    "config_schema": "_config",
    "connect": "_client",
    "normalize": "_events",
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
