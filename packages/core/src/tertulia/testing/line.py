"""What goes wrong between a client and a server on loopback, for the servers that tests talk to."""

from __future__ import annotations

import threading

from tertulia.testing.wire import Breakable

__all__ = ["Line"]

_LONGEST_HOLD = 30.0


class Line(Breakable):
    """Break the line to a server. `elsewhere` is the host that `Fault.MOVE` names.

    A server calls `holds` for each answer, under its lock, and `wait` without it.
    """

    def __init__(self) -> None:
        self._mended = threading.Event()
        super().__init__(self._mended)
        self.elsewhere: str = "http://127.0.0.1:9"

    def wait(self) -> None:
        """Hold an answer back until the wire is whole."""
        self._mended.wait(_LONGEST_HOLD)
