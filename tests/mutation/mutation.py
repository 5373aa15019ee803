"""Break the ledger, the grammar and the scanner on purpose, in one place at a time, and see whether a test notices.

    python tests/mutation/mutation.py [MODULE ...]

MODULE is `ledger/_header`, or `ledger` for all in it; without one everything is mutated. mutmut makes the mutants and
runs the tests that reach them. A mutant that no test notices must stand in `survivors.txt` with the reason, and what
stands there must survive: otherwise the difference is printed as it would be written there, and the exit code is 1.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

__all__ = ["TARGETS", "Mutant", "main", "plain_lines", "read_survivors"]

ROOT = Path(__file__).parents[2]
CORE = ROOT / "packages" / "core"
WORK = ROOT / ".cache" / "mutation"
SURVIVORS = Path(__file__).parent / "survivors.txt"

TARGETS = {
    "reading": ("event/_grammar _text/_lines _text/_markers _text/_scan _text/_table", "text event"),
    "trust": (
        "ledger/_accounts ledger/_classify ledger/_edits ledger/_trigger ledger/_trust",
        "anchor edits findings markers options reconcile tombstones trigger trust",
    ),
    "records": (
        "ledger/_context ledger/_models ledger/_reconcile ledger/_vanished",
        "digests edits findings options reconcile records schemas tombstones trust window",
    ),
    "rendering": (
        "ledger/_body ledger/_header ledger/_render ledger/_unverified ledger/_window",
        "fence findings header hidden render scope unverified window",
    ),
    "saved": ("ledger/_item ledger/_saving ledger/_snapshot", "item schemas snapshot* trigger"),
    "live": ("ledger/_attempts ledger/_comment_store ledger/_read ledger/_scope ledger/_sqlite", "live run scope"),
    "state": (
        "ledger/_block ledger/_build ledger/_carried ledger/_codec ledger/_columns ledger/_history ledger/_letter "
        "ledger/_looking ledger/_merge ledger/_seal ledger/_size ledger/_state",
        "block build carried codec columns digests history letter looking merge schemas seal size",
    ),
    "report": (
        "ledger/report/_drawing ledger/report/_html ledger/report/_markdown ledger/report/_report ledger/report/_rows",
        "report*",
    ),
}
"""By topic: which modules are mutated, and which tests of the core must notice (a folder, or `ledger/test_NAME.py`)."""

LOOKS = ("ledger/report/_drawing", "ledger/report/_html", "ledger/report/_markdown")
"""What lays out for people: a word of theirs that is spelled in another way is no mutant."""

SETTINGS = """
[mutmut]
source_paths = src/tertulia
also_copy = src/tertulia
only_mutate =
{modules}
pytest_add_cli_args_test_selection =
{tests}

[tool:pytest]
addopts = --import-mode=importlib -p no:cacheprovider -m "not hypothesis"
faulthandler_timeout = 30
faulthandler_exit_on_timeout = true
"""
"""Property tests take seconds for each mutant that survives. A test that takes 30 seconds fails: the mutant loops."""

_NOTICED = ("killed", "timeout", "segfault")
_COPY = re.compile(r"(?:x_|xǁ(?P<owner>\w+)ǁ)(?P<name>\w+)__mutmut_(?:orig|\d+)")


class Mutant(NamedTuple):
    """Name a mutant by what it changes, so that it keeps its name when lines move."""

    function: str
    before: str
    after: str

    @property
    def is_spelling(self) -> bool:
        """Tell whether a text is written in another case, or with the XX that mutmut puts around it."""
        return self.after.replace("XX", "").lower() == self.before.lower()


def main(wanted: list[str]) -> int:
    """Mutate what is wanted, print what differs from the list, and give the exit code."""
    statuses: dict[str, str] = {}
    survivors: set[Mutant] = set()
    WORK.mkdir(parents=True, exist_ok=True)
    for topic, (targets, tests) in TARGETS.items():
        modules = [module for module in targets.split() if _is_wanted(module, wanted)]
        if modules:
            with TemporaryDirectory(prefix=f"{topic}-", dir=WORK) as folder:
                made = _mutate(Path(folder), modules, tests.split())
                statuses |= made
                survivors |= set(_survivors(Path(folder), made))
    listed = {mutant for mutant in read_survivors(SURVIVORS.read_text("utf-8")) if _is_wanted(mutant.function, wanted)}
    _print("No test notices, and the list does not have:", survivors - listed)
    _print("The list has, but a test notices or nothing changes so any more:", listed - survivors)
    noticed = sum(status in _NOTICED for status in statuses.values())
    print(f"{len(statuses)} mutants, {noticed} noticed; the others are {len(survivors)} different changes")
    return 0 if statuses and survivors == listed else 1


def read_survivors(text: str) -> dict[Mutant, str]:
    """Read the list: a function, then lines as they are (`-`), as they may become (`+`), and why that is the same (`=`)."""
    listed: dict[Mutant, str] = {}
    function = before = ""
    afters: list[str] = []
    for line in text.splitlines():
        mark, rest = line[:1], line[2:]
        if mark == "-":
            before, afters = rest, []
        elif mark == "+":
            afters.append(rest)
        elif mark == "=":
            listed |= {Mutant(function, before, after): rest for after in afters}
            afters = []
        elif mark not in ("", "#"):
            function = line
    return listed


def plain_lines(source: str) -> dict[str, list[str]]:
    """Give the lines of each function and method, without indents; a method is `Class.name`."""
    lines = source.splitlines()
    found: dict[str, list[str]] = {}
    module = ast.parse(source)
    owners: list[ast.Module | ast.ClassDef] = [
        module,
        *(node for node in module.body if isinstance(node, ast.ClassDef)),
    ]
    for owner in owners:
        for node in owner.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                name = f"{owner.name}.{node.name}" if isinstance(owner, ast.ClassDef) else node.name
                found[name] = [line.strip() for line in lines[node.lineno - 1 : node.end_lineno]]
    return found


def _is_wanted(name: str, wanted: list[str]) -> bool:
    return not wanted or any(name == one or name.startswith((f"{one}/", f"{one} ")) for one in wanted)


def _mutate(home: Path, modules: list[str], tests: Iterable[str]) -> dict[str, str]:
    """Run mutmut in a folder of its own; give the status of each mutant."""
    for folder in ("src", "tests"):
        shutil.copytree(CORE / folder, home / folder, ignore=shutil.ignore_patterns("__pycache__"))
    paths = (f"src/tertulia/{module}.py" for module in modules)
    settings = SETTINGS.format(modules=_indented(paths), tests=_indented(_places(home, tests)))
    (home / "setup.cfg").write_text(settings, "utf-8")
    mutated = home / "mutants" / "src"
    mutated.mkdir(parents=True)
    environment = os.environ | {"PYTHONPATH": str(mutated)}  # for tests that start processes
    run = [sys.executable, "-m", "mutmut", "run", "--max-children", str(os.cpu_count())]
    done = subprocess.run(run, cwd=home, env=environment, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        sys.exit(f"{done.stdout[-4_000:]}{done.stderr}\nmutmut could not run the tests of {', '.join(modules)}")
    show = [sys.executable, "-m", "mutmut", "results", "--all", "true"]
    told = subprocess.run(show, cwd=home, capture_output=True, encoding="utf-8", check=True).stdout
    pairs = (line.strip().rpartition(": ") for line in told.splitlines())
    return {name: status for name, _, status in pairs if name}


def _places(home: Path, tests: Iterable[str]) -> Iterator[str]:
    """Find the folders and files of tests, from `home`."""
    for name in tests:
        folder = home / "tests" / name
        for place in [folder] if folder.is_dir() else sorted((home / "tests" / "ledger").glob(f"test_{name}.py")):
            yield place.relative_to(home).as_posix()


def _indented(lines: Iterable[str]) -> str:
    return "\n".join(f"    {line}" for line in lines)


def _survivors(home: Path, statuses: dict[str, str]) -> Iterator[Mutant]:
    """Say what each survivor changes: mutmut writes a copy of the function for each, and keeps the original."""
    alive: dict[str, list[str]] = {}
    for mutant, status in statuses.items():
        if status not in _NOTICED:
            module, _, copy = mutant.rpartition(".")
            alive.setdefault(module, []).append(copy)
    for module, copies in alive.items():
        path = Path(*module.split("."))
        found = plain_lines((home / "mutants" / "src" / path).with_suffix(".py").read_text("utf-8"))
        bodies = {name.rpartition(".")[2]: lines for name, lines in found.items()}
        for copy in copies:
            function = _function(copy)
            original = f"{copy.rpartition('_')[0]}_orig"
            before, after = (
                [line.replace(name, function.rpartition(".")[2]) for line in bodies[name]] for name in (original, copy)
            )
            name = path.relative_to("tertulia").as_posix()
            mutant = Mutant(f"{name} {function}", *_difference(before, after))
            if name not in LOOKS or not mutant.is_spelling:
                yield mutant


def _function(copy: str) -> str:
    """Name the function a copy was made of."""
    found = _COPY.fullmatch(copy)
    if found is None:
        raise ValueError(f"not a name that mutmut gives: {copy}")
    return f"{found['owner']}.{found['name']}" if found["owner"] else found["name"]


def _difference(before: list[str], after: list[str]) -> tuple[str, str]:
    """Give the lines from the first to the last that differ, joined."""
    codes = [code for code in SequenceMatcher(None, before, after, autojunk=False).get_opcodes() if code[0] != "equal"]
    _, start, _, other_start, _ = codes[0]
    _, _, end, _, other_end = codes[-1]
    return " ".join(before[start:end]), " ".join(after[other_start:other_end])


def _print(title: str, mutants: set[Mutant]) -> None:
    """Print mutants as they stand in the list."""
    if mutants:
        print(f"# {title}")
    function = before = ""
    for mutant in sorted(mutants):
        if mutant.function != function:
            print(f"\n{mutant.function}")
        if mutant[:2] != (function, before):
            print(f"- {mutant.before}")
        print(f"+ {mutant.after}".rstrip())
        function, before = mutant[:2]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
