"""How long to wait before something is tried again."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ["Backoff"]


@dataclass(frozen=True, slots=True)
class Backoff:
    """Double the wait with every failure, up to `longest` seconds, and end after `retry_for` seconds of trying.

    A tenth of the wait is chance, so that what failed together is not tried together again.
    """

    first: float = 1.0
    longest: float = 300.0
    retry_for: float = 86_400.0
    chance: Callable[[], float] = field(default=random.random)

    def wait(self, failures: int, tried_for: float, told: float | None = None) -> float | None:
        """Give the seconds to wait after so many failures in so many seconds, or None when it is enough.

        `told` is what the other side asked for (Retry-After): at least that long, and an hour at most.
        """
        if tried_for >= self.retry_for:
            return None
        doubled = min(self.first * 2.0 ** min(failures - 1, 30), self.longest)
        asked = min(told or 0.0, 3_600.0)
        return max(doubled, asked) * (1 + self.chance() / 10)
