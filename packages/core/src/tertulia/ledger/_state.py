"""What outlives a run: the records of a thread under a revision, and where they are kept."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Protocol

from pydantic import Field

from tertulia._frozen import Frozen
from tertulia.ledger._history import HistoryEntry
from tertulia.ledger._models import ThreadRecord

__all__ = ["SCHEMA", "Store", "WorkflowState"]

SCHEMA: Final = 5
MAX_REV = 2**53


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
