"""Markers: the exact ASCII comment, alone on a line, that tells an agent's output from the engine's notices."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from tertulia._text._lines import Line, unify_lines
from tertulia._text._scan import Scan, scan

__all__ = ["BodyMarker", "find_marker", "own_lines"]

_KEY_LINE = re.compile(r"<!-- tertulia key=([0-9a-f]{32})(?: rev=[1-9][0-9]{0,15})? -->")
_STATE_LINE = re.compile(r"<!-- workflow-state [ -~]*-->")
_OPENINGS = ("<", "```", "~~~", "]:")
"""Without one of these nothing begins that a line at the margin could be part of."""


@dataclass(frozen=True, slots=True)
class BodyMarker:
    """Hold the first marker line of a body; `line` is its number."""

    kind: Literal["agent", "engine", "unknown"]
    name: str
    line: int = 0


@lru_cache(maxsize=8)
def _pattern(prefix: str) -> re.Pattern[str]:
    return re.compile(rf" {{0,3}}<!-- {re.escape(prefix)}([a-z0-9][a-z0-9-]{{0,80}}) -->[ \t]*")


def find_marker(body: str, prefix: str = "bot-", scanned: Scan | None = None) -> BodyMarker | None:
    """Find the first marker line; quoted, fenced, indented and commented-out ones do not count."""
    if f"<!-- {prefix}" not in body:
        return None
    pattern = _pattern(prefix)
    if scanned is None:
        first = pattern.fullmatch(unify_lines(body).partition("\n")[0])
        if first is not None:
            return BodyMarker(*_kind(first.group(1)))
        scanned = scan(body)
    for number, line in enumerate(scanned.lines):
        found = pattern.fullmatch(scanned.raw(line)) if _stands_free(line) else None
        if found is not None:
            return BodyMarker(*_kind(found.group(1)), number)
    return None


def own_lines(body: str, marker: BodyMarker, scanned: Scan | None = None) -> frozenset[int]:
    """Give the host's own lines: the marker on the first line, a key or state on the last one that says something."""
    own = frozenset({0}) if marker.line == 0 else frozenset[int]()
    lines = unify_lines(body).split("\n")
    last = len(lines) - 1
    while last > 0 and not lines[last].strip():
        last -= 1
    if last == marker.line or not (_KEY_LINE.fullmatch(lines[last]) or _STATE_LINE.fullmatch(lines[last])):
        return own
    if scanned is None:
        between = "\n".join(lines[1:last])
        if marker.line == 0 and not any(opening in between for opening in _OPENINGS):
            return own | {last}
        scanned = scan(body)
    return own | {last} if _stands_free(scanned.lines[last]) else own


def _stands_free(line: Line) -> bool:
    return line.kind == "html" and not line.quoted and not line.in_comment and line.note is None


def _kind(word: str) -> tuple[Literal["agent", "engine", "unknown"], str]:
    if word == "workflow-terminal":
        return "engine", word
    for kind in ("agent", "engine"):
        name = word.removeprefix(f"{kind}-")
        if name != word and 0 < len(name) <= 63 and name[0] != "-":
            return ("agent", name) if kind == "agent" else ("engine", name)
    return "unknown", word
