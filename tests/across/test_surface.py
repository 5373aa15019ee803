"""What a package shows: its names, its docstrings, its types."""

import ast
import importlib
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

Module = Any
Documented = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

SENTENCE = re.compile(r"""^[A-Z0-9`'"(<*].*[.:?!][)'"`]?$""")


def test_a_public_package_exports_what_it_lists(sources: list[Module]) -> None:
    packages = [module for module in sources if module.path.name == "__init__.py" and is_public(module.name)]
    wrong = [f"{module}: {name}" for module in packages for name in unlisted(module.name, module.tree)]

    assert packages
    assert wrong == []


def test_a_public_module_that_lists_names_lists_all_that_it_defines(sources: list[Module]) -> None:
    flat = [module for module in sources if module.path.name != "__init__.py" and is_public(module.name)]
    wrong = {str(m): defined(m.tree) ^ set(names_listed(m.tree)) for m in flat if names_listed(m.tree)}

    assert {name: names for name, names in wrong.items() if names} == {}


def test_every_listed_name_resolves(sources: list[Module]) -> None:
    for module in sources:
        listed = names_listed(module.tree)
        assert len(listed) == len(set(listed)), module
        if is_public(module.name):
            loaded = importlib.import_module(module.name)
            assert [name for name in listed if not resolves(loaded, name)] == [], module


def test_every_package_says_that_it_is_typed(homes: dict[str, Path]) -> None:
    for package, home in homes.items():
        import_name = "tertulia" if package == "core" else f"tertulia_{package.replace('-', '_')}"
        spec = importlib.util.find_spec(import_name)
        assert spec is not None
        assert spec.origin is not None
        assert Path(spec.origin).with_name("py.typed").is_file()
        assert not Path(spec.origin).is_relative_to(home), "the laws look at the installed wheel"


def test_public_functions_and_classes_say_in_a_sentence_what_they_are(sources: list[Module]) -> None:
    silent = [f"{module}:{name}" for module in sources for name in undocumented(module.tree)]

    assert silent == []


def is_public(name: str) -> bool:
    """Tell whether no part of a dotted name begins with an underscore."""
    return not any(part.startswith("_") for part in name.split("."))


def names_listed(tree: ast.Module) -> list[str]:
    """Read `__all__` without running the module."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            return list(ast.literal_eval(node.value))  # type: ignore[attr-defined]
    return []


def unlisted(package: str, tree: ast.Module) -> set[str]:
    """Name what a package exports and does not list, and what it lists and does not have in its source.

    A package exports what it defines, and what it imports from its own modules, for type checkers too. A name that only
    `__getattr__` provides, or a submodule, may be listed without either.
    """
    listed = {name for name in names_listed(tree) if not name.startswith("__")}
    exported = {name for name in exports(tree.body, package.split(".")[0]) if not name.startswith("_")}
    lazy = any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in tree.body)
    surplus = {name for name in listed - exported if not lazy and not is_submodule(package, name)}
    return (exported - listed) | surplus


def exports(body: list[ast.stmt], own: str | None) -> Iterator[str]:
    """List the names that statements bind; of imports only those from the package `own`."""
    for node in body:
        if isinstance(node, Documented):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.ImportFrom) and own and (node.level or str(node.module).split(".")[0] == own):
            yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.If | ast.Try):
            yield from exports([*node.body, *node.orelse], own)


def defined(tree: ast.Module) -> set[str]:
    """Name the public things a module defines itself."""
    return {name for name in exports(tree.body, own=None) if not name.startswith("_")}


def is_submodule(package: str, name: str) -> bool:
    """Tell whether a package has a module of this name."""
    return importlib.util.find_spec(f"{package}.{name}") is not None


def resolves(loaded: Any, name: str) -> bool:
    """Tell whether `from package import name` works."""
    return hasattr(loaded, name) or is_submodule(loaded.__name__, name)


def undocumented(tree: ast.Module) -> Iterator[str]:
    """Name public functions, classes and methods whose docstring does not begin with a sentence."""
    for node in public(tree.body):
        if not is_sentence(ast.get_docstring(node)):
            yield node.name
        if isinstance(node, ast.ClassDef):
            methods = [child for child in public(node.body) if not is_repeated(child)]
            yield from (f"{node.name}.{child.name}" for child in methods if not is_sentence(ast.get_docstring(child)))


def public(body: list[ast.stmt]) -> Iterator[Documented]:
    """Find definitions whose names do not begin with an underscore."""
    for node in body:
        if isinstance(node, Documented) and not node.name.startswith("_"):
            yield node


def is_repeated(node: Documented) -> bool:
    """Tell whether another definition carries the words: an overload, or a method of a base class."""
    return bool({ast.unparse(decorator).split(".")[-1] for decorator in node.decorator_list} & {"overload", "override"})


def is_sentence(docstring: str | None) -> bool:
    """Tell whether a docstring's first line reads as a sentence."""
    return bool(docstring and SENTENCE.match(docstring.splitlines()[0]))


PACKAGE = """
from typing import TYPE_CHECKING
from pydantic import BaseModel
from ._model import Event, _hidden
from tertulia.thread import ThreadRef
if TYPE_CHECKING:
    from ._client import Client
LIMIT: int = 3
__all__ = ["Client", "Event", "Gone"]
def helper(): ...
"""


def test_the_checker_compares_names_both_ways() -> None:
    assert unlisted("tertulia", ast.parse(PACKAGE)) == {"ThreadRef", "LIMIT", "helper", "Gone"}


def test_the_checker_tells_definitions_from_imports() -> None:
    tree = ast.parse("from .thread import ThreadRef\nLIMIT = 3\n_private = 4\nclass A: ...\n")

    assert defined(tree) == {"LIMIT", "A"}


def test_the_checker_trusts_a_lazy_package_with_names_it_provides_later() -> None:
    assert "Gone" not in unlisted("tertulia", ast.parse(PACKAGE + "def __getattr__(name): ..."))


@pytest.mark.parametrize(
    ("docstring", "good"),
    [
        ("Read a file.", True),
        ("`name` is what people see.", True),
        ("Say why (in words).", True),
        (None, False),
        ("", False),
        ("read a file.", False),
        ("Read a file", False),
    ],
)
def test_the_checker_knows_a_sentence(docstring: str | None, good: bool) -> None:
    assert is_sentence(docstring) is good


def test_the_checker_finds_silent_definitions() -> None:
    tree = ast.parse("class A:\n '''An a.'''\n def b(self): ...\n def _c(self): ...\ndef d(): ...\ndef _e(): ...\n")

    assert list(undocumented(tree)) == ["A.b", "d"]
