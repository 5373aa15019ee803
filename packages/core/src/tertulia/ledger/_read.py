"""The only place where client, store and the pure functions meet: read a thread and decide what an agent gets of it."""

from __future__ import annotations

import logging
from functools import partial

from tertulia.errors import Denied, Error, NotFound
from tertulia.event import CHAT_SYSTEMS, Event
from tertulia.ledger._attempts import until_saved
from tertulia.ledger._build import build_state
from tertulia.ledger._models import Context, Kept, Ledger, Options, Run, ThreadRecord
from tertulia.ledger._reconcile import reconcile
from tertulia.ledger._render import render
from tertulia.ledger._scope import Scope, key_of, reach, scoped
from tertulia.ledger._state import Recalled, Store
from tertulia.ledger._trigger import trigger_of
from tertulia.thread import Account, Listing, Message, MessageRef, ThreadRef, Threads, record_ref

__all__ = ["read", "run_of"]

_log = logging.getLogger("tertulia.ledger")
_ASKED = 20
_COMMENT_TYPES = {
    "issue_comment": "issue_comment",
    "pull_request_review_comment": "review_comment",
    "discussion_comment": "discussion_comment",
}


async def read(
    client: Threads,
    thread: ThreadRef,
    /,
    *,
    trigger: Event | None = None,
    store: Store | None = None,
    run: Run | None = None,
    options: Options = Options(),
    scope: Scope | None = None,
) -> Context:
    """Read a thread whole and decide what an agent may read of it.

    `scope` says whether one thread is read or the conversation that it is in; by default an issue or a discussion is read
    whole, and of a chat the one thread. What stands in the thread that the run is about is marked where there is more.
    Without `run`, the trigger author, time and comment come from `trigger`, and the engine is the client's own account.
    Where records have vanished without proof the thread is listed once more, and up to 20 of them are asked for one by
    one. With a `store` the reconciled thread is saved before this returns; a conflicting writer is waited out. Raises what
    the client and the store raise.
    """
    if run is None:
        run = run_of(trigger, await _engine(client), key_of(client.backend, thread))
    run, thread = scoped(run, thread, scope), reach(thread, scope)
    listing = await client.read(thread)
    attempt = partial(_attempt, client, thread, listing, run, store, options)
    return await until_saved(run.thread, attempt)


async def _attempt(
    client: Threads, thread: ThreadRef, listing: Listing, run: Run, store: Store | None, options: Options
) -> Context:
    recalled = await store.recall(run, listing) if store is not None else Recalled()
    previous = recalled.state.thread if recalled.state is not None else ()
    listing, gone = await _prove(client, thread, listing, previous, run)
    changes = {"findings": (*run.findings, *recalled.findings), "rev": _next(store, recalled)}
    ledger = reconcile(listing, previous, run.model_copy(update=changes), options, gone=gone)
    context = render(ledger, listing.messages, run, options)
    if store is None:
        return context
    return context.model_copy(update={"kept": await _saved(store, recalled, ledger, context.thread)})


def run_of(trigger: Event | None, engine: Account | None, thread: str) -> Run:
    """Describe the run an event starts: its author when the event makes one trustworthy, its time and its comment."""
    if trigger is None:
        return Run(engine=engine, thread=thread)
    author, findings = trigger_of(trigger, engine)
    return Run(
        trigger_author=author,
        engine=engine,
        trigger_time=trigger.time,
        trigger_comment=_trigger_comment(trigger),
        thread=trigger.thread_key,
        root=ThreadRef.of(trigger).root if trigger.entity.kind == "conversation" else None,
        findings=findings,
    )


def _trigger_comment(event: Event) -> str | None:
    comment = event.transition.comment
    if comment is None or comment.id is None:
        return None
    if event.source.system in CHAT_SYSTEMS:
        return record_ref(f"{event.source.system}_message", f"{event.entity.key}/{comment.id}")
    if event.source.system == "jira":
        return record_ref("jira_comment", comment.id)
    source_type = _COMMENT_TYPES.get(event.source.raw_type)
    return record_ref(source_type, comment.id) if source_type is not None else None


async def _engine(client: Threads) -> Account | None:
    """Ask who the client is; an anonymous client is nobody, and the ledger says so."""
    try:
        return await client.whoami()
    except Denied as error:
        _log.warning("the engine's account could not be resolved: %s", error)
        return None


async def _prove(
    client: Threads,
    thread: ThreadRef,
    listing: Listing,
    previous: tuple[ThreadRecord, ...],
    run: Run,
) -> tuple[Listing, frozenset[str]]:
    """Get proof for records that have vanished: a second listing, then a direct look-up for each that is still unproven."""
    if not _unproven(reconcile(listing, previous, run)):
        return listing, frozenset()
    listing = await client.read(thread)
    found: list[Message] = []
    gone: set[str] = set()
    for record in _unproven(reconcile(listing, previous, run))[-_ASKED:]:
        try:
            found.append(await client.get_message(_message_ref(thread, record)))
        except NotFound:
            gone.add(record.ref)
        except Error as error:
            _log.info("%s could not be looked up: %s", record.ref, error)
    if found:
        listing = listing.model_copy(update={"messages": (*listing.messages, *found)})
    return listing, frozenset(gone)


def _unproven(ledger: Ledger) -> list[ThreadRecord]:
    return [record for record in ledger.records if ledger.reasons[record.ref].reason.startswith("unconfirmed")]


def _message_ref(thread: ThreadRef, record: ThreadRecord) -> MessageRef:
    return MessageRef(conversation=thread.conversation, source_type=record.source_type, id=record.id)


def _next(store: Store | None, recalled: Recalled) -> int | None:
    """Give the revision that this run makes; None where nothing keeps one."""
    if store is None:
        return None
    return max(recalled.state.rev if recalled.state is not None else 0, recalled.floor) + 1


async def _saved(store: Store, recalled: Recalled, ledger: Ledger, thread: str) -> Kept:
    """Write the records when they differ from what is stored; say where they stand, and under which revision."""
    state = recalled.state
    if not recalled.writable:
        return Kept(writable=False)
    if state is not None and _unchanged(state.thread, ledger.records, recalled.source):
        return Kept(source=recalled.source, rev=state.rev)
    made = build_state(state, thread_key=thread, thread=ledger.records, floor=recalled.floor)
    return Kept(source=await store.save(made), rev=made.rev)


def _unchanged(before: tuple[ThreadRecord, ...], now: tuple[ThreadRecord, ...], source: str) -> bool:
    """Compare records: having been seen once more is no reason to write, nor is what writing changes in the state's own place."""
    if len(before) != len(now):
        return False
    return all(_same(one, other) or one.ref == other.ref == source for one, other in zip(before, now, strict=True))


def _same(one: ThreadRecord, other: ThreadRecord) -> bool:
    return one == other or one.model_copy(update={"observed_rev": other.observed_rev}) == other
