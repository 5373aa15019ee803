"""From sources to the inbox: what a backend sends over a connection of ours is stored, and only then acknowledged."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from tertulia.errors import Denied, Error, Invalid, RateLimited, Unavailable
from tertulia.event import Ignored
from tertulia.registry import Envelope, Source
from tertulia_cli._failure import Failure, of_error
from tertulia_cli._output import note
from tertulia_cli.serve._backoff import Backoff
from tertulia_cli.serve._counters import Counters
from tertulia_cli.serve._hooks import Refused
from tertulia_cli.serve._storing import Accept, stored

__all__ = ["Intake", "receiving"]

_START_WITHIN = 5.0
"""Seconds for which a first try to connect may hold up the start."""
_HELD = 60.0
"""Seconds after which a connection that ends was a good one, and the next is opened at once."""
_BACKOFF = Backoff(longest=60.0, retry_for=math.inf)


class Intake:
    """Take what one source brings, an envelope after the other, and connect again whenever a connection ends.

    The first time that is at once, then after 1 second, 2, 4, up to a minute; a connection that held starts anew.
    """

    def __init__(
        self, system: str, source: Source, accept: Accept, counters: Counters, backoff: Backoff = _BACKOFF
    ) -> None:
        self.system = system
        self.is_connected = False
        self.tried = asyncio.Event()
        """Set when there was a first try to connect."""
        self._source = source
        self._accept = accept
        self._counters = counters
        self._counts: Counter[str] = Counter()
        self._backoff = backoff
        self._is_lost = False

    def document(self) -> dict[str, int]:
        """Give the counters since the start."""
        return dict(sorted(self._counts.items()))

    async def run(self) -> None:
        """Go on until cancelled, and then end with the envelope at hand. A Failure says that no other try is of use."""
        failures = 0
        while True:
            since = time.monotonic()
            told = await self._connection()
            if time.monotonic() - since >= _HELD:
                failures = 0
            if failures or told is not None:
                await asyncio.sleep(self._backoff.wait(failures, 0.0, told) or 0.0)
            failures += 1

    async def _connection(self) -> float | None:
        """Take what one connection brings; gives the seconds after which another may be opened, when there is a limit."""
        try:
            async with self._source.subscribe() as envelopes:
                self._connected()
                async for envelope in envelopes:
                    await _to_its_end(self._take(envelope))
        except Error as error:
            if not error.transient:
                raise self._refused(error) from error
            self._lost(error)
            return error.retry_after if isinstance(error, RateLimited) else None
        finally:
            self.is_connected = False
            self.tried.set()
        return None

    def _connected(self) -> None:
        self.is_connected = True
        self._counts["connections"] += 1
        self.tried.set()
        if self._is_lost:
            note(f"{self.system}: connected" + (" again" if self._counts["connections"] > 1 else ""))
        self._is_lost = False

    def _lost(self, error: Error) -> None:
        """Tell once that there is no connection, however often another try is in vain."""
        if not self._is_lost:
            note(f"{self.system}: not connected, and trying again: {error}")
        self._is_lost = True

    def _refused(self, error: Error) -> Failure:
        names = [setting.name for setting in self._source.settings if setting.secret]
        is_about_them = names and isinstance(error, Denied | Invalid)
        return of_error(error, "tertulia serve", f"check {' and '.join(names)}" if is_about_them else None)

    async def _take(self, envelope: Envelope) -> None:
        self._counts["received"] += 1
        content = envelope.content
        if isinstance(content, Ignored):
            self._counters.count("dropped", f"ignored: {content.reason}")
        else:
            try:
                new = await stored(self._accept, content)
            except Refused as refused:
                self._counters.count("refused", refused.word)
                self._counts["unacknowledged"] += 1
                return
            self._counts["accepted" if new else "repeated"] += 1
        await self._acknowledge(envelope)

    async def _acknowledge(self, envelope: Envelope) -> None:
        if envelope.acknowledge is None:
            return
        try:
            await envelope.acknowledge()
        except Unavailable:
            self._counts["unacknowledged"] += 1
        else:
            self._counts["acknowledged"] += 1


@asynccontextmanager
async def receiving(intakes: Sequence[Intake]) -> AsyncGenerator[Sequence[asyncio.Task[None]]]:
    """Run intakes for the time of the block, which begins when each has tried to connect; a Failure says what is refused."""
    tasks = [asyncio.create_task(one.run()) for one in intakes]
    try:
        for intake, task in zip(intakes, tasks, strict=True):
            with suppress(TimeoutError):
                await asyncio.wait_for(intake.tried.wait(), _START_WITHIN)
            if task.done():
                task.result()
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Do some work to its end, also when that is cancelled meanwhile."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise
