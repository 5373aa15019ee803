"""Who may import whom. A new line in a table is a decision: write a page in docs/decisions."""

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

Module = Any

ALLOWED = {
    "core": {"pydantic", "pydantic_core", "typing_extensions"},
    "forge-github": {"tertulia", "pydantic", "pydantic_core", "typing_extensions", "githubkit", "httpx"},
    "conversation-github": {"tertulia", "typing_extensions", "gql", "httpx"},
    "conversation-slack": {
        "tertulia",
        "pydantic",
        "pydantic_core",
        "typing_extensions",
        "slack_sdk",
        "aiohttp",
        "markdown_it",
    },
    "tracker": {"tertulia"},
    "cli": {"tertulia", "typer", "rich"},
    "contract": {"tertulia", "pytest"},
}
"""Per package, every top-level name it may import beside itself and the standard library.

Each is a requirement in the package's pyproject.toml, but pydantic_core: pydantic pins its exact version.
"""

EXTRAS = {
    "tracker": {"github": {"tertulia_forge_github"}},
    "cli": {"serve": {"starlette", "uvicorn", "httpx"}},
}
"""Per package and extra, what the subpackage of the extra's name may import besides; the rest of the package may not."""

IMPORTED_AS = {"markdown_it_py": "markdown_it"}
"""Requirements that are imported under another name."""

UNUSED = {"forge-github": {"hishel"}, "cli": {"httptools"}, "contract": {"anyio"}}
"""Requirements that are never imported: one keeps a version out, one is uvicorn's parser, one the pytest plugin of tests."""

CORE_ONLY = {
    "tertulia_forge_github",
    "tertulia_forge_github._events",
    "tertulia_conversation_github",
    "tertulia_conversation_github._events",
    "tertulia_conversation_slack",
    "tertulia_conversation_slack._events",
}
"""Modules that normalizing loads: at their top level they import the core and the standard library, no SDK."""


def test_every_package_is_in_the_table(packages: list[str]) -> None:
    assert set(ALLOWED) == set(packages)


def test_packages_import_only_what_the_table_allows(sources: list[Module]) -> None:
    wrong = [f"{module}: {name}" for module in sources for name in foreign(module) - allowed_in(module)]

    assert wrong == []


def test_the_table_has_no_line_that_nobody_uses(sources: list[Module]) -> None:
    for package, allowed in ALLOWED.items():
        used = set().union(*(foreign(module) for module in sources if module.package == package))
        assert allowed.union(*EXTRAS.get(package, {}).values()) - used == set(), package


def test_a_package_requires_itself_what_it_may_import(homes: dict[str, Path]) -> None:
    for package, allowed in ALLOWED.items():
        project = tomllib.loads((homes[package] / "pyproject.toml").read_text("utf-8"))["project"]
        required = {import_name(text) for text in project["dependencies"]}
        assert required - UNUSED.get(package, set()) == allowed - {"pydantic_core"}, package
        optional = {
            extra: {import_name(text) for text in texts} - UNUSED.get(package, set())
            for extra, texts in project.get("optional-dependencies", {}).items()
        }
        assert optional == EXTRAS.get(package, {}), package


def test_the_core_imports_no_package_of_ours_and_adapters_do_not_import_each_other() -> None:
    ours = {package: {name for name in allowed if name.startswith("tertulia")} for package, allowed in ALLOWED.items()}

    assert ours.pop("core") == set()
    assert all(allowed <= {"tertulia"} for allowed in ours.values())
    extras = [(extra, name) for table in EXTRAS.values() for extra, names in table.items() for name in names]
    ours_in_extras = [(extra, name) for extra, name in extras if name.startswith("tertulia")]
    assert ours_in_extras == [("github", "tertulia_forge_github")], "the tracker works over the forge's transport"


def test_what_normalizing_loads_imports_the_core_only(sources: list[Module]) -> None:
    checked = [module for module in sources if module.name in CORE_ONLY]
    wrong = [f"{m}: {name}" for m in checked for name in foreign(m, at_top=True) - {"tertulia"}]

    assert {module.name for module in checked} == CORE_ONLY
    assert wrong == []


def test_no_package_imports_a_private_module_of_another(sources: list[Module]) -> None:
    wrong = [f"{module}: {name}" for module in sources for name in private_imports(module)]

    assert wrong == []


def import_name(requirement: str) -> str:
    """Say under which name what a package requires is imported."""
    name = Requirement(requirement).name.replace("-", "_")
    return IMPORTED_AS.get(name, name)


def allowed_in(module: Module) -> set[str]:
    """Say what a module may import: what its package may, and in an extra's subpackage what the extra brings."""
    allowed = ALLOWED[module.package]
    for extra, names in EXTRAS.get(module.package, {}).items():
        if module.name.split(".")[1:2] == [extra]:
            allowed = allowed | names
    return allowed


def foreign(module: Module, at_top: bool = False) -> set[str]:
    """Name the top-level packages a module imports, without the standard library and its own."""
    own = module.name.split(".")[0]
    names = {name.split(".")[0] for name in imported(module.tree, at_top)}
    return names - set(sys.stdlib_module_names) - {own}


def imported(tree: ast.AST, at_top: bool = False) -> Iterator[str]:
    """List imported module names; with `at_top` only those that importing the module itself loads."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif not (at_top and is_deferred(node)):
            yield from imported(node, at_top)


def is_deferred(node: ast.AST) -> bool:
    """Tell whether importing the module leaves this part out: function bodies and blocks for type checkers."""
    checking = isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")
    return checking or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)


def private_imports(module: Module) -> list[str]:
    """List imports of names that begin with an underscore, from another package of ours."""
    own = module.name.split(".")[0]
    names = [name for name in imported(module.tree) if name.startswith("tertulia") and name.split(".")[0] != own]
    return [name for name in names if any(part.startswith("_") for part in name.split("."))]


SAMPLE = """
from __future__ import annotations
import json, yaml.nodes
from tertulia import _frozen, event
from . import _client
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from githubkit import GitHub
def connect():
    import httpx
class Late:
    import attrs
try:
    import orjson
except ImportError:
    pass
"""


class Example:
    """A module as the checkers see it."""

    name = "tertulia_forge_github"
    tree = ast.parse(SAMPLE)


def test_the_checker_sees_imports_wherever_they_are() -> None:
    assert foreign(Example) == {"yaml", "tertulia", "githubkit", "httpx", "attrs", "orjson"}


def test_the_checker_leaves_out_what_importing_does_not_load() -> None:
    assert foreign(Example, at_top=True) == {"yaml", "tertulia", "attrs", "orjson"}


def test_the_checker_sees_private_names_of_other_packages() -> None:
    assert private_imports(Example) == ["tertulia._frozen"]
