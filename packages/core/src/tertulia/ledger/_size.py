"""How many characters the state of a ledger takes in a comment."""

from __future__ import annotations

from collections.abc import Sequence

from tertulia.ledger._codec import columns_of, pack
from tertulia.ledger._models import ThreadRecord

__all__ = ["MAX_STATE", "measure"]

MAX_STATE = 60_000
"""A GitHub comment takes 65,536 characters; the state stays well below."""

_FRAME = 256
"""Room for the lines around the data: the marker, the human sentence, thread key, revision and signature."""


def measure(records: Sequence[ThreadRecord]) -> tuple[int, bool]:
    """Say how many characters these records take, and whether they fit: names and logins may be left out for that."""
    chars = _chars(records)
    fits = chars <= MAX_STATE or _chars([_bare(record) for record in records]) <= MAX_STATE
    return chars, fits


def _chars(records: Sequence[ThreadRecord]) -> int:
    return _FRAME + len(pack(columns_of(records)))


def _bare(record: ThreadRecord) -> ThreadRecord:
    dropped = {"user_name": None} if record.trusted else {"user_name": None, "user_login": None}
    return record.model_copy(update=dropped)
