"""The capability table: what was held, what was refused as it must be, and what nobody could check."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["Outcome", "Table"]

_STATES = ("passed", "failed", "known", "uncovered")
_KINDS = {"capability": ("declared", "refused"), "trait": ("there", "absent")}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Say what a test was about; it travels with the test's report, as text, from process to process.

    `about` has the capabilities and the traits that the test is about, each with what the client says of it.
    """

    contract: str
    topic: str
    test: str
    backend: str
    about: dict[str, str]
    lacking: tuple[str, ...]

    def dump(self) -> str:
        """Write it."""
        return json.dumps(asdict(self))

    @classmethod
    def load(cls, text: str) -> Outcome:
        """Read what `dump` wrote."""
        fields: dict[str, Any] = json.loads(text)
        fields["lacking"] = tuple(fields["lacking"])
        return cls(**fields)


@dataclass(slots=True)
class _Class:
    """Hold the counts of one contract class."""

    backend: str = ""
    topics: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    about: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    told: dict[str, str] = field(default_factory=dict[str, str])
    uncovered: Counter[str] = field(default_factory=Counter[str])


class Table:
    """Count outcomes by contract class, topic and capability."""

    def __init__(self) -> None:
        self._classes: dict[str, _Class] = {}

    def add(self, outcome: Outcome, result: str) -> None:
        """Count a test: `result` is passed, failed or known."""
        counted = self._classes.setdefault(outcome.contract, _Class())
        state = "uncovered" if outcome.lacking and result == "passed" else result
        counted.backend = outcome.backend
        counted.topics.setdefault(outcome.topic, Counter())[state] += 1
        for name, told in outcome.about.items():
            counted.about.setdefault(name, Counter())[state] += 1
            counted.told[name] = told
        if state == "uncovered":
            counted.uncovered[", ".join(outcome.lacking)] += 1

    def render(self) -> Iterator[tuple[str, list[str]]]:
        """Give a title and the lines for each class."""
        for name, counted in self._classes.items():
            yield f"contract: {name} ({counted.backend})", _lines(counted)


def _lines(counted: _Class) -> list[str]:
    heads = "".join(f"{state:>11}" for state in _STATES)
    lines = [f"{'topic':<26}{heads}", *(_line(topic, counts) for topic, counts in sorted(counted.topics.items()))]
    for name, known in _KINDS.items():
        rows = [(one, counts) for one, counts in sorted(counted.about.items()) if counted.told[one] in known]
        if rows:
            lines += ["", f"{name:<26}{heads}"]
            lines += [_line(f"{one:<15}{counted.told[one]}", counts) for one, counts in rows]
    total = sum(counted.topics.values(), Counter[str]())
    lines += ["", _line("all", total)]
    if counted.uncovered:
        lines += ["", "uncovered, because the handle lacks:"]
        lines += [f"  {lacking:<24}{count:>11}" for lacking, count in sorted(counted.uncovered.items())]
    return lines


def _line(name: str, counts: Counter[str]) -> str:
    return f"{name:<26}" + "".join(f"{counts[state]:>11}" for state in _STATES)
