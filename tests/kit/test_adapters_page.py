"""The way that docs/adapters.md shows is gone: its code is put together as it says, and its figures are those of a run."""

import ast
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "adapters.md"
FIGURES = re.compile(r"(?:\d+ (?:failed|passed|uncovered)(?:, )?)+")
NAMES = """
import asyncio
from collections.abc import Callable
from typing import TypeVar
from tertulia import outbound
from tertulia.errors import Conflict, Denied, Error, Unavailable
from tertulia.tracker import Capability
T = TypeVar("T")
"""
CONVERSATIONS = "test_memory_conversation.py"


def blocks() -> Iterator[str]:
    """Give what is indented on the page: code, and figures one by one."""
    for indented, lines in groupby(PAGE.read_text("utf-8").splitlines(), lambda line: not line or line[:4] == "    "):
        code: list[str] = []
        for line in [line[4:] for line in lines if indented]:
            if FIGURES.fullmatch(line):
                yield "\n".join(code)
                yield line
                code = []
            else:
                code.append(line)
        if any(code):
            yield "\n".join(code)


def methods(code: str) -> dict[str, tuple[int, int]]:
    """Find the lines of each method of a class."""
    found = next(node for node in ast.parse(code).body if isinstance(node, ast.ClassDef))
    return {
        one.name: (one.lineno - 1, one.end_lineno or 0)
        for one in found.body
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def rewritten(client: str, block: str) -> str:
    """Put methods into a client: in the place of those that it has, or behind the others."""
    written = f"class New:\n{block}\n"
    for name, (first, last) in methods(written).items():
        method, lines, known = written.splitlines()[first:last], client.splitlines(), methods(client)
        behind = max(end for _, end in known.values())
        start, end = known.get(name, (behind, behind))
        client = "\n".join([*lines[:start], "", *method, *lines[end:]])
    return client


class Walk:
    """Run the tests of each state that the page leads to; each is a package of its own: modules are kept by their names."""

    def __init__(self, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capfd = folder, capfd
        self.figures: list[str] = []
        self.shown: list[list[str]] = []

    def take(self, client: str, tests: str, package: str, *options: str) -> None:
        """Write a state down, run its tests, and keep what pytest says at the end."""
        name = f"paper_{len(self.figures)}"
        (self.folder / name).mkdir()
        files = {"__init__.py": package, "_client.py": client, "test_contract.py": tests}
        for file, text in files.items():
            (self.folder / name / file).write_text(text.replace("tertulia_paper", name), "utf-8")
        quiet = ["-q", "--tb=no", "-p", "no:cacheprovider", "--import-mode=importlib", "--rootdir", str(self.folder)]
        pytest.main([*quiet, *options, str(self.folder / name / "test_contract.py")])
        lines = self.capfd.readouterr().out.splitlines()
        self.figures.append(lines[-1].partition(" in ")[0])
        self.shown = [line.split() for line in lines]


def test_the_page_leads_to_a_client_that_keeps_the_contract(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    walk, page = Walk(tmp_path, capfd), [block for block in blocks() if block.strip()]
    told = [block for block in page if FIGURES.fullmatch(block)]
    code = [block for block in page if not FIGURES.fullmatch(block)][3:]
    client, package, tests, _, post, wired, ask, repairs, declared, edit = code[:10]

    walk.take(client, tests, package)
    client = rewritten(NAMES + client, post)
    walk.take(client, tests, package)
    imported, scenery = wired.split("\n", 1)
    tests = f"{imported}\n{tests.partition('class Office')[0]}\n{scenery}"
    walk.take(client, tests, package)
    client = client.replace("self.office.wire.carry(", "ask(self.office, ")
    client = client.replace("self._writing =", "self._known = None\n        self._writing =")
    client = f"{rewritten(client, repairs)}\n{ask}"
    walk.take(client, tests, package)
    client = client.replace('    backend = "paper"', f'    backend = "paper"\n{declared}', 1)
    walk.take(client, tests, package)
    method, _, table = edit.partition("\ncapability ")
    walk.take(rewritten(client, method), tests, package)

    assert walk.figures == told[:-1]
    assert all(row.split() in walk.shown for row in table.splitlines()[1:] if row != "...")


def test_the_page_knows_how_many_tests_conversations_have(capfd: pytest.CaptureFixture[str]) -> None:
    pytest.main(
        ["-q", "--collect-only", "-p", "no:cacheprovider", str(PAGE.parents[1] / "tests" / "kit" / CONVERSATIONS)]
    )

    counted = capfd.readouterr().out.splitlines()[-1].split()[0]
    assert [*filter(FIGURES.fullmatch, blocks())][-1] == f"{counted} passed"
