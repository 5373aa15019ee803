"""Whatever a server answers: a model, or an error of the tree."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tertulia.errors import Error
from tertulia.testing.clock import Time
from tertulia.testing.loopback import Reply, serve
from tertulia.testing.slack import CHANNEL, TEAM, Slack
from tertulia.thread import Draft, MessageRef, ThreadRef
from tertulia_conversation_slack import Client, connect

ROOT = "1740823500.000100"
WORDS = st.sampled_from([ROOT, "U0ANNA", "tombstone", "tertulia", "", "C0GENERAL"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | WORDS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["ts", "user", "text", "next_cursor", "event_type", "id"]), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = [
    "ts",
    "thread_ts",
    "user",
    "text",
    "bot_id",
    "bot_profile",
    "blocks",
    "files",
    "metadata",
    "edited",
    "reply_count",
    "latest_reply",
    "id",
    "created",
    "name",
    "is_member",
]
THING = st.fixed_dictionaries({"ts": st.just(ROOT) | JSON}, optional=dict.fromkeys(FIELDS[1:], JSON))
METHODS = [
    "auth.test",
    "conversations.replies",
    "conversations.history",
    "conversations.info",
    "conversations.list",
    "users.info",
    "chat.postMessage",
]
ANSWER = st.fixed_dictionaries(
    {"ok": st.just(True)},
    optional={
        "messages": st.lists(THING, max_size=3) | JSON,
        "message": THING | JSON,
        "channel": THING | JSON,
        "channels": st.lists(THING, max_size=2) | JSON,
        "user": THING | JSON,
        "response_metadata": JSON,
        "user_id": JSON,
        "team_id": JSON,
        "url": JSON,
        "error": JSON,
    },
)


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    """Run one server for all examples."""
    with serve() as running:
        yield running


async def ask_everything(client: Client) -> None:
    """Call every operation; let nothing out but errors of the tree."""
    thread = ThreadRef(conversation=f"{TEAM}/{CHANNEL}", root=ROOT)
    channel = ThreadRef(conversation=f"{TEAM}/{CHANNEL}")
    message = MessageRef(conversation=channel.conversation, source_type="slack_message", id=ROOT)

    async def browse() -> None:
        async for _ in client.threads(channel):
            pass
        async for _ in client.conversations(TEAM):
            pass

    refusals: list[str] = []
    for question in (
        client.whoami,
        lambda: client.read(thread),
        lambda: client.read(channel),
        lambda: client.get_message(message),
        lambda: client.get_conversation(channel),
        lambda: client.post(thread, Draft(body="Hm.", agent="helper", key="k")),
        browse,
    ):
        try:
            await question()
        except Error as error:
            refusals.append(str(error))
    assert not any("\n" in refusal for refusal in refusals)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(st.dictionaries(st.sampled_from(METHODS), ANSWER | JSON, min_size=1, max_size=3))
def test_any_answer_is_a_model_or_an_error_of_ours(server: Any, answers: dict[str, Any]) -> None:
    slack = Slack(server)
    slack.messages[CHANNEL][ROOT] = {"type": "message", "ts": ROOT, "user": "U0ANNA", "text": "hi"}
    for method, answer in answers.items():
        server.route("POST", f"/api/{method}", Reply(200, answer))

    async def run() -> None:
        options: dict[str, Any] = {"token": "xoxb-a-token", "api_url": slack.url, "max_wait": 0, "_clock": Time()}
        async with connect(**options) as client:
            await ask_everything(client)

    asyncio.run(run())
    for method in answers:
        server.route("POST", f"/api/{method}", slack.answer)


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"null", b"7", b'{"ok": true}'])
@pytest.mark.parametrize("kind", ["application/json", "text/plain", "application/gzip", "text/html; charset=nothing"])
def test_any_bytes_are_an_error_of_ours(server: Any, raw: bytes, kind: str) -> None:
    slack = Slack(server)
    for method in METHODS:
        server.route("POST", f"/api/{method}", Reply(200, raw, {"content-type": kind}))

    async def run() -> None:
        options: dict[str, Any] = {"token": "xoxb-a-token", "api_url": slack.url, "max_wait": 0, "_clock": Time()}
        async with connect(**options) as client:
            await ask_everything(client)

    asyncio.run(run())
