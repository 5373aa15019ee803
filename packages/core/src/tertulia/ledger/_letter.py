"""One state in one comment: written within the limit, and read only when it is ours, of this thread, and not older.

What is wrong with a state is a `Refused`, whose flag is that of the finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from tertulia._json import load_object
from tertulia.errors import Invalid
from tertulia.ledger._block import Block, find_block
from tertulia.ledger._codec import TooLarge, columns_of, pack, records_of, unpack
from tertulia.ledger._models import Flag
from tertulia.ledger._seal import StateKeys
from tertulia.ledger._size import MAX_STATE
from tertulia.ledger._state import MAX_REV, SCHEMA, WorkflowState, parsed
from tertulia.outbound import prepare
from tertulia.thread import Draft

__all__ = ["Letter", "Refused", "block_in", "read_state", "write_state"]

_SENTENCE = "What the agents have read of this thread, kept for their next run."
_AGENT = "ledger"


class Refused(Invalid):
    """Say that a state is not taken for ours; `flag` names the finding."""

    def __init__(self, flag: Flag, message: str) -> None:
        super().__init__(f"state: {message}", field="state")
        self.flag: Flag = flag
        self.reason: str = message

    @classmethod
    def of(cls, flag: Flag, error: Invalid) -> Refused:
        """Take what is wrong with a part of a state for what is wrong with the state."""
        return cls(flag, error.message.removeprefix("state: "))


@dataclass(frozen=True, slots=True)
class Letter:
    """Hold a comment with a state: the draft of it, how long it will be, and what had to be left out so that it fits."""

    draft: Draft
    body: str
    left_out: tuple[str, ...] = ()


def write_state(
    state: WorkflowState, keys: StateKeys | None = None, *, marker_prefix: str = "bot-", limit: int = MAX_STATE
) -> Letter:
    """Write a state in three lines of at most `limit` characters together.

    What does not fit is left out in this order: display names, logins of untrusted users, inputs of steps, oldest first. No
    record is. Raises Refused when it still does not fit.
    """
    for slimmer, left_out in _ever_slimmer(state):
        draft = Draft(body=_SENTENCE, agent=_AGENT, state=_line(slimmer, keys))
        body = prepare(draft, carrier="markdown", marker_prefix=marker_prefix)
        if len(body) <= limit:
            return Letter(draft, body, left_out)
    raise Refused("state-too-large", f"{len(state.thread):,} records do not fit {limit:,} characters")


def block_in(body: str, *, marker_prefix: str) -> Block | None:
    """Find the state in a comment's body; None when it has none. Raises Refused for what only looks like one."""
    try:
        return find_block(body, marker_prefix=marker_prefix)
    except Invalid as error:
        raise Refused.of("state-rejected", error) from None


def read_state(
    block: Block, thread_key: str, keys: StateKeys | None = None, *, min_rev: int | None = None
) -> WorkflowState:
    """Read the state of a thread from its block. Whose comment it stands in was looked at before.

    With keys only what one of them signed is read. Raises Refused.
    """
    if block.plain is not None:
        state = _older(block.plain, thread_key, signed=keys is not None)
    else:
        state = _read(block, thread_key, keys)
    if min_rev is not None and state.rev < min_rev:
        raise Refused("state-rollback", f"revision {state.rev} is older than {min_rev}, which was seen before")
    return state


def _read(block: Block, thread_key: str, keys: StateKeys | None) -> WorkflowState:
    if block.thread != Block.ascii(thread_key):
        raise Refused("state-thread-mismatch", "it belongs to another thread")
    if keys is not None and not (block.seal and keys.verify(block.seal, block.thread, block.rev, block.data)):
        raise Refused("state-mac-invalid", "none of our keys signed it" if block.seal else "it is not signed")
    if block.schema > SCHEMA:
        raise Refused("state-schema-newer", f"schema {block.schema} is of a later release")
    try:
        return _state(unpack(block.data), block, thread_key, signed=keys is not None)
    except TooLarge as error:
        raise Refused.of("state-too-large", error) from None
    except Refused:
        raise
    except Invalid as error:
        raise Refused.of("state-rejected", error) from None


def _state(document: Mapping[str, Any], block: Block, thread_key: str, *, signed: bool) -> WorkflowState:
    if document.get("thread_key") != thread_key:
        raise Refused("state-thread-mismatch", "its data belongs to another thread")
    if document.get("rev") != block.rev:
        raise Refused("state-rejected", "its data is of another revision")
    columns = document.get("thread")
    if not isinstance(columns, dict):
        raise Refused("state-rejected", "its data holds no records")
    records = records_of(cast("dict[str, Any]", columns))
    return parsed({**document, "thread": records}, authenticated=signed)


def _older(plain: str, thread_key: str, *, signed: bool) -> WorkflowState:
    """Read the JSON of a state that an older release wrote: it has no seal, and before schema 5 no records."""
    if signed:
        raise Refused("state-mac-invalid", "it is not signed")
    try:
        document = load_object(plain, "state")
    except Invalid as error:
        raise Refused.of("state-rejected", error) from None
    schema, rev = document.get("schema"), document.get("rev", 1)
    if type(schema) is not int or type(rev) is not int or not 1 <= rev <= MAX_REV:
        raise Refused("state-rejected", "it has no schema and revision that are numbers")
    if schema > SCHEMA:
        raise Refused("state-schema-newer", f"schema {schema} is of a later release")
    if document.get("thread_key", thread_key) != thread_key:
        raise Refused("state-thread-mismatch", "it belongs to another thread")
    records: list[Any] = document.get("thread", []) if schema == SCHEMA else []
    try:
        return parsed({"thread_key": thread_key, "rev": rev, "thread": records}, authenticated=False)
    except Invalid as error:
        raise Refused.of("state-rejected", error) from None


def _line(state: WorkflowState, keys: StateKeys | None) -> str:
    data = pack(_document(state))
    thread = Block.ascii(state.thread_key)
    seal = keys.sign(thread, state.rev, data) if keys is not None else None
    return Block(SCHEMA, thread, state.rev, data, seal).line()


def _document(state: WorkflowState) -> dict[str, Any]:
    """Give the JSON object that is packed: the state's own, its records by column."""
    document = state.model_copy(update={"thread": ()}).document()
    history = document.pop("history")
    return {**document, "thread": columns_of(state.thread), **({"history": history} if history else {})}


def _ever_slimmer(state: WorkflowState) -> Iterator[tuple[WorkflowState, tuple[str, ...]]]:
    """Give the state, then less and less of it, with the words for what is left out."""
    yield state, ()
    told: tuple[str, ...] = ("display names",)
    slim = state.model_copy(update={"thread": tuple(_without(record, "user_name") for record in state.thread)})
    yield slim, told
    told = (*told, "logins of untrusted users")
    bare = (record if record.trusted else _without(record, "user_login") for record in slim.thread)
    slim = slim.model_copy(update={"thread": tuple(bare)})
    yield slim, told
    history = list(slim.history)
    told = (*told, "inputs of steps")
    for place, entry in enumerate(history):
        if entry.inputs:
            history[place] = entry.model_copy(update={"inputs": ()})
            yield slim.model_copy(update={"history": tuple(history)}), told


def _without(record: Any, name: str) -> Any:
    return record if getattr(record, name) is None else record.model_copy(update={name: None})
