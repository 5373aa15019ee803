"""How `tertulia adapters` looks: one part for each adapter. Text, never markup."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tertulia_cli._output import plain

__all__ = ["listing"]

_QUIET = "bright_black"


def listing(document: dict[str, Any]) -> Iterator[RenderableType]:
    """Lay out what is installed, and what cannot be used."""
    adapters = document["adapters"]
    if not adapters:
        yield Text("No adapter is installed. Install one, such as tertulia-forge-github.")
    for number, adapter in enumerate(adapters):
        if number:
            yield Text()
        yield Text.assemble((plain(adapter["name"]), "bold"), (f"  {plain(adapter['kind'])}", _QUIET))
        yield Padding(_facts(adapter), (0, 0, 0, 2))
    for problem in document["problems"]:
        yield Text()
        told = f"{problem['name']} of {problem['distribution']} cannot be used: {problem['reason']}"
        yield Text(plain(told), "bold red")


def _facts(adapter: dict[str, Any]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style=_QUIET, no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row("events", Text(plain(", ".join(adapter["events"]) or "none")))
    table.add_row("capabilities", Text(plain(", ".join(adapter["capabilities"]) or "none")))
    table.add_row("live", Text("yes" if adapter["live"] else "not in this release"))
    table.add_row("settings", _settings(adapter["settings"]))
    return table


def _settings(settings: list[dict[str, Any]]) -> Table | Text:
    if not settings:
        return Text("none")
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for setting in settings:
        told = ("set", "green") if setting["set"] else ("not set", "yellow")
        table.add_row(Text(plain(setting["name"])), Text(*told), Text(plain(setting["help"])))
    return table
