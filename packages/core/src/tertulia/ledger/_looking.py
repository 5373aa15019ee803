"""Look at a state without a run: at the text of a comment, and at what it takes."""

from __future__ import annotations

from urllib.parse import unquote

from tertulia._frozen import Frozen
from tertulia.errors import Invalid
from tertulia.ledger._carried import Reader
from tertulia.ledger._letter import Refused, block_in, read_state, write_state
from tertulia.ledger._models import Finding
from tertulia.ledger._size import MAX_STATE
from tertulia.ledger._state import Recalled, WorkflowState

__all__ = ["SizeReport", "recall_text", "size_report"]

_NO_LIMIT = 1 << 40


class SizeReport(Frozen):
    """Say how many characters a state takes in a comment: all of it, its steps, and the display names and logins.

    `left_out` names what is left out to stay below `limit`; `fits` is false when that is not enough.
    """

    chars: int
    limit: int
    records: int
    record_chars: float
    steps_chars: int
    names_chars: int
    left_out: tuple[str, ...] = ()
    fits: bool = True


def size_report(state: WorkflowState, limit: int = MAX_STATE) -> SizeReport:
    """Measure what writing a state takes, without its seal, which takes 80 to 95 characters more."""
    bare = state.model_copy(update={"thread": tuple(record.model_copy(update=_NAMELESS) for record in state.thread)})
    whole, nameless = _chars(state), _chars(bare)
    without = _chars(state.model_copy(update={"history": ()}))
    empty = _chars(state.model_copy(update={"history": (), "thread": ()}))
    count = len(state.thread)
    try:
        left_out, fits = write_state(state, limit=limit).left_out, True
    except Refused:
        left_out, fits = (), False
    return SizeReport(
        chars=whole,
        limit=limit,
        records=count,
        record_chars=round((without - empty) / count, 1) if count else 0.0,
        steps_chars=whole - without,
        names_chars=whole - nameless,
        left_out=left_out,
        fits=fits,
    )


_NAMELESS = {"user_login": None, "user_name": None}


def _chars(state: WorkflowState) -> int:
    return len(write_state(state, limit=_NO_LIMIT).body)


def recall_text(body: str, thread_key: str | None = None, reader: Reader = Reader()) -> tuple[str, Recalled]:
    """Read the state in the text of a comment, whoever posted it; give the thread's key beside it.

    Without `thread_key` it is the thread that the text names. Raises Invalid for a text with no state in it.
    """
    try:
        block = block_in(body, marker_prefix=reader.marker_prefix)
    except Refused as refused:
        return thread_key or "", _refused(refused)
    if block is None:
        raise Invalid("state: the text holds none", field="state")
    key = thread_key or unquote(block.thread)
    try:
        return key, Recalled(read_state(block, key, reader.keys, min_rev=reader.min_rev), source="text")
    except Refused as refused:
        return key, _refused(refused)


def _refused(error: Refused) -> Recalled:
    finding = Finding(flag=error.flag, detail=error.reason)
    return Recalled(findings=(finding,), writable=error.flag != "state-schema-newer")
