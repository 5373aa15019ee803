"""The pytest plugin: no skips, strict known failures, and the capability table at the end."""

from __future__ import annotations

import functools
from collections.abc import Generator, Sequence
from typing import Any

import pytest

from tertulia_contract._contract import Contract
from tertulia_contract._table import Outcome, Table

__all__ = [
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_report_teststatus",
    "pytest_runtest_call",
    "pytest_runtest_makereport",
]

_MARKERS = (
    "contract_needs(*abilities): the test needs a handle with these abilities.",
    "contract_capability(name): the test is about an optional operation; undeclared, it must be refused.",
    "contract_trait(name): the test is about what not every backend has; undeclared, none may be met.",
)
_PROPERTY = "tertulia-contract"


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers and the table."""
    for marker in _MARKERS:
        config.addinivalue_line("markers", marker)
    config.pluginmanager.register(_Reporter(), "tertulia-contract-table")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Expect the known failures to fail: strictly, so that a repaired one is told."""
    for item in items:
        if (link := _known(item)) is not None:
            item.add_marker(pytest.mark.xfail(reason=link, strict=True))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Note what the test is about; do not run one that the handle cannot set up."""
    cls = _contract(item)
    if cls is None or not isinstance(item, pytest.Function):
        return
    client, backend = item.funcargs.get("client"), item.funcargs.get("backend")
    about = _about(item, client)
    needed = {ability for mark in item.iter_markers("contract_needs") for ability in mark.args}
    lacking = (
        () if {"refused", "absent"} & {*about.values()} else sorted(needed.difference(getattr(backend, "can", ())))
    )
    outcome = Outcome(
        contract=cls.__name__,
        topic=_topic(cls, _name(item)),
        test=item.name,
        backend=str(getattr(client, "backend", "")),
        about=about,
        lacking=tuple(str(ability) for ability in lacking),
    )
    item.user_properties.append((_PROPERTY, outcome.dump()))
    if lacking:
        item.obj = functools.partial(_missed, lacking) if cls.complete else _nothing


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Make a failure of a contract test that was skipped."""
    report = yield
    expected = hasattr(report, "wasxfail") and _known(item) is not None
    if report.skipped and _contract(item) is not None and not expected:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"a contract test is never skipped: {reason}\nList it in known_failures with an issue."
        if hasattr(report, "wasxfail"):
            del report.wasxfail
    return report


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
    """Tell a test that was not run, because the handle cannot, from one that passed."""
    outcome = _outcome(report)
    if report.when == "call" and report.passed and outcome is not None and outcome.lacking:
        return "uncovered", "u", ("UNCOVERED", {"yellow": True})
    return None


class _Reporter:
    """Collect what became of the contract tests, and print it."""

    def __init__(self) -> None:
        self.table = Table()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a report."""
        outcome = _outcome(report)
        if outcome is not None and (report.when == "call" or report.failed):
            known = hasattr(report, "wasxfail") and report.skipped
            self.table.add(outcome, "known" if known else report.outcome)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the table of each contract class."""
        for title, lines in self.table.render():
            terminalreporter.section(title)
            for line in lines:
                terminalreporter.line(line)


def _contract(item: pytest.Item) -> type[Contract] | None:
    """Give the class whose contract test it is."""
    cls = getattr(item, "cls", None)
    if isinstance(cls, type) and issubclass(cls, Contract) and _name(item) in cls.contract_tests:
        return cls
    return None


def _name(item: pytest.Item) -> str:
    return str(getattr(item, "originalname", None) or item.name)


def _known(item: pytest.Item) -> str | None:
    cls = _contract(item)
    return cls.known_failures.get(_name(item)) if cls is not None else None


def _about(item: pytest.Function, client: object) -> dict[str, str]:
    """Name the capabilities and traits that a test is about, with what the client says of each."""
    parameters: dict[str, Any] = getattr(getattr(item, "callspec", None), "params", {})
    capabilities = [
        *_marked(item, "contract_capability"),
        *(str(parameters[key]) for key in parameters if key == "capability"),
    ]
    can, has = getattr(client, "capabilities", ()), getattr(client, "traits", ())
    told = {name: "declared" if name in can else "refused" for name in capabilities}
    return told | {name: "there" if name in has else "absent" for name in _marked(item, "contract_trait")}


def _marked(item: pytest.Function, marker: str) -> list[str]:
    return [str(mark.args[0]) for mark in item.iter_markers(marker)]


def _topic(cls: type[Contract], test: str) -> str:
    owner = next(base for base in cls.__mro__ if test in vars(base))
    return owner.__module__.rpartition(".")[2]


def _outcome(report: pytest.TestReport) -> Outcome | None:
    texts = [value for name, value in getattr(report, "user_properties", ()) if name == _PROPERTY]
    return Outcome.load(str(texts[-1])) if texts else None


def _nothing(**fixtures: object) -> None:
    """Stand for a test that cannot be set up."""


def _missed(lacking: Sequence[str], **fixtures: object) -> None:
    """Fail for a test that cannot be set up."""
    pytest.fail(f"the class says that it is complete, and its handle lacks {', '.join(lacking)}", pytrace=False)
