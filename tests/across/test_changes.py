"""What waits for the next release is told by package, a sentence in each file."""

import re
import tomllib
from pathlib import Path

import pytest

NAME = re.compile(r"(?:\d+|\+[a-z0-9-]+)\.(?:feature|fix|break|security)\.md")


def test_every_change_is_told_by_the_package_it_is_in(root: Path, homes: dict[str, Path]) -> None:
    packages = {
        tomllib.loads((home / "pyproject.toml").read_text("utf-8"))["project"]["name"] for home in homes.values()
    }
    found = [path for path in (root / "changes").glob("*.md") if path.name != "README.md"]

    wrong = {path.name: told for path in found if (told := problem(path.name, path.read_text("utf-8"), packages))}
    assert wrong == {}


def problem(name: str, text: str, packages: set[str]) -> str | None:
    """Say what is wrong with a file: its name, who is named, or its end."""
    if not NAME.fullmatch(name):
        return "is no name for a change"
    if text.partition(": ")[0] not in packages:
        return "begins with no package's name"
    return None if text.endswith(".\n") and text.count("\n") == 1 else "is not one line with a full stop"


@pytest.mark.parametrize(
    ("name", "text", "right"),
    [
        ("+a-b.feature.md", "tertulia: reads.\n", True),
        ("12.fix.md", "tertulia-cli: reads; and writes.\n", True),
        ("a.feature.md", "tertulia: reads.\n", False),
        ("+a.news.md", "tertulia: reads.\n", False),
        ("+a.fix.md", "core: reads.\n", False),
        ("+a.fix.md", "tertulia: reads\n", False),
        ("+a.fix.md", "tertulia: reads.\n\nAnd writes.\n", False),
    ],
)
def test_the_checker_knows_a_change(name: str, text: str, right: bool) -> None:
    assert (problem(name, text, {"tertulia", "tertulia-cli"}) is None) is right
