"""GitHub Discussions for Tertulia: native events in, read them whole, answer under the right root, once.

`adapter` is what the registry finds, and `normalize` its pure part: both load the core only. `connect` gives the client, and
`enrich` asks it about an event. Every name loads on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertulia.lazy import lazy

if TYPE_CHECKING:
    from tertulia_conversation_github._adapter import adapter
    from tertulia_conversation_github._client import Client, connect
    from tertulia_conversation_github._enrich import enrich
    from tertulia_conversation_github._events import normalize
    from tertulia_conversation_github._graphql import HttpOptions

__all__ = ["Client", "HttpOptions", "adapter", "connect", "enrich", "normalize"]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "Client": "_client",
        "HttpOptions": "_graphql",
        "adapter": "_adapter",
        "connect": "_client",
        "enrich": "_enrich",
        "normalize": "_events",
    },
)
