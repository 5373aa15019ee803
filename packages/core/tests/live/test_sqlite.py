"""The SQLite store: compare-and-swap on `rev`, across processes."""

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tertulia._json import MAX_BYTES
from tertulia.errors import Conflict, Invalid
from tertulia.ledger import HistoryEntry, SqliteStore, ThreadRecord, WorkflowState

KEY = "github:acme/demo#1"


def state(rev: int, parent: int | None, *ids: str) -> WorkflowState:
    records = tuple(ThreadRecord(kind="human-feedback", source_type="issue_comment", id=i, trusted=False) for i in ids)
    return WorkflowState(thread_key=KEY, rev=rev, parent_rev=parent, thread=records)


@pytest.mark.anyio
async def test_what_was_saved_is_loaded(store: SqliteStore) -> None:
    saved = state(1, None, "5", "6")

    await store.save(saved)

    assert await store.load(KEY) == saved
    assert await store.load("github:acme/demo#2") is None


@pytest.mark.anyio
async def test_a_first_state_is_written_once(store: SqliteStore) -> None:
    await store.save(state(1, None, "5"))

    with pytest.raises(Conflict):
        await store.save(state(1, None, "6"))

    kept = await store.load(KEY)
    assert kept is not None
    assert [record.id for record in kept.thread] == ["5"]


@pytest.mark.anyio
async def test_a_stale_writer_is_told_and_changes_nothing(store: SqliteStore) -> None:
    await store.save(state(1, None, "5"))
    await store.save(state(2, 1, "5", "6"))

    with pytest.raises(Conflict):
        await store.save(state(2, 1, "7"))

    kept = await store.load(KEY)
    assert kept is not None
    assert (kept.rev, len(kept.thread)) == (2, 2)


@pytest.mark.anyio
async def test_a_newer_schema_is_not_read(store: SqliteStore, tmp_path: Path) -> None:
    await store.save(state(1, None))
    with sqlite3.connect(store.path) as db:
        db.execute("UPDATE state SET data = replace(data, '\"schema\":5', '\"schema\":6')")
    db.close()

    with pytest.raises(Invalid, match="newer"):
        await store.load(KEY)


@pytest.mark.anyio
async def test_a_state_under_another_threads_name_is_refused(store: SqliteStore) -> None:
    await store.save(state(1, None))
    with sqlite3.connect(store.path) as db:
        db.execute("UPDATE state SET thread = 'github:acme/demo#9'")
    db.close()

    with pytest.raises(Invalid, match="another thread") as refused:
        await store.load("github:acme/demo#9")
    assert refused.value.field == "thread_key"


@pytest.mark.anyio
async def test_a_state_may_take_more_than_a_payload(store: SqliteStore) -> None:
    await store.save(state(1, None, "5"))
    with sqlite3.connect(store.path) as db:
        db.execute("UPDATE state SET data = data || ?", (" " * MAX_BYTES,))
    db.close()

    assert await store.load(KEY) == state(1, None, "5")


@pytest.mark.anyio
async def test_fields_of_a_later_release_survive_in_a_file(store: SqliteStore) -> None:
    saved = state(1, None).model_copy(update={"unknown": {"colour": "blue"}})

    await store.save(saved)

    assert await store.load(KEY) == saved


@pytest.mark.anyio
async def test_a_place_that_cannot_be_written_is_invalid(tmp_path: Path) -> None:
    with pytest.raises(Invalid):
        await SqliteStore(tmp_path / "missing" / "x.sqlite").load(KEY)


@pytest.mark.anyio
async def test_a_file_that_another_is_just_making_is_waited_for(store: SqliteStore) -> None:
    with closing(sqlite3.connect(store.path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        asyncio.get_running_loop().call_later(0.2, other.execute, "COMMIT")

        assert await store.load("github:acme/demo#7") is None
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_processes_share_a_file_and_lose_no_write(store: SqliteStore) -> None:
    program = f"""
import asyncio
from tertulia.errors import Conflict
from tertulia.ledger import SqliteStore, ThreadRecord, WorkflowState

async def add(store, ident):
    record = ThreadRecord(kind="human-feedback", source_type="issue_comment", id=ident)
    while True:
        now = await store.load({KEY!r})
        rev, thread = (now.rev, now.thread) if now else (0, ())
        try:
            return await store.save(
                WorkflowState(thread_key={KEY!r}, rev=rev + 1, parent_rev=rev or None, thread=(*thread, record)))
        except Conflict:
            await asyncio.sleep(0.001)

async def main(name):
    for number in range(10):
        await add(SqliteStore({str(store.path)!r}), f"{{name}}-{{number}}")

import sys
asyncio.run(main(sys.argv[1]))
"""
    running = [subprocess.Popen([sys.executable, "-c", program, str(n)]) for n in range(3)]

    assert [process.wait(60) for process in running] == [0, 0, 0]
    kept = asyncio.run(store.load(KEY))
    assert kept is not None
    assert kept.rev == 30
    assert len({record.id for record in kept.thread}) == 30


WRITER = """
import asyncio, sys
from datetime import datetime, timedelta, UTC
from tertulia.errors import Conflict
from tertulia.ledger import HistoryEntry, SqliteStore, ThreadRecord, WorkflowState, merge

path, who, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
KEY = "github:acme/demo#1"

async def bury(store, ident):
    gone = ThreadRecord(kind="command", source_type="issue_comment", id=ident, deleted=True)
    while True:
        known = await store.load(KEY)
        own = WorkflowState(thread_key=KEY, rev=known.rev, thread=(gone,))
        merged = merge(known, own).model_copy(update={"rev": known.rev + 1, "parent_rev": known.rev})
        try:
            return await store.save(merged)
        except Conflict:
            await asyncio.sleep(0.001 * who)

async def write():
    store = SqliteStore(path)
    for number in range(rounds):
        at = datetime(2026, 3, 2, tzinfo=UTC) + timedelta(seconds=number)
        await store.append(KEY, HistoryEntry(step=f"{who}-{number}", at=at))
        if number % 5 == 0:
            await bury(store, f"{who}{number:04}")

asyncio.run(write())
"""


def test_eight_processes_lose_no_tombstone_and_no_step(store: SqliteStore) -> None:
    rounds = 15
    command = [sys.executable, "-c", WRITER, str(store.path)]
    writers = [subprocess.Popen([*command, str(who), str(rounds)]) for who in range(1, 9)]
    assert [writer.wait(timeout=120) for writer in writers] == [0] * 8

    kept = asyncio.run(store.load(KEY))

    assert kept is not None
    assert {entry.step for entry in kept.history} == {
        f"{who}-{number}" for who in range(1, 9) for number in range(rounds)
    }
    tombstones = {f"{who}{number:04}" for who in range(1, 9) for number in range(0, rounds, 5)}
    assert {record.id for record in kept.thread if record.deleted} == tombstones
    assert kept.rev == 8 * (rounds + len(range(0, rounds, 5)))


@pytest.mark.anyio
async def test_a_step_is_added_once(store: SqliteStore) -> None:
    step = HistoryEntry(step="answer", at=datetime(2026, 3, 2, tzinfo=UTC))

    first = await store.append(KEY, step)
    again = await store.append(KEY, step)

    assert first == again == await store.load(KEY)
    assert (again.rev, again.history) == (1, (step,))


@pytest.mark.anyio
async def test_a_step_leaves_the_records_as_they_are(store: SqliteStore) -> None:
    await store.save(state(1, None, "5"))

    after = await store.append(KEY, HistoryEntry(step="answer", at=datetime(2026, 3, 2, tzinfo=UTC)))

    assert (after.rev, after.parent_rev) == (2, 1)
    assert [record.id for record in after.thread] == ["5"]
