"""The list of mutants that no test notices keeps to the code, and says why of each."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def mutation(root: Path) -> ModuleType:
    """Load what `nox -s mutation` runs."""
    spec = importlib.util.spec_from_file_location("mutation", root / "tests" / "mutation" / "mutation.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def _elsewhere(mutation: ModuleType, listed: str, source: Path) -> Iterator[str]:
    """Name the functions that are not there, or have no such lines."""
    for function, before, _ in mutation.read_survivors(listed):
        module, _, name = function.partition(" ")
        path = source / f"{module}.py"
        lines = mutation.plain_lines(path.read_text("utf-8")).get(name, []) if path.exists() else []
        if not lines or before not in " ".join(lines):
            yield function


def test_every_module_of_the_ledger_is_mutated(mutation: ModuleType, root: Path) -> None:
    source = root / "packages" / "core" / "src" / "tertulia"
    paths = (path for path in source.glob("ledger/**/*.py") if path.name != "__init__.py")
    modules = {path.relative_to(source).with_suffix("").as_posix() for path in paths}
    mutated = {module for targets, _ in mutation.TARGETS.values() for module in targets.split()}

    assert modules == {module for module in mutated if module.startswith("ledger/")}


def test_what_is_listed_stands_in_the_function_it_names(mutation: ModuleType, root: Path) -> None:
    listed = mutation.SURVIVORS.read_text("utf-8")

    assert list(_elsewhere(mutation, listed, root / "packages" / "core" / "src" / "tertulia")) == []


def test_each_has_a_reason(mutation: ModuleType) -> None:
    reasons = mutation.read_survivors(mutation.SURVIVORS.read_text("utf-8"))

    assert reasons
    assert [mutant for mutant, reason in reasons.items() if len(reason) < 10] == []


def test_a_mutant_is_known_by_function_line_and_change(mutation: ModuleType) -> None:
    text = "# why\n\na/_b C.d\n- x = 1\n+ x = 2\n+\n= no matter\n- y\n+ z\n= nor this\n\na/_b e\n- y\n+ z\n= nor that\n"

    assert mutation.read_survivors(text) == {
        ("a/_b C.d", "x = 1", "x = 2"): "no matter",
        ("a/_b C.d", "x = 1", ""): "no matter",
        ("a/_b C.d", "y", "z"): "nor this",
        ("a/_b e", "y", "z"): "nor that",
    }


@pytest.mark.parametrize("after", ['f("XXNo, xXX")', 'f("NO, X")', 'f("no, x")'])
def test_another_spelling_is_told_from_another_call(mutation: ModuleType, after: str) -> None:
    before = 'f("No, x")'

    assert mutation.Mutant("a/_b c", before, after).is_spelling
    assert not mutation.Mutant("a/_b c", before, "f(None)").is_spelling
    assert not mutation.Mutant("a/_b c", before, 'g("No, x")').is_spelling


def test_the_check_finds_lines_that_are_gone(mutation: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "_a.py").write_text(
        "class C:\n    async def d(self) -> int:\n        x = [\n            1,\n        ]\n"
    )
    gone = "- x\n+ y\n= gone\n"
    listed = f"_a C.d\n- x = [ 1,\n+ x = [ 2,\n= no matter\n- x = 3\n+ x = 2\n= gone\n_a d\n{gone}_b d\n{gone}"

    assert list(_elsewhere(mutation, listed, tmp_path)) == ["_a C.d", "_a d", "_b d"]
