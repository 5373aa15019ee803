"""Call the command from Python. Type checkers read this file; nothing runs it."""

from typing import assert_type

import typer

from tertulia_cli.main import main
from tertulia_cli.serve import register


def called() -> None:
    """Run a command, and take its exit status."""
    assert_type(main(["adapters", "--json"]), int)
    assert_type(main(), int)


def mounted(app: typer.Typer) -> None:
    """Add the receiver to a command of one's own."""
    register(app)
