"""What goes wrong between a client and a server on loopback, for the servers that tests talk to."""

from __future__ import annotations

import threading

from tertulia.testing.wire import Fault

__all__ = ["Line"]

_LONGEST_HOLD = 30.0


class Line:
    """Be broken in one way at a time. `held` counts the answers held back, `elsewhere` is the host that `Fault.MOVE` names.

    A server calls `holds` for each answer, under its lock, and `wait` without it.
    """

    def __init__(self) -> None:
        self.fault: Fault | None = None
        self.held: int = 0
        self.elsewhere: str = "http://127.0.0.1:9"
        self._whole = threading.Event()

    def break_with(self, fault: Fault) -> None:
        """Break the wire in this way."""
        self.fault = fault
        self._whole.clear()

    def mend(self) -> None:
        """Make the wire whole, and let go the answers that were held back."""
        self.fault, self.held = None, 0
        self._whole.set()

    def holds(self, writes: bool) -> bool:
        """Tell whether this answer is held back, and count it."""
        held = self.fault is Fault.HOLD or (writes and self.fault is Fault.HOLD_WRITES)
        self.held += held
        return held

    def wait(self) -> None:
        """Hold an answer back until the wire is whole."""
        self._whole.wait(_LONGEST_HOLD)
