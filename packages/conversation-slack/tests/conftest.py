"""Payloads as Slack sends them, small, and about people who do not exist."""

import json
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from tertulia.errors import Invalid
from tertulia.event import Delivery, Event, Ignored
from tertulia.testing.clock import Time
from tertulia.testing.loopback import serve
from tertulia.testing.slack import Slack
from tertulia_conversation_slack import Client, connect, normalize

Json = dict[str, Any]
ROOT, REPLY, LATER = "1740823500.000100", "1740823600.000300", "1740823700.000400"


class Native:
    """Builders; keyword arguments replace or add fields."""

    def message(self, text: str | None = "hello", **fields: Any) -> Json:
        """A message of Anna's in C0GENERAL."""
        said = {
            "type": "message",
            "channel": "C0GENERAL",
            "channel_type": "channel",
            "user": "U0ANNA",
            "team": "T0ACME",
        }
        return {**said, "text": text, "ts": ROOT, "event_ts": fields.get("ts", ROOT), **fields}

    def mention(self, text: str = "<@U0BOT> hello", **fields: Any) -> Json:
        """The same message, for the app it mentions."""
        message = self.message(text, **fields) | {"type": "app_mention"}
        return {name: value for name, value in message.items() if name not in ("channel_type", "team")}

    def part(self, text: str | None = "hello", **fields: Any) -> Json:
        """A message inside another event."""
        return {"type": "message", "user": "U0ANNA", "text": text, "ts": ROOT, **fields}

    def changed(self, now: Json, before: Json | None, **fields: Any) -> Json:
        """What happened to a message of C0GENERAL, at LATER."""
        place = {"type": "message", "subtype": "message_changed", "hidden": True, "channel": "C0GENERAL"}
        parts = {"message": now, **({} if before is None else {"previous_message": before})}
        return {**place, "channel_type": "channel", "ts": LATER, "event_ts": LATER, **parts, **fields}

    def deleted(self, before: Json | None, **fields: Any) -> Json:
        """The deletion of a message of C0GENERAL, at LATER."""
        place = {"type": "message", "subtype": "message_deleted", "hidden": True, "channel": "C0GENERAL"}
        parts = {"deleted_ts": ROOT, **({} if before is None else {"previous_message": before})}
        return {**place, "channel_type": "channel", "ts": LATER, "event_ts": LATER, **parts, **fields}

    def envelope(self, event: Json, **fields: Any) -> Json:
        """An event as the Events API delivers it to our app."""
        engine = {"team_id": "T0ACME", "user_id": "U0BOT", "is_bot": True, "is_enterprise_install": False}
        return {
            "type": "event_callback",
            "team_id": "T0ACME",
            "api_app_id": "A0APP",
            "event_id": "Ev0001",
            "event_time": 1740823500,
            "authorizations": [engine],
            "is_ext_shared_channel": False,
            "event": event,
            **fields,
        }

    def frame(self, event: Json, **fields: Any) -> Json:
        """An event as Socket Mode delivers it."""
        return {
            "envelope_id": "e-1",
            "type": "events_api",
            "payload": self.envelope(event, **fields),
            "retry_attempt": 0,
        }


@pytest.fixture
def native() -> Native:
    """Builders of payloads."""
    return Native()


def deliver(payload: Json | bytes, name: str = "", **transport: Any) -> Delivery:
    """Wrap a payload as it would arrive."""
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return Delivery("slack", name, raw, **transport)


@pytest.fixture
def event(native: Native) -> Callable[..., Event]:
    """Normalize an inner event that means one event: `event(native.message())`."""

    def one(inner: Json, *, around: Json | None = None, options: Json | None = None, **transport: Any) -> Event:
        normalized = normalize(deliver(native.envelope(inner, **(around or {})), **transport), **(options or {}))
        assert normalized.ignored is None
        (made,) = normalized.events
        assert Event.check(made.document()) == made
        return made

    return one


@pytest.fixture
def ignored(native: Native) -> Callable[..., Ignored]:
    """Normalize an inner event that means nothing, and give the reason."""

    def reason(inner: Json, **around: Any) -> Ignored:
        normalized = normalize(deliver(native.envelope(inner, **around)))
        assert normalized.events == ()
        assert normalized.ignored is not None
        assert normalized.ignored.detail
        return normalized.ignored

    return reason


@pytest.fixture
def refused() -> Callable[..., Invalid]:
    """Normalize a payload that is wrong, and give the refusal: one line, and not long."""

    def refusal(payload: Json | bytes, name: str = "", **transport: Any) -> Invalid:
        with pytest.raises(Invalid) as caught:
            normalize(deliver(payload, name, **transport))
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 600
        return caught.value

    return refusal


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what the machine's environment says about Slack and about proxies."""
    for name in list(os.environ):
        if name.startswith(("SLACK_", "TERTULIA_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
def slack() -> Iterator[Slack]:
    """Run a Slack on loopback."""
    with serve() as server:
        yield Slack(server)


@pytest.fixture
def clock() -> Time:
    """Sleep without waiting."""
    return Time()


@pytest.fixture
def opened(slack: Slack, clock: Time) -> Callable[..., AbstractAsyncContextManager[Client]]:
    """Connect to it: `async with opened(max_wait=5) as client`."""

    def open_(**options: Any) -> AbstractAsyncContextManager[Client]:
        usual: Json = {"token": "xoxb-a-token-of-tests", "api_url": slack.url, "_clock": clock}
        return connect(**{**usual, **options})

    return open_


@pytest.fixture
async def client(opened: Callable[..., AbstractAsyncContextManager[Client]]) -> AsyncIterator[Client]:
    """A client of that Slack."""
    async with opened() as made:
        yield made
