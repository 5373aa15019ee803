"""`tertulia-conversation-slack` keeps the contract on a Slack that somebody else wrote, as far as that one goes."""

import itertools
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

import slack_emulator
from slack_emulator import AGENT, AGENT_TOKEN, TEAM, SlackEmulator
from tertulia.testing.clock import Time
from tertulia.thread import MessageRef, ThreadRef
from tertulia_contract import Ability, Contract, ThreadsContract, Unable
from tertulia_contract.answers import Answers
from tertulia_contract.conversations import Conversations
from tertulia_contract.deleting import Deleting
from tertulia_contract.editing import Editing
from tertulia_contract.labels import Labels
from tertulia_contract.marking import Marking
from tertulia_contract.offers import Offers
from tertulia_contract.openings import Openings
from tertulia_contract.places import Places
from tertulia_contract.replies import Replies
from tertulia_contract.reply_pages import ReplyPages
from tertulia_contract.starting import Starting
from tertulia_contract.states import States
from tertulia_contract.subjects import Subjects
from tertulia_contract.traits import Traits
from tertulia_conversation_slack import Client, Config, connect

NAMES = itertools.count(1)


class EmulatorBackend(Unable):
    """Act as people in channels of the emulator. Its wire does not break, and it gives a thread on one page.

    `sections` are the channels that the operator's file names.
    """

    can = frozenset({Ability.SPEAK, Ability.EDIT, Ability.DELETE, Ability.LOCK, Ability.BRANCH, Ability.ERASE})
    secret = AGENT_TOKEN
    page = 5
    place = TEAM

    def __init__(self, site: SlackEmulator) -> None:
        self.site = site
        self.sections: dict[str, str] = {}

    def channel(self) -> str:
        channel = self.site.channel(f"channel-{next(NAMES)}")
        self.site.call("conversations.join", "agent", channel=channel)
        return channel

    async def open(self) -> ThreadRef:
        channel = self.channel()
        return ThreadRef(conversation=f"{TEAM}/{channel}", root=self.site.say(channel, "It fails since Monday."))

    async def missing(self) -> ThreadRef:
        return ThreadRef(conversation=f"{TEAM}/C0NOWHERE", root="1700000000.000100")

    async def say(self, thread: ThreadRef, body: str, /) -> MessageRef:
        root = {"thread_ts": _ts(thread.root)} if thread.root is not None else {}
        return _ref(thread, self.site.say(_channel(thread), body, **root))

    async def alter(self, message: MessageRef, body: str, /) -> None:
        self.site.call("chat.update", self._author(message), text=body, **_at(message))

    async def remove(self, message: MessageRef, /) -> None:
        self.site.call("chat.delete", self._author(message), **_at(message))

    async def lock(self, thread: ThreadRef, /) -> None:
        self.site.call("conversations.archive", channel=_channel(thread))

    async def branch(self) -> tuple[ThreadRef, MessageRef]:
        thread = await self.open()
        root = _ref(thread, thread.root or "")
        return ThreadRef(conversation=thread.conversation, root=root.id), root

    async def erase(self, thread: ThreadRef, /) -> None:
        for said in reversed(self.site.thread(_channel(thread), _ts(thread.root or ""))):
            await self.remove(_ref(thread, said["ts"]))

    def _author(self, message: MessageRef) -> str:
        at = _at(message)
        (said,) = (one for one in self.site.thread(at["channel"], at["ts"]) if one["ts"] == at["ts"])
        return "agent" if said["user"] == AGENT else "anna"


def _channel(place: ThreadRef | MessageRef) -> str:
    return place.conversation.rpartition("/")[2]


def _ts(ident: str) -> str:
    return ident.rpartition("/")[2]


def _at(message: MessageRef) -> dict[str, str]:
    return {"channel": _channel(message), "ts": _ts(message.id)}


def _ref(thread: ThreadRef, ts: str) -> MessageRef:
    return MessageRef(
        conversation=thread.conversation, source_type="slack_message", id=f"{thread.conversation}/{_ts(ts)}"
    )


class ChannelBackend(EmulatorBackend):
    """Act in channels, which have no opening post: `open` gives one in which nothing was said."""

    can = EmulatorBackend.can - {Ability.BRANCH, Ability.ERASE} | {Ability.CATEGORY, Ability.CLOSE}

    def __init__(self, site: SlackEmulator) -> None:
        super().__init__(site)
        self.sections[self.channel()] = "Help desk"

    async def categorized(self) -> ThreadRef:
        return ThreadRef(conversation=f"{TEAM}/{next(iter(self.sections))}")

    async def close(self, thread: ThreadRef, /) -> None:
        await self.lock(thread)

    async def open(self) -> ThreadRef:
        return ThreadRef(conversation=f"{TEAM}/{self.channel()}")


@pytest.fixture(scope="class")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackEmulator]:
    """An emulator of the class's own: it takes 5,000 requests from a token."""
    with slack_emulator.run(tmp_path_factory.mktemp("slack") / "log.txt") as running:
        yield running


class OnEmulator:
    """As the agent, with a clock that does not wait."""

    backend_type: type[EmulatorBackend]

    @pytest.fixture
    def backend(self, site: SlackEmulator) -> EmulatorBackend:
        """Channels of the test's own."""
        return self.backend_type(site)

    @pytest.fixture
    async def client(self, backend: EmulatorBackend) -> AsyncIterator[Client]:
        """A client that fails at once where another would wait."""
        options: Any = {"token": backend.secret, "api_url": backend.site.api_url, "max_wait": 0, "_clock": Time()}
        config = Config(sections=backend.sections)
        async with connect(**options, config=config, http={"trust_env": False}) as made:
            yield made


class TestEmulatedThread(OnEmulator, ThreadsContract):
    """In a thread of a channel."""

    backend_type = EmulatorBackend


class TestEmulatedChannel(
    OnEmulator,
    Answers,
    Conversations,
    Deleting,
    Editing,
    Labels,
    Marking,
    Offers,
    Openings,
    Places,
    Replies,
    ReplyPages,
    Starting,
    States,
    Subjects,
    Traits,
    Contract,
):
    """In a channel: the topics of what Slack can do besides, and the emulator too."""

    backend_type = ChannelBackend
