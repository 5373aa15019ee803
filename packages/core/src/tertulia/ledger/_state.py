"""What outlives a run: the records of a thread under a revision, and where they are kept."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from typing import Annotated, Final, Literal, Protocol

from pydantic import Field

from tertulia._frozen import Frozen
from tertulia.errors import Conflict
from tertulia.ledger._history import HistoryEntry
from tertulia.ledger._models import Finding, Run, ThreadRecord
from tertulia.thread import Listing

__all__ = ["ATTEMPTS", "MAX_REV", "SCHEMA", "Recalled", "Store", "WorkflowState", "appended"]

SCHEMA: Final = 5
MAX_REV = 2**53
ATTEMPTS = 64
"""How often a writer tries again after others: eight that write without a pause need fewer."""
_PAUSE = 0.002
"""Seconds by which the longest wait grows with each attempt: writers that meet once must not meet again."""


class WorkflowState(Frozen):
    """Hold the ledger of one thread between runs, and the steps that agents took in it.

    `parent_rev` is the revision it was made from, and `writer` a name for who wrote it.
    """

    schema_version: Annotated[Literal[5], Field(alias="schema")] = SCHEMA
    thread_key: str
    rev: Annotated[int, Field(ge=1, le=MAX_REV)]
    parent_rev: Annotated[int, Field(ge=1, le=MAX_REV)] | None = None
    writer: str | None = None
    thread: tuple[ThreadRecord, ...] = ()
    history: tuple[HistoryEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Recalled:
    """Hold what a store knows of a thread: the state, what is surprising about it, and the place it is in.

    `writable` is false where the next state must not take the place of what is there.
    """

    state: WorkflowState | None = None
    findings: tuple[Finding, ...] = ()
    source: str = "none"
    writable: bool = True


class Store(Protocol):
    """Keep the state of threads. `name` says which kind of store it is (`sqlite`, `comment`)."""

    @property
    def name(self) -> str:
        """Name the kind of store."""
        ...

    async def recall(self, run: Run, listing: Listing, /) -> Recalled:
        """Read the state of a run's thread, of which `listing` is what there is now.

        What cannot be read counts as none, and is reported. Raises Unavailable when the store is busy.
        """
        ...

    async def load(self, thread_key: str, /) -> WorkflowState | None:
        """Read the state of a thread; None when there is none.

        Raises Invalid for a state that cannot be read, Unavailable when the store is busy.
        """
        ...

    async def save(self, state: WorkflowState, /) -> str:
        """Write a state in place of the one at `state.parent_rev` (None: there must be none); give the place it is in.

        Raises Conflict when somebody else has written meanwhile, and leaves what they wrote; Unavailable when busy.
        """
        ...

    async def append(self, thread_key: str, entry: HistoryEntry, /) -> WorkflowState:
        """Add a step to the history of a thread, whoever else writes meanwhile; give the state as it is then.

        A step that is there already is not added again. Raises what `load` and `save` raise, Conflict only when others
        write all the time.
        """
        ...


async def appended(store: Store, thread_key: str, entry: HistoryEntry) -> WorkflowState:
    """Be the `append` of a store that can load and save: do it again while others are faster."""
    for attempt in range(ATTEMPTS):
        await asyncio.sleep(random.uniform(0, _PAUSE * attempt))
        state = await store.load(thread_key)
        if state is None:
            state = WorkflowState(thread_key=thread_key, rev=1, history=(entry,))
        elif entry in state.history:
            return state
        else:
            update = {"rev": state.rev + 1, "parent_rev": state.rev, "history": (*state.history, entry)}
            state = state.model_copy(update=update)
        try:
            await store.save(state)
        except Conflict:
            continue
        return state
    raise Conflict(f"state: {thread_key} is written by others all the time; {ATTEMPTS} attempts were in vain")
