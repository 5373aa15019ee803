"""The kit finds those who do not keep the contract, each in the tests that are about it."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

LIARS = sorted(path for path in (Path(__file__).parent / "liars").glob("*.py") if path.name != "conftest.py")


class Outcomes:
    """Collect for each liar which tests failed, how many passed, and which were said to fail."""

    def __init__(self) -> None:
        self.failed: defaultdict[str, set[str]] = defaultdict(set)
        self.passed: Counter[str] = Counter()
        self.expected: dict[str, set[str]] = {}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Read what a liar says of itself; of what it need not fear, one set of parameters is enough."""
        seen: set[tuple[str, str]] = set()
        kept = []
        for item in items:
            self.expected[item.path.stem] = set(item.module.FAILS)
            test = (item.path.stem, item.originalname)
            if test not in seen or item.originalname in item.module.FAILS:
                kept.append(item)
            seen.add(test)
        items[:] = kept

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a test."""
        path, _, test = report.nodeid.partition("::")
        liar = Path(path).stem
        if report.failed:
            self.failed[liar].add(test.rpartition("::")[2].partition("[")[0])
        self.passed[liar] += report.when == "call" and report.passed


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Outcomes:
    """Run the liars that are asked for, all in one session."""
    items = [item for item in request.session.items if isinstance(item, pytest.Function) and item.path == request.path]
    asked = [str(item.callspec.params["path"]) for item in items if hasattr(item, "callspec")]
    found = Outcomes()
    cache = tmp_path_factory.mktemp("cache")
    pytest.main(["-q", "--tb=no", "-o", f"cache_dir={cache}", *asked], plugins=[found])
    return found


def test_there_are_liars() -> None:
    assert len(LIARS) >= 37


@pytest.mark.parametrize("path", LIARS, ids=[path.stem for path in LIARS])
def test_a_liar_is_found(path: Path, outcomes: Outcomes) -> None:
    assert outcomes.failed[path.stem] == outcomes.expected[path.stem]
    assert outcomes.failed[path.stem]
    assert outcomes.passed[path.stem] > 100
