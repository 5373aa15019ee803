"""What is invisible inside a run of text: comments outside code spans, and which lines begin inside a code span.

Code spans, autolinks, tags and link tails are recognised left to right, as CommonMark orders them, because each of them
can hold a back quote that opens no code span. In doubt a comment is hidden and a line carries no command.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field

from tertulia._text._html import Comments, declaration_closer, tag_end
from tertulia._text._references import fold_label, link_tail_end

__all__ = ["Inline", "read_inline", "read_raw"]

_STOP = re.compile(r"[`<\\\[\]]")
_TICKS = re.compile(r"`+")
_AUTOLINK = re.compile(
    r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>|<[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,255}@[A-Za-z0-9.-]{1,255}>"
)
_LABEL = re.compile(r"\[([^\[\]`]{1,999})\]")
_MARKS = re.compile(r"<!--|<[?!]")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


@dataclass(slots=True)
class Inline:
    """Collect what runs of text came to: hidden spans, code spans, and the labels used."""

    hidden: list[tuple[int, int]] = field(default_factory=list)
    code: list[tuple[int, int]] = field(default_factory=list)
    labels: set[str] = field(default_factory=set)


class _Run:
    """Read one run of text left to right; what it finds is told in offsets from `base`."""

    def __init__(self, text: str, base: int, comments: Comments, found: Inline) -> None:
        self.text, self.base, self.comments, self.found = text, base, comments, found
        self.brackets = 0
        self.plain_until = 0
        self.absent: set[str] = set()
        self.ticks: dict[int, list[int]] = {}
        for run in _TICKS.finditer(text):
            self.ticks.setdefault(len(run.group()), []).append(run.start())

    def read(self) -> None:
        """Read to the end of the run; a comment that was open before it goes on first."""
        position = self._go_on(0)
        while True:
            stop = _STOP.search(self.text, position)
            if stop is None:
                return
            position = self._step(stop.start(), stop.group())

    def hide(self, start: int, end: int) -> None:
        """Note that a span is invisible."""
        self.found.hidden.append((self.base + start, self.base + end))

    def _step(self, at: int, char: str) -> int:
        if char == "`":
            return self._code(at)
        if char == "<":
            return self._angle(at)
        if char == "\\":
            return at + 2 if self.text[at + 1 : at + 2] in _PUNCTUATION else at + 1
        if char == "[":
            self.brackets += 1
            label = _LABEL.match(self.text, at)
            if label is not None:
                self.found.labels.add(fold_label(label.group(1)))
            return at + 1
        return self._bracket(at)

    def _code(self, at: int) -> int:
        run = _TICKS.match(self.text, at)
        length = run.end() - at if run else 1
        starts = self.ticks.get(length, []) if at >= self.plain_until else []
        place = bisect_left(starts, at + length)
        if place == len(starts):
            return at + length
        close = starts[place] + length
        self.found.code.append((self.base + at, self.base + close))
        return close

    def _bracket(self, at: int) -> int:
        """Close a bracket; no code span opens in the destination, title or label behind it."""
        if self.brackets == 0:
            return at + 1
        self.brackets -= 1
        tail = link_tail_end(self.text, at + 1)
        if tail < 0:
            return at + 1
        if self.text[at + 1] == "[":
            self.found.labels.add(fold_label(self.text[at + 2 : tail - 1]))
        self.plain_until = max(self.plain_until, tail)
        return at + 1

    def _angle(self, at: int) -> int:
        if self.text.startswith("<!--", at):
            end = self.comments.open(self.text, at, len(self.text))
            self.hide(at, end)
            return end
        auto = _AUTOLINK.match(self.text, at)
        if auto is not None:
            return auto.end()
        return self._declaration(at) or self._tag(at)

    def _declaration(self, at: int) -> int:
        closer = declaration_closer(self.text, at)
        if closer is None or closer in self.absent:
            return 0
        end = self.text.find(closer, at + 2)
        if end < 0:
            self.absent.add(closer)
            return 0
        end += len(closer)
        read_raw(self.text[at:end], self.base + at, self.comments, self.found)
        return self._go_on(end)

    def _go_on(self, position: int) -> int:
        """Go on behind a comment that is still open at `position`."""
        if self.comments.depth:
            end = self.comments.end(self.text, position, len(self.text))
            self.hide(position, end)
            return end
        return position

    def _tag(self, at: int) -> int:
        end = tag_end(self.text, at)
        return end if end > 0 else at + 1


def read_inline(text: str, base: int, comments: Comments, found: Inline) -> None:
    """Read a run of paragraph text; an open comment goes on first, and `comments` stays open when one does not end."""
    _Run(text, base, comments, found).read()


def read_raw(text: str, base: int, comments: Comments, found: Inline) -> None:
    """Read a run of HTML: nothing protects a comment there. An open comment goes on first."""
    position = 0
    if comments.depth:
        position = comments.end(text, 0, len(text))
        found.hidden.append((base, base + position))
    while True:
        mark = _MARKS.search(text, position)
        if mark is None:
            return
        at = mark.start()
        if text.startswith("<!--", at):
            position = comments.open(text, at, len(text))
        elif declaration_closer(text, at) is not None:
            position = comments.open_bogus(text, at, len(text))
        else:
            position = at + 2
            continue
        found.hidden.append((base + at, base + position))
