"""Waiting for what another process does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

__all__ = ["until"]


def until(holds: Callable[[], Any], within: float = 20.0) -> Any:
    """Wait until something holds, at most so many seconds, and give it."""
    end = time.monotonic() + within
    while not (found := holds()):
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.01)
    return found
