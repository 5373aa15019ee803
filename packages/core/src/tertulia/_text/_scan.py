"""The scanner's answer: lines with their visible text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tertulia._text._blocks import Blocks
from tertulia._text._hidden import Hidden
from tertulia._text._lines import Line, unify_lines

__all__ = ["Scan", "scan"]


@dataclass(frozen=True, slots=True)
class Scan:
    """Hold a text with unified line ends, its lines, and how many things in it are invisible.

    `cut_short`: a comment ended only because the quote around it did; a site may hide more than that.
    """

    text: str
    lines: tuple[Line, ...]
    hidden: int
    cut_short: bool

    def raw(self, line: Line) -> str:
        """Give a line as written."""
        return self.text[line.start : line.end]

    def visible(self, line: Line) -> str:
        """Give what a reader sees of a line."""
        if not line.hidden:
            return self.text[line.start : line.end]
        parts: list[str] = []
        place = line.start
        for start, end in line.hidden:
            parts.append(self.text[place:start])
            place = max(place, end)
        parts.append(self.text[place : line.end])
        return "".join(parts)

    def spoken(self) -> Iterator[tuple[Line, str]]:
        """Give the lines that can carry a command, with their visible text: no quote, fence, code, definition."""
        for line in self.lines:
            if line.kind in ("text", "html") and not line.quoted:
                yield line, self.visible(line)


def scan(body: str) -> Scan:
    """Read a text once."""
    text = unify_lines(body)
    blocks = Blocks(text)
    hidden = Hidden(blocks)
    count = hidden.count + _hide_definitions(blocks, hidden.used)
    return Scan(text, tuple(blocks.lines), count, hidden.cut_short)


def _hide_definitions(blocks: Blocks, used: set[str]) -> int:
    """Hide the definitions no visible text uses, repeated ones too, and footnotes nobody refers to."""
    count = 0
    known: set[str] = set()
    for label, first, last in blocks.definitions:
        if label not in used or label in known:
            count += 1
            for line in blocks.lines[first : last + 1]:
                _hide_whole(line)
        known.add(label)
    notes = {line.note for line in blocks.lines if line.note is not None and line.note not in used}
    for line in blocks.lines:
        if line.note in notes:
            _hide_whole(line)
    return count + len(notes)


def _hide_whole(line: Line) -> None:
    line.hidden = [(line.start, line.end)] if line.end > line.start else []
