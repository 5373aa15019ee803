"""Writing: once, in the right place, and nowhere else."""

import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any
from urllib.parse import parse_qsl

import pytest

from tertulia.conversation import Capability, ConversationDraft
from tertulia.errors import Conflict, Denied, Error, Invalid, NotFound, RateLimited, Unavailable, Unsupported
from tertulia.testing.loopback import Reply, serve
from tertulia.testing.slack import CHANNEL, ME, TEAM, Slack
from tertulia.testing.wire import Fault
from tertulia.thread import Draft, MessageRef, ThreadRef
from tertulia_conversation_slack import Client, connect

pytestmark = pytest.mark.anyio

Opened = Callable[..., AbstractAsyncContextManager[Client]]
PLACE = f"{TEAM}/{CHANNEL}"
DRAFT = Draft(body="**Here** is why.", agent="helper", key="k")


def thread(root: str | None) -> ThreadRef:
    """Address a thread of the general channel."""
    return ThreadRef(conversation=PLACE, root=root)


def at(ts: str) -> MessageRef:
    """Address a message of the general channel."""
    return MessageRef(conversation=PLACE, source_type="slack_message", id=ts)


def refused(code: str, **fields: Any) -> Reply:
    """Refuse in Slack's word."""
    return Reply(200, {"ok": False, "error": code, **fields})


def sent(slack: Slack, method: str) -> dict[str, str]:
    """Give the arguments of the last call of a method."""
    requests = slack.server.asked("POST", f"/api/{method}")
    return dict(parse_qsl(requests[-1].body.decode(), keep_blank_values=True))


async def test_an_answer_is_markdown_with_metadata_and_without_previews(client: Client, slack: Slack) -> None:
    root = slack.say("root")

    posted = await client.post(thread(root["ts"]), DRAFT)

    told = sent(slack, "chat.postMessage")
    assert (told["thread_ts"], told["markdown_text"]) == (root["ts"], "**Here** is why.")
    assert json.loads(told["metadata"]) == {"event_type": "tertulia", "event_payload": {"agent": "helper", "key": "k"}}
    assert (told["unfurl_links"], told["unfurl_media"]) == ("false", "false")
    assert posted.marker is not None
    assert (posted.body, posted.marker.agent, posted.marker.key) == ("**Here** is why.", "helper", "k")
    assert posted.author is not None
    assert (posted.author.id, posted.author.kind, posted.parent_id) == (ME, "bot", f"{PLACE}/{root['ts']}")


async def test_an_answer_to_a_reply_goes_to_its_root(client: Client, slack: Slack) -> None:
    root = slack.say("root")
    reply = slack.say("reply", thread_ts=root["ts"])

    await client.post(thread(f"{PLACE}/{reply['ts']}"), Draft(body="Hm.", agent="helper"))

    assert sent(slack, "chat.postMessage")["thread_ts"] == root["ts"]


async def test_a_key_is_looked_for_from_the_moment_of_the_event(client: Client, slack: Slack) -> None:
    root = slack.say("root")
    first = await client.post(thread(root["ts"]), DRAFT.model_copy(update={"since": None}))

    again = await client.post(thread(root["ts"]), DRAFT.model_copy(update={"since": first.created_at}))

    assert again == first
    assert len(slack.landed) == 1
    assert sent(slack, "conversations.replies")["oldest"] == f"{int(first.created_at.timestamp())}.000000"


async def test_an_answer_that_landed_behind_a_failure_is_found(client: Client, slack: Slack, clock: Any) -> None:
    root = slack.say("root")
    slack.lose()

    posted = await client.post(thread(root["ts"]), DRAFT)

    assert posted.id == f"{PLACE}/{slack.landed[0]['ts']}"
    assert clock.slept == [1.0]


@pytest.mark.parametrize(
    "reply",
    [
        Reply(502, b"<html>", {"content-type": "text/html"}),
        Reply(200, b"<html>", {"content-type": "text/html"}),
        Reply(200, b"{", {"content-type": "application/json"}),
        Reply(200, {"ok": True}, cut=3),
        Reply(200, None, cut=0),
        refused("internal_error"),
        refused("fatal_error"),
    ],
)
async def test_an_answer_nobody_can_find_is_ambiguous_and_never_sent_again(
    client: Client, slack: Slack, reply: Reply, clock: Any
) -> None:
    root = slack.say("root")
    slack.drop(reply)

    with pytest.raises(Unavailable) as caught:
        await client.post(thread(root["ts"]), DRAFT)

    assert caught.value.ambiguous
    assert slack.asked("chat.postMessage") == 1
    assert clock.slept == [1.0, 2.0, 6.0]


async def test_a_post_without_a_key_is_sent_once_as_well(client: Client, slack: Slack) -> None:
    slack.drop()

    with pytest.raises(Unavailable) as caught:
        await client.post(thread(None), Draft(body="Hm.", agent="helper"))

    assert caught.value.ambiguous
    assert slack.asked("chat.postMessage") == 1


async def test_a_look_that_cannot_see_everything_sends_nothing(opened: Opened, slack: Slack) -> None:
    root = slack.say("root")
    for number in range(250):
        slack.say(f"r{number}", thread_ts=root["ts"])
    slack.left["conversations.replies"] = 2

    async with opened(max_wait=0) as client:
        with pytest.raises(RateLimited):
            await client.post(thread(root["ts"]), DRAFT)

    assert slack.writes == 0


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("message_not_found", NotFound),
        ("cannot_reply_to_message", NotFound),
        ("not_in_channel", Denied),
        ("invalid_auth", Denied),
        ("restricted_action_read_only_channel", Denied),
        ("is_archived", Conflict),
        ("thread_locked", Conflict),
        ("rate_limited", RateLimited),
        ("msg_too_long", Invalid),
        ("a_word_of_tomorrow", Invalid),
        ("method_deprecated", Unsupported),
    ],
)
async def test_a_refusal_with_status_200_is_an_error_in_slack_s_word(
    opened: Opened, slack: Slack, code: str, error: type[Error]
) -> None:
    slack.refuse("chat.postMessage", refused(code))

    async with opened(max_wait=0) as client:
        with pytest.raises(error, match=code):
            await client.post(thread(None), Draft(body="Hm.", agent="helper"))


async def test_a_missing_scope_is_named(client: Client, slack: Slack) -> None:
    slack.scopes.remove("chat:write")

    with pytest.raises(Denied) as caught:
        await client.post(thread(None), Draft(body="Hm.", agent="helper"))

    assert caught.value.permission == "chat:write"
    assert "req-" in str(caught.value)


async def test_a_channel_that_is_not_there_takes_no_answer(client: Client, slack: Slack) -> None:
    for key in (None, "k"):
        with pytest.raises(NotFound):
            await client.post(ThreadRef(conversation=f"{TEAM}/C0NOWHERE"), Draft(body="Hm.", agent="helper", key=key))


async def test_an_edit_keeps_agent_and_key_and_is_at_most_4000_long(client: Client, slack: Slack) -> None:
    posted = await client.post(thread(None), DRAFT)

    edited = await client.edit(at(posted.id), Draft(body="Better.", agent="other", key="other"))
    with pytest.raises(Invalid, match="4000"):
        await client.edit(at(posted.id), Draft(body="x" * 4_001, agent="helper"))

    assert (edited.body, edited.marker) == ("Better.", posted.marker)
    assert edited.last_edited_at is not None


async def test_what_somebody_else_wrote_is_left_alone(client: Client, slack: Slack) -> None:
    said = slack.say("mine")

    with pytest.raises(Denied):
        await client.edit(at(said["ts"]), DRAFT)
    with pytest.raises(Denied):
        await client.delete(at(said["ts"]))

    assert slack.writes == 0


async def test_a_deletion_that_landed_behind_a_failure_is_done(client: Client, slack: Slack) -> None:
    posted = await client.post(thread(None), DRAFT)
    slack.lose()

    await client.delete(at(posted.id))

    with pytest.raises(NotFound):
        await client.get_message(at(posted.id))


async def test_a_tombstone_is_neither_edited_nor_deleted(client: Client, slack: Slack) -> None:
    posted = await client.post(thread(None), DRAFT)
    slack.say("reply", thread_ts=slack.landed[0]["ts"])
    await client.delete(at(posted.id))

    with pytest.raises(NotFound):
        await client.delete(at(posted.id))
    with pytest.raises(NotFound):
        await client.edit(at(posted.id), DRAFT)


async def test_a_reaction_may_be_there_already(client: Client, slack: Slack) -> None:
    said = slack.say("hello")

    await client.react(at(said["ts"]), ":tada:")
    await client.react(at(said["ts"]), "tada")
    with pytest.raises(Invalid, match="invalid_name"):
        await client.react(at(said["ts"]), "nothing")
    slack.refuse("reactions.add", refused("too_many_reactions"))
    with pytest.raises(Conflict):
        await client.react(at(said["ts"]), "eyes")

    assert said["reactions"] == {"tada": [ME]}


async def test_what_slack_has_not_is_unsupported(client: Client, slack: Slack) -> None:
    draft = ConversationDraft(place=TEAM, category="help", title="A title", body="Words.", agent="helper")
    for operation in (
        client.label(thread(None), add=["bug"]),
        client.set_state(thread(None), closed=True),
        client.mark_answer(at("1.1")),
        client.start(draft),
        client.minimize(at("1.1"), "spam"),
    ):
        with pytest.raises(Unsupported):
            await operation

    assert client.capabilities == {Capability.BROWSE, Capability.EDIT, Capability.DELETE, Capability.REACT}
    assert slack.server.requests == []


async def test_no_redirect_is_followed(client: Client, slack: Slack) -> None:
    with serve() as stranger:
        stranger.route("POST", "/.*", Reply(200, {"ok": True}))
        slack.elsewhere = stranger.url
        slack.break_with(Fault.MOVE)
        with pytest.raises(Invalid, match="another address"):
            await client.post(thread(None), DRAFT)

        assert stranger.requests == []


@pytest.mark.parametrize("code", ["token_expired", "invalid_auth"])
async def test_a_refused_token_is_asked_for_once_more(opened: Opened, slack: Slack, code: str) -> None:
    given = iter(["xoxb-an-old-one", "xoxb-a-new-one"])
    slack.refuse("auth.test", refused(code))

    async def token() -> str:
        return next(given)

    async with opened(token=token) as client:
        assert (await client.whoami()).id == ME

    assert slack.server.requests[-1].headers["authorization"] == "Bearer xoxb-a-new-one"


async def test_a_token_may_be_asked_for_and_is_asked_again(opened: Opened, slack: Slack) -> None:
    given = iter(["xoxb-the-first-one", "xoxb-the-second-one"])

    async def token() -> str:
        return next(given)

    async with opened(token=token) as client:
        await client.whoami()
        with pytest.raises(NotFound):
            await client.read(ThreadRef(conversation=f"{TEAM}/C0NOWHERE", root="1.1"))

    sent_with = [one.headers["authorization"] for one in slack.server.requests]
    assert sent_with == ["Bearer xoxb-the-first-one", "Bearer xoxb-the-second-one"]


async def test_without_a_token_nobody_is_known(opened: Opened, slack: Slack) -> None:
    async with opened(token="") as client:
        with pytest.raises(Denied, match="not_authed"):
            await client.whoami()


async def test_the_environment_says_where_and_as_whom(slack: Slack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLACK_API_URL", slack.url.rstrip("/"))
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-from-the-environment")

    async with connect() as client:
        me = await client.whoami()

    assert (me.id, me.login, me.kind, me.aliases) == (ME, "agent", "bot", {"B0BOT"})
    assert slack.server.requests[0].headers["authorization"] == "Bearer xoxb-from-the-environment"
    assert slack.server.requests[0].headers["user-agent"].startswith("tertulia-conversation-slack/0.1")


@pytest.mark.parametrize(
    "url", ["http://slack.com/api/", "https://user@slack.com/api/", "slack.com", "https://slack.com/?a"]
)
async def test_an_api_that_is_not_safe_is_refused(url: str) -> None:
    with pytest.raises(Invalid, match="api_url"):
        async with connect(token="xoxb-a", api_url=url):
            pass


async def test_nobody_there_is_unavailable_and_not_ambiguous(opened: Opened) -> None:
    async with opened(api_url="http://127.0.0.1:9/api/", max_wait=0) as client:
        with pytest.raises(Unavailable) as caught:
            await client.post(thread(None), Draft(body="Hm.", agent="helper"))

    assert not caught.value.ambiguous
