"""How many characters the state of a ledger takes: its records by column, deflated, in base64url."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from operator import attrgetter

from tertulia.ledger._models import StateInfo, ThreadRecord

__all__ = ["MAX_STATE", "measure", "state_chars"]

MAX_STATE = 60_000
"""A GitHub comment takes 65,536 characters; the state stays well below."""

_FRAME = 256
"""Room for the lines around the data: the marker, the human sentence, thread key, revision and signature."""
_PLAIN = ("kind", "source_type", "author_association", "trusted", "deleted", "minimized")


def measure(records: Sequence[ThreadRecord]) -> StateInfo:
    """Say what writing these records as a first revision would take."""
    chars = state_chars(records)
    return StateInfo(chars=chars, writable=chars <= MAX_STATE)


def state_chars(records: Sequence[ThreadRecord]) -> int:
    """Measure what writing these records takes, without writing them."""
    users: dict[tuple[str | None, ...], int] = {}
    columns = {
        "user": [users.setdefault((r.user_id, r.user_login, r.user_name), len(users)) for r in records],
        "id": _deltas([int(r.id) if r.id.isascii() and r.id.isdigit() else r.id for r in records]),
        "created": _deltas([_seconds(r.created_at) for r in records]),
        "updated": _deltas([_seconds(r.updated_at) for r in records]),
        "parent": [r.parent_id if r.parent_id != r.id else 0 for r in records],
        **{name: list(map(attrgetter(name), records)) for name in _PLAIN},
        "users": list(users),
    }
    packed = zlib.compress(json.dumps(columns, separators=(",", ":"), default=str).encode(), 9)
    return _FRAME + (len(packed) + 2) // 3 * 4


def _seconds(moment: datetime | None) -> int | None:
    return None if moment is None else int(moment.timestamp())


def _deltas(values: Iterable[int | str | None]) -> list[int | str | None]:
    """Write numbers as differences to the one before; anything else as it is."""
    made: list[int | str | None] = []
    last = 0
    for value in values:
        if isinstance(value, int):
            made.append(value - last)
            last = value
        else:
            made.append(value)
    return made
