"""A message's `ts`: the name of a message in its channel, which looks like a time and is kept as it was sent.

Read as a number it loses digits, and then names nothing.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

__all__ = ["PATTERN", "instant", "is_ts", "order"]

PATTERN = r"^[0-9]{1,11}\.[0-9]{1,9}$"

_TS = re.compile(PATTERN.removesuffix("$"))
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def is_ts(value: str) -> bool:
    """Say whether a string can be a `ts`."""
    return _TS.fullmatch(value) is not None


def instant(ts: str) -> datetime:
    """Give the time in a `ts`, exact to the microsecond."""
    seconds, _, fraction = ts.partition(".")
    return _EPOCH + timedelta(0, int(seconds), int(fraction[:6].ljust(6, "0")))


def order(ts: str) -> tuple[int, str]:
    """Give what messages of a channel are sorted by: the seconds as a number, then the digits behind the point."""
    seconds, _, fraction = ts.partition(".")
    return int(seconds), fraction
