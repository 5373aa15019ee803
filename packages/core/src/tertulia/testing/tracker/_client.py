"""A client that acts on the tracker in memory as one account."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from datetime import datetime
from weakref import WeakValueDictionary

from tertulia import outbound
from tertulia.errors import Conflict, Denied, Error, Invalid, NotFound, Unavailable
from tertulia.testing.tracker._tracker import BACKEND, PAGE, Tracker
from tertulia.thread import Account, Draft, Limits, Listing, Message, MessageRef, ThreadRef
from tertulia.tracker import Capability, Issue, IssueDraft, Unimplemented

__all__ = ["Client"]


class Client(Unimplemented):
    """Act on a tracker in memory as one account; capabilities left out raise Unsupported."""

    backend = BACKEND

    def __init__(self, tracker: Tracker, account: Account, capabilities: frozenset[Capability]) -> None:
        self.native = tracker
        self.capabilities = capabilities
        self.limits: Limits = tracker.limits
        self._wire = tracker.wire
        self._account = account
        self._known: Account | None = None
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def whoami(self) -> Account:
        """Give the account this client acts as."""
        if self._known is None:
            self._known = await self._wire.carry("whoami", lambda: self._account)
        return self._known

    async def read(self, thread: ThreadRef, /) -> Listing:
        """Read an issue whole, page by page, and once more when comments were deleted meanwhile."""
        place = thread.conversation
        again = True
        while True:
            counted = (await self._issue("read", place)).comments or 0
            opening = await self._wire.carry("read", lambda: self.native.opening(place))
            found: dict[str, Message] = {}
            for number in range(-(-counted // PAGE)):
                found |= {one.ref: one for one in await self._page("read", place, number)}
            complete = len(found) >= counted
            if complete or not again:
                reported = {"issue_comment": counted}
                return Listing(messages=(opening, *found.values()), complete=complete, reported=reported)
            again = False

    async def get_issue(self, thread: ThreadRef, /) -> Issue:
        """Read an issue."""
        return await self._issue("get_issue", thread.conversation)

    async def get_message(self, message: MessageRef, /) -> Message:
        """Read one message as it is now."""
        listing = await self._wire.carry("get_message", lambda: self.native.listing(message.conversation))
        found = {one.ref: one for one in listing.messages}
        ref = f"{message.source_type}:{message.id}"
        if ref not in found:
            raise NotFound(f"no message {ref}", backend=self.backend, operation="get_message")
        return found[ref]

    async def post(self, thread: ThreadRef, draft: Draft, /) -> Message:
        """Post a comment, once for a key."""
        body = outbound.prepare(draft, carrier="markdown", limit=self.limits.body_chars)
        if draft.key is None:
            return await self._send(thread, body)
        digest = outbound.key_digest(draft.key)
        async with self._locks.setdefault(digest, asyncio.Lock()):
            known = await self._look(thread, digest, draft.since)
            return known or await self._send_or_find(thread, body, digest, draft.since)

    async def _send_or_find(self, thread: ThreadRef, body: str, digest: str, since: datetime | None) -> Message:
        try:
            return await self._send(thread, body)
        except Unavailable as failure:
            if not failure.ambiguous:
                raise
            try:
                known = await self._look(thread, digest, since)
            except Error:
                raise failure from None
            if known is None:
                raise
            return known

    async def _send(self, thread: ThreadRef, body: str) -> Message:
        def say() -> Message:
            if self.native.issue(thread.conversation).locked:
                raise Conflict("the issue is locked", backend=self.backend, operation="post")
            return self.native.say(thread.conversation, body, author=self._account, root=thread.root)

        return await self._wire.carry("post", say, write=True)

    async def _look(self, thread: ThreadRef, digest: str, since: datetime | None) -> Message | None:
        listing = await self._wire.carry("post", lambda: self.native.listing(thread.conversation))
        own = (one for one in listing.messages if one.author is not None and one.author.id == self._account.id)
        recent = (
            one for one in own if since is None or (one.updated_at or one.created_at) >= since.replace(microsecond=0)
        )
        return next((one for one in recent if outbound.find_key(one.body) == digest), None)

    async def edit(self, message: MessageRef, draft: Draft, /) -> Message:
        """Replace the body of an own comment; its agent and key lines are kept."""
        self._need(Capability.EDIT)
        known = await self._own(message)
        body = outbound.prepare(draft, carrier="markdown", limit=self.limits.body_chars, replacing=known.body)
        return await self._wire.carry(
            "edit", lambda: self.native.alter(message.conversation, message.id, body), write=True
        )

    async def delete(self, message: MessageRef, /) -> None:
        """Delete an own comment."""
        self._need(Capability.DELETE)
        await self._own(message)
        await self._wire.carry("delete", lambda: self.native.remove(message.conversation, message.id), write=True)

    async def label(
        self, thread: ThreadRef, /, *, add: Collection[str] = (), remove: Collection[str] = ()
    ) -> tuple[str, ...]:
        """Add and remove labels by name, ignoring case; give the labels afterwards."""
        self._need(Capability.LABEL)
        if not all(name.strip() for name in add):
            raise Invalid("label: is blank", field="add")
        return await self._wire.carry(
            "label", lambda: self.native.label(thread.conversation, add=add, remove=remove), write=True
        )

    async def react(self, message: MessageRef, reaction: str, /) -> None:
        """Add a reaction, once."""
        self._need(Capability.REACT)
        known = await self.get_message(message)

        def react() -> None:
            self.native.react(message.conversation, known.ref, self._account.login, reaction)

        await self._wire.carry("react", react, write=True)

    async def minimize(self, message: MessageRef, reason: str, /) -> None:
        """Hide a comment from readers."""
        self._need(Capability.MINIMIZE)
        known = await self.get_message(message)
        if known.source_type != "issue_comment":
            raise Invalid("minimize: only a comment can be hidden", field="message")
        await self._wire.carry(
            "minimize", lambda: self.native.minimize(message.conversation, known.id, reason), write=True
        )

    async def create_issue(self, draft: IssueDraft, /) -> Issue:
        """Create an issue."""
        self._need(Capability.CREATE_ISSUE)
        body = outbound.clean(draft.body)

        def create() -> Issue:
            issue = self.native.open(draft.place, title=draft.title, body=body, author=self._account)
            self.native.label(issue.conversation, add=draft.labels)
            return self.native.issue(issue.conversation)

        return await self._wire.carry("create_issue", create, write=True)

    async def transition(self, thread: ThreadRef, state: str, /) -> Issue:
        """Open or close an issue."""
        self._need(Capability.TRANSITION)
        if state not in ("open", "closed"):
            raise Invalid("state: must be open or closed", field="state")
        return await self._wire.carry(
            "transition", lambda: self.native.set_state(thread.conversation, closed=state == "closed"), write=True
        )

    def search(self, query: str, /) -> AsyncIterator[Issue]:
        """Find the issues whose title or body has every word of the query."""
        self._need(Capability.SEARCH)
        return self._found(query.lower().split())

    async def _found(self, words: list[str]) -> AsyncIterator[Issue]:
        for issue in await self._wire.carry("search", self.native.issues):
            if all(word in f"{issue.title} {issue.body}".lower() for word in words):
                yield issue

    async def _issue(self, operation: str, conversation: str) -> Issue:
        return await self._wire.carry(operation, lambda: self.native.issue(conversation))

    async def _page(self, operation: str, conversation: str, number: int) -> tuple[Message, ...]:
        return await self._wire.carry(operation, lambda: self.native.page(conversation, number))

    async def _own(self, message: MessageRef) -> Message:
        known = await self.get_message(message)
        if known.source_type != "issue_comment":
            raise Invalid("message: must be a comment", field="message")
        if known.author is None or known.author.id != self._account.id:
            raise Denied("the message is somebody else's", backend=self.backend)
        return known

    def _need(self, capability: Capability) -> None:
        if capability not in self.capabilities:
            raise self._cannot(capability)
