"""Storing a delivery in time, for whatever received it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable

from tertulia.event import Delivery
from tertulia_cli.serve._hooks import Refused
from tertulia_cli.serve._inbox import is_full

__all__ = ["Accept", "stored"]

Accept = Callable[[Delivery], Awaitable[bool]]
"""Takes a delivery, which is durable when it returns; False when it was there already."""

STORED_WITHIN = 2.5
"""Seconds until a sender is told to come again: Slack waits for three (docs.slack.dev, "Events API")."""


async def stored(accept: Accept, delivery: Delivery) -> bool:
    """Have a delivery stored; False when it was there already. Raises Refused when that is not certain in time."""
    try:
        async with asyncio.timeout(STORED_WITHIN):
            return await accept(delivery)
    except TimeoutError as error:
        raise Refused(503, "store-slow") from error
    except sqlite3.Error as error:
        raise Refused(503, "full" if is_full(error) else "store-failed") from error
