"""GitHub for Tertulia: native events in, normalized events out, and a client for what an event does not say.

`adapter` is what the registry finds, and `normalize` its pure part: both load the core only. `connect` gives the forge
client, `enrich` asks it about an event, and `open_http` is the transport below. Every name loads on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertulia.lazy import lazy

if TYPE_CHECKING:
    from tertulia_forge_github._adapter import adapter
    from tertulia_forge_github._api import path, repo_path
    from tertulia_forge_github._client import Client, connect
    from tertulia_forge_github._enrich import enrich
    from tertulia_forge_github._events import normalize
    from tertulia_forge_github._http import Answer, Http, HttpOptions, Pages, Rate, open_http

__all__ = [
    "Answer",
    "Client",
    "Http",
    "HttpOptions",
    "Pages",
    "Rate",
    "adapter",
    "connect",
    "enrich",
    "normalize",
    "open_http",
    "path",
    "repo_path",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "Answer": "_http",
        "Client": "_client",
        "Http": "_http",
        "HttpOptions": "_http",
        "Pages": "_http",
        "Rate": "_http",
        "adapter": "_adapter",
        "connect": "_client",
        "enrich": "_enrich",
        "normalize": "_events",
        "open_http": "_http",
        "path": "_api",
        "repo_path": "_api",
    },
)
