"""What agents did in a thread, step by step, kept beside its records."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import StringConstraints, model_validator

from tertulia._frozen import Frozen, Instant
from tertulia._json import as_object
from tertulia.ledger._models import Ref

__all__ = ["MAX_VALUE_CHARS", "HistoryEntry", "StepInputRecord"]

MAX_VALUE_CHARS = 4_096
"""Code points of an input's value that are kept."""

_Word = Annotated[str, StringConstraints(min_length=1, max_length=255)]


class StepInputRecord(Frozen):
    """Keep one input of a step: what it was bound to (`event.comment.body`), whether that worked, and its value.

    The value is kept as it is, cut to 4,096 code points; `truncated` says so.
    """

    name: _Word
    binding: Annotated[str, StringConstraints(max_length=1_024)] | None = None
    ok: bool = True
    detail: Annotated[str, StringConstraints(max_length=1_024)] | None = None
    value: str | None = None
    truncated: bool = False

    @model_validator(mode="before")
    @classmethod
    def _cut(cls, given: Any) -> Any:
        told = as_object(given)
        value = told.get("value")
        if isinstance(value, str) and len(value) > MAX_VALUE_CHARS:
            return {**told, "value": value[:MAX_VALUE_CHARS], "truncated": True}
        return given


class HistoryEntry(Frozen):
    """Keep one step: which, by which agent, when, for which event, and the message it was answered with.

    `event` is the event's key, `trigger` the record that asked, `reply` the message that was posted.
    """

    step: _Word
    agent: _Word | None = None
    at: Instant
    event: Annotated[str, StringConstraints(max_length=2_048)] | None = None
    trigger: Ref | None = None
    inputs: tuple[StepInputRecord, ...] = ()
    reply: Ref | None = None
