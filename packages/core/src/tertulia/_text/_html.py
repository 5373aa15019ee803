"""The little of HTML that decides what a reader of Markdown sees: comments, tags, and the seven kinds of HTML block.

Follows the CommonMark specification (0.31, "HTML blocks" and "Raw HTML"). Every function is linear in what it consumes.
"""

from __future__ import annotations

import re
from typing import Literal

__all__ = ["Comments", "HtmlKind", "block_start", "bogus_start", "closes_block", "declaration_closer", "tag_end"]

HtmlKind = Literal["comment", "declaration", "raw", "tag"]
"""`declaration` ends on its own mark, `raw` (pre, script, style, textarea) on an end tag, `tag` on a blank line."""

_EDGE = re.compile(r"<!--(-?>)?|-->")
_BOGUS = re.compile(r"<!(?!--)|<\?|</(?![A-Za-z>])")
_TAG_NAME = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*")
_ATTRIBUTE = re.compile(r"[A-Za-z_:][A-Za-z0-9_.:-]*")
_UNQUOTED = re.compile(r"[^ \t\n\v\f\r\"'=<>`]+")
_SPACE = re.compile(r"[ \t\n\v\f\r]+")
_RAW_TAG = re.compile(r"<(?:pre|script|style|textarea)(?=[ \t\v\f>]|$)", re.IGNORECASE)
_BLOCK_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)(?=[ \t\v\f]|/?>|$)")
_RAW_END = re.compile(r"</(?:pre|script|style|textarea)>", re.IGNORECASE)
_BLOCK_TAGS = frozenset(
    re.findall(
        r"\w+",
        "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt "
        "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link "
        "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead "
        "title tr track ul",
    )
)


class Comments:
    """Follow HTML comments through pieces of text; they nest, and an unterminated one stays open.

    HTML itself does not nest comments. Counting depth hides at least as much as a browser does, and a payload behind
    an inner `-->` does not come out.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.bogus = False

    def end(self, text: str, position: int, limit: int) -> int:
        """Give where the open comment ends in `text[position:limit]`, or `limit` while it stays open."""
        if self.bogus:
            close = text.find(">", position, limit)
            self.depth, self.bogus = (1, True) if close < 0 else (0, False)
            return limit if close < 0 else close + 1
        for edge in _EDGE.finditer(text, position, limit):
            if edge.group(1):
                continue
            self.depth += -1 if edge.group() == "-->" else 1
            if self.depth == 0:
                return edge.end()
        return limit

    def open(self, text: str, position: int, limit: int) -> int:
        """Give where the comment that begins at `position` ends; `<!-->` and `<!--->` are whole comments."""
        edge = _EDGE.match(text, position, limit)
        if edge is None or edge.group() == "-->":
            raise ValueError("no comment begins here")
        if edge.group(1):
            return edge.end()
        self.depth = 1
        return self.end(text, edge.end(), limit)

    def open_bogus(self, text: str, position: int, limit: int) -> int:
        """Give where the bogus comment that begins at `position` ends: at the first `>`."""
        self.bogus = True
        return self.end(text, position + 2, limit)

    def close(self) -> None:
        """Forget an open comment: the quote around it ended."""
        self.depth, self.bogus = 0, False


def tag_end(text: str, position: int) -> int:
    """Give the end of the open or closing tag at `position`, or -1 when there is none."""
    name = _TAG_NAME.match(text, position)
    if name is None:
        return -1
    place = name.end()
    closing = text[position + 1] == "/"
    while True:
        space = _SPACE.match(text, place)
        after = space.end() if space else place
        if text.startswith(">", after):
            return after + 1
        if not closing and text.startswith("/>", after):
            return after + 2
        if closing or space is None:
            return -1
        place = _attribute_end(text, after)
        if place < 0:
            return -1


def _attribute_end(text: str, position: int) -> int:
    name = _ATTRIBUTE.match(text, position)
    if name is None:
        return -1
    space = _SPACE.match(text, name.end())
    equals = space.end() if space else name.end()
    if not text.startswith("=", equals):
        return name.end()
    space = _SPACE.match(text, equals + 1)
    value = space.end() if space else equals + 1
    quote = text[value : value + 1]
    if quote in ('"', "'"):
        end = text.find(quote, value + 1)
        return end + 1 if end >= 0 else -1
    plain = _UNQUOTED.match(text, value)
    return plain.end() if plain else -1


def declaration_closer(text: str, position: int) -> str | None:
    """Give what ends the declaration, processing instruction or CDATA section at `position`; None when there is none."""
    rest = text[position : position + 9]
    if rest.startswith("<?"):
        return "?>"
    if rest == "<![CDATA[":
        return "]]>"
    return ">" if rest.startswith("<!") and rest[2:3].isascii() and rest[2:3].isalpha() else None


def bogus_start(text: str, position: int) -> bool:
    """Say whether a browser takes what begins at `position` for a comment although it is none: it ends at the first `>`."""
    return _BOGUS.match(text, position) is not None


def block_start(line: str, *, in_paragraph: bool) -> HtmlKind | None:
    """Name the kind of HTML block a line begins (leading spaces taken off), or None."""
    if not line.startswith("<"):
        return None
    if line.startswith("<!--"):
        return "comment"
    if declaration_closer(line, 0) is not None:
        return "declaration"
    if _RAW_TAG.match(line):
        return "raw"
    tag = _BLOCK_TAG.match(line)
    if tag is not None and tag.group(1).lower() in _BLOCK_TAGS:
        return "tag"
    if in_paragraph:
        return None
    end = tag_end(line, 0)
    return "tag" if end > 0 and not line[end:].strip(" \t\v\f") else None


def closes_block(kind: HtmlKind, closer: str, line: str) -> bool:
    """Say whether a line ends the HTML block it stands in; `closer` is what ends a declaration."""
    if kind == "comment":
        return "-->" in line
    if kind == "declaration":
        return closer in line
    return _RAW_END.search(line) is not None if kind == "raw" else not line.strip(" \t")
