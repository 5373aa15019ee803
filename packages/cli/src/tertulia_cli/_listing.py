"""How `tertulia adapters` and `tertulia doctor` look: one part for each adapter. Text, never markup."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tertulia_cli._output import plain

__all__ = ["checked", "listing"]

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
    yield from _problems(document)


def _facts(adapter: dict[str, Any]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style=_QUIET, no_wrap=True)
    table.add_column(overflow="fold")
    limits = [f"{name.replace('_', ' ')} {most:,}" for name, most in adapter["limits"].items()]
    table.add_row("events", Text(plain(", ".join(adapter["events"]) or "none")))
    table.add_row("capabilities", Text(plain(", ".join(adapter["capabilities"]) or "none")))
    table.add_row("limits", Text(plain(", ".join(limits) or "none")))
    table.add_row("enriches", Text("yes" if adapter["enriches"] else "no"))
    table.add_row("source", Text("yes" if adapter["source"] else "no"))
    table.add_row("live", Text("yes" if adapter["live"] else "no"))
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


def checked(document: dict[str, Any]) -> Iterator[RenderableType]:
    """Lay out what the doctor found."""
    adapters = document["adapters"]
    if not adapters:
        yield Text("No adapter that connects is installed. Install one, such as tertulia-tracker[github].")
    for number, adapter in enumerate(adapters):
        if number:
            yield Text()
        yield Text.assemble(
            (plain(adapter["name"]), "bold"), (f"  {plain(adapter['kind'])}  ", _QUIET), _state(adapter)
        )
        yield Padding(_check(adapter), (0, 0, 0, 2))
    yield from _problems(document)


def _state(adapter: dict[str, Any]) -> tuple[str, str]:
    if not adapter["asked"]:
        return "not asked", "yellow"
    return ("works", "green") if adapter["status"] == 0 else ("does not work", "bold red")


def _check(adapter: dict[str, Any]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style=_QUIET, no_wrap=True)
    table.add_column(overflow="fold")
    held = [f"{one['name']} {'set' if one['set'] else 'not set'}" for one in adapter["credentials"]]
    rows = [("credentials", ", ".join(held) or "none needed"), ("identity", _identity(adapter.get("identity")))]
    rows += [("answered", _answered(adapter)), ("rate", _rate(adapter))]
    rows += list(_scopes(adapter.get("scopes")))
    rows += [("problem", adapter.get("problem", "")), ("to do", adapter.get("advice", ""))]
    for name, fact in rows:
        if fact:
            table.add_row(name, Text(plain(fact)))
    return table


def _answered(adapter: dict[str, Any]) -> str:
    if "reachable" not in adapter:
        return ""
    return f"{'yes' if adapter['reachable'] else 'no'}, in {adapter['milliseconds']:,} ms"


def _identity(identity: dict[str, Any] | None) -> str:
    return "" if identity is None else f"{identity['login']}, a {identity['kind']}, id {identity['id']}"


def _rate(adapter: dict[str, Any]) -> str:
    if "rate" not in adapter:
        return "not told" if "identity" in adapter else ""
    rate = adapter["rate"]
    until = f", full again at {rate['resets_at']}" if rate["resets_at"] else ""
    return f"{rate['remaining']:,} of {rate['limit']:,} left{until}"


def _scopes(scopes: dict[str, Any] | None) -> Iterator[tuple[str, str]]:
    """Tell what is granted, and what each operation lacks of what it needs; those that lack nothing are not named."""
    if scopes is None:
        return
    if scopes["granted"] is None:
        yield "scopes", "not told in what was answered, so nobody knows what is missing"
        return
    yield "scopes", ", ".join(scopes["granted"]) or "none"
    for operation, one in scopes["operations"].items():
        if one["missing"]:
            yield f"{operation} lacks", f"{', '.join(one['missing'])} (of {', '.join(one['needed'])})"


def _problems(document: dict[str, Any]) -> Iterator[RenderableType]:
    for problem in document["problems"]:
        yield Text()
        told = f"{problem['name']} of {problem['distribution']} cannot be used: {problem['reason']}"
        yield Text(plain(told), "bold red")
