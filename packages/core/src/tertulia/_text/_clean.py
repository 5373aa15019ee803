"""What of a text may go on to an agent: what a reader sees of it, and how much was taken out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tertulia._text._characters import clean_characters
from tertulia._text._lines import Line, unify_lines
from tertulia._text._scan import Scan, scan

__all__ = ["Cleaned", "clean", "excerpt"]

_HIDING = ("<!", "<?", "</", "]:")
"""Without one of these nothing in a text is hidden but characters."""

_ALT = r"!\[(?:[^\[\]\\]|\\.|\[[^\[\]]{0,200}\]){0,1000}\]"
_TAIL = r"\([^()\s]{0,2000}(?:\s[^()]{0,1000})?\)|\[[^\[\]]{0,1000}\]"
_IMG = r"<img\b(?:\"[^\"]{0,2000}\"|'[^']{0,2000}'|[^>\"']){0,2000}>|<img\b[^>]{0,4000}>?"
_IMAGE = re.compile(rf"{_ALT}(?:{_TAIL})?|{_IMG}", re.IGNORECASE)
_LABEL = r"(?:[^\[\]]|\[[^\[\]]{0,200}\]){0,1000}"
_LINK = re.compile(rf"(?<!!)\[({_LABEL})\]\(\s?<?([^()\s<>]{{0,2000}})>?(?:\s[^()]{{0,1000}})?\)")
_URL = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]{0,30}://([^\s<>\"'`\\/?#()\[\]]{1,255})[^\s<>\"'`]{0,4000}")
_WWW = re.compile(r"\b(www\.[^\s<>\"'`/?#()\[\]]{1,255})[^\s<>\"'`]{0,4000}", re.IGNORECASE)
_SCHEMES = re.compile(r"\b(?:javascript|data|vbscript|file|mailto):", re.IGNORECASE)
_SLASHES = re.compile(r":/{2,}")
_NEUTRAL = str.maketrans({"`": "'", "<": "\u2039", ">": "\u203a", "@": "\uff20"})
_EXCERPT_INPUT = 4096


@dataclass(frozen=True, slots=True)
class Cleaned:
    """Hold a cleaned text; `blocks` invisible things and `characters` invisible characters were taken out.

    `doubtful`: a comment ended only because the quote around it did; a site may hide more than was taken out.
    """

    text: str
    blocks: int = 0
    characters: int = 0
    doubtful: bool = False

    @property
    def hidden(self) -> bool:
        """Say whether anything invisible was found."""
        return self.blocks > 0 or self.characters > 0 or self.doubtful


def clean(body: str, own_lines: frozenset[int] = frozenset(), scanned: Scan | None = None) -> Cleaned:
    """Take out what a reader does not see: comments, unused reference definitions, invisible characters.

    `own_lines` are the numbers of the host's own marker and key lines, which are taken out and not counted.
    """
    text = unify_lines(body)
    if own_lines:
        text = "\n".join(line for number, line in enumerate(text.split("\n")) if number not in own_lines)
    if scanned is None and not any(mark in text for mark in _HIDING):
        text, characters = clean_characters(text)
        return Cleaned(text, 0, characters)
    seen = scanned or scan(body)
    lines = [_line(seen, number, line, own_lines) for number, line in enumerate(seen.lines)]
    text, characters = clean_characters("\n".join(line for line in lines if line is not None))
    return Cleaned(text, max(seen.hidden - len(own_lines), 0), characters, seen.cut_short)


def _line(seen: Scan, number: int, line: Line, own_lines: frozenset[int]) -> str | None:
    """Give what is left of a line; nothing when it held invisible things only."""
    if number in own_lines:
        return None
    if not line.hidden:
        return None if line.in_comment and line.kind == "blank" else seen.raw(line)
    visible = seen.visible(line)
    return visible if visible.strip(" \t>") else None


def excerpt(body: str, limit: int = 160) -> str:
    """Give one line of at most `limit` characters that can start nothing: no link, image, tag, code, mention or break."""
    text = clean(body).text[:_EXCERPT_INPUT]
    text = " ".join(text.split())
    text = _IMAGE.sub("[image]", text)
    text = _LINK.sub(lambda link: f"{link.group(1)} ({_host(link.group(2))})", text)
    text = _WWW.sub(r"\1", _URL.sub(lambda url: _host(url.group()), text))
    text = _SLASHES.sub(":/", _SCHEMES.sub(" ", text)).translate(_NEUTRAL)
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "\u2026"


def _host(url: str) -> str:
    host = url.partition("://")[2] or url
    host = re.split(r"[/?#]", host, maxsplit=1)[0].rpartition("@")[2]
    return host[:80] or "link"
