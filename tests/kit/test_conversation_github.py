"""`tertulia-conversation-github` keeps the contract, on GitHub Discussions on loopback."""

from collections.abc import AsyncIterator, Iterator
from itertools import chain
from typing import Any

import pytest

import tertulia_conversation_github as conversation_github
from github_discussions import Comment, Discussion, Discussions
from tertulia.testing.clock import Time
from tertulia.testing.github import REPO
from tertulia.testing.loopback import Reply, Server, serve
from tertulia.thread import MessageRef, ThreadRef
from tertulia_contract import ConversationContract
from tertulia_contract.loopback import LoopbackBackend


class DiscussionsBackend(LoopbackBackend[Discussions]):
    """Act on Discussions on loopback; GitHub does not say where one went."""

    forwards = False
    secret = "token-of-helper"
    page = 100
    place = REPO

    def __init__(self, site: Discussions, stranger: Server) -> None:
        super().__init__(site, stranger)
        site.repo.roles["helper"] = "TRIAGE"
        for name in ("bug", "good first issue", "ux"):
            site.label(name)

    async def open(self) -> ThreadRef:
        return _at(self.site.open())

    async def categorized(self) -> ThreadRef:
        return _at(self.site.open(category="Q&A"))

    async def ask(self) -> ThreadRef:
        return _at(self.site.open(category="Q&A"))

    async def missing(self) -> ThreadRef:
        return ThreadRef(conversation=f"{REPO}#404404")

    async def say(self, thread: ThreadRef, body: str, /) -> MessageRef:
        root = None if thread.root is None else self._comment(thread.conversation, thread.root)
        said = (
            self.site.say(self._talk(thread.conversation), body, "alice")
            if root is None
            else self.site.reply(root, body)
        )
        return _ref(thread, said)

    async def alter(self, message: MessageRef, body: str, /) -> None:
        self.site.alter(self._comment(message.conversation, message.id), body)

    async def remove(self, message: MessageRef, /) -> None:
        self.site.remove(self._comment(message.conversation, message.id))

    async def lock(self, thread: ThreadRef, /) -> None:
        self.site.lock(self._talk(thread.conversation))

    async def close(self, thread: ThreadRef, /) -> str:
        self.site.close(self._talk(thread.conversation), "OUTDATED")
        return "outdated"

    async def guarded(self) -> str:
        return "announcements"

    async def branch(self) -> tuple[ThreadRef, MessageRef]:
        talk = self.site.open()
        root = self.site.say(talk, "Why here?")
        thread = ThreadRef(conversation=_at(talk).conversation, root=str(root.database_id))
        return thread, _ref(thread, root)

    async def transfer(self, thread: ThreadRef, /) -> ThreadRef:
        return _at(self.site.transfer(self._talk(thread.conversation), self.site.repository("acme/other")))

    async def erase(self, thread: ThreadRef, /) -> None:
        self.site.remove(self._talk(thread.conversation))

    async def shift(self, thread: ThreadRef, message: MessageRef, /) -> None:
        self.site.shift(self._comment(thread.conversation, message.id))

    def _talk(self, conversation: str) -> Discussion:
        return self.site.repo.discussions[int(conversation.partition("#")[2])]

    def _comment(self, conversation: str, number: str) -> Comment:
        roots = self._talk(conversation).comments
        comments = chain(roots, chain.from_iterable(root.replies for root in roots))
        return next(one for one in comments if one.database_id == int(number))


def _at(talk: Discussion) -> ThreadRef:
    return ThreadRef(conversation=f"{talk.repository.name_with_owner}#{talk.number}")


def _ref(thread: ThreadRef, said: Comment) -> MessageRef:
    return MessageRef(conversation=thread.conversation, source_type="discussion_comment", id=str(said.database_id))


class TestConversationGitHub(ConversationContract):
    """As helper, who may triage, with a clock that does not wait."""

    complete = True

    @pytest.fixture
    def backend(self) -> Iterator[DiscussionsBackend]:
        """Discussions of their own, and another host."""
        with serve() as server, serve() as stranger:
            stranger.route("POST", "/.*", Reply(200, {"data": {"viewer": {"login": "stranger", "databaseId": 1}}}))
            site = Discussions(server)
            yield DiscussionsBackend(site, stranger)
            site.mend()

    @pytest.fixture
    async def client(self, backend: DiscussionsBackend) -> AsyncIterator[conversation_github.Client]:
        """A client that fails at once where another would wait."""
        time = Time()
        options: Any = {
            "token": backend.secret,
            "graphql_url": backend.site.url,
            "max_wait": 0,
            "http": {"trust_env": False, "verify": False},
        }
        async with conversation_github.connect(**options) as made:
            yield conversation_github.Client(made.graphql, sleep=time.sleep, clock=time.now)
