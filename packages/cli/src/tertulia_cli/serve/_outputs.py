"""Where events go: what every output promises, and how it says that it failed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tertulia_cli.serve._cloudevent import CloudEvent

__all__ = ["Failed", "Gone", "Output"]


class Failed(Exception):
    """Say that an event was not taken, and may be later; `retry_after` is how many seconds the other side asks for."""

    def __init__(self, reason: str, *, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


class Gone(Exception):
    """Say that the output will never take anything again, so that the server has nothing left to do."""


class Output(Protocol):
    """Take events, up to `together` of them at once, and `concurrency` such groups side by side.

    Those that returned were taken for good; those that were cancelled may be taken or not.
    """

    concurrency: int
    together: int

    async def emit(self, events: Sequence[CloudEvent], /) -> None:
        """Hand events on, all of them or none; raises Failed, or Gone."""
        ...

    async def close(self) -> None:
        """Let go of what it holds."""
        ...
