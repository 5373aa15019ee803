"""Link reference definitions: lines that render as nothing (CommonMark, "Link reference definitions")."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Definition", "fold_label", "link_tail_end", "read_definition"]

_LABEL = re.compile(r" {0,3}\[")
_MAX_LABEL = 999
_SPACES = re.compile(r"[ \t]*")
_GAP = re.compile(r"[ \t]*\n?[ \t]*")
_BARE = re.compile(r"[^\s\x00-\x1f\x7f<][^\s\x00-\x1f\x7f]*")
_ANGLE_STOP = re.compile(r"[<>\n\\]")
_TAIL_STOP = re.compile(r"[()]|\\.|[\s\x00-\x1f\x7f]")
_MAX_PARENTHESES = 32
_CLOSERS = {'"': '"', "'": "'", "(": ")"}


@dataclass(frozen=True, slots=True)
class Definition:
    """Name a definition's label, folded, and where it ends in its paragraph."""

    label: str
    end: int


def fold_label(label: str) -> str:
    """Make two spellings of one label equal: case folded, runs of white space one space."""
    return " ".join(label.split()).casefold()


def read_definition(text: str, position: int) -> Definition | None:
    """Read a definition that begins at `position`, a line start; it ends at a line end or at the end of the text."""
    start = _LABEL.match(text, position)
    if start is None:
        return None
    close = _label_end(text, start.end())
    if close < 0 or not text.startswith(":", close + 1):
        return None
    label = fold_label(text[start.end() : close])
    place = _skip(_GAP, text, close + 2)
    after = _destination_end(text, place)
    if not label or after < 0:
        return None
    end = _title_end(text, after)
    return None if end < 0 else Definition(label, end)


def _label_end(text: str, position: int) -> int:
    limit = min(len(text), position + _MAX_LABEL + 1)
    while position < limit:
        char = text[position]
        if char == "]":
            return position
        if char == "[":
            return -1
        position += 2 if char == "\\" else 1
    return -1


def _skip(pattern: re.Pattern[str], text: str, position: int) -> int:
    found = pattern.match(text, position)
    return found.end() if found else position


def _destination_end(text: str, position: int) -> int:
    if not text.startswith("<", position):
        return _skip_or_fail(_BARE, text, position)
    place = position + 1
    while True:
        stop = _ANGLE_STOP.search(text, place)
        if stop is None or stop.group() in "<\n":
            return -1
        if stop.group() == ">":
            return stop.end()
        place = stop.end() + 1


def _skip_or_fail(pattern: re.Pattern[str], text: str, position: int) -> int:
    found = pattern.match(text, position)
    return found.end() if found else -1


def _title_end(text: str, position: int) -> int:
    """Give the end of the definition: behind its title, or before one that is not a title after all."""
    bare_end = _line_end(text, position)
    gap = _skip(_GAP, text, position)
    closer = _CLOSERS.get(text[gap : gap + 1])
    if closer is None or gap == position:
        return bare_end
    close = _find_closer(text, gap + 1, closer)
    end = _line_end(text, close + 1) if close >= 0 else -1
    return end if end >= 0 else bare_end


def _line_end(text: str, position: int) -> int:
    """Give the end of the line when only blanks are left on it, else -1."""
    place = _skip(_SPACES, text, position)
    return place if place == len(text) or text[place] == "\n" else -1


def _find_closer(text: str, position: int, closer: str) -> int:
    stops = re.compile(rf"[\\{re.escape(closer)}]")
    while True:
        stop = stops.search(text, position)
        if stop is None or stop.group() == closer:
            return stop.start() if stop else -1
        position = stop.end() + 1


def link_tail_end(text: str, position: int) -> int:
    """Give the end of what follows a link text at `position`: `(destination "title")` or `[label]`; -1 for neither."""
    if text.startswith("[", position):
        close = _label_end(text, position + 1)
        return close + 1 if close >= 0 else -1
    if not text.startswith("(", position):
        return -1
    place = _skip(_GAP, text, position + 1)
    if text.startswith(")", place):
        return place + 1
    after = _tail_destination_end(text, place)
    if after < 0:
        return -1
    gap = _skip(_GAP, text, after)
    closer = _CLOSERS.get(text[gap : gap + 1])
    if closer is not None and gap > after:
        close = _find_closer(text, gap + 1, closer)
        if close < 0:
            return -1
        gap = _skip(_GAP, text, close + 1)
    return gap + 1 if text.startswith(")", gap) else -1


def _tail_destination_end(text: str, position: int) -> int:
    if text.startswith("<", position):
        return _destination_end(text, position)
    depth = 0
    for stop in _TAIL_STOP.finditer(text, position):
        char = text[stop.start()]
        place = stop.start()
        if char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
        elif char != "\\":
            return place
        if depth < 0:
            return place
        if depth > _MAX_PARENTHESES:
            return -1
    return len(text)
