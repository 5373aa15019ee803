"""How many characters the state of a ledger takes: its records by column, deflated, in base64url."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Any

from tertulia.ledger._models import StateInfo, ThreadRecord

__all__ = ["MAX_STATE", "measure", "state_chars"]

MAX_STATE = 60_000
"""A GitHub comment takes 65,536 characters; the state stays well below."""

_FRAME = 256
"""Room for the lines around the data: the marker, the human sentence, thread key, revision and signature."""


def measure(records: Sequence[ThreadRecord]) -> StateInfo:
    """Say what writing these records as a first revision would take."""
    chars = state_chars(records)
    return StateInfo(chars=chars, writable=chars <= MAX_STATE)


def state_chars(records: Sequence[ThreadRecord]) -> int:
    """Measure what writing these records takes, without writing them."""
    users = sorted({(record.user_id, record.user_login, record.user_name) for record in records}, key=repr)
    number = {user: place for place, user in enumerate(users)}
    columns = {
        "users": users,
        "user": [number[(record.user_id, record.user_login, record.user_name)] for record in records],
        "id": _deltas([record.id for record in records]),
        "created": _deltas([_seconds(record.created_at) for record in records]),
        "updated": _deltas([_seconds(record.updated_at) for record in records]),
        "parent": [record.parent_id if record.parent_id != record.id else 0 for record in records],
        "rest": [
            [
                record.kind,
                record.source_type,
                record.author_association,
                record.trusted,
                record.deleted,
                record.minimized,
            ]
            for record in records
        ],
    }
    packed = zlib.compress(json.dumps(columns, separators=(",", ":"), default=str).encode(), 9)
    return _FRAME + (len(packed) + 2) // 3 * 4


def _seconds(moment: Any) -> str:
    return str(int(moment.timestamp())) if moment is not None else ""


def _deltas(values: Sequence[str]) -> list[Any]:
    """Write numbers as differences to the one before; anything else as it is."""
    made: list[Any] = []
    last = 0
    for value in values:
        if value.isascii() and value.isdigit():
            made.append(int(value) - last)
            last = int(value)
        else:
            made.append(value)
    return made
