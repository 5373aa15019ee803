"""Bodies that are too long for `markdown_text`: converted, whole, in one message, or refused before anything is sent."""

import json
import logging
from urllib.parse import parse_qsl

import pytest

from tertulia.errors import Invalid
from tertulia.testing.loopback import Reply
from tertulia.testing.slack import CHANNEL, TEAM, Slack
from tertulia.thread import Draft, MessageRef, ThreadRef
from tertulia_conversation_slack import Client, adapter

pytestmark = pytest.mark.anyio

PLACE = ThreadRef(conversation=f"{TEAM}/{CHANNEL}")
FILLER = "It fails, and this is why.\n\n" * 460


def sent(slack: Slack) -> dict[str, str]:
    """Give the arguments of the one post that was sent."""
    (request,) = slack.server.asked("POST", "/api/chat.postMessage")
    return dict(parse_qsl(request.body.decode(), keep_blank_values=True))


def draft(body: str) -> Draft:
    """Make an answer with a key."""
    return Draft(body=body, agent="helper", key="k")


@pytest.mark.parametrize("char", ["x", "é", "\U0001f600"])
@pytest.mark.parametrize("length", [12_001, 39_000, 40_000])
async def test_a_long_body_is_one_message_with_its_marker(client: Client, slack: Slack, length: int, char: str) -> None:
    root = slack.say("root")
    thread = ThreadRef(conversation=PLACE.conversation, root=root["ts"])

    posted = await client.post(thread, draft(char * length))

    told = sent(slack)
    assert (told["text"], told["thread_ts"]) == (char * length, root["ts"])
    assert "markdown_text" not in told
    assert json.loads(told["metadata"])["event_payload"] == {"agent": "helper", "key": "k"}
    (_, found) = (await client.read(thread)).messages
    assert found == posted
    assert (found.body, found.marker and found.marker.key) == (char * length, "k")
    assert await client.post(thread, draft(char * length)) == posted


async def test_a_body_within_the_limit_of_markdown_stays_markdown(client: Client, slack: Slack) -> None:
    await client.post(PLACE, draft("&" * 12_000))

    assert sent(slack)["markdown_text"] == "&" * 12_000


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("**bold** _it_ ~~gone~~ `a < b`", "**bold** _it_ ~~gone~~ `a < b`"),
        ("## Title", "**Title**"),
        ("- a\n  - b\n- c", "- a\n  - b\n- c"),
        ("1. a\n2. b", "1. a\n2. b"),
        ("```python\na < b\n```", "```\na < b\n```"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "```\n| a   | b   |\n| --- | --- |\n| 1   | 2   |\n```"),
        ("> a\n> b", "> a\n> b"),
        ("[why](https://x.test/?a=1&b=2)", "[why](https://x.test/?a=1&b=2)"),
        ("<@U0ANNA> <#C0HELP> :tada:", "<@U0ANNA> <#C0HELP> :tada:"),
        ("a & b, &amp; and <br>", "a & b, & and <br>"),
    ],
)
async def test_what_is_converted_reads_back_as_the_same(client: Client, slack: Slack, written: str, read: str) -> None:
    posted = await client.post(PLACE, draft(f"Look:\n\n{written}\n\n{FILLER}"))

    ref = MessageRef(conversation=PLACE.conversation, source_type="slack_message", id=posted.id)
    found = await client.get_message(ref)
    assert found.body == posted.body
    assert "".join(found.body.partition("It fails")[0].split("\n")) == "".join(f"Look:\n\n{read}\n\n".split("\n"))
    assert found.body.count("this is why") == 460


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("x" * 40_001, "40001 characters with the host's lines are more than 40000"),
        ("&" * 39_000, "39000 characters are 195000 in Slack's own markup, more than 40000"),
        ("> " * 200 + "x" * 12_000, "nests deeper"),
        ("[a]: https://x.test\n" * 1_000, "nothing to show"),
    ],
)
async def test_a_body_that_does_not_fit_is_refused_and_nothing_is_sent(
    client: Client, slack: Slack, body: str, told: str
) -> None:
    with pytest.raises(Invalid, match=told) as refused:
        await client.post(PLACE, draft(body))

    assert refused.value.field == "body"
    assert slack.server.requests == []


async def test_nobody_is_called_with_everybody_in_a_long_body(client: Client, slack: Slack) -> None:
    await client.post(PLACE, draft(f"[all](!channel) &lt;!here&gt; <!everyone>\n\n{FILLER}"))

    assert sent(slack)["text"].startswith("all (!channel) &lt;!here&gt; &lt;!\u2060everyone&gt;\n")


async def test_an_answer_that_slack_cut_is_told(client: Client, slack: Slack, caplog: pytest.LogCaptureFixture) -> None:
    said = slack.say("cut", "U0BOT")
    told = {"ok": True, "message": said, "response_metadata": {"warnings": ["message_truncated"]}}
    slack.refuse("chat.postMessage", Reply(200, told))

    with caplog.at_level(logging.WARNING):
        posted = await client.post(PLACE, Draft(body="cut short", agent="helper"))

    assert posted.body == "cut"
    assert "cut the answer" in caplog.text


async def test_the_slack_on_loopback_cuts_what_is_too_long(client: Client, slack: Slack) -> None:
    token = {"Authorization": "Bearer xoxb-a-token-of-tests"}

    answer = await client.native.api_call(
        "chat.postMessage", data={"channel": CHANNEL, "text": "x" * 40_001}, headers=token
    )

    assert len(slack.landed[0]["text"]) == 40_000
    assert answer["response_metadata"] == {"warnings": ["message_truncated"]}


async def test_a_long_answer_is_edited_within_the_limit_of_edits(client: Client, slack: Slack) -> None:
    posted = await client.post(PLACE, draft("x" * 13_000))
    ref = MessageRef(conversation=PLACE.conversation, source_type="slack_message", id=posted.id)

    edited = await client.edit(ref, Draft(body="**y**" * 800, agent="helper"))
    with pytest.raises(Invalid, match="4001 characters with the host's lines are more than 4000"):
        await client.edit(ref, Draft(body="y" * 4_001, agent="helper"))

    assert (edited.body, edited.marker) == ("**y**" * 800, posted.marker)


def test_the_limits_are_told() -> None:
    assert adapter.limits is not None
    assert adapter.limits.model_dump() == {"body_chars": 40_000, "part_chars": 12_000, "edit_chars": 4_000}
