"""`ledger.read`: client, store and the pure functions meet."""

import asyncio
import logging
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tertulia import ledger
from tertulia.errors import Conflict, Denied, NotFound, Unavailable
from tertulia.event import Event
from tertulia.ledger import Options, Run, SqliteStore, WorkflowState
from tertulia.testing.tracker import Client, Tracker
from tertulia.thread import Account, Draft, Listing, Message, MessageRef, ThreadRef

pytestmark = pytest.mark.anyio

ISSUE = "acme/demo#1"
THREAD = ThreadRef(conversation=ISSUE)
Make = Callable[..., Event]


class Counted:
    """Pass everything on to a client in memory, counting, and break what a test wants broken."""

    backend = "memory"

    def __init__(self, client: Client) -> None:
        self.client = client
        self.limits = client.limits
        self.reads = 0
        self.asked: list[str] = []
        self.listings: list[Listing] = []
        self.identity: Exception | None = None
        self.message: Exception | None = None

    async def whoami(self) -> Account:
        if self.identity is not None:
            raise self.identity
        return await self.client.whoami()

    async def read(self, thread: ThreadRef, /) -> Listing:
        self.reads += 1
        return self.listings.pop(0) if self.listings else await self.client.read(thread)

    async def get_message(self, message: MessageRef, /) -> Message:
        self.asked.append(f"{message.source_type}:{message.id}")
        if self.message is not None:
            raise self.message
        return await self.client.get_message(message)

    async def post(self, thread: ThreadRef, draft: Draft, /) -> Message:
        return await self.client.post(thread, draft)


@pytest.fixture
def client(tracker: Tracker, helper: Account) -> Counted:
    return Counted(tracker.client(helper))


async def test_the_run_comes_from_the_event(
    tracker: Tracker, client: Counted, about: Make, maintainer: Account, helper: Account
) -> None:
    asked = tracker.say(ISSUE, "/ask why?", author=maintainer, association="MEMBER")

    got = await ledger.read(client, THREAD, trigger=about(asked))

    assert got.flow == (asked.ref,)
    assert got.trigger_author == maintainer.model_copy(update={"aliases": frozenset()})
    assert got.thread == "github:acme/demo#1"
    assert got.audit == ()


async def test_an_answer_is_agent_output_in_the_next_run(
    tracker: Tracker, client: Counted, about: Make, maintainer: Account
) -> None:
    asked = tracker.say(ISSUE, "/ask why?", author=maintainer, association="MEMBER")
    posted = await client.post(THREAD, Draft(body="Because.", agent="helper", key="k"))

    got = await ledger.read(client, THREAD, trigger=about(asked))

    assert got.flow == (asked.ref, posted.ref)
    assert {entry.record.kind for entry in got.records} == {"issue-body", "command", "agent-output"}
    assert "Because." in got.text
    assert "tertulia key=" not in got.text


async def test_an_anonymous_client_has_no_engine_and_the_ledger_says_so(
    client: Counted, caplog: pytest.LogCaptureFixture
) -> None:
    client.identity = Denied("no credentials")

    with caplog.at_level(logging.WARNING, "tertulia.ledger"):
        got = await ledger.read(client, THREAD)

    assert [finding.flag for finding in got.audit] == ["engine-actor-unresolved"]
    assert caplog.messages == ["the engine's account could not be resolved: no credentials"]


async def test_an_identity_that_could_not_be_asked_for_is_an_error(client: Counted) -> None:
    client.identity = Unavailable("down")

    with pytest.raises(Unavailable):
        await ledger.read(client, THREAD)


async def test_a_run_that_is_given_is_taken_as_it_is(tracker: Tracker, client: Counted, maintainer: Account) -> None:
    said = tracker.say(ISSUE, "Keep it.", author=maintainer, association="OWNER")

    got = await ledger.read(client, THREAD, run=Run(trigger_author=maintainer, engine=None, thread="t"))

    assert got.flow == (said.ref,)
    assert got.thread == "t"


async def test_a_deleted_comment_becomes_a_tombstone(
    tracker: Tracker, client: Counted, store: SqliteStore, about: Make, maintainer: Account
) -> None:
    first = tracker.say(ISSUE, "/ask why?", author=maintainer, association="MEMBER")
    second = tracker.say(ISSUE, "Never mind.", author=maintainer, association="MEMBER")
    event = about(first)
    await ledger.read(client, THREAD, trigger=event, store=store)
    tracker.remove(ISSUE, second.id)

    got = await ledger.read(client, THREAD, trigger=event, store=store)

    entries = {entry.record.ref: entry for entry in got.records}
    assert entries[second.ref].record.deleted
    assert entries[second.ref].decision == "deleted"
    assert "Never mind" not in got.text
    assert client.reads == 2  # the counts agree: no second listing, no question
    assert client.asked == []


async def test_a_deleted_trigger_comment_is_reported(
    tracker: Tracker, client: Counted, store: SqliteStore, about: Make, maintainer: Account
) -> None:
    asked = tracker.say(ISSUE, "/ask why?", author=maintainer, association="MEMBER")
    await ledger.read(client, THREAD, trigger=about(asked), store=store)
    tracker.remove(ISSUE, asked.id)

    got = await ledger.read(client, THREAD, trigger=about(asked), store=store)

    assert [finding.flag for finding in got.audit] == ["trigger-comment-missing"]


async def test_without_proof_the_thread_is_listed_again_and_ids_are_asked_for(
    tracker: Tracker, client: Counted, store: SqliteStore, maintainer: Account
) -> None:
    gone = tracker.say(ISSUE, "one", author=maintainer)
    there = tracker.say(ISSUE, "two", author=maintainer)
    await ledger.read(client, THREAD, store=store)
    tracker.remove(ISSUE, gone.id)
    opening = tracker.listing(ISSUE).messages[:1]
    short = Listing(messages=opening, complete=False)
    client.listings, client.reads = [short, short], 0

    got = await ledger.read(client, THREAD, store=store)

    entries = {entry.record.ref: entry for entry in got.records}
    assert client.reads == 2
    assert sorted(client.asked) == sorted([gone.ref, there.ref])
    assert entries[gone.ref].decision == "deleted"
    assert not entries[there.ref].record.deleted
    assert entries[there.ref].decision == "unverified"


async def test_a_look_up_that_fails_proves_nothing(
    tracker: Tracker,
    client: Counted,
    store: SqliteStore,
    maintainer: Account,
    caplog: pytest.LogCaptureFixture,
) -> None:
    said = tracker.say(ISSUE, "one", author=maintainer)
    await ledger.read(client, THREAD, store=store)
    short = Listing(messages=tracker.listing(ISSUE).messages[:1], complete=False)
    client.listings, client.message = [short, short], Denied("not now")

    with caplog.at_level(logging.INFO, "tertulia.ledger"):
        got = await ledger.read(client, THREAD, store=store)

    entry = next(entry for entry in got.records if entry.record.ref == said.ref)
    assert (entry.decision, entry.record.deleted) == ("excluded", False)
    assert entry.reason.startswith("unconfirmed")
    assert caplog.messages == [f"{said.ref} could not be looked up: not now"]


async def test_at_most_twenty_ids_are_asked_for(
    tracker: Tracker, client: Counted, store: SqliteStore, maintainer: Account
) -> None:
    for number in range(25):
        tracker.say(ISSUE, str(number), author=maintainer)
    await ledger.read(client, THREAD, store=store)
    short = Listing(messages=tracker.listing(ISSUE).messages[:1], complete=False)
    client.listings = [short, short]

    got = await ledger.read(client, THREAD, store=store)

    assert len(client.asked) == 20
    assert got.counts["excluded"] == 5


async def test_a_transient_gap_in_the_first_listing_is_healed_by_the_second(
    tracker: Tracker, client: Counted, store: SqliteStore, maintainer: Account
) -> None:
    said = tracker.say(ISSUE, "one", author=maintainer)
    await ledger.read(client, THREAD, store=store)
    client.listings = [Listing(messages=tracker.listing(ISSUE).messages[:1], complete=False)]

    got = await ledger.read(client, THREAD, store=store)

    assert said.ref in got.unverified
    assert got.audit == ()
    assert client.asked == []


async def test_the_state_is_saved_before_it_returns_and_only_when_it_changed(
    tracker: Tracker, client: Counted, store: SqliteStore, maintainer: Account
) -> None:
    first = await ledger.read(client, THREAD, store=store)
    again = await ledger.read(client, THREAD, store=store)
    tracker.say(ISSUE, "more", author=maintainer)
    third = await ledger.read(client, THREAD, store=store)

    saved = await store.load("memory:acme/demo#1")
    assert saved is not None
    assert [got.state.rev for got in (first, again, third)] == [1, 1, 2]
    assert third.state.source == "sqlite"
    assert (saved.rev, saved.parent_rev) == (2, 1)
    assert saved.thread == tuple(entry.record for entry in third.records)


async def test_what_is_told_about_the_state_does_not_hang_on_a_store(
    tracker: Tracker, client: Counted, store: SqliteStore
) -> None:
    without = (await ledger.read(client, THREAD)).state
    saved = (await ledger.read(client, THREAD, store=store)).state

    assert (without.source, without.rev, without.writable) == ("none", 1, True)
    assert saved.chars > without.chars > 0, "what is saved says in which revisions it was seen"


async def test_a_writer_in_between_is_waited_out(
    tracker: Tracker, client: Counted, store: SqliteStore, caplog: pytest.LogCaptureFixture
) -> None:
    class Raced(SqliteStore):
        raced = False

        async def save(self, state: WorkflowState, /) -> str:
            if not self.raced:
                self.raced = True
                await store.save(state.model_copy(update={"thread": ()}))
            return await super().save(state)

    with caplog.at_level(logging.INFO, "tertulia.ledger"):
        got = await ledger.read(client, THREAD, store=Raced(store.path))

    assert got.state.rev == 2
    assert caplog.messages == [
        "the state of memory:acme/demo#1 was written by somebody else: reading it again",
    ]


async def test_a_store_that_always_conflicts_is_an_error_at_last(
    client: Counted, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tertulia.ledger._attempts._PAUSE", 0.0)

    class Busy(SqliteStore):
        async def save(self, state: WorkflowState, /) -> str:
            raise Conflict("always")

    told = "state: memory:acme/demo#1 is written by others all the time; 8 attempts were in vain"
    with pytest.raises(Conflict, match=f"^{re.escape(told)}$"):
        await ledger.read(client, THREAD, store=Busy(store.path))


async def test_an_unreadable_state_is_rebuilt_reported_and_left_alone(client: Counted, tmp_path: Path) -> None:
    path = tmp_path / "broken.sqlite"
    path.write_bytes(b"this is not a database, but long enough to be looked at" * 20)

    got = await ledger.read(client, THREAD, store=SqliteStore(path))

    assert got.counts["body"] == 1
    assert [finding.flag for finding in got.audit if finding.flag == "state-rejected"] == ["state-rejected"]
    assert (got.state.source, got.state.writable) == ("none", False)
    assert path.read_bytes().startswith(b"this is not a database")


async def test_a_thread_that_is_not_there_is_not_found(client: Counted) -> None:
    with pytest.raises(NotFound):
        await ledger.read(client, ThreadRef(conversation="acme/demo#99"))


async def test_options_reach_the_rendering(tracker: Tracker, client: Counted, maintainer: Account) -> None:
    for number in range(3):
        tracker.say(ISSUE, f"note {number}", author=maintainer, association="MEMBER")
    run = Run(trigger_author=maintainer, engine=await client.whoami())

    got = await ledger.read(client, THREAD, run=run, options=Options(window=1))

    assert len(got.flow) == 1


async def test_two_readers_at_once_lose_nothing(tracker: Tracker, client: Counted, store: SqliteStore) -> None:
    got = await asyncio.gather(*(ledger.read(client, THREAD, store=store) for _ in range(5)))

    assert {one.counts["body"] for one in got} == {1}
    saved = await store.load("memory:acme/demo#1")
    assert saved is not None
    assert len(saved.thread) == 1


async def test_options_reach_the_decisions(tracker: Tracker, client: Counted, maintainer: Account) -> None:
    tracker.say(ISSUE, "note", author=maintainer, association="MEMBER")
    run = Run(trigger_author=maintainer, engine=await client.whoami())

    got = await ledger.read(client, THREAD, run=run, options=Options(blocked_user_ids=frozenset({"101"})))

    assert got.counts["excluded"] == 1


async def test_a_record_knows_the_revision_it_was_first_seen_in(
    tracker: Tracker, client: Counted, store: SqliteStore, maintainer: Account
) -> None:
    first = await ledger.read(client, THREAD, store=store)
    said = tracker.say(ISSUE, "more", author=maintainer)
    second = await ledger.read(client, THREAD, store=store)
    unchanged = await ledger.read(client, THREAD, store=store)

    assert {entry.record.first_seen for entry in first.records} == {1}
    assert {entry.record.first_seen for entry in second.records if entry.record.ref == said.ref} == {2}
    assert (unchanged.state.source, unchanged.state.rev) == ("sqlite", 2)
