"""The tracker in memory keeps the rules it specifies."""

import inspect

import pytest

from tertulia import forge, tracker
from tertulia.errors import Conflict, Denied, Invalid, NotFound, Unsupported
from tertulia.testing.tracker import Client, Tracker
from tertulia.thread import Account, Draft, MessageRef, ThreadRef
from tertulia.tracker import Capability, IssueDraft

pytestmark = pytest.mark.anyio

ISSUE = "acme/demo#1"
THREAD = ThreadRef(conversation=ISSUE)


def ref(ident: str) -> MessageRef:
    return MessageRef(conversation=ISSUE, source_type="issue_comment", id=ident)


@pytest.fixture
def client(tracker: Tracker, helper: Account) -> Client:
    return tracker.client(helper)


def test_it_is_a_tracker_client(client: Client) -> None:
    typed: tracker.Client = client

    assert typed.backend == "memory"


async def test_a_known_key_returns_the_message_that_is_there(tracker: Tracker, client: Client) -> None:
    first = await client.post(THREAD, Draft(body="Hello", agent="helper", key="k"))
    second = await client.post(THREAD, Draft(body="Hello again", agent="helper", key="k"))
    other = await client.post(THREAD, Draft(body="Hello", agent="helper", key="l"))

    assert second == first
    assert other != first
    assert len(tracker.listing(ISSUE).messages) == 3


async def test_a_strangers_key_line_does_not_count(tracker: Tracker, client: Client, outsider: Account) -> None:
    posted = await client.post(THREAD, Draft(body="Hello", agent="helper", key="k"))
    tracker.remove(ISSUE, posted.id)
    tracker.say(ISSUE, posted.body, author=outsider)

    again = await client.post(THREAD, Draft(body="Hello", agent="helper", key="k"))

    assert again.id != posted.id
    assert again.author == await client.whoami()


async def test_a_look_up_starts_where_the_draft_says(tracker: Tracker, client: Client) -> None:
    first = await client.post(THREAD, Draft(body="Hello", agent="helper", key="k"))
    later = tracker.say(ISSUE, "time passes", author=None)

    again = await client.post(THREAD, Draft(body="Hello", agent="helper", key="k", since=later.created_at))

    assert again.id != first.id


async def test_what_the_agent_wrote_goes_through_outbound(client: Client) -> None:
    posted = await client.post(THREAD, Draft(body="<!-- bot-agent-x -->\x07 @everyone", agent="helper"))

    assert posted.body.startswith("<!-- bot-agent-helper -->\n")
    assert posted.body.count("<!--") == 1
    assert "\x07" not in posted.body


async def test_a_body_over_the_limit_is_refused(helper: Account) -> None:
    small = Tracker(body_chars=100)
    small.open("acme/demo", title="t", body="", author=None)

    with pytest.raises(Invalid):
        await small.client(helper).post(THREAD, Draft(body="x" * 100, agent="helper"))

    assert len(small.listing(ISSUE).messages) == 1


async def test_a_locked_issue_takes_no_answer_but_knows_a_key(tracker: Tracker, client: Client) -> None:
    first = await client.post(THREAD, Draft(body="Hello", agent="helper", key="k"))
    tracker.lock(ISSUE)

    assert await client.post(THREAD, Draft(body="Hello", agent="helper", key="k")) == first
    with pytest.raises(Conflict):
        await client.post(THREAD, Draft(body="More", agent="helper", key="l"))


async def test_an_edit_keeps_agent_and_key(client: Client) -> None:
    posted = await client.post(THREAD, Draft(body="Hello", agent="helper", key="k"))

    edited = await client.edit(ref(posted.id), Draft(body="Goodbye", agent="other"))

    assert edited.body == posted.body.replace("Hello", "Goodbye")
    assert edited.last_edited_at is not None
    assert await client.post(THREAD, Draft(body="Hello", agent="helper", key="k")) == edited


async def test_only_the_author_edits_and_deletes(tracker: Tracker, client: Client, outsider: Account) -> None:
    said = tracker.say(ISSUE, "mine", author=outsider)

    with pytest.raises(Denied):
        await client.edit(ref(said.id), Draft(body="yours", agent="helper"))
    with pytest.raises(Denied):
        await client.delete(ref(said.id))

    assert (await client.get_message(ref(said.id))).body == "mine"


async def test_not_found_is_proof_of_deletion(client: Client) -> None:
    posted = await client.post(THREAD, Draft(body="Hello", agent="helper"))

    await client.delete(ref(posted.id))

    with pytest.raises(NotFound):
        await client.get_message(ref(posted.id))


async def test_labels_go_by_name(client: Client) -> None:
    assert await client.label(THREAD, add=["bug", "Bug", "ux"]) == ("bug", "ux")
    assert await client.label(THREAD, remove=["BUG", "absent"]) == ("ux",)


async def test_issues_are_created_found_and_closed(client: Client) -> None:
    made = await client.create_issue(IssueDraft(place="acme/demo", title="A crash", body="on start", labels=("bug",)))
    closed = await client.transition(ThreadRef(conversation=made.conversation), "closed")

    found = [issue.conversation async for issue in client.search("crash start")]

    assert made.conversation == "acme/demo#2"
    assert (made.labels, closed.state) == (("bug",), "closed")
    assert found == ["acme/demo#2"]


async def test_every_capability_can_be_switched_off(tracker: Tracker, helper: Account) -> None:
    poor = tracker.client(helper, capabilities=())
    message = tracker.say(ISSUE, "x", author=helper)
    before = tracker.listing(ISSUE)
    calls = {
        Capability.EDIT: lambda: poor.edit(ref(message.id), Draft(body="y", agent="helper")),
        Capability.DELETE: lambda: poor.delete(ref(message.id)),
        Capability.LABEL: lambda: poor.label(THREAD, add=["bug"]),
        Capability.REACT: lambda: poor.react(ref(message.id), "+1"),
        Capability.MINIMIZE: lambda: poor.minimize(ref(message.id), "spam"),
        Capability.CREATE_ISSUE: lambda: poor.create_issue(IssueDraft(place="a/b", title="t")),
        Capability.TRANSITION: lambda: poor.transition(THREAD, "closed"),
        Capability.SEARCH: lambda: poor.search("x"),
    }

    assert set(calls) == set(Capability)
    for capability, call in calls.items():
        with pytest.raises(Unsupported) as refused:
            await call()  # type: ignore[misc]
        assert (refused.value.capability, refused.value.backend) == (capability.value, "memory")

    assert tracker.listing(ISSUE) == before
    assert tracker.issue(ISSUE).state == "open"


@pytest.mark.parametrize("module", [tracker, forge])
def test_every_optional_operation_is_unimplemented_by_default(module: object) -> None:
    """The capability of an operation has its name; what is not overridden raises Unsupported with it."""
    unimplemented = module.Unimplemented()  # type: ignore[attr-defined]

    for capability in module.Capability:  # type: ignore[attr-defined]
        operation = getattr(unimplemented, capability.value)
        count = sum(p.kind is p.POSITIONAL_ONLY for p in inspect.signature(operation).parameters.values())
        with pytest.raises(Unsupported) as refused:
            operation(*[None] * count).send(None)
        assert refused.value.capability == capability.value
