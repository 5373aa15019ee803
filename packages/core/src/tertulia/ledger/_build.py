"""Make the next state of a thread: the explicit, pure seam between a ledger and what is kept of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tertulia.ledger._history import HistoryEntry, StepInputRecord
from tertulia.ledger._models import ThreadRecord
from tertulia.ledger._state import WorkflowState

__all__ = ["Redactor", "build_state"]

Redactor = Callable[[str], str]
"""What takes secrets out of the value of a step's input before it is kept."""


def build_state(
    previous: WorkflowState | None,
    *,
    thread_key: str,
    thread: Iterable[ThreadRecord] | None = None,
    history: Iterable[HistoryEntry] = (),
    writer: str | None = None,
    redactor: Redactor | None = None,
    floor: int = 0,
) -> WorkflowState:
    """Give the state that follows another one, or the first.

    `thread` None carries the records forward; anything else takes their place, as a whole. `history` is added to what there
    is; a step that is there already is not added again. Values are kept as they are, or as the `redactor` leaves them. The
    revision is above the one before, and above `floor`.
    """
    known = previous or WorkflowState(thread_key=thread_key, rev=1)
    steps = [entry if redactor is None else _redacted(entry, redactor) for entry in history]
    new = [entry for entry in dict.fromkeys(steps) if entry not in known.history]
    return WorkflowState(
        thread_key=thread_key,
        rev=max(previous.rev if previous is not None else 0, floor) + 1,
        parent_rev=None if previous is None else previous.rev,
        writer=writer,
        thread=known.thread if thread is None else tuple(thread),
        history=(*known.history, *new),
        unknown=known.unknown,
    )


def _redacted(entry: HistoryEntry, redactor: Redactor) -> HistoryEntry:
    return entry.model_copy(update={"inputs": tuple(_cleared(one, redactor) for one in entry.inputs)})


def _cleared(given: StepInputRecord, redactor: Redactor) -> StepInputRecord:
    if given.value is None:
        return given
    return StepInputRecord.model_validate({**given.model_dump(), "value": redactor(given.value)})
