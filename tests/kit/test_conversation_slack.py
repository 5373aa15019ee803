"""`tertulia-conversation-slack` keeps the contract, on a Slack on loopback."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tertulia.testing.clock import Time
from tertulia.testing.loopback import Reply, serve
from tertulia.testing.slack import TEAM, Json, Slack
from tertulia.testing.wire import Fault
from tertulia.thread import MessageRef, ThreadRef
from tertulia_contract import Ability, Contract, ThreadsContract, Unable
from tertulia_contract.answers import Answers
from tertulia_contract.browsing import Browsing
from tertulia_contract.conversations import Conversations
from tertulia_contract.deleting import Deleting
from tertulia_contract.editing import Editing
from tertulia_contract.errors import Errors
from tertulia_contract.keys import Keys
from tertulia_contract.labels import Labels
from tertulia_contract.marking import Marking
from tertulia_contract.offers import Offers
from tertulia_contract.outcomes import Outcomes
from tertulia_contract.places import Places
from tertulia_contract.replies import Replies
from tertulia_contract.reply_pages import ReplyPages
from tertulia_contract.starting import Starting
from tertulia_contract.states import States
from tertulia_contract.subjects import Subjects
from tertulia_contract.tombstones import Tombstones
from tertulia_contract.words import Words
from tertulia_conversation_slack import Client, connect


class SlackBackend(Unable):
    """Act on the Slack on loopback; another server stands for another host. Slack moves no thread to another address."""

    can = frozenset(Ability) - {Ability.TRANSFER, Ability.ASK, Ability.CLOSE, Ability.GUARD}
    secret = "xoxb-a-token-of-the-agent"
    page = 200
    place = TEAM

    def __init__(self, slack: Slack, stranger: Any) -> None:
        self.slack, self.stranger = slack, stranger
        self._names = itertools.count(1)
        slack.elsewhere, slack.token = stranger.url, self.secret

    def channel(self) -> str:
        name = f"C{next(self._names):04}"
        self.slack.channel(name, name.lower())
        return name

    async def open(self) -> ThreadRef:
        channel = self.channel()
        root = self.slack.type("It fails since Monday.", channel=channel)
        return ThreadRef(conversation=f"{TEAM}/{channel}", root=root["ts"])

    async def missing(self) -> ThreadRef:
        return ThreadRef(conversation=f"{TEAM}/C0NOWHERE", root="1700000000.000100")

    async def say(self, thread: ThreadRef, body: str, /) -> MessageRef:
        root = thread.root and _ts(thread.root)
        return _ref(thread, self.slack.type(body, channel=_channel(thread), thread_ts=root))

    async def alter(self, message: MessageRef, body: str, /) -> None:
        self.slack.alter(_channel(message), _ts(message.id), text=body, blocks=[])

    async def remove(self, message: MessageRef, /) -> None:
        self.slack.remove(_channel(message), _ts(message.id))

    async def lock(self, thread: ThreadRef, /) -> None:
        self.slack.archive(_channel(thread))

    async def branch(self) -> tuple[ThreadRef, MessageRef]:
        thread = await self.open()
        root = _ref(thread, self.slack.messages[_channel(thread)][thread.root or ""])
        return ThreadRef(conversation=thread.conversation, root=root.id), root

    async def erase(self, thread: ThreadRef, /) -> None:
        for reply in self.slack.replies(_channel(thread), _ts(thread.root or "")):
            self.slack.remove(_channel(thread), reply["ts"])
        self.slack.remove(_channel(thread), _ts(thread.root or ""))

    async def writes(self) -> int:
        return self.slack.writes

    async def shift(self, thread: ThreadRef, message: MessageRef, /) -> None:
        root = self.slack.messages[_channel(thread)][_ts(message.id)]["thread_ts"]
        self.slack.shift(_channel(thread), root, _ts(message.id))

    async def break_wire(self, how: Ability, /) -> None:
        self.slack.break_with(Fault(how.value))

    async def mend(self) -> None:
        self.slack.mend()

    async def held(self) -> None:
        while not self.slack.held:  # noqa: ASYNC110 - the server is in another thread
            await asyncio.sleep(0.002)

    async def overheard(self) -> str:
        return "\n".join(f"{json.dumps(dict(one.headers))} {one.body!r}" for one in self.stranger.requests)


def _channel(place: ThreadRef | MessageRef) -> str:
    return place.conversation.rpartition("/")[2]


def _ts(ident: str) -> str:
    return ident.rpartition("/")[2]


def _ref(thread: ThreadRef, said: Json) -> MessageRef:
    ident = f"{thread.conversation}/{said['ts']}"
    return MessageRef(conversation=thread.conversation, source_type="slack_message", id=ident)


class ChannelBackend(SlackBackend):
    """Act in channels, which have no opening post: `open` gives one in which nothing was said."""

    can = SlackBackend.can - {Ability.BRANCH, Ability.ERASE, Ability.OPENING}

    async def open(self) -> ThreadRef:
        return ThreadRef(conversation=f"{TEAM}/{self.channel()}")


class OnLoopback:
    """As the agent, with a clock that does not wait."""

    backend_type: type[SlackBackend]

    @pytest.fixture
    def backend(self) -> Iterator[SlackBackend]:
        """A workspace of its own, and another host."""
        with serve() as server, serve() as stranger:
            stranger.route("POST", "/.*", Reply(200, {"ok": True}))
            slack = Slack(server)
            yield self.backend_type(slack, stranger)
            slack.mend()

    @pytest.fixture
    async def client(self, backend: SlackBackend) -> AsyncIterator[Client]:
        """A client that fails at once where another would wait."""
        options: Any = {"token": backend.secret, "api_url": backend.slack.url, "max_wait": 0, "_clock": Time()}
        async with connect(**options, http={"trust_env": False}) as made:
            yield made


class TestSlackThread(OnLoopback, ThreadsContract):
    """In a thread of a channel."""

    backend_type = SlackBackend


class TestSlackChannel(
    OnLoopback,
    Answers,
    Browsing,
    Conversations,
    Deleting,
    Editing,
    Errors,
    Keys,
    Labels,
    Marking,
    Offers,
    Outcomes,
    Places,
    Replies,
    ReplyPages,
    Starting,
    States,
    Subjects,
    Tombstones,
    Words,
    Contract,
):
    """In a channel: the topics that ask for no opening post."""

    backend_type = ChannelBackend
