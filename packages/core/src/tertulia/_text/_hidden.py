"""What no reader sees: comments, from where they open to where they end, over everything in between.

Comments nest here, an unterminated one runs to the end, and one opened inside a quote ends with the quote. HTML nests
none: counting depth hides at least as much as a browser does, and what stands behind an inner `-->` does not come out.
"""

from __future__ import annotations

import re

from tertulia._text._blocks import Blocks, Segment
from tertulia._text._browser import Browser
from tertulia._text._html import Comments, bogus_start
from tertulia._text._inline import Inline, read_inline
from tertulia._text._lines import Line

__all__ = ["Hidden"]

_MARKS = re.compile(r"[`<\[]")
"""Without one of these nothing in a run of text is code, hidden, or a use of a label."""


class Hidden:
    """Go over a text's segments and tell each line what of it is invisible.

    `used` are the labels that visible text uses, of footnotes with a `^`; `count` is how many comments there are;
    `cut_short` is true when one ended only because the quote around it did.
    """

    def __init__(self, blocks: Blocks) -> None:
        self.count = 0
        self.cut_short = False
        self._text, self._lines = blocks.text, blocks.lines
        self._defined = {label for label, _, _ in blocks.definitions}
        self._labels: dict[str | None, set[str]] = {None: set()}
        self._comments = Comments()
        self._sealed = self._swallowed = False
        self._here: tuple[int, ...] = ()
        self._opened_in: tuple[int, ...] = ()
        self._swallowed_in: tuple[int, ...] = ()
        self._seen = -1
        for segment in blocks.segments:
            self._enter(segment.quotes)
            if segment.kind == "html":
                self._read_html(segment)
            elif segment.kind == "inline":
                self._read_inline(segment)
            else:
                self._read_other(segment)
        notes = {label for labels in self._labels.values() for label in labels if label.startswith("^")}
        self.used = notes.union(*(labels for note, labels in self._labels.items() if note is None or note in notes))

    @property
    def _hiding(self) -> bool:
        """Say whether what follows is invisible.

        Sealed: raw HTML ended while a browser stood in a comment. What follows is escaped, so nothing in it ends that
        comment. Swallowed is the same for the value of an attribute: no comment, but nothing in it carries a command, and
        what looks like a comment there may end elsewhere or not at all.
        """
        return self._sealed or self._comments.depth > 0

    def _enter(self, quotes: tuple[int, ...]) -> None:
        """End what is open when the quote it was opened in has ended."""
        if quotes is self._here:
            return
        self._here = quotes
        if not _within(quotes, self._opened_in):
            self.cut_short = self.cut_short or self._hiding
            self._comments.close()
            self._sealed = False
            self._opened_in = ()
        self._swallowed = self._swallowed and _within(quotes, self._swallowed_in)

    def _note_opening(self) -> None:
        if not self._hiding:
            self._opened_in = self._here

    def _swallow(self) -> None:
        if not self._swallowed:
            self._swallowed, self._swallowed_in = True, self._here

    def _seal(self) -> None:
        self._note_opening()
        self._sealed = True

    def _begin(self, number: int, start: int, *, hiding: bool) -> Line:
        """Note how a line begins; a comment takes a list marker with it, but no text loses its quote's mark."""
        line = self._lines[number]
        if number != self._seen:
            line.in_comment, line.in_code = hiding, self._swallowed
            self._seen = number
            if hiding and not line.quoted:
                line.hide(line.start, start)
        return line

    def _go_on(self, line: Line, start: int, end: int) -> int:
        """Hide what an open comment still takes of a line; give where it ends."""
        if not self._hiding:
            return start
        close = end if self._sealed else self._comments.end(self._text, start, end)
        line.hide(start, close)
        return close

    def _read_other(self, segment: Segment) -> None:
        for number, start, end in segment.parts:
            line = self._begin(number, start, hiding=self._hiding)
            if line.kind not in ("blank", "definition"):
                self._end_bogus()
            self._go_on(line, start, end)

    def _end_bogus(self) -> None:
        """End what ends at the first `>`: the tag that a site writes here has one."""
        if self._comments.bogus:
            self._comments.close()

    def _read_html(self, segment: Segment) -> None:
        """Read an HTML block: nothing protects a comment there."""
        browser = Browser(bogus=self._comments.bogus)
        for number, start, end in segment.parts:
            line = self._begin(number, start, hiding=self._hiding)
            line.in_code = line.in_code or browser.in_tag
            position = self._go_on(line, start, end)
            while (position := self._text.find("<", position, end)) >= 0:
                position = self._open(line, position, end)
            browser.feed(self._text[start:end])
        if browser.in_comment:
            self._seal()
        if browser.in_value:
            self._swallow()

    def _open(self, line: Line, at: int, end: int) -> int:
        comment = self._text.startswith("<!--", at)
        if not comment and not bogus_start(self._text, at):
            return at + 1
        self.count += 1
        self._note_opening()
        if self._swallowed:
            self._seal()
            return self._go_on(line, at, end)
        close = self._comments.open(self._text, at, end) if comment else self._comments.open_bogus(self._text, at, end)
        line.hide(at, close)
        return close

    def _read_inline(self, segment: Segment) -> None:
        parts = segment.parts
        text = "\n".join(self._text[start:end] for _, start, end in parts)
        if segment.bare and self._comments.bogus:
            self._spread([(0, len(text))], [], parts)
            self._comments.close()
            return
        self._end_bogus()
        if not self._hiding and not self._swallowed and _MARKS.search(text) is None:
            self._seen = parts[-1][0]
            return
        self._begin(parts[0][0], parts[0][1], hiding=self._hiding)
        found = read_inline(text, self._defined, sure=segment.sure)
        if not self._sealed:
            self._labels.setdefault(self._lines[parts[0][0]].note, set()).update(found.labels)
        if self._swallowed and "<!--" in text:
            found.sealed = text.find("<!--")
        if found.swallowed:
            self._swallow()
        self._spread(self._spans(text, found), found.inside, parts)

    def _spans(self, text: str, found: Inline) -> list[tuple[int, int]]:
        """Give the invisible spans of a run of text, in order, and leave open what does not end in it."""
        if self._sealed:
            return [(0, len(text))]
        position = self._comments.end(text, 0, len(text)) if self._hiding else 0
        spans = [(0, position)] if position else []
        for start, end in found.hidden:
            if 0 <= found.sealed <= start:
                break
            if end <= position:
                continue
            close = end
            if start >= position:
                close = max(end, self._open_in(text, start))
            spans.append((max(start, position), close))
            position = close
        if found.sealed >= 0:
            self._seal()
            spans.append((max(found.sealed, position), len(text)))
        elif found.opened >= position:
            spans.append((found.opened, self._open_in(text, found.opened)))
        return spans

    def _open_in(self, text: str, at: int) -> int:
        """Give where what opens in a run of text ends; a declaration ends where Markdown says so."""
        self.count += 1
        self._note_opening()
        return self._comments.open(text, at, len(text)) if text.startswith("<!--", at) else at

    def _spread(
        self, spans: list[tuple[int, int]], inside: list[tuple[int, int]], parts: list[tuple[int, int, int]]
    ) -> None:
        """Tell each line its part of what was found in the joined text."""
        offset = first = code = 0
        for number, place, end in parts:
            limit = offset + end - place
            while first < len(spans) and spans[first][1] < offset:
                first += 1
            line = self._begin(number, place, hiding=first < len(spans) and spans[first][0] < offset < spans[first][1])
            while first < len(spans) and spans[first][0] < limit:
                start, stop = spans[first]
                line.hide(max(start - offset, 0) + place, min(stop - offset + place, end))
                if stop > limit:
                    break
                first += 1
            while code < len(inside) and inside[code][1] <= offset:
                code += 1
            line.in_code = line.in_code or (code < len(inside) and inside[code][0] < offset)
            offset = limit + 1


def _within(quotes: tuple[int, ...], outer: tuple[int, ...]) -> bool:
    depth = len(outer)
    return depth == 0 or (len(quotes) >= depth and quotes[depth - 1] == outer[-1])
