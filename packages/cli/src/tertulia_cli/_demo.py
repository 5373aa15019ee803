"""`tertulia demo`: the whole way, from an event to what an agent gets, with no account and no network."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Annotated

import typer

from tertulia_cli._asked import Asked, lay_over
from tertulia_cli._context import load, make
from tertulia_cli._normalize import Source, deliver
from tertulia_cli._output import print_json

if TYPE_CHECKING:
    from tertulia.event import Normalized
    from tertulia.ledger import Context, Snapshot

__all__ = ["register"]

_SYSTEM, _NAME = "github", "issue_comment"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("demo")(_demo)


def _demo(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE|-", help="A saved thread of yours; `-` is standard input.")
    ] = None,
    trigger_author: Annotated[str | None, typer.Option(metavar="ID|LOGIN", help="Who started the run.")] = None,
    engine: Annotated[str | None, typer.Option(metavar="ID|LOGIN", help="The account the agent posts as.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Show the whole way, with no account and no network.

    An event, the ledger of its thread, what was found, and what an agent gets. Without FILE it shows bundled samples:
    a thread of invented people, under attack.

    \b
    Save a thread of yours with GitHub's command, and look at it as its maintainer would:
        { gh api repos/OWNER/REPO/issues/7
          gh api --paginate repos/OWNER/REPO/issues/7/comments
        } | jq -s '{thread: .}' > thread.json
        tertulia demo thread.json --trigger-author YOUR-LOGIN

    \b
    Examples:
        tertulia demo
        tertulia demo thread.json
    """
    normalized = None if file is not None else _normalized()
    asked = Asked(trigger_author=trigger_author, engine=engine)
    context = make(lay_over(_bundled() if file is None else load(file), asked))
    if json:
        event = None if normalized is None else normalized.document()
        print_json({"version": 1, "normalized": event, "context": context.document()})
        return
    _show(context, normalized, own=file is not None)


def _bundled() -> Snapshot:
    with as_file(files("tertulia_cli") / "_samples" / "thread.json") as path:
        return load(str(path))


def _normalized() -> Normalized | None:
    """Normalize the bundled event, or give None when no adapter for it is installed."""
    from tertulia import registry

    if not any(one.system == _SYSTEM and _NAME in one.names for one in registry.installed().adapters):
        return None
    with as_file(files("tertulia_cli") / "_samples" / f"{_NAME}.json") as path:
        return deliver(_SYSTEM, Source(str(path), _NAME), headers={})


def _show(context: Context, normalized: Normalized | None, *, own: bool) -> None:
    from tertulia_cli import _page
    from tertulia_cli._output import print_rich

    print_rich(*_page.page(context, normalized, own=own))
