"""What every store of a ledger does, in a file as in a comment of the thread itself."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tertulia import ledger
from tertulia.errors import Conflict
from tertulia.ledger import CommentStore, HistoryEntry, SqliteStore, Store, ThreadRecord, WorkflowState
from tertulia.testing.tracker import Client, Tracker
from tertulia.thread import Account, ThreadRef

pytestmark = pytest.mark.anyio

ISSUE = "acme/demo#1"
KEY = "memory:acme/demo#1"
THREAD = ThreadRef(conversation=ISSUE)
STEP = HistoryEntry(step="answer", agent="helper", at=datetime(2026, 3, 2, tzinfo=UTC))
Open = Callable[[], Store]


@pytest.fixture
def client(tracker: Tracker, helper: Account) -> Client:
    """The engine's client."""
    return tracker.client(helper)


@pytest.fixture(params=["sqlite", "comment"])
def opened(request: pytest.FixtureRequest, client: Client, tmp_path: Path) -> Open:
    """Open the store again, as a new process does."""
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "ledger.sqlite")
    return lambda: CommentStore(client, THREAD)


def state(rev: int, parent: int | None, *idents: str) -> WorkflowState:
    records = tuple(ThreadRecord(kind="human-feedback", source_type="issue_comment", id=ident) for ident in idents)
    return WorkflowState(thread_key=KEY, rev=rev, parent_rev=parent, thread=records)


async def test_there_is_no_state_to_begin_with(opened: Open) -> None:
    assert await opened().load(KEY) is None


async def test_what_is_saved_is_there_for_the_next_process(opened: Open) -> None:
    saved = state(1, None, "5", "6").model_copy(update={"history": (STEP,), "writer": "w"})

    place = await opened().save(saved)

    assert await opened().load(KEY) == saved
    assert place


async def test_a_name_that_is_no_text_costs_no_state(opened: Open) -> None:
    odd = ThreadRecord(kind="command", source_type="issue_comment", id="5", user_name="a\ud800b")
    await opened().save(state(1, None).model_copy(update={"thread": (odd,)}))

    kept = await opened().load(KEY)

    assert kept is not None
    assert [record.user_name for record in kept.thread] == ["a?b"]


async def test_the_next_state_takes_the_place_of_the_one_before(opened: Open) -> None:
    first, store = await opened().save(state(1, None, "5")), opened()
    assert await store.load(KEY) == state(1, None, "5")

    second = await store.save(state(2, 1, "5", "6"))

    assert first == second
    assert await opened().load(KEY) == state(2, 1, "5", "6")


async def test_a_writer_that_was_overtaken_is_told_and_changes_nothing(opened: Open) -> None:
    await opened().save(state(1, None, "5"))
    slow, fast = opened(), opened()
    await slow.load(KEY)
    await fast.load(KEY)
    await fast.save(state(2, 1, "5", "6"))

    with pytest.raises(Conflict):
        await slow.save(state(2, 1, "7"))

    assert await opened().load(KEY) == state(2, 1, "5", "6")


async def test_a_step_is_added_once_and_leaves_the_records_alone(opened: Open) -> None:
    await opened().save(state(1, None, "5"))

    first, again = await opened().append(KEY, STEP), await opened().append(KEY, STEP)

    assert first == again == await opened().load(KEY)
    assert (first.rev, first.parent_rev, first.history, [one.id for one in first.thread]) == (2, 1, (STEP,), ["5"])


async def test_a_step_may_be_the_first_thing_that_is_kept(opened: Open) -> None:
    assert (await opened().append(KEY, STEP)).rev == 1
    assert await opened().load(KEY) == WorkflowState(thread_key=KEY, rev=1, history=(STEP,))


async def test_tasks_that_share_a_store_lose_no_step(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tertulia.ledger._attempts._PAUSE", 0.0)
    store = opened()
    steps = [STEP.model_copy(update={"step": name}) for name in "abcd"]

    await asyncio.gather(*(store.append(KEY, step) for step in steps))

    kept = await opened().load(KEY)
    assert kept is not None
    assert (kept.rev, {step.step for step in kept.history}) == (4, set("abcd"))


async def test_a_state_that_follows_another_one_is_not_taken(opened: Open) -> None:
    await opened().save(state(1, None, "5"))

    for late in (state(3, 2, "6"), state(1, None, "6")):
        with pytest.raises(Conflict):
            await opened().save(late)

    assert await opened().load(KEY) == state(1, None, "5")


async def test_a_thread_is_remembered_from_run_to_run(
    tracker: Tracker, client: Client, opened: Open, maintainer: Account
) -> None:
    said = tracker.say(ISSUE, "Ship it.", author=maintainer, association="MEMBER")
    first = await ledger.read(client, THREAD, store=opened())
    await opened().append(KEY, STEP)
    tracker.remove(ISSUE, said.id)

    second = await ledger.read(client, THREAD, store=opened())

    kept = await opened().load(KEY)
    assert kept is not None
    assert (first.state.rev, second.state.rev, kept.rev, kept.parent_rev) == (1, 3, 3, 2)
    assert {entry.record.ref: entry.decision for entry in second.records}[said.ref] == "deleted"
    assert {record.ref for record in kept.thread if record.deleted} == {said.ref}
    assert kept.history == (STEP,)
    assert second.audit == ()


async def test_a_run_that_finds_nothing_new_writes_nothing(tracker: Tracker, client: Client, opened: Open) -> None:
    for _ in range(2):
        await ledger.read(client, THREAD, store=opened())
    settled = await opened().load(KEY)
    writes = tracker.wire.writes

    third = await ledger.read(client, THREAD, store=opened())

    assert await opened().load(KEY) == settled
    assert tracker.wire.writes == writes
    assert settled is not None
    assert third.state.rev == settled.rev
