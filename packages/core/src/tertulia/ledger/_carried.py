"""Find the state of a thread among its messages: whose comment it stands in is looked at before a byte is decoded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tertulia.ledger._accounts import is_engine, is_engine_account
from tertulia.ledger._block import BEGINS
from tertulia.ledger._letter import Refused, block_in, read_state
from tertulia.ledger._models import Finding, Flag, Run
from tertulia.ledger._seal import StateKeys
from tertulia.ledger._state import WorkflowState
from tertulia.outbound import parse_lines
from tertulia.thread import Message

__all__ = ["Carried", "Reader", "find_state"]

_SHARED = "github-actions[bot]"
"""One account for every workflow of a repository."""


@dataclass(frozen=True, slots=True)
class Carried:
    """Hold the state that counts, the comment to write the next one into, and what was found beside it.

    `message` may be a comment of ours whose state is not read: the next one takes its place. `writable` is false where a
    later release wrote it.
    """

    state: WorkflowState | None = None
    message: Message | None = None
    findings: tuple[Finding, ...] = ()
    writable: bool = True
    floor: int = 0


@dataclass(frozen=True, slots=True)
class Reader:
    """Hold what a state is read with: keys, the revision it must not fall below, and the messages we know to be ours."""

    keys: StateKeys | None = None
    min_rev: int | None = None
    posted: frozenset[str] | None = None
    marker_prefix: str = "bot-"


def find_state(messages: Iterable[Message], run: Run, reader: Reader = Reader()) -> Carried:
    """Find the state of a run's thread: of several that are ours the one of the highest revision, then the oldest."""
    findings: list[Finding] = []
    every = tuple(messages)
    ours = [message for message in every if _has_state(message) and _is_ours(message, run, reader, findings)]
    floor = _floor(every, run, reader)
    if ours and _is_shared(run) and reader.keys is None and reader.posted is None:
        detail = "the engine shares its account, so a state needs a key (state_key) or known messages (posted_ids)"
        return Carried(None, None, (*findings, Finding(flag="shared-engine-account", detail=detail)), writable=False)
    read: list[tuple[WorkflowState, Message]] = []
    newer = False
    for message in ours:
        try:
            read.append((_read(message, run, reader, floor), message))
        except Refused as refused:
            newer = newer or refused.flag == "state-schema-newer"
            findings.append(_told(refused.flag, message, refused.reason))
    read.sort(key=lambda pair: (-pair[0].rev, len(pair[1].id), pair[1].id))
    findings += [
        _told("duplicate-state", message, "another comment has the state that counts") for _, message in read[1:]
    ]
    if read:
        state, message = read[0]
        return Carried(state, message, tuple(findings), not newer, floor or 0)
    return Carried(None, ours[0] if ours else None, tuple(findings), not newer, floor or 0)


def _has_state(message: Message) -> bool:
    return not message.deleted and BEGINS in message.body


def _is_ours(message: Message, run: Run, reader: Reader, findings: list[Finding]) -> bool:
    """Tell whether a comment is the engine's own; what looks like a state in somebody else's is reported."""
    if is_engine(message, run.engine) and (reader.posted is None or message.ref in reader.posted):
        return BEGINS in message.body.rstrip().rpartition("\n")[2]
    findings.append(_told("foreign-state-ignored", message, "a state in a comment that is not the engine's own"))
    return False


def _floor(messages: Iterable[Message], run: Run, reader: Reader) -> int | None:
    """Give the revision below which a state is an old one that was put back.

    It is the one that was given, and where states are signed the highest one that our own answers say they rest on.
    """
    if reader.keys is None:
        return reader.min_rev
    own = (message for message in messages if not message.deleted and is_engine(message, run.engine))
    revs = [rev for message in own if (rev := parse_lines(message.body).rev)]
    return max([*revs, *([reader.min_rev] if reader.min_rev is not None else [])], default=None)


def _is_shared(run: Run) -> bool:
    if run.engine is None:
        return False
    return run.engine.login.lower() == _SHARED or is_engine_account(run.trigger_author, run.engine)


def _read(message: Message, run: Run, reader: Reader, floor: int | None) -> WorkflowState:
    block = block_in(message.body, marker_prefix=reader.marker_prefix)
    if block is None:
        raise Refused("state-rejected", "its comment does not begin as one with a state")
    return read_state(block, run.thread, reader.keys, min_rev=floor)


def _told(flag: Flag, message: Message, detail: str) -> Finding:
    return Finding(flag=flag, ref=message.ref, detail=detail)
