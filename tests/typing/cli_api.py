"""Call the command from Python. Type checkers read this file; nothing runs it."""

from typing import assert_type

from tertulia_cli.main import main


def called() -> None:
    """Run a command, and take its exit status."""
    assert_type(main(["adapters", "--json"]), int)
    assert_type(main(), int)
