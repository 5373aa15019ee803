"""`tertulia-conversation-slack` keeps the contract, on a Slack on loopback."""

import itertools
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tertulia.testing.clock import Time
from tertulia.testing.loopback import Reply, Server, serve
from tertulia.testing.slack import TEAM, Json, Slack
from tertulia.thread import MessageRef, ThreadRef
from tertulia_contract import Ability, Contract, ConversationContract
from tertulia_contract.deleting import Deleting
from tertulia_contract.editing import Editing
from tertulia_contract.errors import Errors
from tertulia_contract.keys import Keys
from tertulia_contract.loopback import LoopbackBackend
from tertulia_contract.marking import Marking
from tertulia_contract.outcomes import Outcomes
from tertulia_conversation_slack import Client, Config, connect

SECTION = "C0HELPDESK"


class SlackBackend(LoopbackBackend[Slack]):
    """Act on the Slack on loopback.

    Nobody may answer a question as such, or is kept from starting a channel: the client does neither.
    """

    can = frozenset(Ability) - {Ability.ASK, Ability.GUARD}
    forwards = False
    secret = "xoxb-a-token-of-the-agent"
    page = 100
    place = TEAM

    def __init__(self, site: Slack, stranger: Server) -> None:
        super().__init__(site, stranger)
        self._names = itertools.count(1)
        site.token, site.page_size = self.secret, self.page

    async def open(self) -> ThreadRef:
        return self._channel(self._name())

    async def categorized(self) -> ThreadRef:
        return self._channel(SECTION)

    async def missing(self) -> ThreadRef:
        return ThreadRef(conversation=f"{TEAM}/C0NOWHERE", root="1700000000.000100")

    async def say(self, thread: ThreadRef, body: str, /) -> MessageRef:
        root = thread.root and _ts(thread.root)
        return _ref(thread, self.site.type(body, channel=_channel(thread), thread_ts=root))

    async def alter(self, message: MessageRef, body: str, /) -> None:
        self.site.alter(_channel(message), _ts(message.id), text=body, blocks=[])

    async def remove(self, message: MessageRef, /) -> None:
        self.site.remove(_channel(message), _ts(message.id))

    async def lock(self, thread: ThreadRef, /) -> None:
        self.site.archive(_channel(thread))

    async def close(self, thread: ThreadRef, /) -> None:
        self.site.archive(_channel(thread))

    async def branch(self) -> tuple[ThreadRef, MessageRef]:
        channel = await self.open()
        root = _ref(channel, self.site.type("It fails since Monday.", channel=_channel(channel)))
        return ThreadRef(conversation=channel.conversation, root=root.id), root

    async def transfer(self, thread: ThreadRef, /) -> ThreadRef:
        channel = self._name()
        self.site.move(_channel(thread), channel)
        return ThreadRef(conversation=f"{TEAM}/{channel}", root=thread.root and _ts(thread.root))

    async def erase(self, thread: ThreadRef, /) -> None:
        if thread.root is None:
            self.site.erase(_channel(thread))
            return
        replies = self.site.replies(_channel(thread), _ts(thread.root))
        for ts in (*(reply["ts"] for reply in replies), _ts(thread.root)):
            self.site.remove(_channel(thread), ts)

    async def shift(self, thread: ThreadRef, message: MessageRef, /) -> None:
        root = self.site.messages[_channel(thread)][_ts(message.id)]["thread_ts"]
        self.site.shift(_channel(thread), root, _ts(message.id))

    def _name(self) -> str:
        return f"C{next(self._names):04}"

    def _channel(self, name: str) -> ThreadRef:
        self.site.channel(name, name.lower())
        return ThreadRef(conversation=f"{TEAM}/{name}")


def _channel(place: ThreadRef | MessageRef) -> str:
    return place.conversation.rpartition("/")[2]


def _ts(ident: str) -> str:
    return ident.rpartition("/")[2]


def _ref(thread: ThreadRef, said: Json) -> MessageRef:
    ident = f"{thread.conversation}/{said['ts']}"
    return MessageRef(conversation=thread.conversation, source_type="slack_message", id=ident)


class OnLoopback:
    """As the agent, with a clock that does not wait."""

    @pytest.fixture
    def backend(self) -> Iterator[SlackBackend]:
        """A workspace of its own, and another host."""
        with serve() as server, serve() as stranger:
            stranger.route("POST", "/.*", Reply(200, {"ok": True}))
            slack = Slack(server)
            yield SlackBackend(slack, stranger)
            slack.mend()

    @pytest.fixture
    async def client(self, backend: SlackBackend) -> AsyncIterator[Client]:
        """A client that fails at once where another would wait."""
        options: Any = {"token": backend.secret, "api_url": backend.site.url, "max_wait": 0, "_clock": Time()}
        config = Config(sections={SECTION: "Help desk"})
        async with connect(**options, config=config, http={"trust_env": False}) as made:
            yield made


class TestSlack(OnLoopback, ConversationContract):
    """In channels, and in a thread of one where something has to be said first."""

    complete = True


class TestSlackChannel(OnLoopback, Deleting, Editing, Errors, Keys, Marking, Outcomes, Contract):
    """In a channel what others are held to in a thread."""

    complete = True
