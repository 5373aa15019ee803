"""What a writer does that was overtaken: it pauses, for longer each time, and gives up in the end."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from tertulia.errors import Conflict

__all__ = ["until_saved"]

T = TypeVar("T")

_log = logging.getLogger("tertulia.ledger")
_ATTEMPTS = 8
_PAUSE = 0.1
"""Seconds before the second attempt, at most: the store may be a server, which each attempt asks several things."""


async def until_saved(
    thread_key: str, attempt: Callable[[], Awaitable[T]], sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep
) -> T:
    """Do what ends in saving a state, again and again while others are faster; raises Conflict when all was in vain."""
    for conflicts in range(_ATTEMPTS):
        if conflicts:
            _log.info("the state of %s was written by somebody else: reading it again", thread_key)
            await sleep(_PAUSE * 2 ** (conflicts - 1) * random.uniform(0.5, 1))
        try:
            return await attempt()
        except Conflict:
            continue
    raise Conflict(f"state: {thread_key} is written by others all the time; {_ATTEMPTS} attempts were in vain")
