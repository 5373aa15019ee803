"""Reconcile and render in one step, and the schema of what comes out."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from tertulia.ledger._models import (
    Context,
    DecisionName,
    Finding,
    Kind,
    Options,
    RecordFields,
    Run,
    StateInfo,
    ThreadRecord,
)
from tertulia.ledger._reconcile import reconcile
from tertulia.ledger._render import render
from tertulia.thread import Listing

__all__ = ["build_context", "context_schema"]


def build_context(
    listing: Listing, previous: tuple[ThreadRecord, ...] = (), run: Run = Run(), options: Options = Options()
) -> Context:
    """Decide what an agent may read of a thread and write it out: pure, nothing is fetched."""
    return render(reconcile(listing, previous, run, options), listing.messages, run, options)


class _RecordDocument(RecordFields):
    """A record as it is printed: with its key, what became of it and why."""

    ref: str
    kind: Kind
    source_type: str
    id: str
    decision: DecisionName
    reason: str


class _TriggerDocument(BaseModel):
    """The trigger author as it is printed."""

    model_config = ConfigDict(extra="forbid")

    id: str | None
    login: str


class _ContextDocument(BaseModel):
    """What `tertulia context --json` prints."""

    model_config = ConfigDict(extra="forbid")

    version: Literal[1]
    thread: str
    records: list[_RecordDocument]
    flow: list[str]
    unverified: list[str]
    counts: dict[DecisionName, int]
    audit: list[Finding]
    text: str
    fence: str
    trigger_author: _TriggerDocument | None
    state: StateInfo


def context_schema() -> dict[str, Any]:
    """Give the JSON Schema (draft 2020-12) of what `tertulia context --json` prints."""
    made = _ContextDocument.model_json_schema(mode="serialization")
    title = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:tertulia:context:v1",
        "title": "Context",
    }
    return title | {key: value for key, value in made.items() if key != "title"}
