"""A client that acts on conversations in memory as one account."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from functools import partial
from typing import TypeVar

from tertulia import outbound
from tertulia.conversation import Capability, Conversation, ConversationDraft, Thread, Trait, Unimplemented
from tertulia.errors import Denied
from tertulia.testing._acting import Acting
from tertulia.testing.conversation._conversations import Conversations
from tertulia.thread import Listing, Message, MessageRef, ThreadRef

__all__ = ["Client"]

_T = TypeVar("_T")


class Client(Acting[Conversations, Capability], Unimplemented):
    """Act on conversations in memory as one account; capabilities left out raise Unsupported."""

    traits: frozenset[Trait] = frozenset(Trait)

    async def read(self, thread: ThreadRef, /) -> Listing:
        """Read a thread, or a conversation whole, page by page, and once more when something was deleted meanwhile."""
        listing = await self._read(thread)
        return listing if listing.complete else await self._read(thread)

    async def get_conversation(self, thread: ThreadRef, /) -> Conversation:
        """Read a conversation."""
        return await self._conversation("get_conversation", thread.conversation)

    def conversations(self, place: str, /, *, category: str | None = None) -> AsyncIterator[Conversation]:
        """Find the conversations of a place, or of a category, last active first."""
        self._needs(Capability.BROWSE)
        return self._pages("conversations", partial(self.native.conversations, place, category))

    def threads(self, conversation: ThreadRef, /, *, since: datetime | None = None) -> AsyncIterator[Thread]:
        """Find the threads of a conversation, in the order in which they were started."""
        self._needs(Capability.BROWSE)
        return self._active(conversation.conversation, since)

    async def set_state(
        self, thread: ThreadRef, /, *, closed: bool | None = None, locked: bool | None = None, reason: str | None = None
    ) -> Conversation:
        """Close or open, lock or unlock a conversation."""
        self._needs(Capability.SET_STATE)
        change = partial(self.native.set_state, thread.conversation, closed=closed, locked=locked, reason=reason)
        return await self._wire.carry("set_state", change, write=True)

    async def mark_answer(self, message: MessageRef, /, *, answer: bool = True) -> Conversation:
        """Mark a message as the answer of its conversation, or take that back."""
        self._needs(Capability.MARK_ANSWER)
        known = await self._present(message)
        self._is_comment(known)
        mark = partial(self.native.mark_answer, message.conversation, known.id, answer=answer)
        return await self._wire.carry("mark_answer", mark, write=True)

    async def start(self, draft: ConversationDraft, /) -> Conversation:
        """Start a conversation in a category, once for a key."""
        self._needs(Capability.START)
        body = outbound.prepare(draft, carrier="markdown", limit=self.limits.body_chars)
        if draft.key is None:
            return await self._start(draft, body)
        digest = outbound.key_digest(draft.key)
        return await self._once.post(
            draft.key,
            where=draft.place,
            look=lambda: self._started(draft, digest),
            send=lambda: self._start(draft, body),
        )

    async def _start(self, draft: ConversationDraft, body: str) -> Conversation:
        def start() -> Conversation:
            place, category = draft.place, draft.category
            if self.native.is_guarded(place, category):
                raise Denied("only maintainers start conversations here", backend=self.backend, operation="start")
            return self.native.open(place, title=draft.title, body=body, author=self._account, category=category)

        return await self._wire.carry("start", start, write=True)

    async def _started(self, draft: ConversationDraft, digest: str) -> Conversation | None:
        openings = await self._wire.carry("start", lambda: self.native.openings(draft.place))
        mine = {one.id for one in self._mine(openings.values(), draft.since) if outbound.find_key(one.body) == digest}
        address = next((address for address, opening in openings.items() if opening.id in mine), None)
        return None if address is None else await self._conversation("start", address)

    async def _read(self, thread: ThreadRef) -> Listing:
        place, root = thread.conversation, thread.root
        if root is None:
            counted = (await self._conversation("read", place)).messages or 0
            above = [await self._wire.carry("read", lambda: self.native.opening(place))]
            threads = [one async for one in self._threads("read", place)]
        else:
            above, threads = [], [await self._wire.carry("read", lambda: self.native.thread(place, root))]
            counted = 1 + (threads[0].replies or 0)
        found: dict[str, Message] = {}
        for one in threads:
            found |= {message.ref: message for message in await self._whole(one)}
        reported = {f"{self.native.opens}_comment": counted}
        return Listing(messages=(*above, *found.values()), complete=len(found) >= counted, reported=reported)

    async def _whole(self, thread: Thread) -> list[Message]:
        if not thread.replies:
            return [thread.root]
        page = partial(self.native.replies, thread.ref.conversation, thread.root.id)
        return [thread.root, *[one async for one in self._pages("read", page)]]

    async def _active(self, conversation: str, since: datetime | None) -> AsyncIterator[Thread]:
        start = since.replace(microsecond=0) if since is not None else None
        async for one in self._threads("threads", conversation):
            if start is None or one.last_activity.replace(microsecond=0) >= start:
                yield one

    def _threads(self, operation: str, conversation: str) -> AsyncIterator[Thread]:
        return self._pages(operation, partial(self.native.threads, conversation))

    async def _pages(self, operation: str, page: Callable[[int], tuple[_T, ...]]) -> AsyncIterator[_T]:
        for number in itertools.count():
            items = await self._wire.carry(operation, partial(page, number))
            for item in items:
                yield item
            if len(items) < self.native.page_size:
                return

    async def _conversation(self, operation: str, conversation: str) -> Conversation:
        return await self._wire.carry(operation, lambda: self.native.conversation(conversation))
