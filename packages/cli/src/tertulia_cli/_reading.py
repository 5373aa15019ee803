"""Read a thread live: who asks, who answers, what may be read of it, and everything needed to see that again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tertulia import errors
from tertulia_cli._asked import Asked, asked_run
from tertulia_cli._input import account
from tertulia_cli._live import connect, credentials

if TYPE_CHECKING:
    from tertulia.ledger import Context, Finding, Options, Recalled, Run, Scope, Snapshot, Store
    from tertulia.thread import Account, Threads
    from tertulia_cli._keeping import Place
    from tertulia_cli._target import Target

__all__ = ["Reading", "located", "read", "read_with", "recalled", "who"]


@dataclass(frozen=True, slots=True)
class Reading:
    """Hold what was read: the context, the thread it was made of, and what a person should know about the run."""

    context: Context
    snapshot: Snapshot
    notes: tuple[str, ...] = ()


async def read(target: Target, asked: Asked, options: Options, place: Place) -> Reading:
    """Connect, and read the thread a target leads to."""
    async with connect(target.adapter, engine=asked.engine) as client:
        target = await located(client, target)
        run, notes = await who(client, target, asked)
        store = place.store(client, target.thread, options)
        reading = await read_with(client, target, run, options, store, asked.scope)
        return replace(reading, notes=(*notes, *reading.notes))


async def located(client: Any, target: Target) -> Target:
    """Name the thread as its events do, where the address does not say enough and the client knows how to ask."""
    locate = getattr(client, "locate", None)
    return (
        target if locate is None or target.event is not None else replace(target, address=await locate(target.thread))
    )


async def recalled(target: Target, asked: Asked, options: Options) -> Recalled:
    """Connect, and find the state in the comments of the thread a target leads to."""
    from tertulia.ledger import CommentStore, Run
    from tertulia_cli._keeping import reader_of

    async with connect(target.adapter, engine=asked.engine) as client:
        target = await located(client, target)
        engine, _ = await _engine(client, target, asked)
        run = asked_run(Run(engine=engine, thread=target.key), asked)
        store = CommentStore(client, target.thread, reader_of(options))
        return await store.recall(run, await client.read(target.thread))


async def read_with(
    client: Threads,
    target: Target,
    run: Run,
    options: Options,
    store: Store | None = None,
    scope: Scope | None = None,
) -> Reading:
    """Read the thread with a client that is there, for a run that is known."""
    from tertulia import ledger
    from tertulia_cli._recorder import Recorder, RecordingStore

    recorder, kept = Recorder(client), RecordingStore(store) if store is not None else None
    run = ledger.scoped(run, target.thread, scope)
    context = await ledger.read(recorder, target.thread, store=kept, run=run, options=options, scope=scope)
    records, met, rev = (kept.records, kept.findings, kept.rev) if kept is not None else ((), (), None)
    snapshot = ledger.Snapshot(
        listing=recorder.listing(),
        previous=recorder.previous(records),
        run=run.model_copy(update={"findings": (*run.findings, *met), "rev": rev}),
        options=options,
    )
    return Reading(context, snapshot, tuple(_told(finding) for finding in met))


def _told(finding: Finding) -> str:
    where = f" ({finding.ref})" if finding.ref is not None else ""
    return f"{finding.flag}{where}: {finding.detail}"


async def who(client: Threads, target: Target, asked: Asked) -> tuple[Run, tuple[str, ...]]:
    """Describe the run: its engine, and the trigger author that the event, the command line or the token names."""
    from tertulia import ledger

    engine, notes = await _engine(client, target, asked)
    key = ledger.key_of(client.backend, target.thread)
    run = asked_run(ledger.run_of(target.event, engine, key), replace(asked, engine=None))
    if target.event is None and asked.trigger_author is None:
        author, note = await _token_owner(target, engine, asked)
        run, notes = run.model_copy(update={"trigger_author": author}), [*notes, note]
    return run, tuple(notes)


async def _engine(client: Threads, target: Target, asked: Asked) -> tuple[Account | None, list[str]]:
    try:
        return await client.whoami(), []
    except errors.Denied as error:
        if asked.engine is not None:
            told = f"the engine could not be looked up and is compared as given ({error.message})"
            return account(asked.engine, "--engine"), [told]
        names, known = credentials(target.adapter)
        why = f"{names[0]} is not set" if names and not known else error.message
        told = "the engine's account is not known, so a marker on a person's account counts for nobody"
        return None, [f"{told}; name it with --engine ({why})"]


async def _token_owner(target: Target, engine: Account | None, asked: Asked) -> tuple[Account | None, str]:
    """Take the token's own account for the trigger author when that is a person, and say so."""
    owner = engine
    if asked.engine is not None:
        owner = await _owner(target)
    if owner is None:
        return None, "nobody is trusted: the token names no account; name who asks with --trigger-author"
    if owner.kind == "bot":
        return None, f"nobody is trusted: the token is the bot {owner.login}'s; name who asks with --trigger-author"
    return owner, f"the trigger author is the token's own account, {owner.login}; --trigger-author names another"


async def _owner(target: Target) -> Account | None:
    async with connect(target.adapter) as client:
        try:
            owner: Account = await client.whoami()
        except errors.Denied:
            return None
        return owner
