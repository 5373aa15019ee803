"""No regular expression repeats a repetition, so none takes more than linear time for that reason."""

import ast
import importlib
import re
import re._constants as constants
import re._parser as parser
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

Module = Any
Pattern = tuple[str, int]
"""A pattern, and its flags."""

REPEATS = {constants.MAX_REPEAT, constants.MIN_REPEAT}
FUNCTIONS = {"compile", "findall", "finditer", "fullmatch", "match", "search", "split", "sub"}


def test_no_unbounded_repetition_stands_in_another(sources: list[Module]) -> None:
    found = {one: str(module) for module in sources for one in {*kept(module), *written(module.tree)}}

    assert len(found) > 130
    assert {where: text for (text, flags), where in found.items() if nested(parser.parse(text, flags))} == {}


def kept(module: Module) -> Iterator[Pattern]:
    """Give the patterns that a module keeps: by themselves, in classes, in tables."""
    if module.path.stem == "__main__" or "re." not in module.text:
        return
    loaded = importlib.import_module(module.name)
    places = [vars(loaded), *(vars(value) for value in vars(loaded).values() if isinstance(value, type))]
    places += [value for value in vars(loaded).values() if isinstance(value, dict)]
    for place in places:
        for value in [*place.values()]:
            if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                yield value.pattern, value.flags & ~re.UNICODE


def written(tree: ast.AST) -> Iterator[Pattern]:
    """Give the patterns that are written where they are used; a part that is computed stands for a letter."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "re":
            text = literal(node.args[0]) if node.func.attr in FUNCTIONS else None
            with suppress(re.error):  # a computed part may be a part of the syntax: such a pattern is kept
                if text is not None and parser.parse(text):
                    yield text, 0


def literal(node: ast.expr) -> str | None:
    """Read a string, or one with parts in braces."""
    if isinstance(node, ast.JoinedStr):
        return "".join(literal(part) or "x" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def nested(tree: Any, *, inside: bool = False) -> bool:
    """Say whether an unbounded repetition stands in another. What is possessive is never tried in a second way."""
    for operation, argument in tree:
        if operation is constants.POSSESSIVE_REPEAT:
            if nested(argument[2]):
                return True
        elif operation in REPEATS:
            _, most, body = argument
            unbounded = most is constants.MAXREPEAT
            if (unbounded and inside) or nested(body, inside=inside or unbounded):
                return True
        elif any(nested(part, inside=inside) for part in subpatterns(argument)):
            return True
    return False


def subpatterns(argument: Any) -> Iterator[Any]:
    """Find the patterns inside an operation's argument."""
    if isinstance(argument, parser.SubPattern):
        yield argument
    elif isinstance(argument, list | tuple):
        for part in argument:
            yield from subpatterns(part)


@pytest.mark.parametrize(
    "pattern",
    [
        *("(a+)+", "(?:a*b?)*", "(?:x(?:a|b+)y)*", "(?=(a+)*)", "(?:a+){2,}", "(a+?)*", "(?:(?:a){0,9}b+)*"),
        *("(?:(?:a+)+b)++", "(?:(?:a+)*+b+)*"),
    ],
)
def test_the_checker_finds_a_nested_one(pattern: str) -> None:
    assert nested(parser.parse(pattern))


@pytest.mark.parametrize(
    "pattern", ["a+b+", "(?:a{0,9})*", "(?:a+){0,9}", "[a-z]+", "(?:a|b)*", "(?:a+b)*+", "(?:a++b)*"]
)
def test_the_checker_lets_others_pass(pattern: str) -> None:
    assert not nested(parser.parse(pattern))


def test_the_checker_reads_patterns_where_they_are_used() -> None:
    tree = ast.parse(
        're.sub(r"a+", "", x)\nre.compile(rf"b{x}c")\nre.escape("d")\nre.match(x, "e")\nre.split(f"(?P={x})", "")'
    )

    assert list(written(tree)) == [("a+", 0), ("bxc", 0)]
