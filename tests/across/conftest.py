"""What the laws look at: every module of ours, parsed once."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = ("across", "browser", "counterparts", "e2e", "kit", "mutation", "typing")
"""The folders of tests that belong to no package."""


@dataclass(frozen=True)
class Module:
    """One Python file. `package` is its folder's name, such as "core"; None for what belongs to all."""

    path: Path
    package: str | None
    tree: ast.Module
    text: str

    @property
    def name(self) -> str:
        """The dotted name of a module under `src`, such as "tertulia.event._model"; else the path."""
        parts = self.path.with_suffix("").parts
        if "src" not in parts:
            return str(self)
        dotted = parts[parts.index("src") + 1 :]
        return ".".join(dotted[:-1] if dotted[-1] == "__init__" else dotted)

    def __str__(self) -> str:
        """The path from the root, as an error message wants it."""
        return self.path.relative_to(ROOT).as_posix() if self.path.is_relative_to(ROOT) else self.path.as_posix()


def parse(path: Path, package: str | None = None) -> Module:
    """Read one file."""
    text = path.read_text("utf-8")
    return Module(path, package, ast.parse(text, str(path)), text)


def python_files(folder: Path) -> Iterator[Path]:
    """Find a folder's Python files, in order."""
    yield from sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def homes() -> dict[str, Path]:
    """The folder of each package: those under packages/, such as "core", and "contract", which is tests/."""
    found = {path.parent.name: path.parent for path in sorted((ROOT / "packages").glob("*/pyproject.toml"))}
    return {**found, "contract": ROOT / "tests"}


@pytest.fixture(scope="session")
def packages(homes: dict[str, Path]) -> list[str]:
    """The names of all packages."""
    return sorted(homes)


@pytest.fixture(scope="session")
def sources(homes: dict[str, Path]) -> list[Module]:
    """Every module that is published."""
    return [parse(path, name) for name, home in homes.items() for path in python_files(home / "src")]


@pytest.fixture(scope="session")
def modules(homes: dict[str, Path], sources: list[Module]) -> list[Module]:
    """Every module that is published, and every test."""
    folders = [home / "tests" for home in homes.values()] + [ROOT / "tests" / name for name in TESTS]
    return sources + [parse(path) for folder in folders for path in python_files(folder)]
