"""The kit finds those who do not keep the contract, each in the tests that are about it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

LIARS = sorted(path for path in (Path(__file__).parent / "liars").glob("*.py") if path.name != "conftest.py")


class Outcomes:
    """Collect which tests failed, and which were said to."""

    def __init__(self) -> None:
        self.failed: set[str] = set()
        self.passed = 0
        self.expected: set[str] = set()

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Read what a liar says of itself; of what it need not fear, one set of parameters is enough."""
        self.expected = set(items[0].module.FAILS)
        seen: set[str] = set()
        kept = []
        for item in items:
            if item.originalname not in seen or item.originalname in self.expected:
                kept.append(item)
            seen.add(item.originalname)
        items[:] = kept

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a test."""
        if report.failed:
            self.failed.add(report.nodeid.rpartition("::")[2].partition("[")[0])
        self.passed += report.when == "call" and report.passed


@pytest.fixture(autouse=True)
def quiet(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Keep the report of the run within the run."""
    yield
    capfd.readouterr()


def test_there_are_liars() -> None:
    assert len(LIARS) >= 28


@pytest.mark.parametrize("path", LIARS, ids=[path.stem for path in LIARS])
def test_a_liar_is_found(path: Path, tmp_path: Path) -> None:
    outcomes = Outcomes()

    status = pytest.main(["-q", "--tb=no", "-o", f"cache_dir={tmp_path}", str(path)], plugins=[outcomes])

    assert status is pytest.ExitCode.TESTS_FAILED
    assert outcomes.failed == outcomes.expected
    assert outcomes.passed > 100
