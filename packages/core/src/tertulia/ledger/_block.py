"""The three lines in which a state stands in a comment, and what is wrong with lines that only look like them.

    <!-- bot-workflow-terminal -->
    A sentence for whoever reads the comment.
    <!-- workflow-state v5 thread=github:acme/demo#7 rev=3 kid=k1 mac=HEX64 data=BASE64URL -->

Nothing is decoded before the account that posted the comment is known: that is the caller's part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote

from tertulia._text._lines import unify_lines
from tertulia.errors import Invalid
from tertulia.ledger._seal import Seal

__all__ = ["BEGINS", "Block", "find_block"]

_PLAIN = re.compile(r"<!-- workflow-state (\{.*\}) -->")
_WRITTEN = re.compile(
    r"<!-- workflow-state v(?P<schema>[0-9]{1,4}) thread=(?P<thread>[!-=?-~]{1,2048}) rev=(?P<rev>[0-9]{1,20})"
    r"(?: kid=(?P<kid>[a-z0-9-]{1,16}) mac=(?P<mac>[0-9a-f]{64}))? data=(?P<data>[A-Za-z0-9_-]+) -->"
)
BEGINS = "<!-- workflow-state "
_SAFE = "/:#@%!$&'()*+,;=?[]~"


@dataclass(frozen=True, slots=True)
class Block:
    """Hold a state as it is transmitted: `thread` is the thread key in ASCII, `data` what the seal is over.

    `plain` is the JSON of a state of an older release, which has nothing else.
    """

    schema: int
    thread: str
    rev: int
    data: str
    seal: Seal | None = None
    plain: str | None = None

    @staticmethod
    def ascii(thread_key: str) -> str:
        """Write a thread key in the ASCII characters that may stand in a block, the same for the same key."""
        return quote(thread_key, safe=_SAFE)

    def line(self) -> str:
        """Write the third line."""
        seal = f" kid={self.seal.kid} mac={self.seal.mac}" if self.seal is not None else ""
        line = f"{BEGINS}v{self.schema} thread={self.thread} rev={self.rev}{seal} data={self.data} -->"
        if not _WRITTEN.fullmatch(line):
            raise Invalid("state: thread: cannot be written in a comment", field="thread")
        return line


def find_block(body: str, *, marker_prefix: str = "bot-") -> Block | None:
    """Find the state in a comment's body; None when it has none.

    Raises Invalid for a comment that begins and ends as one with a state, and has something in between or in the state's
    line that we do not write.
    """
    lines = unify_lines(body.rstrip()).split("\n")
    first, last = lines[0].rstrip(), lines[-1].rstrip()
    if first != f"<!-- {marker_prefix}workflow-terminal -->" or not last.startswith(BEGINS):
        return None
    if plain := _PLAIN.fullmatch(last):
        return Block(schema=0, thread="", rev=0, data="", plain=plain[1])
    found = _WRITTEN.fullmatch(last)
    if found is None or len(lines) != 3:
        raise Invalid("state: is not the three lines that a state is written in")
    seal = Seal(found["kid"], found["mac"]) if found["kid"] else None
    return Block(int(found["schema"]), found["thread"], int(found["rev"]), found["data"], seal)
