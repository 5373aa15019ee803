"""State in a comment: whose it is, who else wrote meanwhile, and what became of a write that nobody answered."""

from datetime import UTC, datetime

import pytest

from tertulia import ledger
from tertulia.errors import Unavailable, Unsupported
from tertulia.ledger import CommentStore, Reader, StateKeys, WorkflowState
from tertulia.testing.tracker import Client, Tracker
from tertulia.testing.wire import Fault
from tertulia.thread import Account, ThreadRef
from tertulia.tracker import Capability

pytestmark = pytest.mark.anyio

ISSUE = "acme/demo#1"
KEY = "memory:acme/demo#1"
THREAD = ThreadRef(conversation=ISSUE)
START = datetime(2026, 3, 2, tzinfo=UTC)
KEYS = StateKeys({"k1": "a published key, for tests only"})


@pytest.fixture
def client(tracker: Tracker, helper: Account) -> Client:
    """The engine's client."""
    return tracker.client(helper)


def bodies(tracker: Tracker) -> list[str]:
    return [message.body for message in tracker.listing(ISSUE).messages[1:]]


def state(rev: int = 1, parent: int | None = None) -> WorkflowState:
    return WorkflowState(thread_key=KEY, rev=rev, parent_rev=parent)


async def test_the_comment_is_three_lines_and_the_only_one(tracker: Tracker, client: Client) -> None:
    for _ in range(3):
        await ledger.read(client, THREAD, store=CommentStore(client, THREAD))
        tracker.say(ISSUE, "More.", author=Account(id="7", login="ana"))

    (body,) = [body for body in bodies(tracker) if "workflow-state" in body]
    first, sentence, last = body.split("\n")
    assert first == "<!-- bot-workflow-terminal -->"
    assert sentence
    assert last.startswith(f"<!-- workflow-state v5 thread={KEY} rev=3 data=")


async def test_the_comment_is_an_engine_notice_and_no_answer(tracker: Tracker, client: Client) -> None:
    await ledger.read(client, THREAD, store=CommentStore(client, THREAD))

    context = await ledger.read(client, THREAD, store=CommentStore(client, THREAD))

    (notice,) = [entry for entry in context.records if entry.record.source_type == "issue_comment"]
    assert (notice.record.kind, notice.decision) == ("engine-output", "engine")
    assert context.state.source == notice.record.ref
    assert "workflow-state" not in context.text


async def test_with_a_key_only_what_it_signed_is_read(tracker: Tracker, client: Client) -> None:
    unsigned = CommentStore(client, THREAD)
    await unsigned.save(state())

    context = await ledger.read(client, THREAD, store=CommentStore(client, THREAD, Reader(keys=KEYS)))

    assert "state-mac-invalid" in [finding.flag for finding in context.audit]
    (body,) = bodies(tracker)
    assert " kid=k1 mac=" in body
    assert await CommentStore(client, THREAD, Reader(keys=KEYS)).load(KEY) is not None


async def test_an_outsider_s_state_costs_nothing(tracker: Tracker, client: Client, outsider: Account) -> None:
    await CommentStore(client, THREAD).save(state())
    tracker.say(ISSUE, bodies(tracker)[0].replace("rev=1", "rev=99"), author=outsider)

    context = await ledger.read(client, THREAD, store=CommentStore(client, THREAD))

    assert "foreign-state-ignored" in [finding.flag for finding in context.audit]
    assert context.state.rev == 2
    assert "rev=99" in bodies(tracker)[1]


async def test_a_second_writer_is_noticed_and_reported(tracker: Tracker, client: Client) -> None:
    await CommentStore(client, THREAD).save(state())

    class Overtaken(CommentStore):
        overtaken = False

        async def save(self, state: WorkflowState, /) -> str:
            if not self.overtaken:
                self.overtaken = True
                await CommentStore(client, THREAD).append(KEY, ledger.HistoryEntry(step="x", at=START))
            return await super().save(state)

    context = await ledger.read(client, THREAD, store=Overtaken(client, THREAD))

    assert "second-writer" in [finding.flag for finding in context.audit]
    kept = await CommentStore(client, THREAD).load(KEY)
    assert kept is not None
    assert (context.state.rev, kept.rev) == (3, 3)
    assert [step.step for step in kept.history] == ["x"]


async def test_a_comment_that_is_gone_is_written_anew(tracker: Tracker, client: Client) -> None:
    store = CommentStore(client, THREAD)
    await store.save(state())
    (comment,) = tracker.listing(ISSUE).messages[1:]
    tracker.remove(ISSUE, comment.id)

    place = await store.save(state(2, 1))

    assert place != comment.ref
    assert len(bodies(tracker)) == 1


async def test_a_state_whose_answer_was_lost_is_found_and_not_posted_twice(tracker: Tracker, client: Client) -> None:
    store = CommentStore(client, THREAD)
    await store.load(KEY)
    tracker.wire.break_with(Fault.LOSE)

    await store.save(state())

    assert len(bodies(tracker)) == 1


async def test_a_state_that_nobody_knows_of_is_not_posted_again(tracker: Tracker, client: Client) -> None:
    store = CommentStore(client, THREAD)
    await store.load(KEY)
    tracker.wire.break_with(Fault.DROP)

    with pytest.raises(Unavailable) as failure:
        await store.save(state())

    assert failure.value.ambiguous
    assert bodies(tracker) == []


async def test_a_client_that_cannot_edit_keeps_one_state_and_says_so(tracker: Tracker, helper: Account) -> None:
    client = tracker.client(helper, set(Capability) - {Capability.EDIT})
    store = CommentStore(client, THREAD)
    await store.save(state())

    with pytest.raises(Unsupported):
        await store.save(state(2, 1))


async def test_a_newer_release_s_state_is_left_alone(tracker: Tracker, client: Client, helper: Account) -> None:
    await CommentStore(client, THREAD).save(state())
    (comment,) = tracker.listing(ISSUE).messages[1:]
    newer = comment.body.replace("workflow-state v5", "workflow-state v6")
    tracker.alter(ISSUE, comment.id, newer)

    context = await ledger.read(client, THREAD, store=CommentStore(client, THREAD))

    assert "state-schema-newer" in [finding.flag for finding in context.audit]
    assert not context.state.writable
    assert bodies(tracker) == [newer]
