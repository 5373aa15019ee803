"""Post at most once: look first, send once, look again when nobody knows what became of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar
from weakref import WeakValueDictionary

from tertulia import outbound
from tertulia.errors import Error, Unavailable

__all__ = ["Once"]

T = TypeVar("T")

_LOOKS = (1.0, 3.0, 9.0)
"""Seconds after a send of unknown outcome at which it is looked for."""


class Once:
    """Post once for a key, whatever becomes of a send. `sleep` and `clock`, in seconds, are for tests."""

    def __init__(
        self, log: logging.Logger, *, sleep: Callable[[float], Awaitable[None]], clock: Callable[[], float]
    ) -> None:
        self._log = log
        self._sleep = sleep
        self._clock = clock
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._cancelled: dict[str, float] = {}

    async def post(
        self,
        key: str,
        *,
        where: str,
        look: Callable[[], Awaitable[T | None]],
        send: Callable[[], Awaitable[T]],
    ) -> T:
        """Give what is already there for a key, else send. `where` is for the log.

        `look` finds what this account posted under the key, and raises when it could not look everywhere. After a send
        whose outcome is unknown it is asked 1, 3 and 9 seconds later, and the error is raised when nothing was found. A
        cancelled send may have landed: the next post of the key waits until nine seconds have passed before it sends.
        """
        digest = outbound.key_digest(key)
        async with self._locks.setdefault(digest, asyncio.Lock()):
            known = await look()
            if known is None and digest in self._cancelled:
                known = await self._look_after(self._cancelled[digest], look)
            self._cancelled.pop(digest, None)
            if known is not None:
                self._log.info("%s is already answered: nothing was sent", where)
                return known
            try:
                return await self._send_or_find(where, look, send)
            except asyncio.CancelledError:
                self._remember(digest)
                raise

    async def _send_or_find(
        self, where: str, look: Callable[[], Awaitable[T | None]], send: Callable[[], Awaitable[T]]
    ) -> T:
        try:
            return await send()
        except Unavailable as failure:
            if not failure.ambiguous:
                raise
            self._log.info("nobody knows whether the answer to %s landed: looking for it", where)
            known = await self._look_after(self._clock(), look, patient=True)
            if known is None:
                raise
            return known

    async def _look_after(
        self, sent: float, look: Callable[[], Awaitable[T | None]], *, patient: bool = False
    ) -> T | None:
        """Look for an answer 1, 3 and 9 seconds after it was sent; `patient` takes a failed look for an absence."""
        for moment in _LOOKS:
            wait = sent + moment - self._clock()
            if wait <= 0 and not patient:
                continue
            await self._sleep(max(wait, 0.0))
            try:
                known = await look()
            except Error as error:
                if not patient:
                    raise
                self._log.info("could not look whether the answer landed: %s", error)
                continue
            if known is not None:
                return known
        return None

    def _remember(self, digest: str) -> None:
        """Keep in mind that a send was cancelled, so that a retry soon after does not overtake it."""
        now = self._clock()
        self._cancelled = {key: sent for key, sent in self._cancelled.items() if now - sent < _LOOKS[-1]}
        self._cancelled[digest] = now
