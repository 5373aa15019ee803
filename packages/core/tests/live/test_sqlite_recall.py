"""What a run learns from the SQLite store: the state, where it is, and why it is not read."""

import sqlite3
from contextlib import closing

import pytest

from tertulia.errors import Conflict, Invalid
from tertulia.ledger import Recalled, Run, SqliteStore, WorkflowState
from tertulia.thread import Listing

pytestmark = pytest.mark.anyio

KEY = "github:acme/demo#1"
RUN, NOTHING = Run(thread=KEY), Listing(messages=())


def overwrite(store: SqliteStore, data: str) -> None:
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute("UPDATE state SET data = ?", (data,))


async def test_a_thread_that_was_not_saved_has_none(store: SqliteStore) -> None:
    assert await store.recall(RUN, NOTHING) == Recalled(None, source="none")


async def test_one_that_was_saved_has_the_name_of_the_store(store: SqliteStore) -> None:
    saved = WorkflowState(thread_key=KEY, rev=1)

    assert await store.save(saved) == "sqlite"
    assert await store.recall(RUN, NOTHING) == Recalled(saved, source="sqlite")


@pytest.mark.parametrize(
    ("data", "flag", "told"),
    [
        ('{"schema": 6}', "state-schema-newer", "state: schema 6 is newer than this release reads"),
        ("{", "state-rejected", "state: is not JSON: "),
        ("[]", "state-rejected", "state: must be a JSON object, not an array"),
        ('{"schema": 5, "thread_key": "x", "rev": 1}', "state-rejected", "state: belongs to another thread"),
    ],
)
async def test_one_that_cannot_be_read_is_reported_and_not_written(
    store: SqliteStore, data: str, flag: str, told: str
) -> None:
    await store.save(WorkflowState(thread_key=KEY, rev=1))
    overwrite(store, data)

    recalled = await store.recall(RUN, NOTHING)

    assert (recalled.state, recalled.source, recalled.writable) == (None, "none", False)
    assert [finding.flag for finding in recalled.findings] == [flag]
    assert recalled.findings[0].detail.startswith(f"the ledger is rebuilt from the thread, not saved: {told}")
    with pytest.raises(Invalid):
        await store.load(KEY)


async def test_who_comes_too_late_is_told_what_was_expected(store: SqliteStore) -> None:
    for parent, expected in ((None, "none"), (7, "7")):
        await store.save(WorkflowState(thread_key=f"{KEY}{expected}", rev=1))
        with pytest.raises(Conflict) as refused:
            await store.save(WorkflowState(thread_key=f"{KEY}{expected}", rev=8, parent_rev=parent))
        told = f"state: {KEY}{expected} was written by somebody else since rev {expected}"
        assert str(refused.value) == told


async def test_the_threads_that_are_kept_are_listed_in_order(store: SqliteStore) -> None:
    for number in (2, 1, 3):
        await store.save(WorkflowState(thread_key=f"github:acme/demo#{number}", rev=1))

    assert await store.threads() == ("github:acme/demo#1", "github:acme/demo#2", "github:acme/demo#3")
