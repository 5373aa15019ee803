"""A GitHub with a discussion, and a way to ask it."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from github_discussions import Discussion, Discussions
from tertulia.testing.loopback import serve

Ask = Callable[..., Any]
"""`ask(query, token="token-of-helper", **variables)` gives what a request was answered with."""


@pytest.fixture
def site() -> Iterator[Discussions]:
    """A GitHub on loopback."""
    with serve() as server:
        made = Discussions(server)
        yield made
        made.mend()


@pytest.fixture
def talk(site: Discussions) -> Discussion:
    """Discussion 7, by alice."""
    return site.open(number=7)


@pytest.fixture
def send(site: Discussions) -> Ask:
    """Send a request, past any proxy, and give status, headers and body."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def call(query: str, token: str | None = "token-of-helper", **variables: Any) -> tuple[int, Any, bytes]:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        body = json.dumps({"query": query, "variables": variables}).encode()
        try:
            with opener.open(urllib.request.Request(site.url, body, headers), timeout=10) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read()

    return call


@pytest.fixture
def ask(send: Ask) -> Ask:
    """Send a request that is answered with status 200, and give the body."""

    def call(query: str, **variables: Any) -> Any:
        status, _, raw = send(query, **variables)
        assert status == 200, raw
        return json.loads(raw)

    return call
