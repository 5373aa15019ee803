"""Payloads as GitHub sends them, small, and about people who do not exist."""

import asyncio
import json
import os
import ssl
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from tertulia.errors import Invalid
from tertulia.event import Delivery, Event, Ignored
from tertulia.testing.loopback import Server, serve
from tertulia_forge_github import Client, Http, normalize, open_http

Json = dict[str, Any]
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Loading a machine's certificates takes longer than most tests."""
SHA = "b" * 40


class Native:
    """Builders; keyword arguments replace or add fields."""

    def user(self, login: str = "alice", ident: int = 1001, **fields: Any) -> Json:
        """An account."""
        return {"login": login, "id": ident, "type": "User", **fields}

    def issue(self, **fields: Any) -> Json:
        """Issue 7 of acme/demo, by alice."""
        return {
            "id": 70007,
            "number": 7,
            "title": "It fails",
            "html_url": "https://github.com/acme/demo/issues/7",
            "user": self.user(),
            "labels": [{"id": 1, "name": "bug"}],
            "created_at": "2026-10-01T09:00:00Z",
            "updated_at": "2026-10-01T10:00:00Z",
            **fields,
        }

    def pull(self, **fields: Any) -> Json:
        """Pull request 8 of acme/demo, by alice, from a branch of the same repository."""
        return {
            "id": 80008,
            "number": 8,
            "html_url": "https://github.com/acme/demo/pull/8",
            "user": self.user(),
            "labels": [{"id": 1, "name": "bug"}],
            "head": {"ref": "feature", "sha": SHA, "repo": {"full_name": "acme/demo"}},
            "base": {"ref": "main", "sha": "a" * 40, "repo": {"full_name": "acme/demo"}},
            "merged": False,
            "updated_at": "2026-10-01T10:00:00Z",
            **fields,
        }

    def comment(self, body: str | None = "hello", **fields: Any) -> Json:
        """Comment 104, by bob."""
        return {
            "id": 104,
            "node_id": "IC_104",
            "body": body,
            "user": self.user("bob", 1002),
            "html_url": "https://github.com/acme/demo/issues/7#issuecomment-104",
            "created_at": "2026-10-01T11:00:00Z",
            "updated_at": "2026-10-01T11:00:05Z",
            "author_association": "OWNER",
            **fields,
        }

    def review(self, **fields: Any) -> Json:
        """Review 900, by bob: approved."""
        return {
            "id": 900,
            "body": None,
            "state": "approved",
            "user": self.user("bob", 1002),
            "submitted_at": "2026-10-01T12:00:00Z",
            **fields,
        }

    def payload(self, name: str, action: str, **fields: Any) -> Json:
        """Give the whole body of one of the six events, sent by bob."""
        parts: Json = {}
        if name in ("issues", "issue_comment"):
            parts["issue"] = self.issue()
        if name.startswith("pull_request"):
            parts["pull_request"] = self.pull()
        if name.endswith("comment"):
            parts["comment"] = self.comment()
        if name == "pull_request_review":
            parts["review"] = self.review()
        repository = {"id": 5, "full_name": "acme/demo", "private": False}
        return {"action": action, **parts, "repository": repository, "sender": self.user("bob", 1002), **fields}


@pytest.fixture
def native() -> Native:
    """Builders of payloads."""
    return Native()


def deliver(name: str, payload: Json | bytes, **transport: Any) -> Delivery:
    """Wrap a payload as it would arrive."""
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return Delivery("github", name, raw, **transport)


@pytest.fixture
def event() -> Callable[..., Event]:
    """Normalize a payload that means one event: `event("issues", payload, repo="acme/demo")`."""

    def one(name: str, payload: Json | bytes, **transport: Any) -> Event:
        normalized = normalize(deliver(name, payload, **transport))
        assert normalized.ignored is None
        (made,) = normalized.events
        assert Event.check(made.document()) == made
        return made

    return one


@pytest.fixture
def ignored() -> Callable[..., Ignored]:
    """Normalize a payload that means nothing, and give the reason."""

    def reason(name: str, payload: Json | bytes, **transport: Any) -> Ignored:
        normalized = normalize(deliver(name, payload, **transport))
        assert normalized.events == ()
        assert normalized.ignored is not None
        assert normalized.ignored.detail
        return normalized.ignored

    return reason


@pytest.fixture
def refused() -> Callable[..., Invalid]:
    """Normalize a payload that is wrong, and give the refusal: one line, and not long."""

    def refusal(name: str, payload: Json | bytes, **transport: Any) -> Invalid:
        with pytest.raises(Invalid) as caught:
            normalize(deliver(name, payload, **transport))
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 600
        return caught.value

    return refusal


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what the machine's environment says about GitHub and about proxies."""
    for name in list(os.environ):
        if name.startswith(("GITHUB_", "GH_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.fixture
def server() -> Iterator[Server]:
    """Run a scripted server; its `url` is the API."""
    with serve() as running:
        yield running


class Clock:
    """Time that passes when somebody sleeps, and a list of how long they slept."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self._ahead = 0.0

    def now(self) -> float:
        """Give the real time, and what was slept."""
        return time.monotonic() + self._ahead

    async def sleep(self, seconds: float) -> None:
        """Let the time pass."""
        self.slept.append(seconds)
        self._ahead += seconds
        await asyncio.sleep(0)


@pytest.fixture
def clock() -> Clock:
    """Sleep without waiting."""
    return Clock()


@pytest.fixture
def opened(server: Server, clock: Clock) -> Callable[..., AbstractAsyncContextManager[Http]]:
    """Open a transport to the server: `async with opened(max_wait=5) as http`."""

    def open_(**options: Any) -> AbstractAsyncContextManager[Http]:
        usual = {"token": "token-of-tests", "api_url": server.url, "_clock": clock, "http": {"verify": NO_TLS}}
        return open_http(**{**usual, **options})

    return open_


@pytest.fixture
async def client(opened: Callable[..., AbstractAsyncContextManager[Http]]) -> AsyncIterator[Client]:
    """Connect a forge client to the server."""
    async with opened() as http:
        yield Client(http)
