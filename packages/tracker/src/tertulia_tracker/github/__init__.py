"""GitHub issues and pull requests for Tertulia: read them whole, answer in them once.

`connect` gives the client, `adapter` is what the registry finds. Both load on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertulia_tracker.github._adapter import adapter
    from tertulia_tracker.github._client import Client, connect

__all__ = ["Client", "adapter", "connect"]

_HOMES = {"Client": "_client", "adapter": "_adapter", "connect": "_client"}


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
