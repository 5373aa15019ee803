"""A text with nothing taken out: what a reader sees of it, and what is hidden from one, piece by piece."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from tertulia._text._characters import BREAKS, clean_characters
from tertulia._text._scan import scan

__all__ = ["Piece", "reveal"]

Piece = tuple[str, bool]
"""A part of a text, and whether it is hidden."""


def reveal(body: str) -> tuple[Piece, ...]:
    """Cut a text into what is seen and what is hidden; joined, the pieces are the text with its line ends unified.

    Hidden is what `clean` takes out: comments, unused definitions, invisible characters.
    """
    seen = scan(body)
    spans: list[tuple[int, int]] = []
    for line in seen.lines:
        spans += line.hidden
    marked = list(_marked(seen.text, spans))
    visible = "".join(text for text, hidden in marked if not hidden)
    kept = iter(_kept(visible, clean_characters(visible)[0]))
    pieces: list[Piece] = []
    for text, hidden in marked:
        pieces += [(text, True)] if hidden else [(char, not next(kept)) for char in text]
    return tuple(_joined(pieces))


def _marked(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[Piece]:
    place = 0
    for start, end in sorted(spans):
        if start > place:
            yield text[place:start], False
        if end > place:
            yield text[max(start, place) : end], True
            place = end
    if place < len(text):
        yield text[place:], False


def _kept(text: str, cleaned: str) -> Iterator[bool]:
    """Say of each character whether it stayed: cleaning takes some out, replaces a few and changes no order."""
    place = 0
    for char in text:
        left = cleaned[place : place + 1]
        stays = left in (char, " " if char in BREAKS else "\ufffd" if "\ud800" <= char <= "\udfff" else char)
        place += stays
        yield stays


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    for hidden, run in groupby(pieces, key=lambda piece: piece[1]):
        yield "".join(text for text, _ in run), hidden
