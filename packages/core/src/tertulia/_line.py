"""One printable line out of text somebody else wrote: for error messages, so no token and no control character."""

from __future__ import annotations

import re

__all__ = ["one_line"]

_MOST = 300
_READ = 8 * _MOST
_SECRET = re.compile(
    r"gh[a-z]_[A-Za-z0-9_.-]{8,}"
    r"|github_pat_[A-Za-z0-9_]{8,}"
    r"|xox[a-z](?:-|\.xox[a-z]-)[A-Za-z0-9-]{8,}"
    r"|xapp-[A-Za-z0-9-]{8,}"
    r"|glpat-[A-Za-z0-9_.-]{8,}"
    r"|AT[A-Z]TT[A-Za-z0-9_=-]{8,}"
    r"|eyJ[A-Za-z0-9_-]{8,}[A-Za-z0-9_.-]*"
    r"|(?<=hooks\.slack\.com/)[A-Za-z0-9/_-]{8,}"
    r"|(?<=://)[^/\s@]{1,512}(?=@)"
    r"|(?<=Bearer )\S{8,}|(?<=bearer )\S{8,}|(?<=Basic )\S{8,}|(?<=basic )\S{8,}"
)


def one_line(text: str, most: int = _MOST) -> str:
    """Give at most `most` characters on one line, printable, with whatever looks like a token taken out.

    Only the beginning of a long text is read, but for its last word: half a token would pass for a word.
    """
    line = " ".join("".join(c if c.isprintable() else " " for c in text[:_READ]).split())
    if len(text) > _READ:
        line = line.rpartition(" ")[0]
    line = _SECRET.sub("[token]", line)
    return line if len(line) <= most else line[: most - 1] + "…"
