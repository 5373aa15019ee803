"""Make the next state of a thread: the explicit, pure seam between a ledger and what is kept of it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable

from tertulia.errors import Conflict
from tertulia.ledger._history import HistoryEntry, StepInputRecord
from tertulia.ledger._models import ThreadRecord
from tertulia.ledger._state import Store, WorkflowState

__all__ = ["Redactor", "appended", "build_state"]

ATTEMPTS = 64
"""How often a writer tries again after others: eight that write without a pause need fewer."""
_PAUSE = 0.002
"""Seconds by which the longest wait grows with each attempt: writers that meet once must not meet again."""

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


async def appended(store: Store, thread_key: str, entry: HistoryEntry) -> WorkflowState:
    """Be the `append` of a store that can load and save: do it again while others are faster."""
    for attempt in range(ATTEMPTS):
        await asyncio.sleep(random.uniform(0, _PAUSE * attempt))
        state = await store.load(thread_key)
        if state is not None and entry in state.history:
            return state
        state = build_state(state, thread_key=thread_key, history=(entry,))
        try:
            await store.save(state)
        except Conflict:
            continue
        return state
    raise Conflict(f"state: {thread_key} is written by others all the time; {ATTEMPTS} attempts were in vain")
