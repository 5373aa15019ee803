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
    document: Annotated[str, typer.Argument(metavar="event|snapshot|context|state", help="Which document.")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON, as always here.")] = False,
) -> None:
    """Print the JSON Schema (draft 2020-12) of a document.

    event: what `normalize` prints and an agent is started with. snapshot: a thread saved for `context --snapshot`.
    context: what `context --json` prints. state: what is kept of a thread, in a SQLite file or packed in a comment.

    \b
    Example:
        tertulia schema event > event.schema.json
    """
    print_json(_made(document), indented=True)


def _made(document: str) -> dict[str, Any]:
    if document == "event":
        from tertulia import event

        return event.schema()
    if document in ("snapshot", "context", "state"):
        from tertulia import ledger

        made = {"snapshot": ledger.snapshot_schema, "context": ledger.context_schema, "state": ledger.state_schema}
        return made[document]()
    told = "ask for event, snapshot, context or state"
    raise Failure(f"'{document[:80]}' is no document of ours", "tertulia schema", told)
