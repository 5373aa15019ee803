"""Lines of a text, and a cursor that counts columns as CommonMark does (a tab stops at every fourth)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Cursor", "Line", "LineKind", "line_spans", "unify_lines"]

LineKind = Literal["blank", "text", "fence", "code", "html", "definition"]


@dataclass(slots=True)
class Line:
    """Describe one line: where it is, what block it belongs to, and which spans of it are invisible.

    `quoted`: inside a block quote. `in_comment`: the line begins inside an open comment. `in_code`: it begins inside a code
    span, a tag or what follows a link text.
    `note`: the label of the footnote definition the line belongs to.
    """

    start: int
    end: int
    kind: LineKind = "blank"
    quoted: bool = False
    in_comment: bool = False
    in_code: bool = False
    note: str | None = None
    hidden: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    def hide(self, start: int, end: int) -> None:
        """Note that the part of a span that lies on this line is invisible."""
        start, end = max(start, self.start), min(end, self.end)
        if start < end:
            self.hidden.append((start, end))


def unify_lines(text: str) -> str:
    """Drop a byte order mark in front and write every line end (LF, CRLF, CR, and no other) as LF."""
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def line_spans(text: str) -> Iterator[tuple[int, int]]:
    """Give start and end of every line, the line end not included."""
    start = 0
    while True:
        end = text.find("\n", start)
        if end < 0:
            yield start, len(text)
            return
        yield start, end
        start = end + 1


class Cursor:
    """Stand on a line, `pending` columns before the character at `pos` when a tab was taken in part."""

    __slots__ = ("column", "end", "pending", "pos", "text")

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text, self.pos, self.end = text, start, end
        self.column: int = 0
        self.pending: int = 0

    def look(self) -> tuple[int, int]:
        """Give the width of the white space ahead, in columns, and where the first other character is."""
        column = self.column + self.pending
        place = self.pos
        while place < self.end:
            char = self.text[place]
            if char == " ":
                column += 1
            elif char == "\t":
                column += 4 - column % 4
            else:
                break
            place += 1
        return column - self.column, place

    def take(self, columns: int) -> None:
        """Move over this many columns of white space."""
        used = min(columns, self.pending)
        self.pending -= used
        self.column += used
        columns -= used
        while columns > 0 and self.pos < self.end:
            width = 4 - self.column % 4 if self.text[self.pos] == "\t" else 1
            self.pos += 1
            self.column += min(width, columns)
            self.pending = max(width - columns, 0)
            columns -= width

    def skip(self, count: int) -> None:
        """Move over this many characters of a marker, a column for each."""
        self.column += count
        self.pos += count

    def rest(self) -> str:
        """Give what is left of the line."""
        return self.text[self.pos : self.end]
