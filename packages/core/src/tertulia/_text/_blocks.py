"""One pass over the lines of a text: containers, blocks, and what is invisible in them.

Follows CommonMark's block structure (containers, paragraphs with lazy continuation, fences, indented code, HTML blocks)
with GitHub's footnotes, and departs from it where the command grammar says so: comments nest, an unterminated comment
runs to the end, and one opened inside a quote ends with the quote.
"""

from __future__ import annotations

import re
from typing import Literal

from tertulia._text._html import Comments, block_start
from tertulia._text._htmlblock import HtmlBlock
from tertulia._text._inline import Inline, read_inline
from tertulia._text._lines import Cursor, Line, line_spans
from tertulia._text._references import fold_label, read_definition

__all__ = ["Blocks"]

_FENCE = re.compile(r"(`{3,})[^`\n]*$|(~{3,})")
_HEADING = re.compile(r"#{1,6}(?=[ \t]|$)")
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$")
_BULLET = re.compile(r"[-+*](?=[ \t]|$)")
_ORDERED = re.compile(r"([0-9]{1,9})[.)](?=[ \t]|$)")
_NOTE = re.compile(r"\[(\^[^\s\[\]]{1,255})\]:")
_CELL = re.compile(r"(?:[^|\\]|\\.?)+", re.DOTALL)
_MAX_DEPTH = 64

_Leaf = Literal["", "paragraph", "fence", "html"]


class _Container:
    """A block quote, a list item or a footnote: what its lines must begin with."""

    __slots__ = ("empty", "kind", "label", "offset")

    def __init__(self, kind: Literal["quote", "item", "note"], offset: int = 0, label: str | None = None) -> None:
        self.kind, self.offset, self.label = kind, offset, label
        self.empty = False


class Blocks:
    """Read a text (line ends unified) into lines.

    `labels` are the reference labels that visible text uses; `definitions` are label, first and last line of each
    definition; `cut_short` is true when a comment ended only because the quote around it did.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines: list[Line] = []
        self.labels: set[str] = set()
        self.definitions: list[tuple[str, int, int]] = []
        self.cut_short = False
        self._stack: list[_Container] = []
        self._leaf: _Leaf = ""
        self._level = 0
        self._fence = ("", 0)
        self._comments = Comments()
        self._html = HtmlBlock("inline", self._comments)
        self._paragraph: list[tuple[int, int]] = []
        for start, end in line_spans(text):
            self._read_line(Line(start, end))
        self._close_paragraph()

    def _read_line(self, line: Line) -> None:
        self.lines.append(line)
        cursor = Cursor(self.text, line.start, line.end)
        matched = self._match(cursor)
        if self._leaf == "paragraph" and not self._continues(cursor, matched):
            self._close_paragraph()
        if self._leaf in ("fence", "html"):
            self._leave(matched)
        if self._leaf == "html":
            self._read_html(line, cursor)
        elif self._leaf == "fence":
            self._read_fence(line, cursor)
        else:
            self._read_blocks(line, cursor, matched)
        self._mark(line)

    def _mark(self, line: Line) -> None:
        """Note the containers the line stands in."""
        for container in self._stack:
            if container.kind == "quote":
                line.quoted = True
            elif container.kind == "note":
                line.note = container.label

    def _match(self, cursor: Cursor) -> int:
        """Move over the beginnings of as many open containers as the line has; give how many."""
        for count, container in enumerate(self._stack):
            width, place = cursor.look()
            if container.kind == "quote":
                if width > 3 or place >= cursor.end or self.text[place] != ">":
                    return count
                _take_quote(cursor, place)
            elif place >= cursor.end:
                if container.empty:
                    return count
            elif width >= container.offset:
                cursor.take(container.offset)
            else:
                return count
        return len(self._stack)

    def _leave(self, matched: int) -> None:
        """End the open leaf when a container around it ended; an open comment ends with a quote only."""
        gone = self._stack[matched : self._level]
        if not gone:
            return
        if self._leaf == "html" and not any(container.kind == "quote" for container in gone):
            self._html.leave()
        if any(container.kind == "quote" for container in gone):
            self.cut_short = self.cut_short or (self._leaf == "html" and self._html.hiding)
            self._comments.close()
            self._html.sealed = False
        if not (self._leaf == "html" and self._html.hiding):
            self._leaf = ""

    def _continues(self, cursor: Cursor, matched: int) -> bool:
        """Say whether the line goes on with the open paragraph, lazily when not all containers match."""
        width, place = cursor.look()
        if place >= cursor.end:
            return False
        if width > 3:
            return True
        rest = self.text[place : cursor.end]
        if matched == len(self._stack) and _UNDERLINE.match(rest):
            return False
        return not self._starts_block(rest, in_paragraph=True)

    def _starts_block(self, rest: str, *, in_paragraph: bool) -> bool:
        if rest[0] not in ">`~#<[-+*_0123456789":
            return False
        if rest[0] == ">" or _FENCE.match(rest) or _HEADING.match(rest) or _is_break(rest) or _NOTE.match(rest):
            return True
        if block_start(rest, in_paragraph=in_paragraph):
            return True
        return _item_marker(rest, in_paragraph=in_paragraph) is not None

    def _read_blocks(self, line: Line, cursor: Cursor, matched: int) -> None:
        if self._leaf == "paragraph":
            self._add_to_paragraph(line, cursor)
            return
        del self._stack[matched:]
        while self._open_container(cursor):
            pass
        width, place = cursor.look()
        if place >= cursor.end:
            return
        for container in self._stack:
            container.empty = False
        if width > 3:
            line.kind = "code"
            return
        self._open_leaf(line, cursor, place)

    def _open_container(self, cursor: Cursor) -> bool:
        width, place = cursor.look()
        if width > 3 or place >= cursor.end or len(self._stack) >= _MAX_DEPTH:
            return False
        rest = self.text[place : cursor.end]
        if rest[0] == ">":
            _take_quote(cursor, place)
            self._stack.append(_Container("quote"))
            return True
        note = _NOTE.match(rest)
        if note is not None:
            cursor.skip(place + note.end())
            self._stack.append(_Container("note", 4, fold_label(note.group(1))))
            return True
        marker = None if _is_break(rest) else _item_marker(rest, in_paragraph=False)
        if marker is None:
            return False
        self._open_item(cursor, width, place, marker)
        return True

    def _open_item(self, cursor: Cursor, width: int, place: int, marker: int) -> None:
        cursor.skip(place)
        cursor.skip(place + marker)
        gap, content = cursor.look()
        item = _Container("item")
        if content >= cursor.end:
            item.empty, gap = True, 1
        elif gap > 4:
            gap = 1
        cursor.take(gap)
        item.offset = width + marker + gap
        self._stack.append(item)

    def _open_leaf(self, line: Line, cursor: Cursor, place: int) -> None:
        rest = self.text[place : cursor.end]
        fence = _FENCE.match(rest)
        if fence is not None:
            run = fence.group(1) or fence.group(2)
            self._leaf, self._level, self._fence = "fence", len(self._stack), (run[0], len(run))
            line.kind = "fence"
            return
        kind = block_start(rest, in_paragraph=False)
        if kind is not None:
            self._open_html(line, kind, place)
        elif _is_break(rest):
            line.kind = "text"
        elif _HEADING.match(rest):
            self._read_heading(line, place)
        else:
            self._leaf, self._level = "paragraph", len(self._stack)
            self._add_to_paragraph(line, cursor)

    def _open_html(self, line: Line, kind: Literal["comment", "declaration", "raw", "tag"], place: int) -> None:
        line.kind = "html"
        rest = self.text[place : line.end]
        self._html = HtmlBlock(kind, self._comments, rest)
        self._html.read(line, rest, place)
        self._settle()

    def _settle(self) -> None:
        """Go on in the HTML block, or in the comment it left open."""
        going = self._html.hiding or not self._html.ended
        self._leaf, self._level = ("html", len(self._stack)) if going else ("", 0)

    def _read_html(self, line: Line, cursor: Cursor) -> None:
        line.in_comment = self._html.hiding
        if cursor.look()[1] >= cursor.end:
            self._html.blank()
        else:
            line.kind = "html"
            self._html.read(line, cursor.rest(), cursor.pos)
        self._settle()

    def _read_fence(self, line: Line, cursor: Cursor) -> None:
        line.kind = "fence"
        width, place = cursor.look()
        char, length = self._fence
        rest = self.text[place : cursor.end].rstrip(" \t")
        if width <= 3 and len(rest) >= length and rest == char * len(rest):
            self._leaf = ""

    def _read_heading(self, line: Line, place: int) -> None:
        line.kind = "text"
        found = Inline()
        read_inline(self.text[place : line.end], place, self._comments, found)
        self.labels |= found.labels
        for start, end in found.hidden:
            line.hide(start, end)
        self._open_comment()

    def _open_comment(self) -> None:
        """Go on in a comment that its paragraph did not end."""
        self._html = HtmlBlock("inline", self._comments)
        self._settle()

    def _add_to_paragraph(self, line: Line, cursor: Cursor) -> None:
        line.kind = "text"
        self._paragraph.append((len(self.lines) - 1, cursor.look()[1]))

    def _close_paragraph(self) -> None:
        if not self._paragraph:
            return
        pieces, self._paragraph = self._paragraph, []
        joined = "\n".join(self.text[place : self.lines[number].end] for number, place in pieces)
        begin = self._take_definitions(joined, pieces)
        found = Inline()
        for start, end in _runs(joined, begin):
            read_inline(joined[start:end], start, self._comments, found)
        self.labels |= found.labels
        self._spread(found, pieces)
        self._open_comment()

    def _take_definitions(self, joined: str, pieces: list[tuple[int, int]]) -> int:
        """Take the definitions a paragraph begins with; give where the rest of it begins."""
        begin, taken = 0, 0
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
            begin = definition.end + 1
        return min(begin, len(joined))

    def _spread(self, found: Inline, pieces: list[tuple[int, int]]) -> None:
        """Tell each line of a paragraph its part of what was found in the joined text."""
        offset = first = code = 0
        for number, place in pieces:
            line = self.lines[number]
            shift = place - offset
            width = line.end - place
            while first < len(found.hidden) and found.hidden[first][0] < offset + width:
                start, end = found.hidden[first]
                line.hide(start + shift, end + shift)
                line.in_comment = line.in_comment or (start < offset < end)
                if end > offset + width:
                    break
                first += 1
            while code < len(found.code) and found.code[code][1] <= offset:
                code += 1
            line.in_code = code < len(found.code) and found.code[code][0] < offset
            offset += width + 1


def _take_quote(cursor: Cursor, place: int) -> None:
    cursor.skip(place)
    cursor.skip(place + 1)
    if cursor.look()[0] > 0:
        cursor.take(1)


def _is_break(rest: str) -> bool:
    """Say whether a line is a thematic break: three or more of one of `* - _`, blanks between them."""
    marks = rest.replace(" ", "").replace("\t", "")
    return len(marks) >= 3 and marks[0] in "*-_" and marks == marks[0] * len(marks)


def _item_marker(rest: str, *, in_paragraph: bool) -> int | None:
    """Give the width of the list marker a line begins with; in a paragraph only an item with text, from 1, begins one."""
    bullet = _BULLET.match(rest)
    ordered = None if bullet else _ORDERED.match(rest)
    marker = bullet or ordered
    if marker is None:
        return None
    if in_paragraph and (not rest[marker.end() :].strip() or (ordered is not None and int(ordered.group(1)) != 1)):
        return None
    return marker.end()


def _runs(joined: str, begin: int) -> list[tuple[int, int]]:
    """Split a paragraph into runs no code span crosses: the cells of what looks like a table, else the whole."""
    if begin >= len(joined):
        return []
    if not any(_is_delimiter_row(row) for row in joined[begin:].split("\n")[1:]):
        return [(begin, len(joined))]
    runs = []
    for start, end in line_spans(joined):
        if end > begin:
            runs += [(max(cell.start(), begin), cell.end()) for cell in _CELL.finditer(joined, start, end)]
    return runs


def _is_delimiter_row(row: str) -> bool:
    return "-" in row and ("|" in row or ":" in row) and not row.strip("|:- \t")
