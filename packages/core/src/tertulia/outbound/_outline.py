"""What stays open at the end of a Markdown text: the block structure of CommonMark, for writing.

Reading has a scanner of its own (`_text`), which hides rather too much than too little. What is appended to an agent's
text must stand as a block of its own on the backend, so this follows the specification (0.31) to the letter, and writes
around the places where renderers differ.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Literal, NamedTuple

from tertulia._text._html import block_start, tag_end

__all__ = ["Fence", "Outline"]

_QUOTE = 0
_MAX_DEPTH = 100
_SPACES = re.compile(r" *")
_FENCE = re.compile(r"(`{3,})([^`]*)$|(~{3,})(.*)$")
_HEADING = re.compile(r"#{1,6}(?: |$)")
_UNDERLINE = re.compile(r"(?:=+|-+) *$")
_ITEM = re.compile(r"(?:[-+*]|([0-9]{1,9})[.)])(?= |$)")
_RAW = re.compile(r"<(pre|script|style|textarea)(?=[\s>]|$)", re.IGNORECASE)
_RAW_END = re.compile(r"</(pre|script|style|textarea)>", re.IGNORECASE)
_PRE_END = re.compile(r"</pre>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*(?:\s|/?>|$)")
_DECLARATION = re.compile(r"<(?:\?|![A-Za-z]|!\[CDATA\[)", re.IGNORECASE)

_Leaf = Literal["", "paragraph", "fence", "html", "pre"]


class Fence(NamedTuple):
    """A code fence: what stands before it on its line (containers), its run of marks, and its info string."""

    prefix: str
    mark: str
    info: str

    @property
    def opener(self) -> str:
        """Give the line that opens it again."""
        return f"{self.prefix}{self.mark}{self.info}"

    @property
    def closer(self) -> str:
        """Give the line that closes it."""
        return f"{self.prefix}{self.mark}"


class Outline:
    """Follow the blocks of a text line by line.

    `fence` is the fence open after the last line fed, `depth` the number of containers around it, and `closed` is true
    when that line closed one. An HTML block that would run on is not allowed to begin: its `<` comes back escaped.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self.fence: Fence | None = None
        self.depth = 0
        self.closed = False
        self._stack: list[int] = []
        self._leaf: _Leaf = ""
        self._hollow = False
        self._doubt = False
        self._number = -1
        self._ends = [number for number, line in enumerate(lines) if _RAW_END.search(line)]
        self._lines = lines

    def feed(self, raw: str) -> str:
        """Take the next line in; give it as it may be written."""
        self._number += 1
        self.closed = False
        line = raw.expandtabs(4)
        matched, place = self._match(line)
        whole = matched == len(self._stack)
        if self._leaf in ("fence", "html", "pre"):
            if whole and self._stays(line, place):
                return raw
            self._leaf, self.fence = "", None
        return self._read(raw, line, place, matched)

    def _match(self, line: str) -> tuple[int, int]:
        """Give how many of the open containers the line goes on with, and where their marks end."""
        place = 0
        for count, offset in enumerate(self._stack):
            start = _end(_SPACES, line, place)
            if offset == _QUOTE:
                if start - place > 3 or not line.startswith(">", start):
                    return count, place
                place = start + 1 + line.startswith(" ", start + 1)
            elif start == len(line):
                return self._match_blank(count), place
            elif start - place >= offset:
                place += offset
            else:
                return count, place
        return len(self._stack), place

    def _match_blank(self, count: int) -> int:
        """Give how many containers a blank line goes on with: list items up to the next quote, but an empty item ends."""
        if _QUOTE in self._stack[count:]:
            return self._stack.index(_QUOTE, count)
        return len(self._stack) - self._hollow

    def _stays(self, line: str, place: int) -> bool:
        """Say whether the open fence or HTML block takes the line; it may end with it."""
        if self._leaf == "html":
            return bool(line[place:].strip(" "))
        if self._leaf == "pre":
            if _RAW_END.search(line, place):
                self._leaf = ""
            return True
        start = _end(_SPACES, line, place)
        rest = line[start:].rstrip(" ")
        assert self.fence is not None
        mark = self.fence.mark
        if start - place <= 3 and len(rest) >= len(mark) and rest == mark[0] * len(rest):
            self._leaf, self.fence, self.closed = "", None, True
        return True

    def _read(self, raw: str, line: str, place: int, matched: int) -> str:
        lazy = self._leaf == "paragraph"
        inside = lazy and matched == len(self._stack)
        while True:
            start = _end(_SPACES, line, place)
            if start == len(line):
                self._open(matched, "")
                return raw
            if start - place > 3:
                if not lazy:
                    self._open(matched, "")
                return raw
            after = self._open_container(line, place, start, matched, inside)
            if after is None:
                break
            matched, place, lazy, inside = len(self._stack), after, False, False
            if self._hollow:
                return raw
        return self._read_leaf(raw, line, start, matched, lazy, inside)

    def _open_container(self, line: str, place: int, start: int, matched: int, inside: bool) -> int | None:
        """Open the quote or list item that begins here; give where its content does."""
        if matched >= _MAX_DEPTH:
            return None
        if line[start] == ">":
            self._open(matched, "")
            self._stack.append(_QUOTE)
            return start + 1 + line.startswith(" ", start + 1)
        marker = _ITEM.match(line, start)
        if marker is None or _is_break(line, start) or (inside and _UNDERLINE.match(line, start)):
            return None
        content = _end(_SPACES, line, marker.end())
        empty = content == len(line)
        if inside and (empty or (marker[1] is not None and int(marker[1]) != 1)):
            return None
        gap = 1 if empty or content - marker.end() > 4 else content - marker.end()
        self._open(matched, "")
        self._stack.append(marker.end() - place + gap)
        self._hollow = empty
        return min(marker.end() + gap, len(line))

    def _read_leaf(self, raw: str, line: str, start: int, matched: int, lazy: bool, inside: bool) -> str:
        fence = _FENCE.match(line, start)
        if fence is not None:
            self._open(matched, "fence")
            mark, info = (fence[1], fence[2]) if fence[1] else (fence[3], fence[4])
            self.fence, self.depth = Fence(_prefix(line[:start]), mark, info.rstrip(" ")), len(self._stack)
        elif inside and _UNDERLINE.match(line, start):
            doubt = self._doubt
            self._open(matched, "")
            self._doubt = doubt
        elif _HEADING.match(line, start) or _is_break(line, start):
            self._open(matched, "")
        elif line[start] == "<" and (self._runs_on(line, start) or (self._doubt and _is_lone_tag(line, start))):
            raw = self._text(raw.replace("<", "&lt;", 1), line, start, matched, lazy, inside)
        elif _RAW.match(line, start):
            self._open(matched, "" if _RAW_END.search(line, start) else "pre")
        elif _is_block_tag(line, start) or (not lazy and _is_lone_tag(line, start)):
            self._open(matched, "html")
        else:
            raw = self._text(raw, line, start, matched, lazy, inside)
        return raw

    def _runs_on(self, line: str, start: int) -> bool:
        """Say whether an HTML block begins that ends at no blank line, unless it is `<pre>` and its end is there.

        Renderers differ about where the others begin and end, and none of them shows what is in them.
        """
        if _DECLARATION.match(line, start):
            return True
        raw = _RAW.match(line, start)
        if raw is None:
            return False
        following = bisect_left(self._ends, self._number)
        ended = following < len(self._ends) and _PRE_END.search(self._lines[self._ends[following]]) is not None
        return raw[1].lower() != "pre" or not ended

    def _text(self, raw: str, line: str, start: int, matched: int, lazy: bool, inside: bool) -> str:
        """Begin a paragraph or go on with one.

        Renderers differ about whether definitions and table rows are one, so nothing goes on lazily from those.
        """
        apart = lazy and not inside and self._doubt
        goes_on = lazy and not apart
        doubt = (self._doubt if goes_on else line[start] == "[") or "|" in line
        if not goes_on:
            self._open(matched, "paragraph")
        self._doubt = doubt
        return f"\n{raw}" if apart else raw

    def _open(self, matched: int, leaf: _Leaf) -> None:
        """Close what the line did not go on with, and begin a leaf."""
        del self._stack[matched:]
        self._leaf = leaf
        self._hollow = self._doubt = False


def _end(pattern: re.Pattern[str], line: str, place: int) -> int:
    found = pattern.match(line, place)
    return found.end() if found else place


def _is_break(line: str, start: int) -> bool:
    marks = line[start:].replace(" ", "")
    return len(marks) >= 3 and marks[0] in "*-_" and marks == marks[0] * len(marks)


def _is_block_tag(line: str, start: int) -> bool:
    """Say whether a block tag begins here (HTML blocks, 6): it need not be complete, and text may follow."""
    return _TAG.match(line, start) is not None and block_start(line[start:], in_paragraph=True) == "tag"


def _is_lone_tag(line: str, start: int) -> bool:
    """Say whether a complete tag of any name stands here alone (HTML blocks, 7)."""
    end = tag_end(line, start)
    return end >= 0 and not line[end:].strip()


def _prefix(before: str) -> str:
    """Keep quote marks, and the width of list markers: what a later line of the same containers begins with."""
    return "".join(char if char == ">" else " " for char in before)
