"""State in a comment: whose it is, who else wrote meanwhile, and what became of a write that nobody answered."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from tertulia import ledger
from tertulia.errors import Conflict, Invalid, Unavailable, Unsupported
from tertulia.ledger import CommentStore, HistoryEntry, Reader, Recalled, Run, StateKeys, WorkflowState
from tertulia.testing.tracker import Client, Tracker
from tertulia.testing.wire import Fault
from tertulia.thread import Account, Draft, Listing, Message, MessageRef, ThreadRef
from tertulia.tracker import Capability

pytestmark = pytest.mark.anyio

ISSUE = "acme/demo#1"
KEY = "memory:acme/demo#1"
THREAD = ThreadRef(conversation=ISSUE)
START = datetime(2026, 3, 2, tzinfo=UTC)
STEP = HistoryEntry(step="answer", at=START)
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
                await CommentStore(client, THREAD).append(KEY, STEP)
            return await super().save(state)

    context = await ledger.read(client, THREAD, store=Overtaken(client, THREAD))

    (met,) = [finding for finding in context.audit if finding.flag == "second-writer"]
    assert met.ref == context.state.source
    assert met.detail.startswith("the state was written by somebody else while this run worked")
    kept = await CommentStore(client, THREAD).load(KEY)
    assert kept is not None
    assert (context.state.rev, kept.rev) == (3, 3)
    assert kept.history == (STEP,)


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
    with pytest.raises(Invalid, match=r"^state: schema 6 is of a later release$") as refused:
        await CommentStore(client, THREAD).append(KEY, STEP)
    assert refused.value.field == "state"
    assert bodies(tracker) == [newer]


async def test_a_step_is_not_added_to_a_state_that_nobody_may_read(tracker: Tracker) -> None:
    shared = tracker.client(Account(id="7", login="github-actions[bot]", kind="bot"))
    signed = CommentStore(shared, THREAD, Reader(keys=KEYS))
    await signed.save(state())
    before = bodies(tracker)

    tracker.say(ISSUE, before[0], author=Account(id="8", login="eve"))

    told = "^state: a state in a comment that is not the engine's own; the engine shares its account, "
    with pytest.raises(Invalid, match=told):
        await CommentStore(shared, THREAD).append(KEY, STEP)
    assert bodies(tracker) == [*before, *before]


async def test_a_step_stands_above_every_revision_that_was_seen(tracker: Tracker, client: Client) -> None:
    await CommentStore(client, THREAD).save(state(3))
    reader = Reader(min_rev=9)

    made = await CommentStore(client, THREAD, reader).append(KEY, STEP)

    assert made.rev == 10
    assert await CommentStore(client, THREAD, reader).load(KEY) == made


async def test_a_run_stands_above_every_revision_that_was_seen(tracker: Tracker, client: Client) -> None:
    await CommentStore(client, THREAD).save(state(3))

    context = await ledger.read(client, THREAD, store=CommentStore(client, THREAD, Reader(min_rev=9)))

    assert context.state.rev == 10


async def test_a_state_that_does_not_count_is_no_source(tracker: Tracker, client: Client, helper: Account) -> None:
    run = Run(engine=helper, thread=KEY)
    store = CommentStore(client, THREAD, Reader(min_rev=9))
    assert await store.recall(run, tracker.listing(ISSUE)) == Recalled(floor=9)
    await CommentStore(client, THREAD).save(state(3))

    recalled = await store.recall(run, tracker.listing(ISSUE))

    assert (recalled.state, recalled.source) == (None, "none")


@pytest.mark.parametrize(("before", "now"), [("", "\n \n"), ("\n \n", "")])
async def test_white_space_at_the_end_is_nobody_s_writing(
    tracker: Tracker, client: Client, before: str, now: str
) -> None:
    """Servers and web forms add some, and take some away."""
    await CommentStore(client, THREAD).save(state())
    (comment,) = tracker.listing(ISSUE).messages[1:]
    tracker.alter(ISSUE, comment.id, comment.body + before)
    store = CommentStore(client, THREAD)
    await store.load(KEY)
    tracker.alter(ISSUE, comment.id, comment.body + now)

    await store.save(state(2, 1))

    assert await store.load(KEY) == state(2, 1)


async def test_who_comes_too_late_is_told_which_comment_was_written(tracker: Tracker, client: Client) -> None:
    place = await CommentStore(client, THREAD).save(state())
    slow = CommentStore(client, THREAD)
    await slow.load(KEY)
    await CommentStore(client, THREAD).save(state(2, 1))

    with pytest.raises(Conflict, match=f"^state: {place} was written by somebody else meanwhile$"):
        await slow.save(state(2, 1))
    for parent, told in ((None, "none"), (1, "1")):
        with pytest.raises(Conflict, match=f"^state: {KEY} is not at rev {told} any more$"):
            await CommentStore(client, THREAD).save(state(9, parent))


async def test_a_thread_that_others_write_all_the_time_is_given_up(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tertulia.ledger._attempts._PAUSE", 0.0)

    class Overtaken(CommentStore):
        async def save(self, state: WorkflowState, /) -> str:
            raise Conflict("somebody else was faster")

    with pytest.raises(Conflict, match=f"^state: {KEY} is written by others all the time"):
        await Overtaken(client, THREAD).append(KEY, STEP)


class Translated(Client):
    """Be the client of a site that gives messages in its own way."""

    edited: MessageRef | None = None

    def __init__(self, tracker: Tracker, account: Account, way: Callable[[str], dict[str, str]]) -> None:
        super().__init__(tracker, account, frozenset(Capability))
        self.way = way

    async def read(self, thread: ThreadRef, /) -> Listing:
        listing = await super().read(thread)
        messages = tuple(one.model_copy(update=self.way(one.body)) for one in listing.messages)
        return listing.model_copy(update={"messages": messages})

    async def edit(self, message: MessageRef, draft: Draft, /) -> Message:
        self.edited = message
        return await super().edit(message, draft)


async def test_a_message_is_addressed_as_its_backend_named_it(tracker: Tracker, helper: Account) -> None:
    """Discussions of GitHub are edited by their node ids."""
    client = Translated(tracker, helper, lambda _: {"handle": "node"})
    await CommentStore(client, THREAD).save(state())
    await CommentStore(client, THREAD).save(state(2, 1))

    assert client.edited is not None
    assert client.edited.handle == "node"


@pytest.mark.parametrize(
    ("way", "prefix"),
    [
        (lambda body: {"body": body.replace("\n", "\r\n") + "\r\n"}, "bot-"),
        (lambda body: {"body": body.replace("<!-- bot-", "<!-- our-")}, "our-"),
    ],
)
async def test_a_lost_answer_is_found_as_the_site_gives_it(
    tracker: Tracker, helper: Account, way: Callable[[str], dict[str, str]], prefix: str
) -> None:
    client = Translated(tracker, helper, way)
    store = CommentStore(client, THREAD, Reader(marker_prefix=prefix))
    await store.load(KEY)
    tracker.wire.break_with(Fault.LOSE)

    await store.save(state())

    assert len(bodies(tracker)) == 1
    assert await store.load(KEY) == state()
