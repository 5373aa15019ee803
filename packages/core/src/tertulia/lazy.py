"""Public names that load on first use, so that importing an adapter loads no SDK."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["lazy"]


def lazy(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Give the `__getattr__` and the `__dir__` of a package (PEP 562); `homes` says in which module of it each name is.

    __getattr__, __dir__ = lazy(__name__, {"Client": "_client", "adapter": "_adapter"})
    """

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load, lambda: sorted(homes)
