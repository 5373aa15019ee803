"""Markers: the exact ASCII comment, alone on a line, that tells an agent's output from the engine's notices."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from tertulia._text._lines import Line
from tertulia._text._scan import Scan, scan

__all__ = ["BodyMarker", "find_marker"]

_KEY_LINE = re.compile(r"<!-- tertulia key=([0-9a-f]{32}) -->")
_STATE_LINE = re.compile(r"<!-- workflow-state [ -~]*-->")


@dataclass(frozen=True, slots=True)
class BodyMarker:
    """Hold the first marker line of a body; `own_lines` are the lines the host itself writes around an answer."""

    kind: Literal["agent", "engine", "unknown"]
    name: str
    own_lines: frozenset[int] = frozenset()


@lru_cache(maxsize=8)
def _pattern(prefix: str) -> re.Pattern[str]:
    return re.compile(rf" {{0,3}}<!-- {re.escape(prefix)}([a-z0-9][a-z0-9-]{{0,80}}) -->[ \t]*")


def find_marker(body: str, prefix: str = "bot-", scanned: Scan | None = None) -> BodyMarker | None:
    """Find the first marker line; quoted, fenced, indented and commented-out ones do not count."""
    if f"<!-- {prefix}" not in body:
        return None
    seen = scanned or scan(body)
    pattern = _pattern(prefix)
    for number, line in enumerate(seen.lines):
        found = pattern.fullmatch(seen.raw(line)) if _stands_free(line) else None
        if found is not None:
            kind, name = _kind(found.group(1))
            return BodyMarker(kind, name, _own_lines(seen, number))
    return None


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


def _own_lines(seen: Scan, first: int) -> frozenset[int]:
    """Give the host's own lines: the marker on the first line, a key or state on the last one that says something."""
    own: set[int] = {first} if first == 0 else set()
    last = len(seen.lines) - 1
    while last > 0 and not seen.raw(seen.lines[last]).strip():
        last -= 1
    line = seen.lines[last]
    raw = seen.raw(line)
    if last != first and _stands_free(line) and (_KEY_LINE.fullmatch(raw) or _STATE_LINE.fullmatch(raw)):
        own.add(last)
    return frozenset(own)
