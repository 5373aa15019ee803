"""What the command says about itself."""

from importlib.metadata import version
from typing import Any

import pytest

OFFERED = ["normalize", "context", "reply", "schema", "adapters", "doctor", "demo", "serve", "ledger"]


def test_help_lists_what_works_and_nothing_else(tertulia: Any) -> None:
    done = tertulia("--help")

    listed = [line.split()[0] for line in done.out.partition("Commands:\n")[2].splitlines()]
    assert listed == OFFERED


def test_without_a_command_there_is_help(tertulia: Any) -> None:
    assert tertulia() == tertulia("--help")


@pytest.mark.parametrize("command", [[], *([name] for name in OFFERED)], ids=str)
def test_every_help_has_an_example(command: list[str], tertulia: Any) -> None:
    done = tertulia(*command, "--help")

    assert (done.status, done.err) == (0, "")
    assert "Example" in done.out
    assert f"    tertulia {command[0] if command else 'demo'}" in done.out


def test_the_version_is_the_installed_one(tertulia: Any) -> None:
    assert tertulia("--version").out == f"tertulia {version('tertulia-cli')}\n"
