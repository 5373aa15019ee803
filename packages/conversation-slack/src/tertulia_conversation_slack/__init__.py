"""Slack for Tertulia: native events in, normalized events out, and a client for its channels and threads.

`adapter` is what the registry finds, and `normalize` its pure part: both load the core only. `connect` gives the client, and
`enrich` asks it about an event. `subscribe` opens Socket Mode. `Config` is what the operator says about a workspace. Every
name loads on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertulia.lazy import lazy

if TYPE_CHECKING:
    from tertulia_conversation_slack._adapter import adapter
    from tertulia_conversation_slack._api import HttpOptions
    from tertulia_conversation_slack._client import Client, connect
    from tertulia_conversation_slack._config import Config, config_schema
    from tertulia_conversation_slack._enrich import enrich
    from tertulia_conversation_slack._events import normalize
    from tertulia_conversation_slack._socket_mode import subscribe

__all__ = ["Client", "Config", "HttpOptions", "adapter", "config_schema", "connect", "enrich", "normalize", "subscribe"]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "Client": "_client",
        "Config": "_config",
        "HttpOptions": "_api",
        "adapter": "_adapter",
        "config_schema": "_config",
        "connect": "_client",
        "enrich": "_enrich",
        "normalize": "_events",
        "subscribe": "_socket_mode",
    },
)
