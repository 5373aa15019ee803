"""`tertulia context`: what an agent may read of a thread, live or saved, and why."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from tertulia_cli._asked import Asked, asked_options, check, lay_over
from tertulia_cli._failure import Failure, blame
from tertulia_cli._files import write_file
from tertulia_cli._input import MAX_SNAPSHOT, read, shown
from tertulia_cli._keeping import place_of
from tertulia_cli._options import (
    AsJson,
    Detail,
    Engine,
    EventFile,
    Output,
    Pins,
    PolicyFile,
    Prefixes,
    Scoped,
    TriggerAuthor,
    Window,
)
from tertulia_cli._output import clean, dumps, error_line, is_terminal, note, print_json, print_text
from tertulia_cli._report import check_report, write_report

if TYPE_CHECKING:
    from tertulia.ledger import Context, Snapshot

__all__ = ["load", "make", "register", "summary"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("context")(_context)


def _context(
    url: Annotated[str | None, typer.Argument(metavar="URL", help="The thread, read live.")] = None,
    event: EventFile = None,
    snapshot: Annotated[
        str | None, typer.Option(metavar="FILE|-", help="The thread, saved as JSON; `-` is standard input.")
    ] = None,
    window: Window = None,
    pin: Pins = None,
    trigger_author: TriggerAuthor = None,
    engine: Engine = None,
    command_prefix: Prefixes = None,
    scope: Scoped = None,
    policy: PolicyFile = None,
    detail: Detail = None,
    state: Annotated[
        str,
        typer.Option(
            metavar="none|comment|sqlite:PATH", help="Where the ledger of the last run is kept, and this one's."
        ),
    ] = "none",
    save_snapshot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Save the thread as read, for --snapshot.")
    ] = None,
    report: Annotated[
        str | None,
        typer.Option(metavar="FILE.html|.md|.json", help="Write every record and its rule there, to look at."),
    ] = None,
    output: Output = None,
    json: AsJson = False,
) -> None:
    """Show what an agent may read of a thread, and why.

    Prints the Markdown an agent receives; with --json every record with its decision. The thread is read live, from a URL
    or for an event, or comes from a file, and then nothing is fetched and what is given here wins over the context in it.
    A discussion is read whole, with --scope thread one thread of it; a chat by the thread, with --scope conversation whole.
    HISTORY_COMMENT_COUNT in the environment is the window, and --window wins over it. Without an event and without
    --trigger-author, who started the run is the token's own account.

    \b
    Examples:
        tertulia context https://github.com/acme/demo/issues/7
        tertulia context --event event.json --state sqlite:ledger.sqlite --json
        tertulia context --snapshot thread.json --report ledger.html
        tertulia context --snapshot thread.json --trigger-author maint-a --window 20
    """
    check_report(report)
    asked = Asked(window, tuple(pin or ()), trigger_author, engine, tuple(command_prefix or ()), policy, detail, scope)
    if _one_of({"URL": url, "--event": event, "--snapshot": snapshot}) == "--snapshot":
        _refuse_live(
            {"--state": None if state == "none" else state, "--save-snapshot": save_snapshot, "--scope": scope}
        )
        saved = lay_over(load(str(snapshot)), asked)
        context = make(saved)
    else:
        context, saved = _live(url, event, asked, state, save_snapshot)
    write_report(report, saved, context)
    _hand_over(context, output, json)
    if is_terminal(sys.stderr):
        error_line(summary(context))


def load(path: str) -> Snapshot:
    """Read a saved thread."""
    from tertulia.ledger import Snapshot

    document = read(path, "the thread", MAX_SNAPSHOT)
    with blame(shown(path), "correct the file, `tertulia schema snapshot` says what it must be"):
        return Snapshot.parse(document)


def summary(context: Context) -> str:
    """Say in one line what was decided."""
    counts = ", ".join(f"{count} {name}" for name, count in context.counts.items() if count)
    found = len(context.audit)
    trust = "" if context.trigger_author is not None else "; no trigger author, so nobody is trusted"
    return f"{len(context.records)} records: {counts or 'none'}; {found} finding{'' if found == 1 else 's'}{trust}"


def make(snapshot: Snapshot) -> Context:
    """Decide and render."""
    from tertulia.ledger import build_context

    return build_context(snapshot.listing, snapshot.previous, snapshot.run, snapshot.options)


def _one_of(given: dict[str, str | None]) -> str:
    names = [name for name, value in given.items() if value is not None]
    if len(names) == 1:
        return names[0]
    told = "no thread is given" if not names else f"{' and '.join(names)} are given together"
    raise Failure(told, "tertulia context", "give one of URL, --event FILE and --snapshot FILE")


def _refuse_live(given: dict[str, str | None]) -> None:
    for name, value in given.items():
        if value is not None:
            raise Failure("a saved thread has no use for it", name, "give a URL or --event, or leave it out")


def _live(
    url: str | None, event: str | None, asked: Asked, state: str, save_snapshot: str | None
) -> tuple[Context, Snapshot]:
    from tertulia_cli import _live as live
    from tertulia_cli._reading import read
    from tertulia_cli._target import of_event, of_url

    target = of_url(url) if url is not None else of_event(str(event))
    place, options = place_of(state), asked_options(asked)
    check(asked)
    with live.refusals(target):
        reading = live.run(lambda: read(target, asked, options, place), f"reading {target.key}")
    for told in reading.notes:
        note(told)
    if save_snapshot is not None:
        write_file(save_snapshot, dumps(reading.snapshot.document(), indented=False) + "\n")
    return reading.context, reading.snapshot


def _hand_over(context: Context, output: str | None, as_json: bool) -> None:
    if output is None or output == "-":
        print_json(context.document()) if as_json else print_text(context.text)
    else:
        text = dumps(context.document(), indented=False) if as_json else clean(context.text)
        write_file(output, text.rstrip("\n") + "\n")
