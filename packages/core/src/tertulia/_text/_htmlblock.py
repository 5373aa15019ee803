"""An HTML block or an open comment as it goes over lines: what Markdown hands on raw, and what a browser makes of it."""

from __future__ import annotations

import re
from typing import Literal

from tertulia._text._html import Comments, closes_block, declaration_closer
from tertulia._text._inline import Inline, read_raw
from tertulia._text._lines import Line

__all__ = ["HtmlBlock", "HtmlKind"]

HtmlKind = Literal["comment", "declaration", "raw", "tag", "inline"]
"""`inline` is a comment that its paragraph did not end; the others are HTML blocks."""

_EDGE = re.compile(r"<!--(-?>)?|--!?>|<[?!]|>")


class HtmlBlock:
    """Follow one block; `comments` is shared with the text around it.

    `sealed`: Markdown ended the block while a browser still stands in a comment. What follows is escaped, so nothing in
    it can end that comment and no reader sees any of it.
    """

    def __init__(self, kind: HtmlKind, comments: Comments, rest: str = "") -> None:
        self.kind = kind
        self.comments = comments
        self.sealed = False
        self.ended = kind == "inline"
        self._closer = (declaration_closer(rest, 0) or ">") if kind == "declaration" else ""
        self._state: Literal["", "comment", "bogus"] = ""

    @property
    def hiding(self) -> bool:
        """Say whether the next line begins invisible."""
        return self.sealed or self.comments.depth > 0

    def read(self, line: Line, rest: str, place: int) -> None:
        """Read what is left of a line from `place` on."""
        if self.sealed:
            line.hide(place, line.end)
            return
        found = Inline()
        read_raw(rest, place, self.comments, found)
        for start, end in found.hidden:
            line.hide(start, end)
        if self.kind != "inline":
            self._watch(rest)
            self._end(self._closes(rest))

    def blank(self) -> None:
        """Read a blank line: it ends the block that a tag began."""
        self._end(self.kind == "tag")

    def leave(self) -> None:
        """End the block because the list item around it did."""
        self._end(True)

    def _end(self, ended: bool) -> None:
        self.ended = self.ended or ended
        if self.ended and self._state:
            self.sealed = True

    def _closes(self, rest: str) -> bool:
        if self.kind == "comment":
            return "-->" in rest
        if self.kind == "declaration":
            return self._closer in rest
        return closes_block(self.kind, rest)

    def _watch(self, rest: str) -> None:
        """Follow what a browser does: comments do not nest, declarations end at the first `>`."""
        for edge in _EDGE.finditer(rest):
            mark = edge.group()
            if self._state == "":
                opens = mark.startswith("<") and not edge.group(1)
                self._state = ("comment" if mark == "<!--" else "bogus") if opens else ""
            elif self._state == "comment":
                self._state = "" if mark.endswith(">") and mark != ">" else "comment"
            elif mark.endswith(">"):
                self._state = ""
