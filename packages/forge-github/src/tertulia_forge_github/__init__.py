"""GitHub issues and pull requests for Tertulia: native events in, normalized events out.

`adapter` is what the registry finds; `normalize` is its pure part. Both load on first use, and load the core only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertulia_forge_github._adapter import adapter
    from tertulia_forge_github._api import path, repo_path
    from tertulia_forge_github._events import normalize
    from tertulia_forge_github._http import Answer, Http, HttpOptions, Pages, Rate, open_http

__all__ = [
    "Answer",
    "Http",
    "HttpOptions",
    "Pages",
    "Rate",
    "adapter",
    "normalize",
    "open_http",
    "path",
    "repo_path",
]

_HOMES = {
    "Answer": "_http",
    "Http": "_http",
    "HttpOptions": "_http",
    "Pages": "_http",
    "Rate": "_http",
    "adapter": "_adapter",
    "normalize": "_events",
    "open_http": "_http",
    "path": "_api",
    "repo_path": "_api",
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
