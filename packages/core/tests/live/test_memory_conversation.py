"""Conversations in memory keep the rules they specify."""

import inspect
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tertulia import conversation
from tertulia.conversation import Capability, ConversationDraft
from tertulia.errors import Conflict, Denied, Invalid, NotFound, Unsupported
from tertulia.testing.conversation import Client, Conversations
from tertulia.testing.wire import Fault
from tertulia.thread import Account, Draft, Message, MessageRef, ThreadRef

pytestmark = pytest.mark.anyio

TALK = "acme/demo#1"
WHOLE = ThreadRef(conversation=TALK)


def at(message: Message, place: str = TALK) -> MessageRef:
    return MessageRef(conversation=place, source_type=message.source_type, id=message.id)


def under(message: Message) -> ThreadRef:
    return ThreadRef(conversation=TALK, root=message.id)


def draft(body: str = "Hello", key: str | None = None) -> Draft:
    return Draft(body=body, agent="helper", key=key)


def idea(category: str = "general", place: str = "acme/demo", key: str | None = None) -> ConversationDraft:
    return ConversationDraft(place=place, category=category, title="An idea", body="Words.", agent="helper", key=key)


@pytest.fixture
def talks(outsider: Account) -> Conversations:
    made = Conversations()
    made.open("acme/demo", title="Why?", body="On start.", author=outsider, category="q-a")
    return made


@pytest.fixture
def client(talks: Conversations, helper: Account) -> Client:
    return talks.client(helper)


@pytest.fixture
def say(talks: Conversations, outsider: Account) -> Callable[..., Message]:
    """Write as the outsider."""
    return lambda body="Well.", root=None: talks.say(TALK, body, author=outsider, root=root)


def test_it_is_a_conversation_client(client: Client) -> None:
    typed: conversation.Client = client

    assert typed.backend == "memory"


async def test_threads_are_roots_with_flat_replies(client: Client, say: Callable[..., Message]) -> None:
    first, second = say("one"), say("two")
    reply = say("to one", first.id)
    answer = await client.post(under(reply), draft())

    listing = await client.read(WHOLE)

    assert [one.source_type for one in listing.messages] == ["discussion", *["discussion_comment"] * 4]
    assert [one.id for one in listing.messages[1:]] == [first.id, reply.id, answer.id, second.id]
    assert [one.parent_id for one in listing.messages] == [None, first.id, first.id, first.id, second.id]
    assert (listing.complete, listing.reported) == (True, {"discussion_comment": 4})


async def test_one_thread_is_read_by_its_root_or_by_a_reply(client: Client, say: Callable[..., Message]) -> None:
    root = say()
    say("elsewhere")
    reply = say("to it", root.id)

    listing = await client.read(under(root))

    assert listing.messages == (root, reply)
    assert await client.read(under(reply)) == listing
    with pytest.raises(NotFound):
        await client.read(ThreadRef(conversation=TALK, root="404"))


async def test_every_page_of_threads_and_of_replies_is_read(client: Client, say: Callable[..., Message]) -> None:
    roots = [say() for _ in range(101)]
    replies = [say("to the last", roots[-1].id) for _ in range(201)]

    listing = await client.read(WHOLE)

    assert [one.id for one in listing.messages[1:]] == [one.id for one in (*roots, *replies)]
    assert listing.complete


@pytest.mark.parametrize("deep", [False, True])
async def test_what_a_shift_hides_is_read_again(
    talks: Conversations, client: Client, say: Callable[..., Message], deep: bool
) -> None:
    root = say().id if deep else None
    said = [say("more", root) for _ in range(150)]
    talks.shift(TALK, said[3].id)

    listing = await client.read(WHOLE)

    assert {one.id for one in said} - {said[3].id} <= {one.id for one in listing.messages}
    assert listing.complete


async def test_a_repeated_item_is_given_once(talks: Conversations, client: Client, say: Callable[..., Message]) -> None:
    said = [say() for _ in range(105)]
    talks.wire.break_with(Fault.REPEAT)

    assert [one.id for one in (await client.read(WHOLE)).messages[1:]] == [one.id for one in said]


async def test_a_key_is_looked_for_where_the_answer_would_stand(client: Client, say: Callable[..., Message]) -> None:
    one, other = say(), say()
    started = await client.post(WHOLE, draft(key="k"))
    answered = await client.post(under(one), draft(key="k"))
    again = await client.post(under(answered), draft("Hello again", key="k"))
    elsewhere = await client.post(under(other), draft(key="k"))

    assert again == answered
    assert await client.post(WHOLE, draft(key="k")) == started
    assert len({started.id, answered.id, elsewhere.id}) == 3


async def test_a_locked_conversation_takes_no_answer(talks: Conversations, client: Client) -> None:
    talks.lock(TALK)

    with pytest.raises(Conflict):
        await client.post(WHOLE, draft())


async def test_a_root_with_replies_leaves_a_tombstone(client: Client, say: Callable[..., Message]) -> None:
    root = await client.post(WHOLE, draft())
    reply = say("to it", root.id)

    await client.delete(at(root))

    left = await client.get_message(at(root))
    assert (left.deleted, left.body, left.author) == (True, "", None)
    assert (await client.read(under(reply))).messages == (left, reply)
    assert [one.ref.root async for one in client.threads(WHOLE)] == [root.id]
    with pytest.raises(NotFound):
        await client.delete(at(root))


async def test_a_root_without_replies_is_gone(client: Client) -> None:
    root = await client.post(WHOLE, draft())

    await client.delete(at(root))

    assert len((await client.read(WHOLE)).messages) == 1


async def test_a_category_is_no_label(talks: Conversations, client: Client) -> None:
    found = await client.get_conversation(WHOLE)

    assert found.category is not None
    assert (found.category.slug, found.category.format, found.labels) == ("q-a", "question_answer", ())
    assert await client.label(WHOLE, add=["BUG", "ux"], remove=["ux"]) == ("BUG",)
    with pytest.raises(Invalid):
        await client.label(WHOLE, add=["Q&A"])


async def test_conversations_are_found_last_active_first(talks: Conversations, client: Client) -> None:
    for number in range(101):
        talks.open("acme/demo", title=f"Number {number}", body="", author=None)
    talks.open("acme/other", title="Elsewhere", body="", author=None)
    talks.say(TALK, "Still?", author=None)

    found = [one.title async for one in client.conversations("acme/demo")]

    assert found == ["Why?", *(f"Number {number}" for number in reversed(range(101)))]
    assert [one.title async for one in client.conversations("acme/demo", category="q-a")] == ["Why?"]
    assert [one.title async for one in client.conversations("acme/demo", category="2")] == ["Why?"]
    with pytest.raises(Invalid):
        await anext(client.conversations("acme/demo", category="bug"))
    with pytest.raises(NotFound):
        await anext(client.conversations("acme/nowhere"))


async def test_threads_are_found_by_when_something_was_said_in_whole_seconds(
    client: Client, say: Callable[..., Message]
) -> None:
    quiet, busy = say(), say()
    last = say("to it", busy.id)
    moment = last.created_at + timedelta(microseconds=999_999)

    assert [one.ref.root async for one in client.threads(WHOLE)] == [quiet.id, busy.id]
    (found,) = [one async for one in client.threads(WHOLE, since=moment)]
    assert (found.ref.root, found.replies, found.last_activity) == (busy.id, 1, last.created_at)
    assert [one async for one in client.threads(WHOLE, since=moment + timedelta(seconds=1))] == []


async def test_a_question_is_answered_and_the_answer_taken_back(client: Client, say: Callable[..., Message]) -> None:
    first, second = say(), say()

    marked = await client.mark_answer(at(first))
    kept = await client.mark_answer(at(second), answer=False)
    back = await client.mark_answer(at(first), answer=False)

    assert [(one.answered, one.answer) for one in (marked, kept, back)] == [(True, first.id)] * 2 + [(False, None)]


async def test_an_answer_that_was_deleted_answers_nothing(
    talks: Conversations, client: Client, say: Callable[..., Message]
) -> None:
    answer = say()
    await client.mark_answer(at(answer))

    talks.remove(TALK, answer.id)

    assert (await client.get_conversation(WHOLE)).answered is False


async def test_only_a_question_takes_an_answer(talks: Conversations, client: Client) -> None:
    other = talks.open("acme/demo", title="News", body="", author=None).conversation
    said = talks.say(other, "Fine.", author=None)

    with pytest.raises(Invalid):
        await client.mark_answer(at(said, other))
    with pytest.raises(Invalid):
        await client.mark_answer(at(talks.opening(TALK)))

    assert talks.conversation(other).answered is None


async def test_a_conversation_is_closed_and_locked_for_reasons(talks: Conversations, client: Client) -> None:
    closed = await client.set_state(WHOLE, closed=True, locked=True, reason="outdated")
    opened = await client.set_state(WHOLE, closed=False)
    locked = await client.set_state(WHOLE, locked=True, reason="too heated")

    assert (closed.closed, closed.state_reason, closed.locked) == (True, "outdated", True)
    assert (opened.closed, opened.state_reason, opened.locked) == (False, None, True)
    assert locked == opened
    with pytest.raises(Invalid):
        await client.set_state(WHOLE, closed=True, reason="too heated")
    assert talks.conversation(TALK) == locked


async def test_a_conversation_is_started_once_for_a_key(talks: Conversations, client: Client) -> None:
    first = await client.start(idea(key="k"))
    again = await client.start(idea("q-a", key="k"))
    other = await client.start(idea())

    assert again == first
    assert first.category is not None
    assert (first.conversation, first.category.slug, other.conversation) == ("acme/demo#2", "general", "acme/demo#3")
    assert talks.opening(first.conversation).body.startswith("<!-- bot-agent-helper -->\nWords.")


@pytest.mark.parametrize(
    ("wanted", "error"),
    [
        (idea(place="acme/nowhere"), NotFound),
        (idea("bug"), Invalid),
        (idea("announcements"), Denied),
        (idea().model_copy(update={"body": "\x00"}), Invalid),
    ],
)
async def test_what_may_not_be_started_is_not_there(
    talks: Conversations, client: Client, wanted: ConversationDraft, error: type[Exception]
) -> None:
    with pytest.raises(error):
        await client.start(wanted)

    assert list(talks.openings("acme/demo")) == [TALK]


async def test_an_own_opening_post_is_edited_and_not_deleted(client: Client) -> None:
    started = await client.start(idea(key="k"))
    opening = (await client.read(ThreadRef(conversation=started.conversation))).messages[0]

    edited = await client.edit(at(opening, started.conversation), draft("Better words."))
    with pytest.raises(Invalid):
        await client.delete(at(opening, started.conversation))

    assert edited.body == opening.body.replace("Words.", "Better words.")
    assert (await client.start(idea(key="k"))).id == started.id


async def test_only_the_author_edits_and_deletes(client: Client, say: Callable[..., Message]) -> None:
    said = say("mine")

    with pytest.raises(Denied):
        await client.edit(at(said), draft("yours"))
    with pytest.raises(Denied):
        await client.delete(at(said))

    assert await client.get_message(at(said)) == said


async def test_an_opening_post_is_not_hidden(talks: Conversations, client: Client, say: Callable[..., Message]) -> None:
    said = say()

    await client.minimize(at(said), "spam")
    with pytest.raises(Invalid):
        await client.minimize(at(talks.opening(TALK)), "spam")

    assert (await client.get_message(at(said))).minimized == "spam"


async def test_words_that_nobody_has_are_invalid(client: Client, say: Callable[..., Message]) -> None:
    said = say()

    with pytest.raises(Invalid):
        await client.react(at(said), "applause")
    with pytest.raises(Invalid):
        await client.minimize(at(said), "boredom")

    assert await client.get_message(at(said)) == said


async def test_a_transferred_conversation_is_followed(talks: Conversations, client: Client) -> None:
    talks.transfer(TALK, "acme/other")
    moved = talks.transfer(TALK, "acme/third")

    posted = await client.post(WHOLE, draft())

    assert (await client.get_conversation(WHOLE)).conversation == moved.conversation == "acme/third#1"
    assert (await client.read(ThreadRef(conversation=moved.conversation))).messages[1] == posted
    talks.erase(TALK)
    with pytest.raises(NotFound):
        await client.get_conversation(WHOLE)


def plainest(client: Any, message: Message) -> dict[str, Any]:
    """Call every optional operation in the plainest way, by its name."""
    return {
        "edit": lambda: client.edit(at(message), draft()),
        "delete": lambda: client.delete(at(message)),
        "label": lambda: client.label(WHOLE, add=["bug"]),
        "react": lambda: client.react(at(message), "+1"),
        "minimize": lambda: client.minimize(at(message), "spam"),
        "set_state": lambda: client.set_state(WHOLE, closed=True),
        "mark_answer": lambda: client.mark_answer(at(message)),
        "start": lambda: client.start(idea()),
        "conversations": lambda: client.conversations("acme/demo"),
        "threads": lambda: client.threads(WHOLE),
    }


async def settled(call: Callable[[], Any]) -> None:
    """Call an operation, and wait for it if it is to be waited for."""
    if inspect.isawaitable(answer := call()):
        await answer


async def test_every_capability_can_be_switched_off(talks: Conversations, helper: Account) -> None:
    message = talks.say(TALK, "x", author=helper)
    before = talks.conversation(TALK), await talks.client(helper).read(WHOLE)
    calls = plainest(talks.client(helper, capabilities=()), message)

    assert set(Capability) - {Capability.BROWSE} == calls.keys() - {"conversations", "threads"}
    for name, call in calls.items():
        with pytest.raises(Unsupported) as refused:
            await settled(call)
        assert refused.value.capability == (name if name in set(Capability) else "browse")
        assert refused.value.backend == "memory"

    assert (talks.conversation(TALK), await talks.client(helper).read(WHOLE)) == before


async def test_every_optional_operation_is_unimplemented_by_default(say: Callable[..., Message]) -> None:
    for name, call in plainest(conversation.Unimplemented(), say()).items():
        with pytest.raises(Unsupported) as refused:
            await settled(call)
        assert refused.value.capability == (name if name in set(Capability) else "browse")
