"""No regular expression in the scanner repeats a repetition, so none can take more than linear time for that reason."""

import re
import re._constants as constants
import re._parser as parser
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

MODULES = [
    *("blocks", "browser", "characters", "clean", "hidden", "html", "inline"),
    *("lines", "markers", "references", "scan", "starts", "table"),
]
REPEATS = {constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT}


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Find every pattern that is compiled in the scanner or the grammar, in classes and tables too."""
    modules = [import_module(f"tertulia._text._{name}") for name in MODULES]
    for module in [*modules, import_module("tertulia.event._grammar")]:
        places = [vars(module)]
        places += [dict(vars(value)) for value in vars(module).values() if isinstance(value, type)]
        places += [value for value in vars(module).values() if isinstance(value, dict)]
        for place in places:
            yield from (
                (f"{module.__name__}.{key}", value) for key, value in place.items() if isinstance(value, re.Pattern)
            )
    yield "marker", import_module("tertulia._text._markers")._pattern("bot-")


def nested(tree: Any, *, inside: bool = False) -> bool:
    """Say whether an unbounded repetition stands in another."""
    for operation, argument in tree:
        if operation in REPEATS:
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


FOUND = sorted(set(patterns()), key=lambda found: found[0])


def test_they_are_found() -> None:
    assert len(FOUND) > 40


@pytest.mark.parametrize(("name", "pattern"), FOUND)
def test_no_unbounded_repetition_stands_in_another(name: str, pattern: re.Pattern[str]) -> None:
    assert not nested(parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE))


@pytest.mark.parametrize(
    "pattern", ["(a+)+", "(?:a*b?)*", "(?:x(?:a|b+)y)*", "(?=(a+)*)", "(?:a+){2,}", "(a+?)*", "(?:(?:a){0,9}b+)*"]
)
def test_the_checker_finds_a_nested_one(pattern: str) -> None:
    assert nested(parser.parse(pattern))


@pytest.mark.parametrize("pattern", ["a+b+", "(?:a{0,9})*", "(?:a+){0,9}", "[a-z]+", "(?:a|b)*"])
def test_the_checker_lets_others_pass(pattern: str) -> None:
    assert not nested(parser.parse(pattern))
