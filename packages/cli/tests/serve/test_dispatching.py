"""From the inbox to an output that misbehaves in every way."""

import asyncio
import json
import sqlite3
from asyncio import FIRST_COMPLETED
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import pytest

from tertulia.event import Delivery
from tertulia_cli.serve import _tables as tables
from tertulia_cli.serve._backoff import Backoff
from tertulia_cli.serve._cloudevent import CloudEvent
from tertulia_cli.serve._counters import Counters
from tertulia_cli.serve._dispatch import Dispatcher
from tertulia_cli.serve._inbox import Inbox
from tertulia_cli.serve._outputs import Failed, Gone
from tertulia_cli.serve._reading import Reader
from tertulia_cli.serve._reading_process import ReadingProcess

SOON = Backoff(first=0.001, longest=0.001, retry_for=60, chance=lambda: 0.0)


class Output:
    """Take events, but for what `fails` says of the comment and the number of tries."""

    concurrency, together = 4, 1

    def __init__(self, fails: Callable[[str, int], Exception | None]) -> None:
        self.taken: list[str] = []
        self.tries: dict[str, int] = {}
        self._fails = fails

    async def emit(self, events: Sequence[CloudEvent], /) -> None:
        """Take one, or fail."""
        (event,) = events
        ident = json.loads(event.document)["data"]["transition"]["comment"]["id"]
        self.tries[ident] = self.tries.get(ident, 0) + 1
        await asyncio.sleep(0)
        if error := self._fails(ident, self.tries[ident]):
            raise error
        self.taken.append(ident)

    async def close(self) -> None:
        """Hold nothing."""


class Forgetful(Inbox):
    """Fail to keep what it is told, the first time."""

    failed = False

    async def finish(self, settled: Collection[tables.Settled]) -> None:
        """Fail once."""
        if not self.failed:
            self.failed = True
            raise sqlite3.OperationalError("disk I/O error")
        await super().finish(settled)


@pytest.fixture(autouse=True)
def _adapters(senders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the adapters of the senders be there in this process."""
    monkeypatch.syspath_prepend(str(senders))


def dispatched(
    path: Path, output: Output, *comments: tuple[int, int], inbox: type[Inbox] = Inbox, backoff: Backoff = SOON
) -> dict[str, Any]:
    """Have comments (thread, id) handed on until nothing waits, and give the counters."""
    counters = Counters()

    async def run() -> None:
        async with inbox(path / "inbox") as opened, ReadingProcess(path / "inbox", Reader()) as reading:
            for thread, ident in comments:
                body = json.dumps({"thread": str(thread), "id": str(ident)}).encode()
                await opened.store(Delivery("github", "issue_comment", body))
            dispatcher = Dispatcher(opened, reading.after, output, counters, backoff)
            running = asyncio.ensure_future(dispatcher.run())
            await asyncio.wait([running, asyncio.ensure_future(nothing_waits(opened))], return_when=FIRST_COMPLETED)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            await dispatcher.drain(10)
            if not running.cancelled():
                await running

    async def nothing_waits(opened: Inbox) -> None:
        while await opened.count_waiting():
            pass

    asyncio.run(run())
    return counters.document()


def test_an_output_that_takes_everything_gets_everything_in_order(tmp_path: Path) -> None:
    output = Output(lambda ident, tries: None)

    counts = dispatched(tmp_path, output, *((1 + n % 3, n) for n in range(120)))

    for thread in range(3):
        assert [ident for ident in output.taken if int(ident) % 3 == thread] == [str(n) for n in range(thread, 120, 3)]
    assert counts == {"deliveries": {"done": 120}, "events": {"emitted": 120}}


def test_a_bug_of_an_output_is_a_failure_like_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = Output(lambda ident, tries: ZeroDivisionError() if ident == "1" and tries < 4 else None)

    counts = dispatched(tmp_path, output, (7, 1), (7, 2), (8, 3))

    assert output.taken == ["3", "1", "2"]
    assert counts["events"] == {"emitted": 3, "retried": 3}
    assert "an event of github:acme/demo#7 is tried again" in capsys.readouterr().err


def test_what_fails_for_long_enough_is_given_up_and_the_next_has_its_turn(tmp_path: Path) -> None:
    output = Output(lambda ident, tries: Failed("no") if ident == "1" else None)
    briefly = Backoff(first=0.001, longest=0.001, retry_for=0.05, chance=lambda: 0.0)

    counts = dispatched(tmp_path, output, (7, 1), (7, 2), backoff=briefly)

    assert output.taken == ["2"]
    assert output.tries["1"] > 1
    assert counts["dropped"] == {"given-up": 1}
    assert counts["deliveries"] == {"done": 1, "failed": 1}


def test_an_inbox_that_cannot_keep_is_asked_again_and_nothing_is_repeated(tmp_path: Path) -> None:
    output = Output(lambda ident, tries: None)

    counts = dispatched(tmp_path, output, (7, 1), (7, 2), inbox=Forgetful)

    assert output.taken == ["1", "2"]
    assert counts["deliveries"] == {"done": 2}


def test_when_the_output_is_gone_it_ends_and_what_was_not_taken_waits(tmp_path: Path) -> None:
    def gone(ident: str, tries: int) -> Exception | None:
        return Gone("nobody reads") if ident == "2" else None

    with pytest.raises(Gone, match="nobody reads"):
        dispatched(tmp_path, Output(gone), (7, 1), (7, 2), (7, 3))

    output = Output(lambda ident, tries: None)
    dispatched(tmp_path, output)
    assert output.taken == ["2", "3"]
