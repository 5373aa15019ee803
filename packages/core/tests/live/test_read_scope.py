"""A conversation is read whole or by the thread: what a run reads, under which name, and what is marked."""

from collections.abc import Callable

import pytest

from tertulia import ledger
from tertulia.event import Event
from tertulia.ledger import Context, SqliteStore
from tertulia.testing.conversation import Client, Conversations
from tertulia.thread import Account, Draft, Listing, Message, ThreadRef

pytestmark = pytest.mark.anyio

TALK = "acme/demo#1"
WHOLE = ThreadRef(conversation=TALK)
Say = Callable[..., Message]


@pytest.fixture
def talks(outsider: Account) -> Conversations:
    made = Conversations()
    made.open("acme/demo", title="Why?", body="It stops.", author=outsider, category="q-a")
    return made


@pytest.fixture
def client(talks: Conversations, helper: Account) -> Client:
    return talks.client(helper)


@pytest.fixture
def say(talks: Conversations, maintainer: Account) -> Say:
    """Write as a member."""
    return lambda body, root=None: talks.say(TALK, body, author=maintainer, association="MEMBER", root=root)


@pytest.fixture
def asked() -> Callable[[Message], Event]:
    """Make the event that a comment in the discussion gives."""

    def make(message: Message) -> Event:
        assert message.author is not None
        author = {"id": message.author.id, "login": message.author.login, "kind": "human"}
        comment = {"id": message.id, "parent_id": message.parent_id, "body": message.body, "author": author}
        return Event.check(
            {
                "repo": "acme/demo",
                "entity": {"kind": "conversation", "id": 1, "url": "https://tracker.example/acme/demo/discussions/1"},
                "transition": {"kind": "comment_added", "comment": comment},
                "actor": {"id": author["login"], "account_id": author["id"], "kind": "human", "role": "none"}
                | {"is_entity_author": False},
                "state": {"labels": [], "conversation": {"category": {"name": "Q&A"}}},
                "source": {"system": "github", "raw_type": "discussion_comment", "raw_action": "created"},
                "delivery": {"key": "k", "time": message.created_at.isoformat()},
            }
        )

    return make


def marked(context: Context) -> set[str]:
    heads = [line for line in context.text.split("\n") if line.startswith("[BEGIN ") and "this-thread" in line]
    return {line.split()[1] for line in heads}


async def test_a_discussion_is_read_whole_and_the_thread_of_the_trigger_is_marked(
    client: Client, say: Say, asked: Callable[[Message], Event]
) -> None:
    beside = say("Elsewhere.")
    root = say("Here.")
    answer = await client.post(ThreadRef(conversation=TALK, root=root.id), Draft(body="So.", agent="helper", key="k"))
    trigger = say("/ask why?", root.id)
    event = asked(trigger)

    got = await ledger.read(client, ThreadRef.of(event), trigger=event)

    assert got.text.count("## Task") == 1
    assert got.flow == (beside.ref, root.ref, answer.ref, trigger.ref)
    assert marked(got) == {root.ref, answer.ref, trigger.ref}
    assert "(Records with the flag this-thread stand in the thread that the run is about" in got.text
    assert (got.thread, got.audit) == ("github:acme/demo#1", ())
    assert {entry.record.ref: entry.record.parent_id for entry in got.records} == {
        "discussion:1001": None,
        beside.ref: beside.id,
        **dict.fromkeys((root.ref, answer.ref, trigger.ref), root.id),
    }


async def test_a_discussion_can_be_read_by_the_thread(
    client: Client, say: Say, asked: Callable[[Message], Event]
) -> None:
    say("Elsewhere.")
    root = say("Here.")
    trigger = say("/ask why?", root.id)
    event = asked(trigger)

    got = await ledger.read(client, ThreadRef.of(event), trigger=event, scope="thread")

    assert "## Task" not in got.text
    assert got.flow == (root.ref, trigger.ref)
    assert marked(got) == set()
    assert (got.thread, got.audit) == (f"github:acme/demo#1/{root.id}", ())


async def test_the_thread_of_a_reference_is_marked_too_and_a_replys_id_means_its_root(
    client: Client, say: Say, maintainer: Account, helper: Account
) -> None:
    say("Elsewhere.")
    root = say("Here.")
    reply = say("And?", root.id)
    run = ledger.Run(trigger_author=maintainer, engine=helper, thread="t")

    for thread in (root.id, reply.id):
        got = await ledger.read(client, ThreadRef(conversation=TALK, root=thread), run=run)

        assert (marked(got), got.thread) == ({root.ref, reply.ref}, "t")


@pytest.mark.parametrize("root", [True, False])
async def test_nothing_is_marked_where_there_is_no_other_thread(
    client: Client, say: Say, maintainer: Account, helper: Account, root: bool
) -> None:
    only = say("Here.")
    run = ledger.Run(trigger_author=maintainer, engine=helper)

    got = await ledger.read(client, ThreadRef(conversation=TALK, root=only.id) if root else WHOLE, run=run)

    assert (got.flow, marked(got)) == ((only.ref,), set())
    assert "this-thread" not in got.text


async def test_two_threads_of_a_discussion_share_its_state(
    client: Client, say: Say, asked: Callable[[Message], Event], store: SqliteStore
) -> None:
    events = [asked(say("/ask one")), asked(say("/ask two"))]

    for event in events:
        got = await ledger.read(client, ThreadRef.of(event), trigger=event, store=store)

    state = await store.load("github:acme/demo#1")
    assert state is not None
    assert [record.ref for record in state.thread] == [entry.record.ref for entry in got.records]
    assert await store.load(f"github:acme/demo#1/{ThreadRef.of(events[0]).root}") is None


async def test_what_is_deleted_in_a_discussion_becomes_a_tombstone_in_whatever_thread(
    client: Client, talks: Conversations, say: Say, asked: Callable[[Message], Event], store: SqliteStore
) -> None:
    root, other = say("Here."), say("Elsewhere.")
    gone = say("Not so.", other.id)
    kept = say("Yes.", root.id)
    trigger = say("/ask why?", root.id)
    event = asked(trigger)
    await ledger.read(client, ThreadRef.of(event), trigger=event, store=store)
    talks.remove(TALK, gone.id)
    talks.remove(TALK, root.id)

    got = await ledger.read(client, ThreadRef.of(event), trigger=event, store=store)

    decisions = {entry.record.ref: entry.decision for entry in got.records}
    assert [ref for ref, decision in decisions.items() if decision == "deleted"] == [root.ref, gone.ref]
    assert marked(got) == {kept.ref, trigger.ref}
    assert got.audit == ()
    assert "Not so." not in got.text


class Unsure:
    """Pass on what a client reads without a message, and never say that it is all there is."""

    backend = "memory"

    def __init__(self, client: Client, without: str) -> None:
        self.client, self.without = client, without
        self.limits, self.whoami, self.post, self.get_message = (
            client.limits,
            client.whoami,
            client.post,
            client.get_message,
        )

    async def read(self, thread: ThreadRef, /) -> Listing:
        listing = await self.client.read(thread)
        messages = tuple(message for message in listing.messages if message.ref != self.without)
        return listing.model_copy(update={"messages": messages, "complete": False})


async def test_what_a_listing_leaves_out_is_asked_for_by_its_number(
    client: Client, say: Say, asked: Callable[[Message], Event], store: SqliteStore
) -> None:
    root = say("Here.")
    reply = say("And?", root.id)
    trigger = say("/ask why?")
    event = asked(trigger)
    await ledger.read(client, ThreadRef.of(event), trigger=event, store=store)

    got = await ledger.read(Unsure(client, reply.ref), ThreadRef.of(event), trigger=event, store=store)

    assert got.flow == (root.ref, reply.ref, trigger.ref)
