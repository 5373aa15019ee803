"""Two states of one thread made one, whoever wrote which first: commutative, associative and idempotent."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from tertulia.errors import Invalid
from tertulia.ledger._history import HistoryEntry
from tertulia.ledger._models import ThreadRecord
from tertulia.ledger._reconcile import record_key
from tertulia.ledger._state import WorkflowState

__all__ = ["merge"]


def merge(one: WorkflowState, other: WorkflowState) -> WorkflowState:
    """Join two states of a thread: no record, no tombstone and no step of either is lost.

    Of two records of one message the one that was seen later counts, then the deleted one. The revision is the higher of
    both, and who saves the outcome writes the next one. Raises Invalid for states of two threads.
    """
    if one.thread_key != other.thread_key:
        raise Invalid("state: two threads cannot be merged", field="thread_key")
    newer = max(one, other, key=_newness)
    return WorkflowState(
        thread_key=one.thread_key,
        rev=newer.rev,
        parent_rev=newer.parent_rev,
        writer=newer.writer,
        thread=_records((*one.thread, *other.thread)),
        history=_steps((*one.history, *other.history)),
        unknown=newer.unknown,
    )


def _newness(state: WorkflowState) -> tuple[int, int, str, str]:
    """Order states by revision; no two of one revision differ in what is taken of one of them only and are equal."""
    unknown = json.dumps(dict(state.unknown), sort_keys=True)
    return (state.rev, state.parent_rev or 0, state.writer or "", unknown)


def _records(records: Iterable[ThreadRecord]) -> tuple[ThreadRecord, ...]:
    chosen: dict[str, ThreadRecord] = {}
    for record in records:
        before = chosen.get(record.ref)
        chosen[record.ref] = record if before is None else _joined(before, record)
    return tuple(sorted(chosen.values(), key=record_key))


def _joined(one: ThreadRecord, other: ThreadRecord) -> ThreadRecord:
    """Take the later of two records, first seen when either was."""
    first = min((seen for seen in (one.first_seen, other.first_seen) if seen is not None), default=None)
    return max(one, other, key=_lateness).model_copy(update={"first_seen": first})


def _lateness(record: ThreadRecord) -> tuple[Any, ...]:
    """Order the records of one message: by when it was seen, then by whether it is deleted; no two differ and are equal."""
    edited = record.updated_at.timestamp() if record.updated_at is not None else 0.0
    return (record.observed_rev or 0, record.deleted, edited, record.model_dump_json(exclude={"first_seen"}))


def _steps(entries: Iterable[HistoryEntry]) -> tuple[HistoryEntry, ...]:
    return tuple(sorted(set(entries), key=lambda entry: (entry.at, entry.model_dump_json())))
