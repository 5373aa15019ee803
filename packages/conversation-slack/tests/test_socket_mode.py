"""Socket Mode as a source: what arrives over one connection, what is acknowledged, and how it ends."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import anyio
import pytest

from tertulia.errors import Denied, Error, Invalid, RateLimited, Unavailable
from tertulia.event import Delivery, Ignored
from tertulia.registry import Envelope
from tertulia.testing.loopback import Reply
from tertulia.testing.slack import Slack
from tertulia.testing.wire import Fault
from tertulia_conversation_slack import _socket_mode as socket_mode
from tertulia_conversation_slack import adapter, normalize

pytestmark = pytest.mark.anyio

TOKEN = "xapp-a-token-of-the-app"
OPEN = "apps.connections.open"
Subscribe = Callable[[], AbstractAsyncContextManager[AsyncIterator[Envelope]]]


@pytest.fixture
def subscribe(slack: Slack, monkeypatch: pytest.MonkeyPatch) -> Subscribe:
    """Connect as whoever finds the adapter does, to the Slack on loopback."""
    slack.app_token = TOKEN
    monkeypatch.setenv("SLACK_APP_TOKEN", TOKEN)
    monkeypatch.setenv("SLACK_API_URL", slack.url)
    assert adapter.source is not None
    return adapter.source.subscribe


async def hold(subscribe: Subscribe) -> None:
    """Connect and take what comes, acknowledging nothing, until the connection ends."""
    async with subscribe() as envelopes:
        async for _ in envelopes:
            pass


async def until(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    with anyio.fail_after(10):
        while not holds():  # noqa: ASYNC110 - the server is in another thread
            await anyio.sleep(0.002)


async def test_an_event_arrives_as_it_would_over_http(slack: Slack, subscribe: Subscribe, native: Any) -> None:
    slack.socket_mode.deliver(native.message("é \ud83d\ude00"))

    async with subscribe() as envelopes:
        hello, event = [await anext(envelopes) for _ in range(2)]

    assert hello == Envelope(Ignored("hello", "only events are handed on"))
    assert isinstance(event.content, Delivery)
    assert (event.content.system, event.content.name) == ("slack", "")
    (made,) = normalize(event.content).events
    assert made.transition.comment is not None
    assert made.transition.comment.body == "é \U0001f600"
    assert event.content.headers["x-slack-retry-num"] == "1", "it was sent before anybody was connected"


async def test_an_attempt_changes_nothing_of_the_payload(slack: Slack, subscribe: Subscribe, native: Any) -> None:
    slack.socket_mode.deliver(native.message())
    contents = []
    for _ in range(2):
        async with subscribe() as envelopes:
            await anext(envelopes)
            contents.append((await anext(envelopes)).content)

    first, second = contents
    assert first.payload == second.payload
    assert [one.headers["x-slack-retry-num"] for one in contents] == ["1", "2"]
    assert second.headers["x-slack-retry-reason"] == "timeout"


async def test_nothing_is_acknowledged_but_what_is_told_to_be(slack: Slack, subscribe: Subscribe, native: Any) -> None:
    first, second = (slack.socket_mode.deliver(native.message(ts=ts)) for ts in ("1.000001", "1.000002"))

    async with subscribe() as envelopes:
        _, one, two = [await anext(envelopes) for _ in range(3)]
        assert one.acknowledge is not None
        await one.acknowledge()
        await until(lambda: slack.socket_mode.acknowledged)

    assert two.acknowledge is not None
    assert slack.socket_mode.acknowledged == [first]
    assert slack.socket_mode.unacknowledged == [second]


async def test_what_is_not_acknowledged_comes_over_the_next_connection(
    slack: Slack, subscribe: Subscribe, native: Any
) -> None:
    slack.socket_mode.deliver(native.message())

    async with subscribe() as envelopes:
        await anext(envelopes)
        lost = await anext(envelopes)
    async with subscribe() as envelopes:
        await anext(envelopes)
        again = await anext(envelopes)
        assert lost.acknowledge is not None
        with pytest.raises(Unavailable, match="the connection is gone"):
            await lost.acknowledge()

    assert isinstance(again.content, Delivery)
    assert slack.socket_mode.acknowledged == []


@pytest.mark.parametrize("kind", ["interactive", "slash_commands", "something_new"])
async def test_what_is_no_event_says_what_it_is_and_can_be_acknowledged(
    slack: Slack, subscribe: Subscribe, kind: str
) -> None:
    ident = slack.socket_mode.envelope(kind, {"command": "/ask"})

    async with subscribe() as envelopes:
        await anext(envelopes)
        envelope = await anext(envelopes)
        assert envelope.acknowledge is not None
        await envelope.acknowledge()
        await until(lambda: slack.socket_mode.acknowledged)

    assert isinstance(envelope.content, Ignored)
    assert envelope.content.reason == kind
    assert slack.socket_mode.acknowledged == [ident]


@pytest.mark.parametrize("frame", ["", "{", "[]", '{"type": 7}', '{"type": "' + "x" * 10_000 + '"}', "é"])
async def test_a_frame_that_says_nothing_ends_nothing(slack: Slack, subscribe: Subscribe, frame: str) -> None:
    async with subscribe() as envelopes:
        await anext(envelopes)
        slack.socket_mode.send(frame)
        envelope = await anext(envelopes)
        slack.socket_mode.send({"type": "hello"})
        await anext(envelopes)

    assert isinstance(envelope.content, Ignored)
    assert envelope.content.reason in ("malformed", "x" * 64)
    assert envelope.acknowledge is None


@pytest.mark.parametrize("payload", [None, [], "text", {"type": 1}, {"type": "event_callback"}])
async def test_a_payload_that_is_no_event_is_left_to_whoever_normalizes(
    slack: Slack, subscribe: Subscribe, payload: Any
) -> None:
    slack.socket_mode.envelope("events_api", payload)

    async with subscribe() as envelopes:
        await anext(envelopes)
        envelope = await anext(envelopes)

    assert isinstance(envelope.content, Delivery)
    assert json.loads(envelope.content.payload) == payload
    with pytest.raises(Invalid):
        normalize(envelope.content)


async def test_a_disconnect_ends_it_well_whatever_comes_behind(slack: Slack, subscribe: Subscribe, native: Any) -> None:
    async with subscribe() as envelopes:
        await anext(envelopes)
        slack.socket_mode.disconnect()
        behind = slack.socket_mode.deliver(native.message())
        contents = [one.content async for one in envelopes]

    assert [one.reason for one in contents if isinstance(one, Ignored)] == ["disconnect"]
    assert len(contents) == 1
    assert slack.socket_mode.unacknowledged == [behind]
    await until(lambda: slack.socket_mode.open == 0)


@pytest.mark.parametrize("end", ["abort", "close"])
async def test_an_end_that_nobody_announced_is_an_error_that_passes(
    slack: Slack, subscribe: Subscribe, end: str
) -> None:
    async with subscribe() as envelopes:
        await anext(envelopes)
        getattr(slack.socket_mode, end)()
        with pytest.raises(Unavailable, match="the connection was lost"):
            await anext(envelopes)


async def test_a_connection_over_which_nobody_answers_is_lost(
    slack: Slack, subscribe: Subscribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket_mode, "_HEARTBEAT", 0.1)

    async with subscribe() as envelopes:
        await anext(envelopes)
        slack.socket_mode.send({"type": "hello"})
        await anext(envelopes)
        slack.socket_mode.hang()
        with pytest.raises(Unavailable, match="the connection was lost"), anyio.fail_after(10):
            await anext(envelopes)


async def test_leaving_it_closes_it_at_once(slack: Slack, subscribe: Subscribe) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(hold, subscribe)
        await until(lambda: slack.socket_mode.open == 1)
        tasks.cancel_scope.cancel()

    await until(lambda: slack.socket_mode.open == 0)


async def test_each_connection_asks_for_an_address_of_its_own(slack: Slack, subscribe: Subscribe) -> None:
    for _ in range(3):
        async with subscribe() as envelopes:
            await anext(envelopes)

    assert slack.asked(OPEN) == slack.socket_mode.connections == 3


async def test_without_a_token_the_variable_is_named(subscribe: Subscribe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLACK_APP_TOKEN", " ")

    assert await refused(subscribe, Invalid) == "SLACK_APP_TOKEN is not set"


@pytest.mark.parametrize(
    ("token", "scopes", "told"),
    [
        ("xapp-of-another-app", {"connections:write"}, "invalid_auth"),
        ("xoxb-a-token-of-the-bot", {"connections:write"}, "not_allowed_token_type"),
        (TOKEN, set(), "the scope connections:write is needed"),
    ],
)
async def test_a_token_that_is_refused_is_denied_with_what_it_must_be(
    slack: Slack, subscribe: Subscribe, monkeypatch: pytest.MonkeyPatch, token: str, scopes: set[str], told: str
) -> None:
    monkeypatch.setenv("SLACK_APP_TOKEN", token)
    slack.app_token = token if "bot" in token else TOKEN
    slack.app_scopes = scopes

    said = await refused(subscribe, Denied)

    assert told in said
    assert "SLACK_APP_TOKEN must be an app-level token, xapp-, with the scope connections:write" in said
    assert token not in said
    assert slack.asked(OPEN) == 1


async def test_a_limit_is_told_and_not_waited_for(slack: Slack, subscribe: Subscribe) -> None:
    slack.left[OPEN] = 0

    with pytest.raises(RateLimited) as caught:
        await hold(subscribe)

    assert caught.value.retry_after is not None
    assert 50 < caught.value.retry_after <= 60


@pytest.mark.parametrize("fault", [Fault.CUT, Fault.MOVE])
async def test_a_slack_that_does_not_answer_is_an_error_of_the_tree(
    slack: Slack, subscribe: Subscribe, fault: Fault
) -> None:
    slack.break_with(fault)

    await refused(subscribe, Unavailable if fault is Fault.CUT else Invalid)


@pytest.mark.parametrize(
    "url",
    [
        "ws://198.51.100.7/link/?ticket=a-secret-ticket",
        "ws://elsewhere.example/link/?ticket=a-secret-ticket",
        "wss://127.0.0.1.elsewhere.example/link/?ticket=a-secret-ticket",
        "http://127.0.0.1/link/?ticket=a-secret-ticket",
        "wss://127.0.0.1/link/?ticket=a-secret-ticket",
        "ws://[::1/link/?ticket=a-secret-ticket",
        "ticket=a-secret-ticket",
        "",
        None,
    ],
)
async def test_an_address_on_another_host_is_refused(slack: Slack, subscribe: Subscribe, url: str | None) -> None:
    slack.refuse(OPEN, Reply(200, {"ok": True, "url": url}))

    assert "ticket" not in await refused(subscribe, Invalid)


async def test_an_address_that_is_no_longer_taken_is_told_without_its_secret(
    slack: Slack, subscribe: Subscribe
) -> None:
    used = slack.socket_mode.address().replace("ticket-", "a-secret-ticket-")
    slack.refuse(OPEN, Reply(200, {"ok": True, "url": used}))

    assert await refused(subscribe, Unavailable) == "the address is not taken (status 403)"


async def refused(subscribe: Subscribe, kind: type[Error]) -> str:
    """Connect in vain, and give what is said about it; nothing that led to it says more."""
    with pytest.raises(kind) as caught:
        await hold(subscribe)
    assert "a-secret-ticket" not in str(caught.getrepr(chain=True))
    return str(caught.value.message)


@pytest.mark.parametrize(
    ("address", "home"),
    [
        ("wss://wss-primary.slack.com/link/?ticket=1", True),
        ("wss://slack.com/link/?ticket=1", True),
        ("ws://wss-primary.slack.com/link/?ticket=1", False),
        ("wss://notslack.com/link/?ticket=1", False),
        ("wss://slack.com.elsewhere.example/link/?ticket=1", False),
        ("wss://slack.com@elsewhere.example/link/?ticket=1", False),
    ],
)
def test_an_address_is_taken_over_tls_on_slacks_host_or_below_it(address: str, home: bool) -> None:
    assert socket_mode._is_at_home(address, "https://slack.com/api/") is home
