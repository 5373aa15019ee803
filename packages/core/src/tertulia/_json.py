"""One way to read JSON that somebody else wrote: strict, bounded, and only `Invalid` comes out."""

from __future__ import annotations

import codecs
from typing import Any, cast

from pydantic_core import from_json

from tertulia._line import one_line
from tertulia.errors import Invalid

__all__ = ["MAX_BYTES", "as_list", "as_object", "load", "load_object"]

MAX_BYTES = 25 * 1024 * 1024
"""GitHub's documented limit for a webhook payload is 25 MB."""


def load(document: bytes | str, what: str, *, limit: int | None = MAX_BYTES) -> Any:
    """Parse one JSON document: no NaN, no invalid UTF-8, at most `limit` bytes and about 200 levels deep."""
    if isinstance(document, str):
        try:
            document = document.encode()
        except UnicodeEncodeError:
            raise Invalid(f"{what}: is not JSON: half of a surrogate pair stands in it") from None
    if limit is not None and len(document) > limit:
        raise Invalid(f"{what}: {len(document)} bytes are more than {limit}")
    document = document.removeprefix(codecs.BOM_UTF8)
    if not document.strip():
        raise Invalid(f"{what}: is empty")
    try:
        return from_json(document, allow_inf_nan=False)
    except (ValueError, RecursionError) as error:
        raise Invalid(f"{what}: is not JSON: {one_line(str(error))}") from None


def load_object(document: bytes | str, what: str, *, limit: int | None = MAX_BYTES) -> dict[str, Any]:
    """Parse one JSON document that must be an object."""
    value = load(document, what, limit=limit)
    if not isinstance(value, dict):
        raise Invalid(f"{what}: must be a JSON object, not {_kind(value)}")
    return cast("dict[str, Any]", value)


def as_object(value: object) -> dict[str, Any]:
    """Give an object of parsed JSON as it is, and an empty one for anything else."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """Give an array of parsed JSON as it is, and an empty one for anything else."""
    return cast("list[object]", value) if isinstance(value, list) else []


def _kind(value: object) -> str:
    names: dict[type, str] = {list: "an array", str: "a string", bool: "a boolean", int: "a number", float: "a number"}
    return names.get(type(value), "null")
