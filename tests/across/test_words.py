"""Words that hide something: none of them in packages, none in tests."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from typing import Any

import pytest

Module = Any

SKIPS = {"skip", "skipif", "importorskip"}
BARE_IGNORE = re.compile(r"#\s*type:\s*ignore(?!\[)|#\s*noqa(?!:)|#\s*pyright:\s*ignore(?!\[)", re.IGNORECASE)


def test_nothing_is_hidden(modules: list[Module]) -> None:
    found = [f"{module}:{line}: {what}" for module in modules for line, what in hiding(module.text)]

    assert found == []


def hiding(text: str) -> Iterator[tuple[int, str]]:
    """Find what hides a gap, an error or a failing check; strings do not count."""
    for node in ast.walk(ast.parse(text)):
        if what := hidden_by(node):
            yield getattr(node, "lineno", 0), what
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and BARE_IGNORE.search(token.string):
            yield token.start[0], "a comment that silences every rule"


def hidden_by(node: ast.AST) -> str | None:
    """Say what a syntax node hides, if it does."""
    match node:
        case ast.Name(id="NotImplementedError"):
            return "NotImplementedError: raise Unsupported"
        case ast.ExceptHandler(type=None):
            return "except without a class"
        case ast.ExceptHandler(type=ast.Name(id="Exception" | "BaseException"), body=body) if is_empty(body):
            return "an error that is swallowed"
        case ast.Attribute(attr=attr, value=value) if attr in SKIPS and ast.unparse(value).startswith("pytest"):
            return "a test that may not run"
        case ast.ImportFrom(module="pytest", names=names) if SKIPS & {alias.name for alias in names}:
            return "a test that may not run"
        case ast.Call(func=ast.Name(id="suppress") | ast.Attribute(attr="suppress"), args=args) if any(
            ast.unparse(argument) in ("Exception", "BaseException") for argument in args
        ):
            return "an error that is swallowed"
    return None


def is_empty(body: list[ast.stmt]) -> bool:
    """Tell whether statements do nothing."""
    return all(isinstance(statement, ast.Pass | ast.Continue) or is_constant(statement) for statement in body)


def is_constant(statement: ast.stmt) -> bool:
    """Tell whether a statement is a lone value, such as `...`."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


@pytest.mark.parametrize(
    "text",
    [
        "raise NotImplementedError",
        "raise NotImplementedError('later')",
        "try:\n    f()\nexcept:\n    g()",
        "try:\n    f()\nexcept Exception:\n    pass",
        "try:\n    f()\nexcept BaseException as e:\n    ...",
        "for x in y:\n    try:\n        f()\n    except Exception:\n        continue",
        "with contextlib.suppress(Exception):\n    f()",
        "pytest.skip('no')",
        "@pytest.mark.skipif(True, reason='')\ndef test(): pass",
        "from pytest import importorskip",
        "x = 1  # type: ignore",
        "x = 1  # noqa",
    ],
)
def test_the_checker_finds_it(text: str) -> None:
    assert len(list(hiding(text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "x = 'raise NotImplementedError  # type: ignore'",
        "try:\n    f()\nexcept ValueError:\n    pass",
        "try:\n    f()\nexcept Exception as e:\n    log(e)",
        "x = 1  # type: ignore[assignment]",
        "x = 1  # noqa: E501",
        "text.skip(3)",
    ],
)
def test_the_checker_lets_honest_code_pass(text: str) -> None:
    assert list(hiding(text)) == []
