"""Durations and sizes, as people write them: `90s`, `15m`, `24h`, `7d`; `500MB`, `2GB`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tertulia_cli._failure import Failure

__all__ = ["seconds", "size"]

_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_BYTES = {"MB": 1_000_000, "GB": 1_000_000_000}
_QUANTITY = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,6})?) ?([A-Za-z]{1,2})")


def seconds(given: str, option: str) -> float:
    """Read a duration, in seconds."""
    return _read(given, _SECONDS, option, "a duration", "90s, 15m, 24h or 7d")


def size(given: str, option: str) -> int:
    """Read a size, in bytes."""
    return int(_read(given, _BYTES, option, "a size", "500MB or 2GB"))


def _read(given: str, units: Mapping[str, int], option: str, kind: str, examples: str) -> float:
    found = _QUANTITY.fullmatch(given)
    if found is None or found[2] not in units:
        raise Failure(f"'{given[:40]}' is not {kind}", option, f"write it like {examples}")
    return float(found[1]) * units[found[2]]
