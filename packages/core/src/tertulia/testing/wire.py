"""What goes wrong between a client and its backend, for the backends of this package: a fault at a time, until it is mended."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from enum import StrEnum
from typing import TypeVar

from tertulia.errors import Denied, Error, Invalid, NotFound, RateLimited, Unavailable

__all__ = ["Breakable", "Fault", "Wire"]

_T = TypeVar("_T")
_HOUR = 3600.0
_BACKEND = "memory"


class Fault(StrEnum):
    """Name a way in which a wire is broken."""

    DENY = "deny"
    """The credentials are refused."""
    NAMELESS = "nameless"
    """The credentials tell nobody's name."""
    HIDE = "hide"
    """Every thread is out of this identity's sight."""
    LIMIT = "limit"
    """Every request is refused because of a limit, for an hour."""
    CUT = "cut"
    """Every request is carried nowhere, and its answer is cut."""
    LOSE = "lose"
    """The next write lands, and its answer is lost; then the wire is whole."""
    DROP = "drop"
    """The next write does not land, and nobody says so; then the wire is whole."""
    HOLD = "hold"
    """Requests are carried out, and their answers held back until the wire is mended."""
    HOLD_WRITES = "hold_writes"
    """Writes are carried out, and their answers held back until the wire is mended."""
    MOVE = "move"
    """Every request is answered with the address of another host."""
    REPEAT = "repeat"
    """The last item of a page is the first of the next one too."""


class Breakable:
    """Be broken in one way at a time. `held` counts the answers held back; `whole` is set when the wire becomes whole."""

    def __init__(self, whole: asyncio.Event | threading.Event) -> None:
        self.fault: Fault | None = None
        self.held: int = 0
        self._whole = whole

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


class Wire(Breakable):
    """Carry what a client in memory asks. `writes` counts those that have arrived.

    `overheard` is what another host was told by a client that follows wherever it is sent.
    """

    def __init__(self) -> None:
        self._mended = asyncio.Event()
        super().__init__(self._mended)
        self.writes: int = 0
        self.overheard: list[str] = []

    async def carry(self, operation: str, do: Callable[[], _T], *, write: bool = False) -> _T:
        """Carry one request and its answer. Raises what the fault makes of it, of the tree in `tertulia.errors`."""
        await asyncio.sleep(0)
        self.writes += write
        refusal = self._refusal(operation, write)
        if refusal is not None:
            raise refusal
        if write and self._once(Fault.DROP):
            raise Unavailable("no answer", ambiguous=True, backend=_BACKEND, operation=operation)
        done = do()
        if write and self._once(Fault.LOSE):
            raise Unavailable("no answer", ambiguous=True, backend=_BACKEND, operation=operation)
        if self.holds(write):
            await self._mended.wait()
        return done

    def _once(self, fault: Fault) -> bool:
        if self.fault is not fault:
            return False
        self.mend()
        return True

    def _refusal(self, operation: str, write: bool) -> Error | None:
        match self.fault:
            case Fault.DENY:
                return Denied("the credentials were refused", backend=_BACKEND, operation=operation)
            case Fault.NAMELESS if operation == "whoami":
                return Denied("the credentials tell nobody's name", backend=_BACKEND, operation=operation)
            case Fault.HIDE if operation == "get_message":
                return Denied("the thread is not in sight", backend=_BACKEND, operation=operation)
            case Fault.HIDE if operation != "whoami":
                return NotFound("nothing is there", backend=_BACKEND, operation=operation)
            case Fault.LIMIT:
                return RateLimited("too many requests", retry_after=_HOUR, backend=_BACKEND, operation=operation)
            case Fault.CUT:
                return Unavailable("the answer was cut", ambiguous=write, backend=_BACKEND, operation=operation)
            case Fault.MOVE:
                return Invalid("is sent to another host", backend=_BACKEND, operation=operation)
            case _:
                return None
