"""What an intake does with what a source brings, in this process: a source that says what it is told to, and a store."""

import asyncio
import math
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest

from tertulia.errors import Denied, Error, Invalid, NotFound, RateLimited, Unavailable
from tertulia.event import Delivery, Ignored
from tertulia.registry import Envelope, Setting, Source
from tertulia_cli._failure import Failure
from tertulia_cli.serve import _intake as intake
from tertulia_cli.serve import _storing as storing
from tertulia_cli.serve._backoff import Backoff
from tertulia_cli.serve._counters import Counters
from tertulia_cli.serve._intake import Intake, receiving

Step = Any
"""What a connection does: brings a text, holds no delivery (Ignored), fails (an error), or waits (an event)."""


class Backend:
    """Bring what a connection after the other is to bring; behind the last one, nothing more and no end.

    `log` has what happened in its order: a text that was stored, and `+` and the text when it was acknowledged.
    """

    def __init__(self, *connections: Iterable[Step]) -> None:
        self.log: list[str] = []
        self.storing: Callable[[str], Awaitable[bool]] | None = None
        self.gone: set[str] = set()
        self.opened = self.closed = 0
        self._connections = [list(one) for one in connections]
        self.idle = asyncio.Event()

    @asynccontextmanager
    async def subscribe(self) -> AsyncIterator[AsyncIterator[Envelope]]:
        """Connect; an error that stands first lets nobody in."""
        steps = self._connections.pop(0) if self._connections else [asyncio.Event()]
        if steps and isinstance(steps[0], Error):
            raise steps[0]
        self.opened += 1
        try:
            yield self._arriving(steps, last=not self._connections)
        finally:
            self.closed += 1

    async def _arriving(self, steps: list[Step], *, last: bool) -> AsyncIterator[Envelope]:
        for step in steps:
            if isinstance(step, Error):
                raise step
            if isinstance(step, asyncio.Event):
                self.idle.set()
                await step.wait()
            else:
                yield self._envelope(step)
        if last:
            self.idle.set()
            await asyncio.Event().wait()

    def _envelope(self, step: Step) -> Envelope:
        async def acknowledge() -> None:
            if step in self.gone:
                raise Unavailable("the connection is gone")
            self.log.append(f"+{step}")

        if isinstance(step, Ignored):
            return Envelope(step, None if step.reason == "hello" else acknowledge)
        return Envelope(Delivery("slack", "", step.encode()), acknowledge)

    async def accept(self, delivery: Delivery) -> bool:
        """Store a delivery as the test says."""
        text = delivery.payload.decode()
        new = await self.storing(text) if self.storing is not None else True
        self.log.append(text)
        return new


class Waits(Backoff):
    """Wait no time, and keep what is asked for: the number of failures, and the seconds that the backend told."""

    asked: list[tuple[int, float | None]]

    def __init__(self) -> None:
        super().__init__(retry_for=math.inf)
        object.__setattr__(self, "asked", [])

    def wait(self, failures: int, tried_for: float, told: float | None = None) -> float:
        """Keep it."""
        self.asked.append((failures, told))
        return 0.0


class Ran:
    """How an intake ran on a backend."""

    def __init__(self, backend: Backend) -> None:
        self.counters = Counters()
        source = Source(backend.subscribe, (Setting("TOKEN", "A token.", secret=True), Setting("URL", "Where.")))
        self.waits = Waits()
        self.intake = Intake("slack", source, backend.accept, self.counters, self.waits)
        self.backend = backend

    async def until_idle(self) -> "Ran":
        """Run until the backend has nothing more to bring."""
        async with receiving([self.intake]) as (task,):
            idle = asyncio.ensure_future(self.backend.idle.wait())
            await asyncio.wait({idle, task}, return_when=asyncio.FIRST_COMPLETED)
            idle.cancel()
            if task.done():
                task.result()
        return self

    @property
    def counts(self) -> dict[str, int]:
        """Give what the intake counted."""
        return self.intake.document()


def ran(*connections: Iterable[Step], prepare: Callable[[Backend], None] = lambda backend: None) -> Ran:
    """Run an intake on these connections."""

    async def run() -> Ran:
        backend = Backend(*connections)
        prepare(backend)
        return await Ran(backend).until_idle()

    return asyncio.run(asyncio.wait_for(run(), 20))


def failing(error: Exception, text: str) -> Callable[[Backend], None]:
    """Prepare a store that fails for a text."""

    async def store(stored: str) -> bool:
        if stored == text:
            raise error
        return True

    return lambda backend: setattr(backend, "storing", store)


def full() -> sqlite3.Error:
    """Make the error of a file without room."""
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return error


def test_an_envelope_is_acknowledged_once_it_is_stored_and_before_the_next_is_taken() -> None:
    run = ran(["a", "b"])

    assert run.backend.log == ["a", "+a", "b", "+b"]
    assert run.counts == {"accepted": 2, "acknowledged": 2, "connections": 1, "received": 2}


def test_one_that_was_there_already_is_acknowledged_too() -> None:
    async def known(text: str) -> bool:
        return False

    run = ran(["a"], prepare=lambda backend: setattr(backend, "storing", known))

    assert run.counts == {"acknowledged": 1, "connections": 1, "received": 1, "repeated": 1}


@pytest.mark.parametrize(
    ("error", "word"),
    [(sqlite3.OperationalError("disk I/O error"), "store-failed"), (full(), "full"), (TimeoutError(), "store-slow")],
)
def test_one_that_is_not_stored_is_not_acknowledged_and_holds_up_no_other(error: Exception, word: str) -> None:
    run = ran(["a", "b"], prepare=failing(error, "a"))

    assert run.backend.log == ["b", "+b"]
    assert run.counts == {"accepted": 1, "acknowledged": 1, "connections": 1, "received": 2, "unacknowledged": 1}
    assert run.counters.document() == {"refused": {word: 1}}


def test_a_store_that_hangs_holds_nothing_up_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storing, "STORED_WITHIN", 0.01)

    async def hang(text: str) -> bool:
        await asyncio.sleep(600 if text == "a" else 0)
        return True

    run = ran(["a", "b"], prepare=lambda backend: setattr(backend, "storing", hang))

    assert run.backend.log == ["b", "+b"]
    assert run.counters.document() == {"refused": {"store-slow": 1}}


def test_what_holds_no_delivery_is_acknowledged_where_that_is_asked_and_counted_as_dropped() -> None:
    run = ran([Ignored("hello"), Ignored("interactive"), Ignored("interactive")])

    assert run.counts == {"acknowledged": 2, "connections": 1, "received": 3}
    assert run.counters.document() == {"dropped": {"ignored: hello": 1, "ignored: interactive": 2}}


def test_one_whose_connection_is_gone_is_stored_and_counted_as_not_acknowledged() -> None:
    run = ran(["a", "b"], prepare=lambda backend: backend.gone.add("a"))

    assert run.backend.log == ["a", "b", "+b"]
    assert run.counts == {"accepted": 2, "acknowledged": 1, "connections": 1, "received": 2, "unacknowledged": 1}


def test_it_connects_again_when_it_is_asked_to_and_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    run = ran(["a"], ["b"], ["c"])

    assert run.backend.log == ["a", "+a", "b", "+b", "c", "+c"]
    assert (run.counts["connections"], run.backend.opened, run.backend.closed) == (3, 3, 3)
    assert capfd.readouterr().err == ""


def test_it_connects_again_when_the_connection_is_lost_and_tells_once(capfd: pytest.CaptureFixture[str]) -> None:
    lost = Unavailable("the connection was lost", backend="slack")

    run = ran(["a", lost], [lost], [RateLimited("slow down")], ["b"])

    assert run.backend.log == ["a", "+a", "b", "+b"]
    assert run.counts["connections"] == 2
    assert capfd.readouterr().err.splitlines() == [
        "note: slack: not connected, and trying again: slack: the connection was lost",
        "note: slack: connected again",
    ]


def test_the_first_time_it_connects_again_at_once_and_then_ever_later() -> None:
    lost, slow = Unavailable("lost"), RateLimited("slow down", retry_after=90.0)

    assert ran([], [lost], []).waits.asked == [(1, None)]
    assert ran([lost], [lost], [slow], [lost], []).waits.asked == [(1, None), (2, 90.0), (3, None)]
    assert ran([slow], []).waits.asked == [(0, 90.0)], "unless it is told how long"


def test_a_connection_that_held_counts_as_none_that_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "_HELD", 0.0)

    assert ran([], ["a"], [Unavailable("lost")], []).waits.asked == []


def test_a_first_connection_that_took_several_tries_is_told_as_one(capfd: pytest.CaptureFixture[str]) -> None:
    ran([Unavailable("nobody is there")], ["a"])

    assert capfd.readouterr().err.splitlines()[1:] == ["note: slack: connected"]


@pytest.mark.parametrize(
    ("error", "status", "advice"),
    [
        (Denied("invalid_auth", backend="slack"), 3, "check TOKEN"),
        (Invalid("TOKEN is not set"), 2, "check TOKEN"),
        (NotFound("404"), 3, "check the address, and what this account may see"),
    ],
)
@pytest.mark.parametrize("connections", [[], [["a"], [Unavailable("lost")]]])
def test_a_refusal_ends_it_whenever_it_comes(error: Error, status: int, advice: str, connections: list[Any]) -> None:
    with pytest.raises(Failure) as caught:
        ran(*connections, [error])

    assert (caught.value.status, caught.value.to_do) == (status, advice)
    assert caught.value.what == str(error)


def test_a_bug_ends_it_as_one() -> None:
    with pytest.raises(ZeroDivisionError):
        ran(["a"], prepare=failing(ZeroDivisionError(), "a"))


def test_it_tells_whether_it_is_connected() -> None:
    async def watch() -> list[bool]:
        hold = asyncio.Event()
        backend = Backend(["a", hold], [Unavailable("lost")], [])
        run = Ran(backend)
        seen = [run.intake.is_connected]
        async with receiving([run.intake]):
            await backend.idle.wait()
            seen.append(run.intake.is_connected)
        return [*seen, run.intake.is_connected]

    assert asyncio.run(watch()) == [False, True, False]


def test_what_is_being_stored_when_it_is_told_to_stop_is_acknowledged_and_nothing_behind_it() -> None:
    async def stop() -> list[str]:
        begun, go = asyncio.Event(), asyncio.Event()

        async def slowly(text: str) -> bool:
            begun.set()
            await go.wait()
            return True

        backend = Backend(["a", "b"])
        backend.storing = slowly
        task = asyncio.ensure_future(Ran(backend).intake.run())
        await begun.wait()
        task.cancel()
        await asyncio.sleep(0.01)
        assert not task.done()
        go.set()
        with suppress(asyncio.CancelledError):
            await task
        assert backend.closed == 1
        return backend.log

    assert asyncio.run(stop()) == ["a", "+a"]


def test_of_several_sources_a_refused_one_ends_the_others() -> None:
    async def run() -> int:
        good = Backend([asyncio.Event()])
        intakes = [Ran(good).intake, Ran(Backend([Denied("no")])).intake]
        with pytest.raises(Failure):
            async with receiving(intakes):
                raise AssertionError("it does not begin")
        return good.closed

    assert asyncio.run(run()) == 1
