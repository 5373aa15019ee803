"""`tertulia schema`: the JSON Schema of a document."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tertulia_cli._failure import Failure
from tertulia_cli._output import print_json

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("schema")(_schema)


def _schema(
    document: Annotated[str, typer.Argument(metavar="event|snapshot|context", help="Which document.")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON, as always here.")] = False,
) -> None:
    """Print the JSON Schema (draft 2020-12) of a document.

    event: what `normalize` prints and an agent is started with. snapshot: a thread saved for `context --snapshot`.
    context: what `context --json` prints.

    \b
    Example:
        tertulia schema event > event.schema.json
    """
    print_json(_made(document), indented=True)


def _made(document: str) -> dict[str, Any]:
    if document == "event":
        from tertulia import event

        return event.schema()
    if document in ("snapshot", "context"):
        from tertulia import ledger

        return ledger.snapshot_schema() if document == "snapshot" else ledger.context_schema()
    later = "not in this release" if document == "state" else "no document of ours"
    raise Failure(f"'{document[:80]}' is {later}", "tertulia schema", "ask for event, snapshot or context")
