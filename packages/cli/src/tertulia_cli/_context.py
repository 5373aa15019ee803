"""`tertulia context`: what an agent may read of a saved thread, and why."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tertulia_cli._asked import Asked, lay_over
from tertulia_cli._failure import Failure, blame
from tertulia_cli._files import write_file
from tertulia_cli._input import MAX_SNAPSHOT, read, shown
from tertulia_cli._later import offline_only
from tertulia_cli._output import clean, dumps, error_line, is_terminal, print_json, print_text

if TYPE_CHECKING:
    from tertulia.ledger import Context, Snapshot

__all__ = ["load", "make", "register", "summary"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("context", context_settings={"allow_extra_args": True})(_context)


def _context(
    ctx: typer.Context,
    snapshot: Annotated[
        str | None, typer.Option(metavar="FILE|-", help="The thread, saved as JSON; `-` is standard input.")
    ] = None,
    window: Annotated[int | None, typer.Option(help="The last N relevant records; 0 is all of them.")] = None,
    pin: Annotated[
        list[str] | None, typer.Option(metavar="REF", help="Keep this record beside the window; repeatable.")
    ] = None,
    trigger_author: Annotated[str | None, typer.Option(metavar="ID|LOGIN", help="Who started the run.")] = None,
    engine: Annotated[str | None, typer.Option(metavar="ID|LOGIN", help="The account the agent posts as.")] = None,
    command_prefix: Annotated[
        list[str] | None, typer.Option(metavar="P", help="Count only these as commands: /ask, or /ask- for a start.")
    ] = None,
    policy: Annotated[str | None, typer.Option(metavar="FILE.json", help="Options of the policy, by name.")] = None,
    detail: Annotated[
        Literal["excerpt", "meta"] | None, typer.Option(help="What an unverified line shows beside who and when.")
    ] = None,
    output: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the result there, whole or not at all.")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print every record with its decision, not only the text.")
    ] = False,
    event: Annotated[str | None, typer.Option(hidden=True)] = None,
    state: Annotated[str, typer.Option(hidden=True)] = "none",
    report: Annotated[str | None, typer.Option(hidden=True)] = None,
    save_snapshot: Annotated[str | None, typer.Option(hidden=True)] = None,
) -> None:
    """Show what an agent may read of a thread, and why.

    Prints the Markdown an agent receives. What is given here wins over the context in the file; HISTORY_COMMENT_COUNT
    in the environment is the window, and --window wins over it. Nothing is fetched.

    \b
    Examples:
        tertulia context --snapshot thread.json
        tertulia context --snapshot thread.json --trigger-author maint-a --window 20 --json
        tertulia context --snapshot - --policy policy.json --output context.md < thread.json
    """
    later = {"URL": next(iter(ctx.args), None), "--event": event, "--state": None if state == "none" else state}
    _refuse_later(later | {"--report": report, "--save-snapshot": save_snapshot})
    if snapshot is None:
        raise Failure("no thread is given", "tertulia context", "name a saved one: --snapshot FILE")
    asked = Asked(window, tuple(pin or ()), trigger_author, engine, tuple(command_prefix or ()), policy, detail)
    context = make(lay_over(load(snapshot), asked))
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


def _hand_over(context: Context, output: str | None, as_json: bool) -> None:
    if output is None or output == "-":
        print_json(context.document()) if as_json else print_text(context.text)
    else:
        text = dumps(context.document(), indented=False) if as_json else clean(context.text)
        write_file(output, text.rstrip("\n") + "\n")


def _refuse_later(asked: Mapping[str, str | None]) -> None:
    for name, value in asked.items():
        if value is not None:
            raise offline_only(f"tertulia context {name}")
