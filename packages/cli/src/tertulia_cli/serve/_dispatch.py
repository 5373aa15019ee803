"""From the inbox to the output: read, put in order, hand on, keep what became of it."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from dataclasses import dataclass, field

from tertulia_cli._output import note
from tertulia_cli.serve import _tables as tables
from tertulia_cli.serve._backoff import Backoff
from tertulia_cli.serve._claims import Claims
from tertulia_cli.serve._cloudevent import CloudEvent
from tertulia_cli.serve._counters import Counters
from tertulia_cli.serve._inbox import Inbox
from tertulia_cli.serve._lanes import Lanes
from tertulia_cli.serve._outputs import Failed, Gone, Output
from tertulia_cli.serve._reading import Reader, Understood

__all__ = ["Dispatcher"]

_ROOM = 10_000
_BATCH = 50


@dataclass(slots=True)
class _Parcel:
    """A delivery under way: how many of its events are, and how it ends if nothing worse happens to one of them."""

    seq: int
    open: int
    state: tables.State = "done"


@dataclass(slots=True)
class _Job:
    """One event under way, and how it went so far."""

    event: CloudEvent
    parcel: _Parcel
    failures: int = 0
    since: float = field(default_factory=time.monotonic)


class Dispatcher:
    """Hand on what the inbox holds: in order within a thread, side by side across threads, again until it is taken.

    At most ten thousand events are in memory; what is beyond them waits in the inbox.
    """

    def __init__(self, inbox: Inbox, reader: Reader, output: Output, counters: Counters, backoff: Backoff) -> None:
        self._inbox = inbox
        self._reader = reader
        self._output = output
        self._counters = counters
        self._backoff = backoff
        self._lanes: Lanes[_Job] = Lanes()
        self._claims = Claims()
        self._running: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()
        self._read_up_to = 0
        self._over: BaseException | None = None

    def document(self) -> dict[str, int]:
        """Give the numbers of events that are read and wait, and that are being handed on just now."""
        return {"events": len(self._lanes), "under_way": len(self._running)}

    def wake(self) -> None:
        """Say that there is something new in the inbox."""
        self._changed.set()

    async def run(self) -> None:
        """Go on until cancelled; raises Gone when the output is, and what else makes it impossible to go on."""
        while self._over is None:
            self._changed.clear()
            if not await self._load():
                await self._changed.wait()
        raise self._over

    async def drain(self, within: float) -> None:
        """Hand on what need not wait for another try, for some seconds; then let go of the rest.

        What is let go of is still in the inbox, and is handed on after the next start.
        """
        try:
            async with asyncio.timeout(within):
                while self._over is None and (await self._load() or self._running or self._lanes.ready):
                    await self._one_ends()
        except TimeoutError:
            note(f"{within:g} seconds were not enough: what is left is handed on after the next start")
        finally:
            for task in self._running:
                task.cancel()
            await asyncio.gather(*self._running, return_exceptions=True)

    async def _one_ends(self) -> None:
        if self._running:
            await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)

    async def _load(self) -> bool:
        """Read some deliveries; False when there is no room, or none waits that was not read."""
        if len(self._lanes) >= _ROOM:
            return False
        rows = await self._inbox.read(self._understood)
        nothing_in_them = [self._take_in(seq, understood) for seq, understood in rows]
        await asyncio.gather(*(self._keep(parcel, None) for parcel in nothing_in_them if parcel is not None))
        self._start()
        return bool(rows)

    def _understood(self, db: sqlite3.Connection) -> list[tuple[int, Understood]]:
        rows = tables.waiting(db, self._read_up_to, _BATCH)
        return [(row.seq, self._reader.read(row.delivery)) for row in rows]

    def _take_in(self, seq: int, understood: Understood) -> _Parcel | None:
        """Put the events of a delivery in order; gives it back when it has none."""
        self._read_up_to = seq
        for reason in understood.dropped:
            self._counters.count("dropped", reason)
        if not understood.events:
            return _Parcel(seq, 1, "dropped")
        parcel = _Parcel(seq, len(understood.events))
        for event in understood.events:
            self._lanes.put(event.thread, _Job(event, parcel))
        return None

    def _start(self) -> None:
        while len(self._running) < self._output.concurrency and self._over is None and (turn := self._lanes.take()):
            task = asyncio.get_running_loop().create_task(self._turn(*turn))
            self._running.add(task)
            task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if task.cancelled():
            return
        self._over = self._over or task.exception()
        self._start()
        self._changed.set()

    async def _turn(self, thread: str, job: _Job) -> None:
        """Give an event its turn; afterwards its thread is free, at once or when it is time to try again."""
        wait = await self._attempt(job)
        if wait is None:
            self._lanes.free(thread)
            return
        self._lanes.put_back(thread, job)
        asyncio.get_running_loop().call_later(wait, self._again, thread)

    def _again(self, thread: str) -> None:
        self._lanes.free(thread)
        self._start()

    async def _attempt(self, job: _Job) -> float | None:
        """Hand an event on and keep that; gives the seconds until it is to be tried again, None when it is settled."""
        key = job.event.id
        if not self._claims.take(key):
            return self._backoff.first
        try:
            return await self._hand_on(job)
        finally:
            self._claims.release(key)

    async def _hand_on(self, job: _Job) -> float | None:
        try:
            known = await self._inbox.is_known(job.event.id)
            if not known:
                await self._output.emit(job.event)
        except Gone as error:
            self._over = error
            return self._backoff.longest
        except Exception as error:  # whatever an output raises, the other events go on
            return await self._failed(job, error)
        await self._keep(job.parcel, None if known else job.event.id)
        self._counters.count(*(("dropped", "duplicate-event") if known else ("events", "emitted")))
        return None

    async def _failed(self, job: _Job, error: Exception) -> float | None:
        job.failures += 1
        told = error.retry_after if isinstance(error, Failed) else None
        wait = self._backoff.wait(job.failures, time.monotonic() - job.since, told)
        if wait is not None:
            self._counters.count("events", "retried")
            if job.failures == 1:
                note(
                    f"an event of {job.event.thread} is tried again, and later ones of its thread wait: {_said(error)}"
                )
            return wait
        note(f"an event of {job.event.thread} is given up after {job.failures} failures: {_said(error)}")
        self._counters.count("dropped", "given-up")
        job.parcel.state = "failed"
        await self._keep(job.parcel, None)
        return None

    async def _keep(self, parcel: _Parcel, key: str | None) -> None:
        """Keep that an event is settled, and what became of its delivery with the last one; insist until it is kept."""
        state = parcel.state if parcel.open == 1 else None
        parcel.open -= 1
        while key is not None or state is not None:
            try:
                await self._inbox.finish(parcel.seq, state, key)
                break
            except sqlite3.Error as error:
                note(f"the inbox cannot keep what was handed on, and is asked again: {error}")
                await asyncio.sleep(self._backoff.first)
        if state is not None:
            self._counters.count("deliveries", state)


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, Failed) else f"{type(error).__name__}: {error}"
