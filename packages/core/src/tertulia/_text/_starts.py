"""What begins a block: CommonMark's marks, and GitHub's footnotes."""

from __future__ import annotations

import re

from tertulia._text._html import block_start

__all__ = ["FENCE", "HEADING", "NOTE", "UNDERLINE", "is_break", "item_marker", "starts_block"]

FENCE = re.compile(r"(`{3,})[^`\n]*$|(~{3,})")
HEADING = re.compile(r"#{1,6}(?=[ \t]|$)")
UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$")
NOTE = re.compile(r"\[(\^[^\] \t\n]+)\]:")
_BULLET = re.compile(r"[-+*](?=[ \t]|$)")
_ORDERED = re.compile(r"([0-9]{1,9})[.)](?=[ \t]|$)")
_FIRSTS = frozenset(">`~#<[-+*_0123456789")


def starts_block(rest: str, *, in_paragraph: bool) -> bool:
    """Say whether a line (indent taken off) begins a block; fewer things do inside a paragraph that could go on."""
    if rest[0] not in _FIRSTS:
        return False
    if rest[0] == ">" or FENCE.match(rest) or HEADING.match(rest) or is_break(rest) or NOTE.match(rest):
        return True
    if block_start(rest, in_paragraph=in_paragraph):
        return True
    return item_marker(rest, in_paragraph=in_paragraph) is not None


def is_break(rest: str) -> bool:
    """Say whether a line is a thematic break: three or more of one of `* - _`, blanks between them."""
    marks = rest.replace(" ", "").replace("\t", "")
    return len(marks) >= 3 and marks[0] in "*-_" and marks == marks[0] * len(marks)


def item_marker(rest: str, *, in_paragraph: bool) -> int | None:
    """Give the width of the list marker a line begins with; in a paragraph only an item with text, from 1, begins one."""
    bullet = _BULLET.match(rest)
    ordered = None if bullet else _ORDERED.match(rest)
    marker = bullet or ordered
    if marker is None:
        return None
    if in_paragraph and (not rest[marker.end() :].strip(" \t") or (ordered is not None and int(ordered.group(1)) != 1)):
        return None
    return marker.end()
