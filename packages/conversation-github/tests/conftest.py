"""GitHub Discussions on loopback, and clients that act on them as helper."""

import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from github_discussions import Comment, Discussion, Discussions
from tertulia.testing.clock import Time
from tertulia.testing.loopback import Reply, Request, Server, serve
from tertulia.thread import MessageRef, ThreadRef
from tertulia_conversation_github import Client
from tertulia_conversation_github._graphql import open_graphql

Opened = Callable[..., AbstractAsyncContextManager[Client]]


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture(autouse=True)
def github_com(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the environment of whoever runs the tests out."""
    for name in ("GITHUB_API_URL", "GITHUB_GRAPHQL_URL", "GITHUB_TOKEN", "GH_TOKEN"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[Server]:
    """A scripted server."""
    with serve() as made:
        yield made


class Site(Discussions):
    """Discussions, and what tests say about them."""

    def at(self, talk: Discussion, root: Comment | None = None, *, handle: str | None = None) -> ThreadRef:
        """Address a discussion, or a thread in it."""
        number = None if root is None else str(root.database_id)
        return ThreadRef(conversation=f"acme/demo#{talk.number}", root=number, handle=handle)

    def ref(self, comment: Comment, *, handle: str | None = None) -> MessageRef:
        """Address a comment."""
        conversation, number = f"acme/demo#{comment.discussion.number}", str(comment.database_id)
        return MessageRef(conversation=conversation, source_type="discussion_comment", id=number, handle=handle)

    def fill(self, talk: Discussion, roots: int, replies: int = 0) -> None:
        """Say much."""
        for n in range(roots):
            root = self.say(talk, f"{n}")
            for m in range(replies):
                self.reply(root, f"{n}.{m}")

    def asked(self) -> list[str]:
        """Name the queries and mutations that have arrived, in order."""
        return [re.split(r"[\s({]+", request.json()["query"], maxsplit=2)[1] for request in self.server.requests]

    def variables(self) -> list[dict[str, Any]]:
        """Give what they were asked with."""
        return [request.json()["variables"] for request in self.server.requests]

    def expire_after(self, *requests: int) -> None:
        """Let all cursors expire when so many requests were answered."""

        def expiring(request: Request) -> Reply:
            reply = self.answer(request)
            if len(self.server.requests) in requests:
                self.expire()
            return reply

        self.server.route("POST", "/graphql", expiring)


@pytest.fixture
def site(server: Server) -> Iterator[Site]:
    """Discussions on it, where helper may triage."""
    made = Site(server)
    made.repo.roles["helper"] = "TRIAGE"
    yield made
    made.mend()


@pytest.fixture
def talk(site: Site) -> Discussion:
    """Discussion 7, by alice."""
    return site.open(number=7)


@pytest.fixture
def time() -> Time:
    """The clock of the client."""
    return Time()


@pytest.fixture
def opened(server: Server, time: Time) -> Opened:
    """Open a client of the server: `async with opened(max_wait=5) as client`."""

    @asynccontextmanager
    async def open_(engine: Any = None, **options: Any) -> AsyncIterator[Client]:
        usual: dict[str, Any] = {
            "token": "token-of-helper",
            "graphql_url": f"{server.url}/graphql",
            "clock": time,
            "http": {"trust_env": False, "verify": False},
        }
        async with open_graphql(**{**usual, **options}) as graphql:
            yield Client(graphql, engine=engine, sleep=time.sleep, clock=time.now)

    return open_


@pytest.fixture
async def client(opened: Opened) -> AsyncIterator[Client]:
    """A client that waits for nothing."""
    async with opened(max_wait=0) as made:
        yield made
