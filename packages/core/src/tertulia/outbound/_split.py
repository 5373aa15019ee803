"""Cut a long Markdown text into parts that each stand alone."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tertulia.errors import Invalid
from tertulia.outbound._outline import Fence, Outline

__all__ = ["split"]

_FENCE_SHARE = 8
_INFO = 64
_LOOK_BACK = 32
_REGIONAL = range(0x1F1E6, 0x1F200)
_SKIN = range(0x1F3FB, 0x1F400)
_IN_LINE, _IN_FENCE, _AT_LINE, _AT_BLOCK = 0, 1, 2, 3


class _Piece(NamedTuple):
    """A line, or a stretch of a long one, with the fence open after it.

    `glue` joins it to the piece before it; `rank` says how good a cut before it is.
    """

    text: str
    glue: str
    fence: Fence | None
    rank: int
    closes: bool


def split(body: str, limit: int) -> tuple[str, ...]:
    """Cut a body into parts of at most `limit` code points: at blank lines and fences first, then at lines.

    A fence that is cut is closed and opened again with its info string; a line is cut at white space, else between
    characters as people see them where that can be. Nothing is lost but white space at the cuts. Host lines are not
    counted here. Raises Invalid when the limit is below 1.
    """
    if limit < 1:
        raise Invalid(f"limit: {limit} characters hold nothing", field="limit")
    if len(body) <= limit:
        return (body,) if body.strip() else ()
    pieces = list(_pieces(body.split("\n"), limit))
    parts: list[str] = []
    start = 0
    head: Fence | None = None
    while start < len(pieces):
        cut = _cut(pieces, start, head, limit)
        tail = pieces[cut - 1].fence if cut < len(pieces) else None
        parts.append(_part(pieces[start:cut], head, tail))
        start, head = cut, tail if tail is not None and _goes_on(pieces[cut], tail) else None
    return tuple(part for part in parts if part.strip())


def _goes_on(piece: _Piece, fence: Fence) -> bool:
    """Say whether a piece belongs to the fence before it; one that ended because its container did is over."""
    return piece.fence is fence or piece.closes or not piece.glue


def _pieces(lines: list[str], limit: int) -> Iterator[_Piece]:
    outline = Outline(lines)
    before: Fence | None = None
    original, fence = outline.fence, before
    seen: list[tuple[str, Fence | None, bool]] = []
    for line in lines:
        outline.feed(line)
        if outline.fence is not original:
            original, fence = outline.fence, _portable(outline.fence, limit)
        seen.append((line, fence, outline.closed))
    wrap = max((len(fence.opener) + 1 for _, fence, _ in seen if fence is not None), default=0)
    blank = opened = closed = False
    for line, fence, closes in seen:
        rank = _rank(before, fence, closes, opened, blank or closed or not line.strip())
        opened, closed = fence is not None and fence is not before, closes
        for number, text in enumerate(_stretches(line, limit - 3 * wrap)):
            first = number == 0
            yield _Piece(text, "\n" if first else "", fence, rank if first else _IN_LINE, closes)
        before, blank = fence, not line.strip()


def _rank(before: Fence | None, fence: Fence | None, closes: bool, opened: bool, at_block: bool) -> int:
    """Judge a cut before a line: an empty fence on one side of it is no better than a cut in the line."""
    if before is not None and (closes or fence is not None):
        return _IN_LINE if closes or opened else _IN_FENCE
    return _AT_BLOCK if at_block or fence is not None else _AT_LINE


def _portable(fence: Fence | None, limit: int) -> Fence | None:
    """Make a fence that can be opened again in a part of its own; None when that would take too much of it."""
    if fence is None:
        return None
    prefix = fence.prefix if ">" in fence.prefix else fence.prefix[:3]
    info = fence.info if len(fence.info) <= min(_INFO, limit // _FENCE_SHARE) else ""
    made = Fence(prefix, fence.mark, info)
    return made if len(made.opener) <= max(limit // _FENCE_SHARE, 1) else None


def _cut(pieces: list[_Piece], start: int, head: Fence | None, limit: int) -> int:
    """Give where the part that begins at `start` ends: the last place of the best kind within the limit."""
    size = len(head.opener) + 1 + len(head.closer) + 1 if head is not None else 0
    best: dict[int, int] = {}
    for place in range(start, len(pieces)):
        piece = pieces[place]
        if place > start:
            best[piece.rank] = place
        size += len(piece.text) + (len(piece.glue) if place > start else 0)
        closing = len(piece.fence.closer) + 1 if piece.fence is not None else 0
        if size + closing > limit and place > start:
            return best[max(best)]
    return len(pieces)


def _part(pieces: list[_Piece], head: Fence | None, tail: Fence | None) -> str:
    """Write a part: a fence it goes on with is opened first and, where its own end no longer ends it, closed."""
    texts = _closed(pieces, head) if head is not None else (piece.glue + piece.text for piece in pieces)
    text = "".join(texts).removeprefix(pieces[0].glue)
    if head is None:
        text = _without_blank_lines(text, whole_line=bool(pieces[0].glue))
    opened = f"{head.opener}\n{text}" if head is not None else text
    return opened.rstrip() if tail is None else f"{opened}\n{tail.closer}"


def _closed(pieces: Iterable[_Piece], head: Fence) -> Iterator[str]:
    open_still = True
    for piece in pieces:
        ends = open_still and piece.fence is not head
        if ends and not piece.closes and ">" not in head.prefix:
            yield f"\n{head.closer}"
        yield piece.glue + piece.text
        if ends and piece.closes and len(piece.text) - len(piece.text.lstrip(" \t")) > 3:
            yield f"\n{head.closer}"
        open_still = open_still and not ends


def _without_blank_lines(text: str, *, whole_line: bool) -> str:
    """Take white space off the beginning, but leave the indentation of a whole line."""
    content = len(text) - len(text.lstrip())
    return text[text.rfind("\n", 0, content) + 1 :] if whole_line else text[content:]


def _stretches(line: str, room: int) -> Iterator[str]:
    room = max(room, 1)
    start = 0
    while len(line) - start > room:
        end = _break(line, start, start + room)
        yield line[start:end]
        start = end
    yield line[start:]


def _break(line: str, start: int, end: int) -> int:
    """Give a place to cut a line before `end`: after white space in its second half, else between characters."""
    half = start + (end - start) // 2
    space = max(line.rfind(" ", half, end), line.rfind("\t", half, end))
    if space > start:
        return space + 1
    for place in range(end, max(start, end - _LOOK_BACK), -1):
        if not _joined(line, place):
            return place
    return end


def _joined(line: str, place: int) -> bool:
    """Say whether what stands before and after `place` is one character to people."""
    left, right = line[place - 1], line[place]
    if left == "\u200d" or right == "\u200d" or ord(right) in _SKIN or unicodedata.category(right).startswith("M"):
        return True
    if ord(left) not in _REGIONAL or ord(right) not in _REGIONAL:
        return False
    flags = 0
    while flags < min(place, _LOOK_BACK) and ord(line[place - 1 - flags]) in _REGIONAL:
        flags += 1
    return flags % 2 == 1
