"""What stands inside a run of text: comments outside code spans, code spans, and the labels used.

Code spans, autolinks, tags and links are recognised left to right, as CommonMark orders them, because each of them can
hold a back quote that opens no code span. Where sites disagree the run is in doubt, and every comment in it is hidden.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Set
from dataclasses import dataclass, field

from tertulia._text._browser import Browser
from tertulia._text._html import declaration_closer, tag_end
from tertulia._text._references import fold_label, label_end, link_tail_end

__all__ = ["Inline", "read_inline"]

_TICKS = re.compile(r"`+")
_MAX_TICKS = 80
_WHOLE = re.compile(r"<!---?>")
_AUTOLINK = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\x00-\x20<>]*>")
_DOMAIN = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_MAIL = re.compile(rf"<[A-Za-z0-9.!#$%&'*+/=?^_`{{|}}~-]+@{_DOMAIN}(?:\.{_DOMAIN})*>")
_BARE_URL = re.compile(r"(?:://|www\.)[^\s<]*", re.IGNORECASE)
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


@dataclass(slots=True)
class Inline:
    """Collect what a run of text came to.

    `hidden` are comments, `inside` code spans, tags, images and what follows a link text. `opened` is where a comment
    begins that does not end, `sealed` where raw HTML ended that leaves a browser in a comment; -1 for neither. `swallowed`:
    it left a browser in an attribute. `doubt`: sites disagree about some of it.
    """

    hidden: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    inside: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    labels: list[str] = field(default_factory=list[str])
    opened: int = -1
    sealed: int = -1
    swallowed: bool = False
    doubt: bool = False


def read_inline(text: str, defined: Set[str], *, sure: bool = True) -> Inline:
    """Read a paragraph, a heading or a cell; `defined` are the labels that have a definition.

    Where sites disagree, or it is not `sure` that all read the same text here, every comment in it is hidden.
    """
    found = _Run(text, defined).read()
    if found.doubt or not sure:
        raw = _Raw(text, defined).read()
        found.inside += set(raw.hidden).difference(found.hidden)
        found.hidden = sorted(found.hidden + raw.hidden)
        found.sealed = min((at for at in (found.sealed, raw.sealed) if at >= 0), default=-1)
    found.inside.sort()
    return found


class _Run:
    """Read one run of text left to right."""

    stop = re.compile(r"[`<\\\]]|!?\[")

    def __init__(self, text: str, defined: Set[str]) -> None:
        self.text, self.defined = text, defined
        self.found = Inline()
        self.openers: list[tuple[int, bool, int]] = []
        self.dead = 0
        self.unmatched = False
        self.places: dict[str, int] = {}
        self.ticks: dict[int, list[int]] = {}
        for run in _TICKS.finditer(text):
            self.ticks.setdefault(len(run.group()), []).append(run.start())
        self.urls = [url.span() for url in _BARE_URL.finditer(text)]

    def read(self) -> Inline:
        """Read to the end of the run."""
        position = 0
        while True:
            stop = self.stop.search(self.text, position)
            if stop is None:
                return self.found
            position = self._step(stop.start(), stop.group())

    def _step(self, at: int, mark: str) -> int:
        if mark == "`":
            return self._code(at)
        if mark == "<":
            return self._angle(at)
        if mark == "\\":
            return self._escape(at)
        if mark == "]":
            return self._bracket(at)
        self.openers.append((at + len(mark), len(mark) == 2, len(self.found.labels)))
        return at + len(mark)

    def _find(self, mark: str, position: int) -> int:
        """Find the next mark; asked from ever later positions, it reads the text once."""
        place = self.places.get(mark, 0)
        if 0 <= place < position:
            place = self.places[mark] = self.text.find(mark, position)
        return place

    def _escape(self, at: int) -> int:
        following = self.text[at + 1 : at + 2]
        if following == "<" and self._in_url(at):
            self.found.doubt = True
        return at + 2 if following in _PUNCTUATION else at + 1

    def _code(self, at: int) -> int:
        """Read a code span. Sites disagree about long marks, links without brackets, and spans behind a lone mark."""
        run = _TICKS.match(self.text, at)
        length = run.end() - at if run else 1
        starts = self.ticks.get(length, [])
        place = bisect_left(starts, at + length)
        if place == len(starts):
            self.unmatched = True
            return at + length
        if length > _MAX_TICKS or self.unmatched or self._in_url(at):
            self.found.doubt = True
        close = starts[place] + length
        self.found.inside.append((at, close))
        return close

    def _in_url(self, at: int) -> bool:
        """Say whether a site may read what stands at `at` as part of a bare link."""
        place = bisect_left(self.urls, (at,)) - 1
        return place >= 0 and self.urls[place][1] > at

    def _bracket(self, at: int) -> int:
        """Close a bracket, and skip what follows it in a link. A link holds no other link; an image may."""
        if not self.openers:
            return at + 1
        start, image, labels = self.openers.pop()
        alive = image or len(self.openers) >= self.dead
        self.dead = min(self.dead, len(self.openers))
        if self.text.startswith("^", start) and label_end(self.text, start) == at:
            self._use(fold_label(self.text[start:at]))
        end, label = self._link_end(start, at) if alive else (-1, "")
        if end < 0:
            return at + 1
        if image:
            del self.found.labels[labels:]
        else:
            self.dead = len(self.openers)
        if self._in_url(start):
            self.found.doubt = True
        else:
            self._use(label)
        self.found.inside.append((start if image else at, end))
        return end

    def _link_end(self, start: int, at: int) -> tuple[int, str]:
        """Give where the link ends whose text stands from `start` to `at`, -1 when there is none, and its label."""
        end, sure = link_tail_end(self.text, at + 1)
        if end >= 0 and sure:
            return end, ""
        self.found.doubt = self.found.doubt or not sure
        close = label_end(self.text, at + 2) if self.text.startswith("[", at + 1) else -1
        if close >= 0 and self.text[at + 2 : close].strip(" \t\n"):
            label = fold_label(self.text[at + 2 : close])
            return (close + 1 if label in self.defined else -1), label
        label = fold_label(self.text[start:at]) if label_end(self.text, start) == at else ""
        return (max(close, at) + 1 if label in self.defined else -1), label

    def _use(self, label: str) -> None:
        if label and self.found.sealed < 0:
            self.found.labels.append(label)

    def _angle(self, at: int) -> int:
        if self.text.startswith("<!--", at):
            return self._comment(at)
        link = _AUTOLINK.match(self.text, at) or _MAIL.match(self.text, at)
        if link is not None:
            return link.end()
        return self._declaration(at) or self._tag(at)

    def _comment(self, at: int) -> int:
        """Read a comment; the one that does not end is read as text, and hidden all the same."""
        whole = _WHOLE.match(self.text, at)
        close = -1 if whole else self._find("-->", at + 4)
        if whole is None and close < 0:
            self.found.opened = at if self.found.opened < 0 else self.found.opened
            return at + 1
        end = whole.end() if whole else close + 3
        self.found.doubt = self.found.doubt or (whole is None and self.text.find("--", at + 4, close + 2) != close)
        self._hide(at, end)
        return end

    def _declaration(self, at: int) -> int:
        closer = declaration_closer(self.text, at)
        end = self._find(closer, at + 2) if closer else -1
        if closer is None or end < 0:
            return 0
        self.found.doubt = self.found.doubt or closer == ">"
        self._hide(at, end + len(closer))
        return end + len(closer)

    def _hide(self, at: int, end: int) -> None:
        """Hide what Markdown hands on raw, and note where it leaves a browser that reads it its own way."""
        self.found.hidden.append((at, end))
        browser = Browser()
        browser.feed(self.text[at:end])
        self.found.swallowed = self.found.swallowed or browser.in_value
        if browser.in_comment and self.found.sealed < 0:
            self.found.sealed = end

    def _tag(self, at: int) -> int:
        end = tag_end(self.text, at)
        if end < 0:
            return at + 1
        self.found.inside.append((at, end))
        return end


class _Raw(_Run):
    """Read a run of text as if nothing protected a comment in it, not even another; one without an end counts for nothing."""

    stop = re.compile(r"<[!?]")

    def _step(self, at: int, mark: str) -> int:
        if _WHOLE.match(self.text, at):
            return at + 1
        closer = "-->" if self.text.startswith("<!--", at) else declaration_closer(self.text, at)
        end = self._find(closer, at + 4 if closer == "-->" else at + 2) if closer else -1
        if closer is not None and end >= 0:
            self.found.hidden.append((at, end + len(closer)))
            if closer != "-->" and self.found.sealed < 0 and 0 <= self._find("<!--", at) < end:
                self.found.sealed = end + len(closer)
        return at + 1
