"""What this release does not do yet, said in one line where somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from tertulia_cli._failure import Failure

__all__ = ["later", "register"]

_ANYTHING: dict[str, Any] = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}


def register(app: typer.Typer) -> None:
    """Answer commands of later releases, without listing them."""
    for name in ("serve",):
        app.command(name, hidden=True, context_settings=_ANYTHING)(_refusal(f"tertulia {name}"))


def later(asked: str) -> Failure:
    """Say that something is promised, and not there yet."""
    return Failure("this release does not have it yet", asked, "see `tertulia --help` for what there is")


def _refusal(asked: str) -> Callable[[typer.Context], None]:
    def refuse(ctx: typer.Context) -> None:
        raise later(asked)

    return refuse
