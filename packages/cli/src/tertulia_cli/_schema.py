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
    document: Annotated[
        str, typer.Argument(metavar="event|snapshot|context|state|SYSTEM-config", help="Which document.")
    ],
    json: Annotated[bool, typer.Option("--json", help="Print JSON, as always here.")] = False,
) -> None:
    """Print the JSON Schema (draft 2020-12) of a document.

    event: what `normalize` prints and an agent is started with. snapshot: a thread saved for `context --snapshot`.
    context: what `context --json` prints. state: what is kept of a thread, in a SQLite file or packed in a comment.
    slack-config, and so on: the file that the adapter of a system reads, a TOML file too.

    \b
    Examples:
        tertulia schema event > event.schema.json
        tertulia schema slack-config
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
    return _of_an_adapter(document)


def _of_an_adapter(document: str) -> dict[str, Any]:
    from tertulia import registry

    found = registry.installed().adapters
    offered = {f"{one.system}-config": one.config_schema for one in found if one.config_schema is not None}
    if document in offered:
        return offered[document]()
    known = ", ".join(["event", "snapshot", "context", "state", *offered])
    told = f"ask for one of {known}, or install the adapter it is of"
    raise Failure(f"'{document[:80]}' is no document of ours", "tertulia schema", told)
