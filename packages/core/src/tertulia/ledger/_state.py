"""What outlives a run: the records of a thread under a revision, and where they are kept."""

from __future__ import annotations

import asyncio
import random
from typing import Annotated, Final, Literal, Protocol

from pydantic import Field

from tertulia._frozen import Frozen
from tertulia.errors import Conflict
from tertulia.ledger._history import HistoryEntry
from tertulia.ledger._models import ThreadRecord

__all__ = ["ATTEMPTS", "MAX_REV", "SCHEMA", "Store", "WorkflowState", "appended"]

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


class Store(Protocol):
    """Keep the state of threads. `name` says which kind of store it is (`sqlite`)."""

    @property
    def name(self) -> str:
        """Name the kind of store."""
        ...

    async def load(self, thread_key: str, /) -> WorkflowState | None:
        """Read the state of a thread; None when there is none.

        Raises Invalid for a state that cannot be read (it is then never overwritten), Unavailable when the store is busy.
        """
        ...

    async def save(self, state: WorkflowState, /) -> None:
        """Write a state in place of the one at `state.parent_rev` (None: there must be none).

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
