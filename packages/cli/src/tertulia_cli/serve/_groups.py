"""Small jobs of many tasks, done together in one thread: what costs once for all of them is paid once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

__all__ = ["Groups"]

T = TypeVar("T")
R = TypeVar("R")


class Groups(Generic[T, R]):
    """Do jobs in the order they come, as many together as are waiting.

    `together` is called in the thread, with at most `most` jobs, and gives an outcome for each: a result, or the error that
    its task is to see. A task that no longer waits changes nothing: its job is done all the same.
    """

    def __init__(
        self, together: Callable[[Sequence[T]], Sequence[R | Exception]], *, name: str, most: int = 500
    ) -> None:
        self._together = together
        self._most = most
        self._queue: SimpleQueue[tuple[T, asyncio.Future[R]] | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def do(self, job: T) -> R:
        """Have a job done; raises what became of it."""
        done: asyncio.Future[R] = self._loop.create_future()
        self._queue.put((job, done))
        return await done

    async def close(self, within: float | None = None) -> None:
        """Do what is queued, and end the thread; one that hangs is left behind after some seconds, when there is a limit."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join, within)

    def _run(self) -> None:
        while (first := self._queue.get()) is not None:
            jobs = [first, *self._more()]
            outcomes = self._outcomes([job for job, _ in jobs])
            with suppress(RuntimeError):  # the loop did not wait for a thread that hung
                self._loop.call_soon_threadsafe(_tell, zip((done for _, done in jobs), outcomes, strict=True))

    def _more(self) -> Iterable[tuple[T, asyncio.Future[R]]]:
        for _ in range(self._most - 1):
            try:
                item = self._queue.get_nowait()
            except Empty:
                return
            if item is None:
                self._queue.put(None)
                return
            yield item

    def _outcomes(self, jobs: Sequence[T]) -> Sequence[R | Exception]:
        try:
            return self._together(jobs)
        except Exception as error:  # a bug: every task sees it, and the thread goes on
            return [error] * len(jobs)


def _tell(outcomes: Iterable[tuple[asyncio.Future[R], R | Exception]]) -> None:
    for done, outcome in outcomes:
        if done.done():
            continue
        if isinstance(outcome, Exception):
            done.set_exception(outcome)
        else:
            done.set_result(outcome)
