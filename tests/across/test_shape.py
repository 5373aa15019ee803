"""One file, one noun; one function, one thought."""

import ast
from collections.abc import Iterator
from statistics import median
from typing import Any

Module = Any
Function = ast.FunctionDef | ast.AsyncFunctionDef

MODULE_LINES = 400
TOPIC_LINES = 200
FUNCTION_LINES = 60
MEDIAN_BELOW = 10


def test_no_module_is_longer_than_400_lines(modules: list[Module]) -> None:
    lengths = {str(module): len(module.text.splitlines()) for module in modules}

    assert {name: lines for name, lines in lengths.items() if lines > MODULE_LINES} == {}


def test_no_topic_of_the_contract_is_longer_than_200_lines(sources: list[Module]) -> None:
    topics = [one for one in sources if one.package == "contract" and not one.path.name.startswith("_")]

    assert len(topics) > 30
    assert {str(one): len(one.text.splitlines()) for one in topics if len(one.text.splitlines()) > TOPIC_LINES} == {}


def test_no_function_is_longer_than_60_lines(modules: list[Module]) -> None:
    long = {
        f"{module}:{function.name}": lines(function)
        for module in modules
        for function in functions(module.tree)
        if lines(function) > FUNCTION_LINES
    }

    assert long == {}


def test_half_of_a_packages_functions_are_shorter_than_10_lines(packages: list[str], sources: list[Module]) -> None:
    for package in packages:
        owned = [module for module in sources if module.package == package]
        sizes = [lines(function) for module in owned for function in functions(module.tree)]
        assert sizes, package
        assert median(sizes) < MEDIAN_BELOW, package


def functions(tree: ast.AST) -> Iterator[Function]:
    """Find every function and method, nested ones too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def lines(function: Function) -> int:
    """Count a function's lines from `def` to its end, docstring included."""
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1


def test_the_measure_counts_from_def_to_the_last_line() -> None:
    tree = ast.parse("@cache\ndef f(\n    a,\n):\n    '''Say.'''\n    async def g():\n        return 1\n    return g\n")

    assert {function.name: lines(function) for function in functions(tree)} == {"f": 7, "g": 2}
