"""One pass over the lines of a text: which block each belongs to, and which text is read together.

Follows CommonMark's block structure (containers, paragraphs with lazy continuation, fences, indented code, HTML blocks)
with GitHub's tables and footnotes. What is invisible changes nothing here: a comment that never ends hides what follows
it, but what follows keeps its structure, because that is how a site reads it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from tertulia._text._html import HtmlKind, block_start, closes_block, declaration_closer
from tertulia._text._lines import Cursor, Line, line_spans
from tertulia._text._references import fold_label, read_definition
from tertulia._text._starts import FENCE, HEADING, NOTE, UNDERLINE, is_break, item_marker, starts_block
from tertulia._text._table import cell_spans, is_delimiter_row, same_cells

__all__ = ["Blocks", "Segment"]

_MAX_DEPTH = 100

_Leaf = Literal["", "paragraph", "table", "fence", "html"]


@dataclass(frozen=True, slots=True)
class Segment:
    """Name text that is read together: what stands in a paragraph, a heading, a cell (`inline`), in an HTML block (`html`).

    `other` text holds nothing that could be read. `parts` are line numbers with start and end, in order; `quotes` the
    numbers of the quotes around it. `sure`: every site begins it here. `bare`: a site may write no tag before it.
    """

    kind: Literal["inline", "html", "other"]
    quotes: tuple[int, ...]
    parts: list[tuple[int, int, int]]
    sure: bool = True
    bare: bool = False


class _Container:
    """A block quote, a list item or a footnote: what its lines must begin with."""

    __slots__ = ("empty", "kind", "label", "number", "offset")

    def __init__(self, kind: Literal["quote", "item", "note"], number: int = 0, label: str | None = None) -> None:
        self.kind, self.number, self.label = kind, number, label
        self.offset = 0
        self.empty = False


class Blocks:
    """Read a text (line ends unified) into lines and segments.

    `definitions` are label, first and last line of each reference definition.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines: list[Line] = []
        self.segments: list[Segment] = []
        self.definitions: list[tuple[str, int, int]] = []
        self._stack: list[_Container] = []
        self._opened = 0
        self._notes: set[str] = set()
        self._quotes: tuple[int, ...] = ()
        self._note: str | None = None
        self._leaf: _Leaf = ""
        self._fence = ("", 0)
        self._html: tuple[HtmlKind, str] = ("tag", "")
        self._paragraph: list[tuple[int, int]] = []
        self._mismatch = False
        for start, end in line_spans(text):
            self._read_line(Line(start, end))
        self._close_paragraph()

    def _read_line(self, line: Line) -> None:
        self.lines.append(line)
        cursor = Cursor(self.text, line.start, line.end)
        matched = self._match(cursor)
        if self._leaf == "paragraph":
            self._go_on_in_paragraph(line, cursor, matched)
        elif self._leaf == "table":
            self._go_on_in_table(line, cursor, matched)
        elif self._leaf and matched < len(self._stack):
            self._leaf = ""
            self._read_blocks(line, cursor, matched)
        elif self._leaf == "html":
            self._read_html(line, cursor)
        elif self._leaf == "fence":
            self._read_fence(line, cursor)
        else:
            self._read_blocks(line, cursor, matched)
        line.quoted, line.note = bool(self._quotes), self._note

    def _match(self, cursor: Cursor) -> int:
        """Move over the beginnings of as many open containers as the line has; give how many."""
        for count, container in enumerate(self._stack):
            width, place = cursor.look()
            if container.kind == "quote":
                if width > 3 or place >= cursor.end or self.text[place] != ">":
                    return count
                _take_quote(cursor, width)
            elif width >= container.offset:
                cursor.take(container.offset)
            elif place < cursor.end or container.empty:
                return count
        return len(self._stack)

    def _add(self, kind: Literal["inline", "html", "other"], line: Line, start: int) -> None:
        """Note a segment that is one line, from `start` on."""
        self.segments.append(Segment(kind, self._quotes, [(len(self.lines) - 1, start, line.end)]))

    # Paragraphs and tables

    def _go_on_in_paragraph(self, line: Line, cursor: Cursor, matched: int) -> None:
        """Read a line behind a paragraph: more of it (lazily, when not all containers match), or what ends it."""
        width, place = cursor.look()
        rest = self.text[place : cursor.end]
        whole = matched == len(self._stack)
        if rest and whole and width <= 3 and UNDERLINE.match(rest):
            if self._close_paragraph():
                line.kind = "text"
                self._add("other", line, place)
                return
        elif rest and (width > 3 or not starts_block(rest, in_paragraph=whole)):
            if whole and width <= 3 and self._begins_table(rest):
                self._open_table(line, place)
            else:
                self._add_to_paragraph(line, place)
            return
        self._close_paragraph()
        self._read_blocks(line, cursor, matched)

    def _begins_table(self, rest: str) -> bool:
        """Say whether a line begins a table with the one before it; once it did not fit, the paragraph holds none."""
        if self._mismatch or not is_delimiter_row(rest):
            return False
        number, start = self._paragraph[-1]
        self._mismatch = not same_cells(self.text[start : self.lines[number].end], rest)
        return not self._mismatch

    def _add_to_paragraph(self, line: Line, place: int) -> None:
        line.kind = "text"
        self._leaf = "paragraph"
        self._paragraph.append((len(self.lines) - 1, place))

    def _close_paragraph(self) -> bool:
        """End the open paragraph; say whether it held more than definitions."""
        pieces, self._paragraph = self._paragraph, []
        taken, sure = self._take_definitions(pieces)
        sure = sure and not self._mismatch
        self._leaf, self._mismatch = "", False
        parts = [(number, place, self.lines[number].end) for number, place in pieces]
        self.segments += [Segment("other", self._quotes, [part]) for part in parts[:taken]]
        if taken < len(parts):
            bare = bool(self._stack) and self._stack[-1].kind == "item"
            self.segments.append(Segment("inline", self._quotes, parts[taken:], sure, bare))
        return taken < len(parts)

    def _take_definitions(self, pieces: list[tuple[int, int]]) -> tuple[int, bool]:
        """Take the definitions a paragraph begins with; give how many lines they are, and whether every site sees them."""
        if not pieces or self.text[pieces[0][1]] != "[":
            return 0, True
        joined = "\n".join(self.text[place : self.lines[number].end] for number, place in pieces)
        begin, taken, sure = 0, 0, True
        while begin < len(joined):
            definition = read_definition(joined, begin)
            if definition is None:
                break
            count = joined.count("\n", begin, definition.end) + 1
            first, last = pieces[taken][0], pieces[taken + count - 1][0]
            self.definitions.append((definition.label, first, last))
            for number in range(first, last + 1):
                self.lines[number].kind = "definition"
            taken += count
            sure = sure and definition.sure
            begin = definition.end + 1
        return taken, sure

    def _open_table(self, line: Line, place: int) -> None:
        number, start = self._paragraph.pop()
        self._close_paragraph()
        self._leaf = "table"
        self._add_row(number, start)
        self._read_row(line, place)

    def _read_row(self, line: Line, place: int) -> None:
        line.kind = "text"
        self._add_row(len(self.lines) - 1, place)

    def _add_row(self, number: int, place: int) -> None:
        for start, end in cell_spans(self.text, place, self.lines[number].end):
            self.segments.append(Segment("inline", self._quotes, [(number, start, end)]))

    def _go_on_in_table(self, line: Line, cursor: Cursor, matched: int) -> None:
        """Read a line behind a table row: another row, unless it could be anything else."""
        width, place = cursor.look()
        rest = self.text[place : cursor.end]
        if rest and width <= 3 and matched == len(self._stack) and not starts_block(rest, in_paragraph=False):
            self._read_row(line, place)
        else:
            self._leaf = ""
            self._read_blocks(line, cursor, matched)

    # Containers

    def _read_blocks(self, line: Line, cursor: Cursor, matched: int) -> None:
        """Read a line on which no leaf goes on."""
        if matched < len(self._stack):
            del self._stack[matched:]
            self._look_around()
        while self._open_container(cursor):
            pass
        if matched < len(self._stack):
            self._look_around()
        width, place = cursor.look()
        if place >= cursor.end:
            self._add("other", line, cursor.pos)
            return
        self._fill()
        if width > 3:
            line.kind = "code"
            self._add("other", line, cursor.pos)
        else:
            self._open_leaf(line, place)

    def _enter(self, container: _Container) -> None:
        self._fill()
        self._stack.append(container)

    def _fill(self) -> None:
        """Note that the innermost container holds something, another container or a leaf."""
        if self._stack:
            self._stack[-1].empty = False

    def _look_around(self) -> None:
        """Note what the line stands in."""
        self._quotes = tuple(container.number for container in self._stack if container.kind == "quote")
        self._note = next((container.label for container in reversed(self._stack) if container.kind == "note"), None)

    def _open_container(self, cursor: Cursor) -> bool:
        width, place = cursor.look()
        if width > 3 or place >= cursor.end:
            return False
        if len(self._stack) >= _MAX_DEPTH:
            if self.text[place] == ">":
                cursor.take(width)
                cursor.skip(len(cursor.rest()) - len(cursor.rest().lstrip("> \t")))
            return False
        rest = self.text[place : cursor.end]
        if rest[0] == ">":
            _take_quote(cursor, width)
            self._opened += 1
            self._enter(_Container("quote", self._opened))
            return True
        note = NOTE.match(rest)
        if note is not None:
            self._open_note(cursor, width, note)
            return True
        marker = None if is_break(rest) else item_marker(rest, in_paragraph=False)
        if marker is None:
            return False
        self._open_item(cursor, width, marker)
        return True

    def _open_note(self, cursor: Cursor, width: int, mark: re.Match[str]) -> None:
        cursor.take(width)
        cursor.skip(mark.end())
        cursor.take(cursor.look()[0])
        folded = fold_label(mark.group(1))
        note = _Container("note", label="" if folded in self._notes else folded)
        note.offset = 4
        self._notes.add(folded)
        self._enter(note)

    def _open_item(self, cursor: Cursor, width: int, marker: int) -> None:
        cursor.take(width)
        cursor.skip(marker)
        gap, content = cursor.look()
        item = _Container("item")
        if content >= cursor.end:
            item.empty, gap = True, 1
        elif gap > 4:
            gap = 1
        cursor.take(gap)
        item.offset = width + marker + gap
        self._enter(item)

    # Other leaves

    def _open_leaf(self, line: Line, place: int) -> None:
        rest = self.text[place : line.end]
        fence = FENCE.match(rest)
        kind = block_start(rest, in_paragraph=False)
        if fence is not None:
            run = fence.group(1) or fence.group(2)
            self._leaf, self._fence = "fence", (run[0], len(run))
            line.kind = "fence"
            self._add("other", line, place)
        elif kind is not None:
            self._html = (kind, declaration_closer(rest, 0) or "")
            self._leaf = "" if closes_block(kind, self._html[1], rest) else "html"
            line.kind = "html"
            self._add("html", line, place)
        elif is_break(rest):
            line.kind = "text"
            self._add("other", line, place)
        elif HEADING.match(rest):
            line.kind = "text"
            self._add("inline", line, place)
        else:
            self._add_to_paragraph(line, place)

    def _read_html(self, line: Line, cursor: Cursor) -> None:
        rest = cursor.rest()
        line.kind = "html" if rest.strip(" \t") else "blank"
        self.segments[-1].parts.append((len(self.lines) - 1, cursor.pos, line.end))
        if closes_block(*self._html, rest):
            self._leaf = ""

    def _read_fence(self, line: Line, cursor: Cursor) -> None:
        line.kind = "fence"
        self._add("other", line, cursor.pos)
        width, place = cursor.look()
        char, length = self._fence
        rest = self.text[place : cursor.end].rstrip(" \t")
        if width <= 3 and len(rest) >= length and rest == char * len(rest):
            self._leaf = ""


def _take_quote(cursor: Cursor, width: int) -> None:
    cursor.take(width)
    cursor.skip(1)
    if cursor.look()[0] > 0:
        cursor.take(1)
