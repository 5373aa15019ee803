"""What a browser makes of raw HTML: whether it stands in a comment or in a tag."""

from __future__ import annotations

import re
from typing import Literal

__all__ = ["Browser"]

_EDGE = re.compile(r"<!--(-?>)?|--!?>|</?[A-Za-z]|<[!?/]|=[ \t\n\v\f\r]*[\"']|[>\"']")


class Browser:
    """Follow raw HTML over pieces. Comments do not nest for a browser, and what is no comment ends at the first `>`."""

    def __init__(self, *, bogus: bool = False) -> None:
        self._state: Literal["", "comment", "bogus", "tag", '"', "'"] = "bogus" if bogus else ""

    @property
    def in_comment(self) -> bool:
        """Say whether what follows is part of a comment that only `-->` ends."""
        return self._state == "comment"

    @property
    def in_tag(self) -> bool:
        """Say whether what follows is part of a tag."""
        return self._state in ("tag", '"', "'")

    @property
    def in_value(self) -> bool:
        """Say whether what follows is part of a quoted attribute."""
        return self._state in ('"', "'")

    def feed(self, piece: str) -> None:
        """Read on."""
        for edge in _EDGE.finditer(piece):
            mark = edge.group()
            if self._state == "":
                self._open(mark, whole=edge.group(1) is not None)
            elif self._state == "comment":
                self._state = "" if mark in ("-->", "--!>") or edge.group(1) else "comment"
            elif self._state == "bogus":
                self._state = "" if mark.endswith(">") else "bogus"
            else:
                self._move_in_tag(mark)

    def _open(self, mark: str, *, whole: bool) -> None:
        if mark == "<!--":
            self._state = "comment"
        elif mark.startswith("<") and not whole:
            self._state = "bogus" if mark in ("<!", "<?", "</") else "tag"

    def _move_in_tag(self, mark: str) -> None:
        if self._state in ('"', "'"):
            self._state = "tag" if mark.endswith(self._state) else self._state
        elif mark[0] == "=":
            self._state = '"' if mark[-1] == '"' else "'"
        elif mark.endswith(">"):
            self._state = ""
