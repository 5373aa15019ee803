"""What every client of a site in memory does: it acts as one account, over the site's wire, and once for a key."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from datetime import datetime
from enum import StrEnum
from typing import Any, Generic, TypeVar

from tertulia import outbound
from tertulia.errors import Conflict, Denied, Invalid, NotFound, Unsupported
from tertulia.testing._site import BACKEND, Site
from tertulia.testing.clock import Time
from tertulia.thread import Account, Draft, Limits, Message, MessageRef, ThreadRef
from tertulia.transport import Once

__all__ = ["Acting"]

_Site = TypeVar("_Site", bound=Site[Any])
_Capability = TypeVar("_Capability", bound=StrEnum)


class Acting(Generic[_Site, _Capability]):
    """Act on a site in memory as one account; capabilities left out raise Unsupported."""

    backend: str = BACKEND

    def __init__(self, site: _Site, account: Account, capabilities: frozenset[_Capability]) -> None:
        self.native: _Site = site
        self.capabilities: frozenset[_Capability] = capabilities
        self.limits: Limits = site.limits
        self._wire = site.wire
        self._account = account
        self._known: Account | None = None
        time = Time()
        self._once = Once(logging.getLogger("tertulia.testing"), sleep=time.sleep, clock=time.now)

    async def whoami(self) -> Account:
        """Give the account this client acts as."""
        if self._known is None:
            self._known = await self._wire.carry("whoami", lambda: self._account)
        return self._known

    async def get_message(self, message: MessageRef, /) -> Message:
        """Read one message as it is now."""
        place, kind = message.conversation, message.source_type
        return await self._wire.carry("get_message", lambda: self.native.message(place, kind, message.id))

    async def post(self, thread: ThreadRef, draft: Draft, /) -> Message:
        """Post a comment, once for a key."""
        body = outbound.prepare(draft, carrier="markdown", limit=self.limits.body_chars)
        if draft.key is None:
            return await self._send(thread, body)
        digest = outbound.key_digest(draft.key)
        return await self._once.post(
            draft.key,
            where=thread.conversation,
            look=lambda: self._look(thread, digest, draft.since),
            send=lambda: self._send(thread, body),
        )

    async def edit(self, message: MessageRef, draft: Draft, /) -> Message:
        """Replace the body of an own message; its agent and key lines are kept."""
        self._needs("edit")
        known = await self._own(message)
        body = outbound.prepare(draft, carrier="markdown", limit=self.limits.body_chars, replacing=known.body)
        return await self._wire.carry(
            "edit", lambda: self.native.alter(message.conversation, known.id, body), write=True
        )

    async def delete(self, message: MessageRef, /) -> None:
        """Delete an own comment."""
        self._needs("delete")
        self._is_comment(await self._own(message))
        await self._wire.carry("delete", lambda: self.native.remove(message.conversation, message.id), write=True)

    async def label(
        self, thread: ThreadRef, /, *, add: Collection[str] = (), remove: Collection[str] = ()
    ) -> tuple[str, ...]:
        """Add and remove labels by name, ignoring case; give the labels afterwards."""
        self._needs("label")
        if not all(name.strip() for name in add):
            raise Invalid("label: is blank", field="add")
        return await self._wire.carry(
            "label", lambda: self.native.label(thread.conversation, add=add, remove=remove), write=True
        )

    async def react(self, message: MessageRef, reaction: str, /) -> None:
        """Add a reaction, once."""
        self._needs("react")
        known = await self._present(message)

        def react() -> None:
            self.native.react(message.conversation, known.ref, self._account.login, reaction)

        await self._wire.carry("react", react, write=True)

    async def minimize(self, message: MessageRef, reason: str, /) -> None:
        """Hide a comment from readers."""
        self._needs("minimize")
        known = await self._present(message)
        self._is_comment(known)
        await self._wire.carry(
            "minimize", lambda: self.native.minimize(message.conversation, known.id, reason), write=True
        )

    async def _send(self, thread: ThreadRef, body: str) -> Message:
        def say() -> Message:
            if self.native.is_locked(thread.conversation):
                raise Conflict(f"the {self.native.opens} is locked", backend=self.backend, operation="post")
            return self.native.say(thread.conversation, body, author=self._account, root=thread.root)

        return await self._wire.carry("post", say, write=True)

    async def _look(self, thread: ThreadRef, digest: str, since: datetime | None) -> Message | None:
        messages = await self._wire.carry("post", lambda: self.native.beside(thread))
        return next((one for one in self._mine(messages, since) if outbound.find_key(one.body) == digest), None)

    def _mine(self, messages: Iterable[Message], since: datetime | None) -> Iterable[Message]:
        """Give the own messages since a time, its whole second included."""
        start = since.replace(microsecond=0) if since is not None else None
        own = (one for one in messages if one.author is not None and one.author.id == self._account.id)
        return (one for one in own if start is None or (one.updated_at or one.created_at) >= start)

    async def _own(self, message: MessageRef) -> Message:
        known = await self._present(message)
        if known.author is None or known.author.id != self._account.id:
            raise Denied("the message is somebody else's", backend=self.backend)
        return known

    async def _present(self, message: MessageRef) -> Message:
        known = await self.get_message(message)
        if known.deleted:
            raise NotFound(f"{known.ref} was deleted", backend=self.backend)
        return known

    def _is_comment(self, message: Message) -> None:
        if message.source_type == self.native.opens:
            raise Invalid("message: must be a comment", field="message", backend=self.backend)

    def _needs(self, capability: str) -> None:
        if capability not in self.capabilities:
            raise Unsupported(capability, self.backend)
