"""A clock for clients that wait: seconds pass, and nobody waits for them."""

from __future__ import annotations

import asyncio

__all__ = ["Time"]


class Time:
    """Let seconds pass without waiting for them. `slept` is what was asked for, in order."""

    def __init__(self) -> None:
        self.at: float = 0.0
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        """Pass the time; who has to run meanwhile runs."""
        self.slept.append(seconds)
        self.at += seconds
        await asyncio.sleep(0)

    def now(self) -> float:
        """Give the time."""
        return self.at
