"""Handles on the sites in memory: every ability, and an example to write another by."""

from __future__ import annotations

import asyncio
import itertools
from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import Generic, TypeVar

from tertulia import conversation, tracker
from tertulia.testing.conversation import Client as ConversationClient
from tertulia.testing.conversation import Conversations
from tertulia.testing.tracker import Client as TrackerClient
from tertulia.testing.tracker import Tracker
from tertulia.testing.wire import Fault
from tertulia.thread import Account, Message, MessageRef, ThreadRef
from tertulia_contract._backend import Ability

__all__ = ["MemoryBackend", "MemoryConversations"]

_HELPER = Account(id="900", login="helper[bot]", kind="bot")
_ALICE = Account(id="101", login="alice")
_PLACE = "acme/demo"
_OF_CONVERSATIONS = frozenset({Ability.CATEGORY, Ability.ASK, Ability.CLOSE, Ability.GUARD})
_Site = TypeVar("_Site", Tracker, Conversations)


class _Handle(ABC, Generic[_Site]):
    """Act on a site in memory."""

    can = frozenset(Ability)
    secret = "the-token-of-helper"
    forwards = True

    def __init__(self, site: _Site) -> None:
        self.site: _Site = site
        self.page = site.page_size
        self._places = (f"acme/other{number}" for number in itertools.count())

    @abstractmethod
    async def open(self) -> ThreadRef:
        """Open a thread."""

    async def missing(self) -> ThreadRef:
        """Give an address where nothing is."""
        return ThreadRef(conversation=f"{_PLACE}#404404")

    async def say(self, thread: ThreadRef, body: str, /) -> MessageRef:
        """Write as alice."""
        said = self.site.say(thread.conversation, body, author=_ALICE, root=thread.root)
        return _ref(thread.conversation, said)

    async def alter(self, message: MessageRef, body: str, /) -> None:
        """Edit a comment."""
        self.site.alter(message.conversation, message.id, body)

    async def remove(self, message: MessageRef, /) -> None:
        """Delete a comment."""
        self.site.remove(message.conversation, message.id)

    async def lock(self, thread: ThreadRef, /) -> None:
        """Lock an issue or a conversation."""
        self.site.lock(thread.conversation)

    async def branch(self) -> tuple[ThreadRef, MessageRef]:
        """Open a thread with a comment to answer."""
        thread = await self.open()
        root = await self.say(thread, "Why here?")
        return ThreadRef(conversation=thread.conversation, root=root.id), root

    async def transfer(self, thread: ThreadRef, /) -> ThreadRef:
        """Move an issue or a conversation to another place."""
        moved = self.site.transfer(thread.conversation, next(self._places))
        return ThreadRef(conversation=moved.conversation, root=thread.root)

    async def erase(self, thread: ThreadRef, /) -> None:
        """Delete an issue or a conversation."""
        self.site.erase(thread.conversation)

    async def writes(self) -> int:
        """Count the writes."""
        return self.site.wire.writes

    async def shift(self, thread: ThreadRef, message: MessageRef, /) -> None:
        """Delete a comment between two pages."""
        self.site.shift(thread.conversation, message.id)

    async def break_wire(self, how: Ability, /) -> None:
        """Break the wire."""
        self.site.wire.break_with(Fault(how.value))

    async def mend(self) -> None:
        """Make the wire whole."""
        self.site.wire.mend()

    async def held(self) -> None:
        """Wait until an answer is held back."""
        while not self.site.wire.held:  # noqa: ASYNC110 - the wire in memory knows no event loop
            await asyncio.sleep(0)

    async def overheard(self) -> str:
        """Give what another host was told."""
        return "\n".join(self.site.wire.overheard)


class MemoryBackend(_Handle[Tracker]):
    """Act on a tracker in memory. `client()` gives a client of it, acting as `helper[bot]`."""

    can = frozenset(Ability) - _OF_CONVERSATIONS

    def __init__(self, *, body_chars: int = 65_536, page_size: int = 100) -> None:
        super().__init__(Tracker(body_chars=body_chars, page_size=page_size))
        self.tracker = self.site

    def client(
        self, kind: type[TrackerClient] = TrackerClient, *, without: Collection[tracker.Capability] = ()
    ) -> TrackerClient:
        """Give a client, of a kind of your own and without some capabilities if you like."""
        return kind(self.site, _HELPER, frozenset(tracker.Capability) - frozenset(without))

    async def open(self) -> ThreadRef:
        """Open an issue."""
        issue = self.site.open(_PLACE, title="It fails", body="Since Monday.", author=_ALICE)
        return ThreadRef(conversation=issue.conversation)


class MemoryConversations(_Handle[Conversations]):
    """Act on conversations in memory. `client()` gives a client of them, acting as `helper[bot]`."""

    place = _PLACE

    def __init__(self, *, body_chars: int = 65_536, page_size: int = 100) -> None:
        super().__init__(Conversations(body_chars=body_chars, page_size=page_size))

    def client(
        self,
        kind: type[ConversationClient] = ConversationClient,
        *,
        without: Collection[conversation.Capability] = (),
    ) -> ConversationClient:
        """Give a client, of a kind of your own and without some capabilities if you like."""
        return kind(self.site, _HELPER, frozenset(conversation.Capability) - frozenset(without))

    async def open(self) -> ThreadRef:
        """Open a conversation in the category General."""
        return self._opened("general")

    async def categorized(self) -> ThreadRef:
        """Open a conversation in the category Q&A."""
        return self._opened("q-a")

    async def ask(self) -> ThreadRef:
        """Open a conversation in the category Q&A."""
        return self._opened("q-a")

    async def close(self, thread: ThreadRef, /) -> str:
        """Close a conversation that is out of date."""
        self.site.set_state(thread.conversation, closed=True, reason="outdated")
        return "outdated"

    async def guarded(self) -> str:
        """Name the category Announcements."""
        return "announcements"

    def _opened(self, category: str) -> ThreadRef:
        opened = self.site.open(_PLACE, title="It fails", body="Since Monday.", author=_ALICE, category=category)
        return ThreadRef(conversation=opened.conversation)


def _ref(conversation: str, message: Message) -> MessageRef:
    return MessageRef(conversation=conversation, source_type=message.source_type, id=message.id)
