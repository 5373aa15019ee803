"""`tertulia-tracker[github]` keeps the contract, on a GitHub on loopback."""

import itertools
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tertulia.testing.clock import Time
from tertulia.testing.github import REPO, GitHub, Json
from tertulia.testing.loopback import Reply, Server, serve
from tertulia.thread import MessageRef, ThreadRef
from tertulia_contract import TrackerContract
from tertulia_contract.loopback import LoopbackBackend
from tertulia_tracker import github as tracker_github


class GitHubBackend(LoopbackBackend[GitHub]):
    """Act on the GitHub on loopback."""

    secret = "ghp_a-token-of-helper"

    def __init__(self, site: GitHub, stranger: Server) -> None:
        super().__init__(site, stranger)
        self._numbers = itertools.count(11)

    async def open(self) -> ThreadRef:
        number = next(self._numbers)
        self.site.issue(number)
        return _at(number)

    async def missing(self) -> ThreadRef:
        return _at(404404)

    async def say(self, thread: ThreadRef, body: str, /) -> MessageRef:
        repo, number = _place(thread)
        return _ref(thread, "issue_comment", self.site.say(body, "alice", number, repo))

    async def alter(self, message: MessageRef, body: str, /) -> None:
        self.site.alter(message.source_type, int(message.id), body)

    async def remove(self, message: MessageRef, /) -> None:
        self.site.remove(message.source_type, int(message.id))

    async def lock(self, thread: ThreadRef, /) -> None:
        repo, number = _place(thread)
        self.site.issues[repo, number]["locked"] = True

    async def branch(self) -> tuple[ThreadRef, MessageRef]:
        number = next(self._numbers)
        self.site.pull(number)
        remark = self.site.remark("Why here?", "alice", number=number)
        thread = ThreadRef(conversation=_at(number).conversation, root=str(remark["id"]))
        return thread, _ref(thread, "review_comment", remark)

    async def transfer(self, thread: ThreadRef, /) -> ThreadRef:
        _, number = _place(thread)
        moved = self.site.transfer(number, "acme/other")
        return ThreadRef(conversation=f"acme/other#{moved['number']}")

    async def erase(self, thread: ThreadRef, /) -> None:
        repo, number = _place(thread)
        self.site.erase(number, repo)

    async def shift(self, thread: ThreadRef, message: MessageRef, /) -> None:
        repo, number = _place(thread)
        self.site.shift(number, int(message.id), repo)


def _at(number: int) -> ThreadRef:
    return ThreadRef(conversation=f"{REPO}#{number}")


def _place(thread: ThreadRef) -> tuple[str, int]:
    repo, _, number = thread.conversation.partition("#")
    return repo, int(number)


def _ref(thread: ThreadRef, kind: str, said: Json) -> MessageRef:
    return MessageRef(conversation=thread.conversation, source_type=kind, id=str(said["id"]))


class TestTrackerGitHub(TrackerContract):
    """As helper, with a clock that does not wait."""

    complete = True

    @pytest.fixture
    def backend(self) -> Iterator[GitHubBackend]:
        """A GitHub of its own, and another host."""
        with serve() as server, serve() as stranger:
            stranger.route("GET", "/.*", Reply(200, {"login": "stranger", "id": 1, "type": "User"}))
            stranger.route("POST", "/.*", Reply(201, {}))
            github = GitHub(server)
            yield GitHubBackend(github, stranger)
            github.mend()

    @pytest.fixture
    async def client(self, backend: GitHubBackend) -> AsyncIterator[tracker_github.Client]:
        """A client that fails at once where another would wait."""
        time = Time()
        options: Any = {
            "token": backend.secret,
            "api_url": backend.site.url,
            "max_wait": 0,
            "http": {"trust_env": False, "verify": False},
        }
        async with tracker_github.connect(**options) as made:
            yield tracker_github.Client(made.http, sleep=time.sleep, clock=time.now)
