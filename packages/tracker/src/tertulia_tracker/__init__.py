"""Issues on a tracker, one module for each: `github` (install `tertulia-tracker[github]`). Importing this loads nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertulia_tracker import github

__all__ = ["github"]


def __getattr__(name: str) -> Any:
    """Load a tracker's module on first use (PEP 562)."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted(__all__)
