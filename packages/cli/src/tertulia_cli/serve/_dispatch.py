"""From the inbox to the output: read, put in order, hand on, keep what became of it."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from tertulia_cli._output import note
from tertulia_cli.serve import _tables as tables
from tertulia_cli.serve._backoff import Backoff
from tertulia_cli.serve._claims import Claims
from tertulia_cli.serve._cloudevent import CloudEvent
from tertulia_cli.serve._counters import Counters
from tertulia_cli.serve._inbox import Inbox
from tertulia_cli.serve._lanes import Lanes
from tertulia_cli.serve._outputs import Failed, Gone, Output
from tertulia_cli.serve._reading import Understood
from tertulia_cli.serve._reading_process import Readings

__all__ = ["Dispatcher"]

_ROOM = 10_000


@dataclass(slots=True)
class _Parcel:
    """A delivery under way: how many of its events are, and how it ends if nothing worse happens to one of them."""

    seq: int
    open: int
    state: tables.State = "done"

    def settle(self, key: str | None = None) -> tables.Settled:
        """Count one of its events as settled, and with the last one the delivery."""
        self.open -= 1
        return tables.Settled(self.seq, None if self.open else self.state, key)


@dataclass(slots=True)
class _Job:
    """One event under way, and how it went so far; `wait` seconds until it is to be tried again, None when it is settled."""

    event: CloudEvent
    parcel: _Parcel
    failures: int = 0
    since: float = field(default_factory=time.monotonic)
    wait: float | None = None


Turn = tuple[str, _Job]
"""An event whose turn it is, with its thread."""


class Dispatcher:
    """Hand on what the inbox holds: in order within a thread, side by side across threads, again until it is taken.

    At most ten thousand events are in memory; what is beyond them waits in the inbox.
    """

    def __init__(
        self,
        inbox: Inbox,
        readings: Callable[[int], Awaitable[Readings]],
        output: Output,
        counters: Counters,
        backoff: Backoff,
    ) -> None:
        """Take what keeps deliveries, what reads those behind a number, and where their events go."""
        self._inbox = inbox
        self._readings = readings
        self._output = output
        self._counters = counters
        self._backoff = backoff
        self._lanes: Lanes[_Job] = Lanes()
        self._claims = Claims()
        self._running: dict[asyncio.Task[None], int] = {}
        self._changed = asyncio.Event()
        self._read_up_to = 0
        self._over: BaseException | None = None

    def document(self) -> dict[str, int]:
        """Give the numbers of events that are read and wait, and that are being handed on just now."""
        return {"events": len(self._lanes), "under_way": sum(self._running.values())}

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
        readings = await self._readings(self._read_up_to)
        parcels = [self._take_in(seq, understood) for seq, understood in readings]
        await self._keep([parcel.settle() for parcel in parcels if parcel.state == "dropped"])
        self._start()
        return bool(readings)

    def _take_in(self, seq: int, understood: Understood) -> _Parcel:
        """Put the events of a delivery in order; without any it is dropped."""
        self._read_up_to = seq
        for reason in understood.dropped:
            self._counters.count("dropped", reason)
        if not understood.events:
            return _Parcel(seq, 1, "dropped")
        parcel = _Parcel(seq, len(understood.events))
        for event in understood.events:
            self._lanes.put(event.thread, _Job(event, parcel))
        return parcel

    def _start(self) -> None:
        while len(self._running) < self._output.concurrency and self._over is None and (turns := self._turns()):
            task = asyncio.get_running_loop().create_task(self._take(turns))
            self._running[task] = len(turns)
            task.add_done_callback(self._ended)

    def _turns(self) -> Sequence[Turn]:
        """Take the events whose turn it is, of each thread one, as many as the output takes at once."""
        return list(islice(iter(self._lanes.take, None), self._output.together))

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self._running[task]
        if task.cancelled():
            return
        self._over = self._over or task.exception()
        self._start()
        self._changed.set()

    async def _take(self, turns: Sequence[Turn]) -> None:
        """Give events their turn; afterwards each thread is free, at once or when it is time to try again."""
        await self._attempt([job for _, job in turns])
        for thread, job in turns:
            if job.wait is None:
                self._lanes.free(thread)
            else:
                self._lanes.put_back(thread, job)
                asyncio.get_running_loop().call_later(job.wait, self._again, thread)

    def _again(self, thread: str) -> None:
        self._lanes.free(thread)
        self._start()

    async def _attempt(self, jobs: Iterable[_Job]) -> None:
        """Hand events on and keep that; one whose key another event holds waits for that."""
        claimed: list[_Job] = []
        for job in jobs:
            job.wait = self._backoff.first
            if self._claims.take(job.event.id):
                claimed.append(job)
        try:
            await self._hand_on(claimed)
        finally:
            for job in claimed:
                self._claims.release(job.event.id)

    async def _hand_on(self, jobs: Sequence[_Job]) -> None:
        try:
            jobs = await self._new(jobs)
            if jobs:
                await self._output.emit([job.event for job in jobs])
        except Gone as error:
            self._over = error
        except Exception as error:  # whatever an output raises, the other events go on
            await self._keep([job.parcel.settle() for job in jobs if self._is_given_up(job, error)])
        else:
            await self._keep([self._settled(job, "events", "emitted", job.event.id) for job in jobs])

    async def _new(self, jobs: Sequence[_Job]) -> Sequence[_Job]:
        """Give those whose fact was not handed on before, by another delivery; the others are settled."""
        known = await self._inbox.known([job.event.id for job in jobs])
        told = [job for job in jobs if job.event.id in known]
        await self._keep([self._settled(job, "dropped", "duplicate-event") for job in told])
        return [job for job in jobs if job.event.id not in known]

    def _settled(self, job: _Job, group: str, word: str, key: str | None = None) -> tables.Settled:
        self._counters.count(group, word)
        job.wait = None
        return job.parcel.settle(key)

    def _is_given_up(self, job: _Job, error: Exception) -> bool:
        """Say when a failed event is tried again, or that it was tried for long enough."""
        job.failures += 1
        told = error.retry_after if isinstance(error, Failed) else None
        job.wait = self._backoff.wait(job.failures, time.monotonic() - job.since, told)
        if job.wait is not None:
            self._counters.count("events", "retried")
            if job.failures == 1:
                note(
                    f"an event of {job.event.thread} is tried again, and later ones of its thread wait: {_said(error)}"
                )
            return False
        note(f"an event of {job.event.thread} is given up after {job.failures} failures: {_said(error)}")
        self._counters.count("dropped", "given-up")
        job.parcel.state = "failed"
        return True

    async def _keep(self, settled: Sequence[tables.Settled]) -> None:
        """Keep what became of events and deliveries; insist until it is kept."""
        while settled:
            try:
                await self._inbox.finish(settled)
                break
            except sqlite3.Error as error:
                note(f"the inbox cannot keep what was handed on, and is asked again: {error}")
                await asyncio.sleep(self._backoff.first)
        for one in settled:
            if one.state is not None:
                self._counters.count("deliveries", one.state)


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, Failed) else f"{type(error).__name__}: {error}"
