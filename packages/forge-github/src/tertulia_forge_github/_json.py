"""Parsed JSON, taken apart without trusting what it is."""

from __future__ import annotations

from typing import cast

__all__ = ["as_list", "as_object"]


def as_object(value: object) -> dict[str, object]:
    """Give an object as it is, and an empty one for anything else."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """Give an array as it is, and an empty one for anything else."""
    return cast("list[object]", value) if isinstance(value, list) else []
