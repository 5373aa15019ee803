"""`tertulia adapters`: what is installed, what it can do, and what it needs to be told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tertulia_cli._input import variable
from tertulia_cli._output import print_json

if TYPE_CHECKING:
    from tertulia.registry import Adapter, Setting

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("adapters")(_adapters)


def _adapters(
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List the installed adapters: what they can do, their limits, and their settings.

    Settings are environment variables. Whether one is set is shown, its value never.

    \b
    Example:
        tertulia adapters --json
    """
    from tertulia import registry

    found = registry.installed()
    problems = [{"name": one.name, "distribution": one.distribution, "reason": one.reason} for one in found.problems]
    document = {"version": 1, "adapters": [_document(one) for one in found.adapters], "problems": problems}
    if json:
        print_json(document)
        return
    from tertulia_cli._listing import listing
    from tertulia_cli._output import print_rich

    print_rich(*listing(document))


def _document(adapter: Adapter) -> dict[str, Any]:
    return {
        "name": adapter.name,
        "system": adapter.system,
        "kind": adapter.kind,
        "events": sorted(adapter.names),
        "capabilities": sorted(str(capability) for capability in adapter.capabilities),
        "normalizes": adapter.normalize is not None,
        "enriches": adapter.enrich is not None,
        "source": adapter.source is not None,
        "live": adapter.connect is not None,
        "limits": adapter.limits.model_dump(exclude_none=True) if adapter.limits is not None else {},
        "settings": [_setting(setting) for setting in adapter.every_setting],
    }


def _setting(setting: Setting) -> dict[str, Any]:
    known = variable(setting.name) is not None
    return {"name": setting.name, "help": setting.help, "secret": setting.secret, "set": known}
