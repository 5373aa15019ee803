"""Reading threads: every page, each message once, and honest words when one may be missing."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from typing import Any

import pytest

from tertulia.errors import Denied, Invalid, NotFound, RateLimited, Unavailable
from tertulia.testing.loopback import Reply
from tertulia.testing.slack import CHANNEL, ME, TEAM, Slack
from tertulia.thread import Account, MessageRef, ThreadRef
from tertulia_conversation_slack import Client, Config

pytestmark = pytest.mark.anyio

Opened = Callable[..., AbstractAsyncContextManager[Client]]
PLACE = f"{TEAM}/{CHANNEL}"


def thread(root: str | None) -> ThreadRef:
    """Address a thread of the general channel."""
    return ThreadRef(conversation=PLACE, root=root)


def page(*messages: tuple[str, str], cursor: str = "", replies: int = 0) -> Reply:
    """Write one page of a thread, as the Web API does; `replies` is what the first message counts."""
    said: list[dict[str, Any]] = [
        {"type": "message", "user": "U0ANNA", "ts": ts, "thread_ts": "100.000100", "text": text}
        for ts, text in messages
    ]
    said[:1] = [{**one, "reply_count": replies} for one in said[:1]]
    return Reply(200, {"ok": True, "messages": said, "response_metadata": {"next_cursor": cursor}})


ROOT, FIRST, SECOND = ("100.000100", "root"), ("101.000100", "r1"), ("102.000100", "r2")


@pytest.mark.parametrize("second", [(ROOT, SECOND), (SECOND,)], ids=["root on every page", "root on the first page"])
async def test_the_root_is_read_once_wherever_it_stands(client: Client, slack: Slack, second: Any) -> None:
    slack.refuse("conversations.replies", page(ROOT, FIRST, cursor="c1"), page(*second))

    listing = await client.read(thread("100.000100"))

    assert [one.body for one in listing.messages] == ["root", "r1", "r2"]
    assert {one.parent_id for one in listing.messages} == {f"{PLACE}/100.000100"}
    assert listing.complete


async def test_a_cursor_that_comes_again_ends_the_pages_and_is_told(client: Client, slack: Slack) -> None:
    slack.refuse("conversations.replies", page(ROOT, FIRST, cursor="c1"), page(SECOND, cursor="c1"))

    listing = await client.read(thread("100.000100"))

    assert [one.body for one in listing.messages] == ["root", "r1", "r2"]
    assert not listing.complete
    assert slack.asked("conversations.replies") == 2


async def test_a_page_that_is_not_full_is_not_the_last(client: Client, slack: Slack) -> None:
    slack.refuse("conversations.replies", page(ROOT, cursor="c1"), page(cursor="c2"), page(FIRST))

    assert [one.body for one in (await client.read(thread("100.000100"))).messages] == ["root", "r1"]


async def test_a_reply_is_asked_for_again_by_its_root(client: Client, slack: Slack) -> None:
    root = slack.say("root")
    slack.say("r1", thread_ts=root["ts"])
    last = slack.say("r2", thread_ts=root["ts"])

    listing = await client.read(thread(last["ts"]))

    assert [one.body for one in listing.messages] == ["root", "r1", "r2"]
    assert listing.reported == {"slack_message": 3}


async def test_a_thread_is_named_in_full_whatever_a_web_address_says_of_it(client: Client, slack: Slack) -> None:
    root = slack.say("It fails.")["ts"]
    reply = slack.say("Since Monday.", thread_ts=root)["ts"]

    for named in (root, reply):
        assert await client.locate(ThreadRef(conversation=CHANNEL, root=named, handle="acme")) == thread(root)
    assert await client.locate(ThreadRef(conversation=CHANNEL)) == thread(None)
    with pytest.raises(NotFound):
        await client.locate(thread("1.000100"))


async def test_a_count_that_stays_wrong_hides_nothing(client: Client, slack: Slack) -> None:
    slack.refuse("conversations.replies", page(ROOT, replies=2), page(ROOT, replies=2))

    listing = await client.read(thread("100.000100"))

    assert (listing.complete, listing.reported, len(listing.messages)) == (True, {"slack_message": 3}, 1)


@pytest.mark.parametrize(("again", "complete"), [((FIRST, SECOND), True), ((SECOND,), False)])
async def test_a_thread_that_shrank_while_it_was_read_is_read_again(
    client: Client, slack: Slack, again: Any, complete: bool
) -> None:
    slack.refuse("conversations.replies", page(ROOT, FIRST, replies=2), page(ROOT, *again, replies=2))

    listing = await client.read(thread("100.000100"))

    assert [one.body for one in listing.messages] == ["root", *(text for _, text in again)]
    assert listing.complete is complete


async def test_the_order_is_that_of_digits_and_not_of_numbers(client: Client, slack: Slack) -> None:
    slack.refuse("conversations.replies", page(ROOT, ("1000.000100", "late"), ("999.100000", "b"), ("999.000100", "a")))

    assert [one.body for one in (await client.read(thread("100.000100"))).messages] == ["root", "a", "b", "late"]


async def test_a_limit_behind_the_first_page_leaves_the_thread_incomplete(opened: Opened, slack: Slack) -> None:
    slack.outside = True
    root = slack.say("root")
    for number in range(40):
        slack.say(f"r{number}", thread_ts=root["ts"])
    slack.left["conversations.replies"] = 1

    async with opened(max_wait=0) as client:
        listing = await client.read(thread(root["ts"]))

    assert len(listing.messages) == 16
    assert not listing.complete
    assert listing.reported == {"slack_message": 41}


async def test_a_limit_that_may_be_waited_for_is_waited_for(opened: Opened, slack: Slack, clock: Any) -> None:
    root = slack.say("root")
    slack.refuse("conversations.replies", Reply(429, {"ok": False, "error": "ratelimited"}, {"retry-after": "30"}))

    async with opened(max_wait=60) as client:
        assert (await client.read(thread(root["ts"]))).complete

    assert clock.slept == [30.0]


async def test_a_limit_on_the_first_page_is_an_error_with_the_wait(opened: Opened, slack: Slack) -> None:
    root = slack.say("root")
    slack.left["conversations.replies"] = 0

    async with opened(max_wait=30) as client:
        with pytest.raises(RateLimited) as caught:
            await client.read(thread(root["ts"]))

    assert caught.value.retry_after == 60.0


async def test_a_channel_is_read_thread_by_thread(client: Client, slack: Slack) -> None:
    first, second = slack.say("first"), slack.say("second")
    slack.say("to the second", thread_ts=second["ts"])
    slack.say("to the first, and the channel", thread_ts=first["ts"], subtype="thread_broadcast")

    listing = await client.read(thread(None))

    assert [one.body for one in listing.messages] == [
        "first",
        "to the first, and the channel",
        "second",
        "to the second",
    ]
    assert listing.complete
    assert listing.reported is None


async def test_a_limit_below_a_root_leaves_the_channel_incomplete(opened: Opened, slack: Slack) -> None:
    first = slack.say("first")
    slack.say("reply", thread_ts=first["ts"])
    slack.left["conversations.replies"] = 0

    async with opened(max_wait=0) as client:
        listing = await client.read(thread(None))

    assert ([one.body for one in listing.messages], listing.complete) == (["first"], False)


async def test_a_tombstone_is_deleted_and_says_nothing(client: Client, slack: Slack) -> None:
    root = slack.say("secret")
    slack.say("reply", thread_ts=root["ts"])
    slack.remove(CHANNEL, root["ts"])

    stone, reply = (await client.read(thread(root["ts"]))).messages

    assert (stone.deleted, stone.body, stone.author) == (True, "", None)
    assert (reply.deleted, reply.parent_id) == (False, stone.id)


@pytest.mark.parametrize(
    ("user", "association"),
    [
        ("U0OWNER", "OWNER"),
        ("U0ADMIN", "OWNER"),
        ("U0ANNA", "MEMBER"),
        ("U0GUEST", "NONE"),
        ("U0PARTNER", "NONE"),
        ("U0GONE", "NONE"),
        ("U0NOBODY", "NONE"),
    ],
)
async def test_what_an_author_is_to_the_workspace_is_looked_up(
    client: Client, slack: Slack, user: str, association: str
) -> None:
    root = slack.say("hello", user)

    (message,) = (await client.read(thread(root["ts"]))).messages

    assert message.association == association
    assert message.author is not None
    assert (message.author.id, message.author.login) == (user, user)


async def test_people_are_looked_up_once_in_five_minutes(client: Client, slack: Slack, clock: Any) -> None:
    root = slack.say("hello")
    for _ in range(3):
        await client.read(thread(root["ts"]))
    slack.people["U0ANNA"]["is_restricted"] = True
    await clock.sleep(300)

    (message,) = (await client.read(thread(root["ts"]))).messages

    assert message.association == "NONE"
    assert slack.asked("users.info") == 2


async def test_without_the_scope_for_people_nobody_is_known(client: Client, slack: Slack) -> None:
    slack.scopes.remove("users:read")
    root = slack.say("hello")

    assert (await client.read(thread(root["ts"]))).messages[0].association == "NONE"


async def test_a_bot_is_known_by_its_id_under_any_name(client: Client, slack: Slack) -> None:
    root = slack.say("hi", "", subtype="bot_message", bot_id="B0OTHER", username="U0ANNA")

    (message,) = (await client.read(thread(root["ts"]))).messages

    assert message.author is not None
    assert (message.author.id, message.author.login, message.author.kind) == ("B0OTHER", "B0OTHER", "bot")
    assert (message.author_name, message.association) == ("U0ANNA", "NONE")


async def test_a_message_has_its_address_its_files_and_its_editor(client: Client, slack: Slack) -> None:
    root = slack.say("root")
    files = [{"name": "a.png", "mimetype": "image/png", "size": 7}, {"name": 1}]
    reply = slack.say("hm", thread_ts=root["ts"], files=files)
    slack.alter(CHANNEL, reply["ts"], text="hello")

    _, message = (await client.read(thread(root["ts"]))).messages

    digits = reply["ts"].replace(".", "")
    assert message.url == f"https://acme.slack.com/archives/{CHANNEL}/p{digits}?thread_ts={root['ts']}&cid={CHANNEL}"
    assert [(one.name, one.type, one.size) for one in message.attachments] == [
        ("a.png", "image/png", 7),
        ("file", None, None),
    ]
    assert message.body == "hello"
    assert message.last_edited_at is not None
    assert message.last_edited_at > message.created_at


async def test_metadata_of_others_is_no_marker(client: Client, slack: Slack) -> None:
    other = {"event_type": "other", "event_payload": {"agent": "helper"}}
    root = slack.say("root", metadata=other)
    slack.say(
        "r", thread_ts=root["ts"], metadata={"event_type": "tertulia", "event_payload": {"agent": "helper", "key": 7}}
    )

    first, second = (await client.read(thread(root["ts"]))).messages

    assert first.marker is None
    assert second.marker is not None
    assert (second.marker.agent, second.marker.key) == ("helper", None)


async def test_a_message_of_a_hidden_channel_is_not_proven_deleted(client: Client, slack: Slack) -> None:
    root = slack.say("root")
    message = MessageRef(conversation=PLACE, source_type="slack_message", id=root["ts"])

    assert (await client.get_message(message)).id == f"{PLACE}/{root['ts']}"
    with pytest.raises(NotFound):
        await client.get_message(message.model_copy(update={"id": "1.1"}))
    with pytest.raises(NotFound):
        await client.get_message(message.model_copy(update={"id": f"{TEAM}/C0OTHER/{root['ts']}"}))
    with pytest.raises(NotFound):
        await client.get_message(message.model_copy(update={"source_type": "issue_comment"}))
    with pytest.raises(Denied, match="not in sight"):
        await client.get_message(message.model_copy(update={"conversation": f"{TEAM}/C0HIDDEN"}))


async def test_a_channel_alone_is_one_of_the_token_s_workspace(client: Client, slack: Slack) -> None:
    root = slack.say("root")

    (message,) = (await client.read(ThreadRef(conversation=CHANNEL, root=root["ts"]))).messages

    assert message.id == f"{PLACE}/{root['ts']}"


@pytest.mark.parametrize("engine", [None, "U0BOT", "B0BOT", "agent", Account(login="agent")])
async def test_the_engine_is_whose_the_token_is(opened: Opened, slack: Slack, engine: Any) -> None:
    async with opened(engine=engine) as client:
        me = await client.whoami()
        assert await client.whoami() == me

    assert (me.id, me.login, me.kind, me.aliases) == (ME, "agent", "bot", {"B0BOT"})
    assert (slack.asked("auth.test"), slack.asked("users.info")) == (1, 0)


async def test_another_engine_is_known_by_its_id(opened: Opened, slack: Slack) -> None:
    slack.people["U0OTHER"] = {
        "id": "U0OTHER",
        "name": "scribe",
        "profile": {"bot_id": "B0OTHER", "api_app_id": "A0OTHER"},
    }

    async with opened(engine="U0OTHER") as client:
        assert await client.whoami() == Account(
            id="U0OTHER", login="scribe", kind="bot", aliases=frozenset({"B0OTHER", "A0OTHER"})
        )
    async with opened(engine=Account(id="U0X", login="x")) as client:
        assert (await client.whoami()).id == "U0X"
    async with opened(engine="scribe") as client:
        with pytest.raises(Denied, match="engine="):
            await client.whoami()


@pytest.mark.parametrize("conversation", ["general", "T0ACME", "T0ACME/U0ANNA", "t0acme/C1", "a/b/C1", "C1 "])
async def test_what_is_no_channel_is_refused_before_anybody_is_asked(
    client: Client, slack: Slack, conversation: str
) -> None:
    with pytest.raises(Invalid):
        await client.read(ThreadRef(conversation=conversation))

    assert slack.server.requests == []


async def test_an_answer_that_is_no_list_is_unavailable(client: Client, slack: Slack) -> None:
    slack.refuse(
        "conversations.replies",
        Reply(200, {"ok": True}),
        page((ROOT[0], "x")),
        Reply(200, {"ok": True, "messages": [{}]}),
    )

    with pytest.raises(Unavailable, match="cannot be read"):
        await client.read(thread("100.000100"))
    await client.read(thread("100.000100"))
    with pytest.raises(Unavailable, match="cannot be read"):
        await client.read(thread("100.000100"))


async def test_a_channel_is_a_conversation_with_its_section(opened: Opened, slack: Slack) -> None:
    config = Config.parse(f"[sections]\n{CHANNEL} = 'Help desk'".encode())
    async with opened(config=config) as client:
        found = await client.get_conversation(thread(None))
        slack.channel("C0SECRET", "secret", is_private=True, is_archived=True)
        other = await client.get_conversation(ThreadRef(conversation=f"{TEAM}/C0SECRET"))

    assert found.category is not None
    assert other.category is not None
    assert (found.conversation, found.title, found.category.slug) == (PLACE, "general", "help-desk")
    assert (other.category.name, other.category.id, other.closed, other.locked) == ("private-channel", None, True, True)


async def test_conversations_are_those_the_app_is_in_last_active_first(opened: Opened, slack: Slack) -> None:
    slack.channel("C0QUIET", "quiet")
    slack.channel("C0APART", "apart", is_member=False)
    slack.channel("C0NEW", "new")
    slack.say("old", channel="C0NEW")
    slack.say("newer")

    config = Config.parse(b"[sections]\nC0NEW = 'Help'\nC0QUIET = 'Help'\nC0APART = 'Other'")
    async with opened(config=config) as client:
        found = [one.title async for one in client.conversations(TEAM)]
        section = [one.title async for one in client.conversations(TEAM, category="help")]
        with pytest.raises(Invalid):
            [one async for one in client.conversations(TEAM, category="nothing")]
        with pytest.raises(NotFound):
            [one async for one in client.conversations("T0OTHER")]

    assert found == ["general", "new", "quiet"]
    assert section == ["new", "quiet"]


async def test_threads_are_found_by_their_last_activity(client: Client, slack: Slack) -> None:
    old, new = slack.say("old"), slack.say("new")
    late = slack.say("late", thread_ts=old["ts"], subtype="thread_broadcast", ts="1759300009.000000")
    moment = datetime.fromtimestamp(int(late["ts"].partition(".")[0]), UTC)

    found = [one async for one in client.threads(thread(None))]
    since = [one async for one in client.threads(thread(None), since=moment.replace(microsecond=999_999))]

    assert [(one.root.body, one.replies) for one in found] == [("new", 0), ("old", 1)]
    assert [one.root.body for one in since] == ["old"]
    assert found[0].ref.root == f"{PLACE}/{new['ts']}"
    assert (await client.read(since[0].ref)).messages[-1].body == "late"
