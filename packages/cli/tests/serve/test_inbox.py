"""The file in which deliveries wait: one for one server, bounded, and forgetting what it may."""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from tertulia.event import Delivery
from tertulia_cli._failure import Failure
from tertulia_cli.serve import _tables as tables
from tertulia_cli.serve._inbox import Inbox, Limits, is_full
from tertulia_cli.serve._tables import Settled

Use = Callable[[Inbox], Coroutine[Any, Any, Any]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Name a file that is not there yet."""
    return tmp_path / "inbox"


def used(path: Path, use: Use, limits: Limits | None = None) -> Any:
    """Open an inbox, do something with it, and close it."""

    async def run() -> Any:
        async with Inbox(path, limits) as inbox:
            return await use(inbox)

    return asyncio.run(run())


def delivery(number: int, size: int = 10) -> Delivery:
    """Make a delivery."""
    return Delivery("github", "issues", str(number).encode().ljust(size))


async def waiting(inbox: Inbox) -> list[tables.Waiting]:
    """Give what waits."""
    return await inbox.read(lambda db: list(tables.waiting(db, 0, 1_000)))


def test_what_was_stored_waits_after_a_restart_in_the_order_it_came(path: Path) -> None:
    async def store(inbox: Inbox) -> list[bool]:
        return await asyncio.gather(*(inbox.store(delivery(number % 5)) for number in range(10)))

    stored = used(path, store)

    assert stored == [True] * 5 + [False] * 5
    assert [int(row.delivery.payload) for row in used(path, waiting)] == [0, 1, 2, 3, 4]


def test_what_is_committed_survives_a_power_cut_too(path: Path) -> None:
    async def set_up(inbox: Inbox) -> list[Any]:
        return [inbox._writer.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]

    full = 2
    assert used(path, set_up) == ["wal", full]


def test_an_inbox_that_is_in_use_is_refused_and_free_again_afterwards(path: Path) -> None:
    async def open_again(inbox: Inbox) -> None:
        with pytest.raises(Failure, match="another server uses the inbox"):
            async with Inbox(path):
                pass

    used(path, open_again)

    assert used(path, waiting) == []


def test_when_there_is_no_room_the_senders_are_told_and_what_waits_stays(path: Path) -> None:
    async def fill(inbox: Inbox) -> tuple[list[Any], bool]:
        stores = (inbox.store(delivery(n, 40_000)) for n in range(50))
        return await asyncio.gather(*stores, return_exceptions=True), inbox.is_tight

    ends, is_tight = used(path, fill, Limits(size=1_000_000))

    assert is_tight
    refused = [end for end in ends if end is not True]
    stored = [number for number, end in enumerate(ends) if end is True]
    assert refused
    assert all(isinstance(end, sqlite3.Error) and is_full(end) for end in refused)
    assert [int(row.delivery.payload) for row in used(path, waiting)] == stored
    assert path.stat().st_size <= 1_000_000


def test_when_room_gets_scarce_what_was_handed_on_makes_room(path: Path) -> None:
    async def fill_and_finish(inbox: Inbox) -> tuple[bool, bool, int]:
        for number in range(20):
            await inbox.store(delivery(number, 40_000))
        await inbox.finish([Settled(row.seq, "done", f"key-{row.seq}") for row in (await waiting(inbox))[:15]])
        await inbox.forget()
        known = bool(await inbox.known(["key-1"]))
        for number in range(20, 30):
            await inbox.store(delivery(number, 40_000))
        return known, inbox.is_tight, await inbox.count_waiting()

    assert used(path, fill_and_finish, Limits(size=1_000_000)) == (True, False, 15)


def test_an_inbox_full_of_what_waits_is_tight_and_forgets_nothing(path: Path) -> None:
    async def fill(inbox: Inbox) -> tuple[int, bool, int]:
        await asyncio.gather(*(inbox.store(delivery(n, 40_000)) for n in range(50)), return_exceptions=True)
        before = await inbox.count_waiting()
        await inbox.forget()
        return before, inbox.is_tight, await inbox.count_waiting()

    before, tight, after = used(path, fill, Limits(size=1_000_000))

    assert tight
    assert before == after


def test_an_inbox_full_of_what_waits_has_room_for_what_becomes_of_it(path: Path) -> None:
    async def fill_and_finish(inbox: Inbox) -> tuple[bool, int, list[bool]]:
        await asyncio.gather(*(inbox.store(delivery(n, 3_000)) for n in range(400)), return_exceptions=True)
        full = [Settled(row.seq, "done", f"a-key-of-an-event-{row.seq}") for row in await waiting(inbox)]
        await inbox.finish(full)
        await inbox.forget()
        return len(full) < 400, await inbox.count_waiting(), [await inbox.store(delivery(n, 3_000)) for n in (401, 402)]

    assert used(path, fill_and_finish, Limits(size=1_000_000)) == (True, 0, [True, True])


async def forget_one(inbox: Inbox) -> tuple[int, bool, bool]:
    """Hand on a delivery, and forget; gives how much that was, whether its key is known, and whether its body is new."""
    await inbox.store(delivery(1))
    (row,) = await waiting(inbox)
    await inbox.finish([Settled(row.seq, "done", "k")])
    return await inbox.forget(), bool(await inbox.known(["k"])), await inbox.store(delivery(1))


def test_bodies_go_first_and_keys_stay_as_long_as_they_are_to_be_remembered(path: Path) -> None:
    assert used(path, forget_one, Limits(keep=0)) == (1, True, False)
    assert b"1         " not in path.read_bytes()


def test_what_is_not_remembered_any_more_is_new_again(path: Path) -> None:
    assert used(path, forget_one, Limits(keep=0, remember=0)) == (3, False, True)
