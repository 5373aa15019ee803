"""What type checkers read: every name that a package shows is used there as a user writes it."""

import ast
from pathlib import Path
from typing import Any

import pytest

Module = Any

SHARED = {"tertulia.parsing.github_events"}
"""What the adapters of one system share, and nobody else writes."""


@pytest.fixture(scope="module")
def used(root: Path) -> set[str]:
    """Every name in tests/typing."""
    return {name for path in (root / "tests" / "typing").glob("*.py") for name in names(ast.parse(path.read_text()))}


def test_every_public_name_is_used_where_type_checkers_look(sources: list[Module], used: set[str]) -> None:
    shown = {m.name: listed(m.tree) for m in sources if is_written(m)}

    assert len(shown) > 20
    assert {module: missing for module, names in shown.items() if (missing := names - used)} == {}


def is_written(module: Module) -> bool:
    """Tell whether users name it: no part is private, it is no server of tests, and of the kit the package itself."""
    parts = module.name.split(".")
    private = any(part.startswith("_") for part in parts)
    inner = parts[0] == "tertulia_contract" and len(parts) > 1
    return not private and not inner and parts[1:2] != ["testing"] and module.name not in SHARED


def listed(tree: ast.Module) -> set[str]:
    """Read `__all__`, but for the version."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return {name for name in ast.literal_eval(node.value) if not name.startswith("__")}
    return set()


def names(tree: ast.AST) -> set[str]:
    """Name what a file uses: names, and what stands behind a dot."""
    nodes = list(ast.walk(tree))
    plain = {node.id for node in nodes if isinstance(node, ast.Name)}
    imported = {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    return plain | imported | {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def test_the_checker_reads_names() -> None:
    tree = ast.parse("from a import b\nimport c\nx: c.D = b(c.e)\n__all__ = ['f', '__version__']\n")

    assert names(tree) == {"__all__", "b", "c", "D", "e", "x"}
    assert listed(tree) == {"f"}
