"""`tertulia adapters`: what is installed, what it can do, and what it needs to be told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tertulia_cli._input import variable
from tertulia_cli._output import print_json

if TYPE_CHECKING:
    from tertulia.registry import Adapter

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("adapters")(_adapters)


def _adapters(
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List the installed adapters: what they can do, their limits and their settings.

    Settings are environment variables. Whether one is set is shown, its value never.

    \b
    Example:
        tertulia adapters --json
    """
    from tertulia import registry

    found = [_document(adapter) for adapter in registry.adapters()]
    if json:
        print_json({"version": 1, "adapters": found})
        return
    from tertulia_cli._listing import listing
    from tertulia_cli._output import print_rich

    print_rich(*listing(found))


def _document(adapter: Adapter) -> dict[str, Any]:
    return {
        "name": adapter.name,
        "system": adapter.system,
        "kind": adapter.kind,
        "events": sorted(adapter.names),
        "capabilities": sorted(str(capability) for capability in adapter.capabilities),
        "limits": {},
        "settings": [
            {
                "name": setting.name,
                "sentence": setting.sentence,
                "secret": setting.secret,
                "set": variable(setting.name) is not None,
            }
            for setting in adapter.settings
        ],
    }
