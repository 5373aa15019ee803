"""What goes wrong between a client and a server on loopback, for the servers that tests talk to."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from tertulia.testing.loopback import Reply
from tertulia.testing.wire import Breakable

__all__ = ["BAD_GATEWAY", "Land", "Line"]

BAD_GATEWAY = Reply(502, b"<html>bad gateway</html>", {"content-type": "text/html"})
"""What a proxy says that has lost the server's answer."""

Land = Callable[[], Reply]
"""Carry out a write, and give the answer."""

_LONGEST_HOLD = 30.0


class Line(Breakable):
    """Break the line to a server. `elsewhere` is the host that `Fault.MOVE` names, `latency` the seconds an answer takes.

    `outcome` may answer the next write in its own way. A server calls `write` and `holds` under its lock, and `send`
    without it.
    """

    def __init__(self) -> None:
        self._mended = threading.Event()
        super().__init__(self._mended)
        self.elsewhere: str = "http://127.0.0.1:9"
        self.latency: float = 0.0
        self.outcome: Callable[[Land], Reply] | None = None

    def lose(self, reply: Reply = BAD_GATEWAY) -> None:
        """Let the next write land, and answer it in this way."""

        def landed(land: Land) -> Reply:
            land()
            return reply

        self.outcome = landed

    def drop(self, reply: Reply = BAD_GATEWAY) -> None:
        """Let the next write not land, and answer it in this way."""
        self.outcome = lambda land: reply

    def write(self, land: Land) -> Reply:
        """Carry out a write, or let become of it what `outcome` says."""
        outcome, self.outcome = self.outcome, None
        return land() if outcome is None else outcome(land)

    def send(self, reply: Reply, *, held: bool) -> Reply:
        """Give an answer as late as the line lets it through: one that is held, when the wire is whole."""
        if held:
            self._mended.wait(_LONGEST_HOLD)
        return replace(reply, delay=reply.delay + self.latency)
