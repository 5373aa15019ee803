"""How long one call may wait, and for what."""

from __future__ import annotations

import asyncio
import random
import time

__all__ = ["TRIES", "Budget", "Clock", "backoff"]

TRIES = 4
"""How often a request is made whose outcome was a failure; for rate limits the budget alone decides."""

_FIRST, _MOST = 0.5, 8.0


class Clock:
    """Tell the time in seconds, and sleep; tests bring their own."""

    def now(self) -> float:
        """Give seconds that never go back."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Sleep."""
        await asyncio.sleep(seconds)


class Budget:
    """Bound the sleeping of one call; what several of its requests sleep at the same time counts once."""

    def __init__(self, seconds: float, clock: Clock) -> None:
        self._left = seconds
        self._clock = clock
        self._until = clock.now()

    def take(self, seconds: float) -> bool:
        """Take seconds of sleep from now on, or say that there are not so many left."""
        end = self._clock.now() + seconds
        cost = max(0.0, end - max(self._clock.now(), self._until))
        if cost > self._left:
            return False
        self._left -= cost
        self._until = max(self._until, end)
        return True


def backoff(failures: int) -> float:
    """Give the seconds to sleep after so many failures: about twice as long each time, never in step with others."""
    return min(_FIRST * 2.0 ** (failures - 1), _MOST) * random.uniform(0.5, 1.0)
