"""What this release does not do yet, said in one line where somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable

import typer

from tertulia_cli._failure import Failure

__all__ = ["offline_only", "register"]

_ANYTHING = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}


def register(app: typer.Typer) -> None:
    """Answer commands of later releases, without listing them."""
    for name in ("reply", "ledger", "doctor", "serve"):
        app.command(name, hidden=True, context_settings=_ANYTHING)(_refusal(f"tertulia {name}"))


def offline_only(asked: str) -> Failure:
    """Say that something needs a backend, and this release reads none."""
    return Failure(
        "this release has no live reading or posting yet",
        asked,
        "work on saved files: `tertulia context --snapshot FILE`",
    )


def _refusal(asked: str) -> Callable[[typer.Context], None]:
    def refuse(ctx: typer.Context) -> None:
        raise offline_only(asked)

    return refuse
