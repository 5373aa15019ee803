"""A handle on the tracker in memory: every ability, and an example to write another by."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Collection

from tertulia.testing.tracker import Client, Tracker
from tertulia.testing.wire import Fault
from tertulia.thread import Account, Message, MessageRef, ThreadRef
from tertulia.tracker import Capability
from tertulia_contract._backend import Ability

__all__ = ["MemoryBackend"]

_HELPER = Account(id="900", login="helper[bot]", kind="bot")
_ALICE = Account(id="101", login="alice")
_PLACE = "acme/demo"


class MemoryBackend:
    """Act on a tracker in memory. `client()` gives a client of it, acting as `helper[bot]`."""

    can = frozenset(Ability)
    secret = "the-token-of-helper"
    page = 100

    def __init__(self, *, body_chars: int = 65_536) -> None:
        self.tracker = Tracker(body_chars=body_chars)
        self._places = (f"acme/other{number}" for number in itertools.count())

    def client(self, kind: type[Client] = Client, *, without: Collection[Capability] = ()) -> Client:
        """Give a client, of a kind of your own and without some capabilities if you like."""
        return kind(self.tracker, _HELPER, frozenset(Capability) - frozenset(without))

    async def open(self) -> ThreadRef:
        """Open a thread."""
        issue = self.tracker.open(_PLACE, title="It fails", body="Since Monday.", author=_ALICE)
        return ThreadRef(conversation=issue.conversation)

    async def missing(self) -> ThreadRef:
        """Give an address where nothing is."""
        return ThreadRef(conversation=f"{_PLACE}#404404")

    async def say(self, thread: ThreadRef, body: str, /) -> MessageRef:
        """Write as alice."""
        return _ref(thread.conversation, self.tracker.say(thread.conversation, body, author=_ALICE))

    async def alter(self, message: MessageRef, body: str, /) -> None:
        """Edit a comment."""
        self.tracker.alter(message.conversation, message.id, body)

    async def remove(self, message: MessageRef, /) -> None:
        """Delete a comment."""
        self.tracker.remove(message.conversation, message.id)

    async def lock(self, thread: ThreadRef, /) -> None:
        """Lock an issue."""
        self.tracker.lock(thread.conversation)

    async def branch(self) -> tuple[ThreadRef, MessageRef]:
        """Open an issue with a comment to answer."""
        thread = await self.open()
        root = await self.say(thread, "Why here?")
        return ThreadRef(conversation=thread.conversation, root=root.id), root

    async def transfer(self, thread: ThreadRef, /) -> ThreadRef:
        """Move an issue to another place."""
        return ThreadRef(conversation=self.tracker.transfer(thread.conversation, next(self._places)).conversation)

    async def erase(self, thread: ThreadRef, /) -> None:
        """Delete an issue."""
        self.tracker.erase(thread.conversation)

    async def writes(self) -> int:
        """Count the writes."""
        return self.tracker.wire.writes

    async def shift(self, thread: ThreadRef, message: MessageRef, /) -> None:
        """Delete a comment between two pages."""
        self.tracker.shift(thread.conversation, message.id)

    async def break_wire(self, how: Ability, /) -> None:
        """Break the wire."""
        self.tracker.wire.break_with(Fault(how.value))

    async def mend(self) -> None:
        """Make the wire whole."""
        self.tracker.wire.mend()

    async def held(self) -> None:
        """Wait until an answer is held back."""
        while not self.tracker.wire.held:  # noqa: ASYNC110 - the wire in memory knows no event loop
            await asyncio.sleep(0)

    async def overheard(self) -> str:
        """Give what another host was told."""
        return "\n".join(self.tracker.wire.overheard)


def _ref(conversation: str, message: Message) -> MessageRef:
    return MessageRef(conversation=conversation, source_type=message.source_type, id=message.id)
