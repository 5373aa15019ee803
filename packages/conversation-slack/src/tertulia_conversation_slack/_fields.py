"""Parts of JSON that anybody may have written, taken for what they are or for nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["Json", "number", "objects", "word"]

Json = Mapping[str, Any]


def objects(value: Any) -> list[Json]:
    """List the objects of a list; whatever else stands there is left out."""
    found: list[Any] = value if isinstance(value, list) else []
    return [one for one in found if isinstance(one, dict)]


def word(thing: Json, name: str) -> str:
    """Give a field that is a string, else nothing."""
    value = thing.get(name)
    return value if isinstance(value, str) else ""


def number(thing: Json, name: str) -> int | None:
    """Give a field that is a whole number and not negative."""
    value = thing.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
