"""What outlives a run: the records of a thread under a revision, and where they are kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, Protocol

from pydantic import Field

from tertulia._frozen import Frozen, checked
from tertulia.ledger._history import HistoryEntry
from tertulia.ledger._models import Finding, Run, ThreadRecord
from tertulia.thread import Listing

__all__ = ["MAX_REV", "SCHEMA", "Recalled", "Store", "WorkflowState", "parsed", "state_schema"]

SCHEMA: Final = 5
MAX_REV = 2**53
MAX_UNKNOWN = 2_048
"""Bytes of fields that only a later release knows."""


class WorkflowState(Frozen):
    """Hold the ledger of one thread between runs, and the steps that agents took in it.

    `parent_rev` is the revision it was made from, and `writer` a name for who wrote it. `unknown` are fields of a later
    release, which survive in a state that is authenticated.
    """

    schema_version: Annotated[Literal[5], Field(alias="schema")] = SCHEMA
    thread_key: str
    rev: Annotated[int, Field(ge=1, le=MAX_REV)]
    parent_rev: Annotated[int, Field(ge=1, le=MAX_REV)] | None = None
    writer: str | None = None
    thread: tuple[ThreadRecord, ...] = ()
    history: tuple[HistoryEntry, ...] = ()
    unknown: Mapping[str, Any] = Field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """Give the JSON object that stands for the state."""
        return {**self.unknown, **self.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"unknown"})}


def parsed(document: Mapping[str, Any], *, authenticated: bool) -> WorkflowState:
    """Read a state from the JSON object that stands for it.

    Fields that this release does not know are kept when the state is authenticated and they are few, else left out.
    """
    fields = {name: value for name, value in document.items() if name in _KNOWN}
    rest = {name: value for name, value in document.items() if name not in _KNOWN}
    small = len(json.dumps(rest, ensure_ascii=False).encode("utf-8", "replace")) <= MAX_UNKNOWN
    kept = rest if authenticated and small else {}
    return checked(lambda: WorkflowState.model_validate({**fields, "unknown": kept}), "state")


_KNOWN = {field.alias or name for name, field in WorkflowState.model_fields.items()} - {"unknown"}


def state_schema() -> dict[str, Any]:
    """Give the JSON Schema (draft 2020-12) of a state as JSON, as `tertulia ledger show --json` prints it."""
    made = WorkflowState.model_json_schema()
    properties = {name: value for name, value in made["properties"].items() if name != "unknown"}
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:tertulia:state:v5", "title": "State"}
    return {**head, **made, **head, "properties": properties, "additionalProperties": True}


@dataclass(frozen=True, slots=True)
class Recalled:
    """Hold what a store knows of a thread: the state, what is surprising about it, and the place it is in.

    `writable` is false where the next state must not take the place of what is there. `floor` is the highest revision that
    was ever seen: the next one is above it.
    """

    state: WorkflowState | None = None
    findings: tuple[Finding, ...] = ()
    source: str = "none"
    writable: bool = True
    floor: int = 0


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
