"""How much of a conversation a ledger is made of: the one thread, or all of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from tertulia.event import thread_key
from tertulia.ledger._accounts import OPENING_TYPES
from tertulia.ledger._models import Run, ThreadRecord
from tertulia.thread import ThreadRef

__all__ = ["Scope", "here", "key_of", "reach", "scoped"]

_FLAT = frozenset({"issue_comment", "review", "review_comment"})

Scope = Literal["thread", "conversation"]
"""One thread of a conversation, or the conversation whole."""


def reach(thread: ThreadRef, scope: Scope | None = None) -> ThreadRef:
    """Say what is read for a thread: itself, or the conversation that it is in.

    Without a scope, what goes by a number (`acme/demo#7`: an issue, a discussion) is read whole. Anything else is a chat,
    which has no end: of that the one thread is read.
    """
    whole = scope == "conversation" or (scope is None and _numbered(thread.conversation) is not None)
    return ThreadRef(conversation=thread.conversation) if whole and thread.root is not None else thread


def scoped(run: Run, thread: ThreadRef, scope: Scope | None = None) -> Run:
    """Fit a run to what is read: `root` is the thread that it is about, and `thread` names all that its ledger is made of."""
    root, reached = run.root or thread.root, reach(thread, scope)
    if root is None or reached.root is not None:
        return run.model_copy(update={"root": root})
    system = run.thread.partition(":")[0]
    narrow = key_of(system, ThreadRef(conversation=thread.conversation, root=root))
    key = key_of(system, reached) if run.thread == narrow else run.thread
    return run.model_copy(update={"root": root, "thread": key})


def here(records: Mapping[str, ThreadRecord], run: Run) -> frozenset[str]:
    """Give the refs of what stands in the thread that a run is about; none where there is no other thread."""
    if run.root is None:
        return frozenset()
    roots = {ref: record.parent_id or record.id for ref, record in records.items() if _is_threaded(record)}
    told = {root for ref, root in roots.items() if _names(run.root, records[ref].id) or _names(run.root, root)}
    found = frozenset(ref for ref, root in roots.items() if root in told)
    return found if len(found) < len(roots) else frozenset()


def _names(root: str, ident: str) -> bool:
    """Say whether a message goes by this: on a chat its id has its place in front (`T1/C1/17.01`)."""
    return ident == root or ident.endswith(f"/{root}")


def _is_threaded(record: ThreadRecord) -> bool:
    """Say whether a record is of a conversation: an issue and a change proposal are one thread, whatever is answered there."""
    return record.source_type not in _FLAT and record.source_type not in OPENING_TYPES


def key_of(backend: str, thread: ThreadRef) -> str:
    """Name the thread a reference addresses: `github:acme/demo#7`."""
    numbered = _numbered(thread.conversation)
    if numbered is not None:
        return thread_key(backend, *numbered, thread.root)
    return thread_key(backend, thread.conversation, root=thread.root)


def _numbered(conversation: str) -> tuple[str, str] | None:
    """Tell the place and the number of a conversation that goes by one."""
    place, _, number = conversation.rpartition("#")
    return (place, number) if place and number.isdigit() else None
