"""`tertulia ledger`: what is kept of a thread, and whether it counts, in words."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tertulia_cli import _live as live
from tertulia_cli._asked import Asked, asked_options
from tertulia_cli._failure import Failure
from tertulia_cli._input import read, shown
from tertulia_cli._keeping import Place, reader_of, sqlite
from tertulia_cli._options import AsJson, Engine, PolicyFile
from tertulia_cli._output import print_json, print_text

if TYPE_CHECKING:
    from tertulia.ledger import Finding, Options, Recalled, WorkflowState

__all__ = ["register"]

_MAX_COMMENT = 1024 * 1024
_ADVICE = {
    "state-mac-invalid": "somebody edited it, or signed it with another key; the next run rebuilds the ledger and signs it",
    "state-rollback": "somebody put an old one back; the next run rebuilds the ledger from the thread",
    "state-thread-mismatch": "it was copied from another thread; the next run rebuilds the ledger",
    "state-rejected": "it is damaged or forged; the next run rebuilds the ledger from the thread",
    "state-too-large": "it is a bomb, or holds more than a state may; the next run rebuilds the ledger",
    "state-schema-newer": "install a newer release; until then nothing is written over it",
    "foreign-state-ignored": "it counts for nothing; hide it if it confuses readers",
    "duplicate-state": "delete it: one state a thread is enough",
    "second-writer": "give the thread one writer at a time, such as a concurrency group",
    "shared-engine-account": "set TERTULIA_STATE_KEY, or name the engine's own messages (posted_ids)",
}

State = Annotated[
    str, typer.Argument(metavar="STATE", help="sqlite:PATH, a file with the comment's text, `-`, or a thread's URL.")
]
Thread = Annotated[str | None, typer.Option(metavar="KEY", help="Which thread, as github:acme/demo#7.")]


@dataclass(frozen=True, slots=True)
class _Found:
    """Hold what there is: the thread, the state that counts, and what is to be said about it."""

    thread: str
    recalled: Recalled
    chars: int

    @property
    def state(self) -> WorkflowState | None:
        """The state that counts."""
        return self.recalled.state


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(no_args_is_help=False, rich_markup_mode=None)
    group.callback()(_group)
    group.command("show")(_show)
    group.command("verify")(_verify)
    app.add_typer(group, name="ledger")


def _group() -> None:
    """Look at what is kept of a thread between runs.

    \b
    Examples:
        tertulia ledger show sqlite:ledger.sqlite
        tertulia ledger verify https://github.com/acme/demo/issues/7
    """


def _show(
    state: State, thread: Thread = None, engine: Engine = None, policy: PolicyFile = None, json: AsJson = False
) -> None:
    """Show the records and the steps that are kept of a thread.

    TERTULIA_STATE_KEY in the environment says what a state in a comment must be signed with.

    \b
    Example:
        tertulia ledger show sqlite:ledger.sqlite --thread github:acme/demo#7
    """
    found = _find(state, thread, engine, policy)
    if found.state is None:
        raise _nothing(found, state)
    if json:
        print_json(_document(found))
        return
    from tertulia_cli._output import print_rich
    from tertulia_cli._tables import state_page

    print_rich(*state_page(found.state, found.chars))


def _verify(
    state: State, thread: Thread = None, engine: Engine = None, policy: PolicyFile = None, json: AsJson = False
) -> None:
    """Check whether a state counts, and say in words why not.

    The exit status is 0 when it counts, 2 when there is one that does not. TERTULIA_STATE_KEY in the environment says what
    a state in a comment must be signed with; without it nothing is said about who wrote it.

    \b
    Example:
        tertulia ledger verify https://github.com/acme/demo/issues/7
    """
    found = _find(state, thread, engine, policy)
    if json:
        print_json(_document(found))
    for line in [] if json else _words(found):
        print_text(line)
    if found.state is None:
        raise _nothing(found, state)


def _words(found: _Found) -> list[str]:
    """Say what counts, and everything that is to be said besides: what is wrong first is in the error's line."""
    findings, state = found.recalled.findings, found.state
    if state is None:
        return [_told(finding) for finding in findings if finding is not _worst(findings)]
    gone = sum(1 for record in state.thread if record.deleted)
    after = f" after {state.parent_rev}" if state.parent_rev is not None else ""
    facts = [
        f"{found.thread}: revision {state.rev}{after} counts",
        f"{len(state.thread):,} records, {gone:,} of them deleted",
        f"{len(state.history):,} steps",
        f"{found.chars:,} of 60,000 characters",
    ]
    return ["; ".join(facts), *map(_told, findings)]


def _told(finding: Finding) -> str:
    where = f" {finding.ref}" if finding.ref is not None else ""
    advice = _ADVICE.get(finding.flag)
    return f"{finding.flag}{where}: {finding.detail}" + (f"; {advice}" if advice is not None else "")


def _nothing(found: _Found, where: str) -> Failure:
    findings = found.recalled.findings
    if not findings:
        return Failure(f"there is no state of {found.thread}", shown(where), "run `tertulia context --state` first")
    first = _worst(findings)
    return Failure(
        f"no state counts: {first.detail}", first.ref or shown(where), _ADVICE.get(first.flag, "look at the thread")
    )


def _worst(findings: tuple[Finding, ...]) -> Finding:
    """Choose what the error is about: a state of ours that does not count, before one that is somebody else's."""
    return next((finding for finding in findings if finding.flag != "foreign-state-ignored"), findings[0])


def _document(found: _Found) -> dict[str, Any]:
    recalled = found.recalled
    return {
        "version": 1,
        "thread": found.thread,
        "counts": found.state is not None,
        "source": recalled.source,
        "writable": recalled.writable,
        "chars": found.chars,
        "findings": [finding.model_dump(mode="json", exclude_none=True) for finding in recalled.findings],
        "state": None if found.state is None else found.state.document(),
    }


def _find(state: str, thread: str | None, engine: str | None, policy: str | None) -> _Found:
    options = asked_options(Asked(engine=engine, policy=policy))
    if state.startswith("sqlite:"):
        path = state.partition(":")[2]
        if not os.path.isfile(path):
            raise Failure("there is no such file", path or "an empty name", "name the file that --state named")
        return live.run(lambda: _in_file(sqlite(path), thread), "reading the state")
    if "://" in state:
        return _in_thread(state, Asked(engine=engine, policy=policy), options)
    return _in_comment(state, thread, options)


async def _in_file(place: Place, thread: str | None) -> _Found:
    from tertulia.ledger import Run, SqliteStore
    from tertulia.thread import Listing

    store = SqliteStore(place.path)
    known = await store.threads()
    if thread is None and len(known) != 1:
        some = ", ".join(known[:5]) + (", ..." if len(known) > 5 else "")
        raise Failure(
            f"it keeps {len(known)} threads",
            place.path,
            f"name one with --thread ({some})" if known else "name another",
        )
    key = known[0] if thread is None else thread
    return _measured(key, await store.recall(Run(thread=key), Listing(messages=())))


def _in_thread(url: str, asked: Asked, options: Options) -> _Found:
    from tertulia_cli._reading import recalled
    from tertulia_cli._target import of_url

    target = of_url(url)
    with live.refusals(target):
        found = live.run(lambda: recalled(target, asked, options), f"reading {target.key}")
    return _measured(target.key, found)


def _in_comment(path: str, thread: str | None, options: Options) -> _Found:
    """Read the text of a comment, whoever posted it: a file does not say."""
    from tertulia.ledger import recall_text

    body = read(path, "the comment", _MAX_COMMENT).decode("utf-8-sig", "replace")
    key, found = recall_text(body, thread, reader_of(options))
    return _measured(key, found)


def _measured(thread: str, recalled: Recalled) -> _Found:
    from tertulia.ledger import size_report

    return _Found(thread, recalled, 0 if recalled.state is None else size_report(recalled.state).chars)
