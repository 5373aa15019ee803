"""Link reference definitions: lines that render as nothing (CommonMark, "Link reference definitions")."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Definition", "fold_label", "label_end", "link_tail_end", "read_definition"]

_LABEL = re.compile(r" {0,3}\[")
_MAX_LABEL = 999
_SPACES = re.compile(r"[ \t]*")
_GAP = re.compile(r"[ \t]*\n?[ \t]*")
_ANGLE_STOP = re.compile(r"[<>\n\\]")
_BARE_STOP = re.compile(r"[()]|\\[!-/:-@\[-`{-~]|[\x00-\x20\x7f]")
_LABEL_STOP = re.compile(r"[\[\]]|\\.", re.DOTALL)
_BLANKS = re.compile(r"[ \t\n\v\f\r]+")
_MAX_PARENTHESES = 32
_CLOSERS = {'"': '"', "'": "'", "(": ")"}
_TITLE_STOPS = {'"': re.compile(r'[\\"]'), "'": re.compile(r"[\\']"), ")": re.compile(r"[\\()]")}


@dataclass(frozen=True, slots=True)
class Definition:
    """Name a definition's label, folded, and where it ends in its paragraph; sites disagree about an unsure one."""

    label: str
    end: int
    sure: bool


def fold_label(label: str) -> str:
    """Make two spellings of one label equal: case folded, runs of (ASCII) white space one space."""
    return _BLANKS.sub(" ", label).strip(" ").casefold()


def read_definition(text: str, position: int) -> Definition | None:
    """Read a definition that begins at `position`, a line start; it ends at a line end or at the end of the text."""
    start = _LABEL.match(text, position)
    if start is None:
        return None
    close = label_end(text, start.end())
    if close < 0 or not text.startswith(":", close + 1):
        return None
    label = fold_label(text[start.end() : close])
    place = _skip(_GAP, text, close + 2)
    after, sure = _destination_end(text, place)
    if not label or after <= place:
        return None
    end, ended = _title_end(text, after)
    return None if end < 0 else Definition(label, end, sure and ended)


def label_end(text: str, position: int) -> int:
    """Give where the label whose text begins at `position` ends: at its closing bracket, or -1."""
    for stop in _LABEL_STOP.finditer(text, position, position + _MAX_LABEL + 1):
        if stop.group() == "]":
            return stop.start()
        if stop.group() == "[":
            return -1
    return -1


def _skip(pattern: re.Pattern[str], text: str, position: int) -> int:
    found = pattern.match(text, position)
    return found.end() if found else position


def _destination_end(text: str, position: int) -> tuple[int, bool]:
    """Give the end of a destination, -1 when there is none, and whether every site reads it so."""
    if not text.startswith("<", position):
        return _bare_end(text, position)
    place = position + 1
    while True:
        stop = _ANGLE_STOP.search(text, place)
        if stop is None or stop.group() in "<\n":
            return -1, True
        if stop.group() == ">":
            return stop.end(), True
        place = stop.end() + 1


def _bare_end(text: str, position: int) -> tuple[int, bool]:
    """Give the end of a destination without angle brackets, which may be empty.

    CommonMark wants its parentheses to pair; GitHub takes it all the same.
    """
    depth = 0
    for stop in _BARE_STOP.finditer(text, position):
        char = stop.group()
        if char == "(":
            depth += 1
            if depth > _MAX_PARENTHESES:
                return -1, True
        elif char == ")" and depth:
            depth -= 1
        elif len(char) == 1:
            return stop.start(), depth == 0
    return len(text), depth == 0


def _title_end(text: str, position: int) -> tuple[int, bool]:
    """Give the end of the definition: behind its title, or before one that is not a title after all."""
    bare_end = _line_end(text, position)
    gap = _skip(_GAP, text, position)
    closer = _CLOSERS.get(text[gap : gap + 1])
    if closer is None or gap == position:
        return bare_end, True
    close, sure = _find_closer(text, gap + 1, closer)
    end = _line_end(text, close + 1) if close >= 0 else -1
    return (end, sure) if end >= 0 else (bare_end, True)


def _line_end(text: str, position: int) -> int:
    """Give the end of the line when only blanks are left on it, else -1."""
    place = _skip(_SPACES, text, position)
    return place if place == len(text) or text[place] == "\n" else -1


def _find_closer(text: str, position: int, closer: str) -> tuple[int, bool]:
    """Give where a title ends, -1 when it does not; one in parentheses holds no others.

    Where only an escaped mark could end it, GitHub lets it.
    """
    stops = _TITLE_STOPS[closer]
    escaped = -1
    while True:
        stop = stops.search(text, position)
        if stop is not None and stop.group() == closer:
            return stop.start(), True
        if stop is None or stop.group() == "(":
            return escaped, escaped < 0
        escaped = stop.end() if text.startswith(closer, stop.end()) else escaped
        position = stop.end() + 1


def link_tail_end(text: str, position: int) -> tuple[int, bool]:
    """Give the end of what makes a link of a text in brackets, `(destination "title")` at `position`.

    It is -1 when there is none; the other value says whether every site reads it so.
    """
    if not text.startswith("(", position):
        return -1, True
    place = _skip(_GAP, text, position + 1)
    after, sure = _destination_end(text, place)
    if after < 0:
        return -1, True
    gap = _skip(_GAP, text, after)
    closer = _CLOSERS.get(text[gap : gap + 1])
    if closer is not None and gap > after:
        close, ended = _find_closer(text, gap + 1, closer)
        if close < 0:
            return -1, True
        sure = sure and ended
        gap = _skip(_GAP, text, close + 1)
    return (gap + 1, sure) if text.startswith(")", gap) else (-1, True)
