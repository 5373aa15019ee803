"""`tertulia-tracker[github]` keeps the contract, on a GitHub on loopback."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tertulia.testing.clock import Time
from tertulia.testing.github import REPO, GitHub, Json
from tertulia.testing.loopback import Reply, serve
from tertulia.testing.wire import Fault
from tertulia.thread import MessageRef, ThreadRef
from tertulia_contract import Ability, TrackerContract
from tertulia_tracker import github as tracker_github


class GitHubBackend:
    """Act on the GitHub on loopback; another server stands for another host."""

    can = frozenset(Ability)
    secret = "ghp_a-token-of-helper"
    page = 100
    forwards = True

    def __init__(self, github: GitHub, stranger: Any) -> None:
        self.github, self.stranger = github, stranger
        self._numbers = itertools.count(11)
        github.elsewhere = stranger.url

    async def open(self) -> ThreadRef:
        number = next(self._numbers)
        self.github.issue(number)
        return _at(number)

    async def missing(self) -> ThreadRef:
        return _at(404404)

    async def say(self, thread: ThreadRef, body: str, /) -> MessageRef:
        repo, number = _place(thread)
        return _ref(thread, "issue_comment", self.github.say(body, "alice", number, repo))

    async def alter(self, message: MessageRef, body: str, /) -> None:
        self.github.alter(message.source_type, int(message.id), body)

    async def remove(self, message: MessageRef, /) -> None:
        self.github.remove(message.source_type, int(message.id))

    async def lock(self, thread: ThreadRef, /) -> None:
        repo, number = _place(thread)
        self.github.issues[repo, number]["locked"] = True

    async def branch(self) -> tuple[ThreadRef, MessageRef]:
        number = next(self._numbers)
        self.github.pull(number)
        remark = self.github.remark("Why here?", "alice", number=number)
        thread = ThreadRef(conversation=_at(number).conversation, root=str(remark["id"]))
        return thread, _ref(thread, "review_comment", remark)

    async def transfer(self, thread: ThreadRef, /) -> ThreadRef:
        _, number = _place(thread)
        moved = self.github.transfer(number, "acme/other")
        return ThreadRef(conversation=f"acme/other#{moved['number']}")

    async def erase(self, thread: ThreadRef, /) -> None:
        repo, number = _place(thread)
        self.github.erase(number, repo)

    async def writes(self) -> int:
        return self.github.writes

    async def shift(self, thread: ThreadRef, message: MessageRef, /) -> None:
        repo, number = _place(thread)
        self.github.shift(number, int(message.id), repo)

    async def break_wire(self, how: Ability, /) -> None:
        self.github.break_with(Fault(how.value))

    async def mend(self) -> None:
        self.github.mend()

    async def held(self) -> None:
        while not self.github.held:  # noqa: ASYNC110 - the server is in another thread
            await asyncio.sleep(0.002)

    async def overheard(self) -> str:
        return "\n".join(f"{json.dumps(dict(one.headers))} {one.body!r}" for one in self.stranger.requests)


def _at(number: int) -> ThreadRef:
    return ThreadRef(conversation=f"{REPO}#{number}")


def _place(thread: ThreadRef) -> tuple[str, int]:
    repo, _, number = thread.conversation.partition("#")
    return repo, int(number)


def _ref(thread: ThreadRef, kind: str, said: Json) -> MessageRef:
    return MessageRef(conversation=thread.conversation, source_type=kind, id=str(said["id"]))


class TestTrackerGitHub(TrackerContract):
    """As helper, with a clock that does not wait."""

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
            "api_url": backend.github.url,
            "max_wait": 0,
            "http": {"trust_env": False, "verify": False},
        }
        async with tracker_github.connect(**options) as made:
            yield tracker_github.Client(made.http, sleep=time.sleep, clock=time.now)
