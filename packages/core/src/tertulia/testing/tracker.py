"""A tracker in memory, with every capability: the executable specification of `tertulia.tracker.Client`.

Nothing is faked about the rules: bodies go through `tertulia.outbound`, a keyed post looks first, only the author may
edit, a locked issue takes no answer, and what is deleted is gone.
"""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Literal

from tertulia import outbound
from tertulia.errors import Conflict, Denied, Invalid, NotFound
from tertulia.thread import Account, Draft, Limits, Listing, Message, MessageRef, ThreadRef
from tertulia.tracker import Capability, Issue, IssueDraft, Unimplemented

__all__ = ["Client", "Tracker"]

_START = datetime(2026, 1, 1, tzinfo=UTC)
_HOST = "https://tracker.example"


@dataclass(slots=True)
class _Thread:
    """Hold one issue: its opening post and its comments by id."""

    opening: Message
    comments: dict[str, Message] = field(default_factory=dict)
    labels: list[str] = field(default_factory=list)
    state: Literal["open", "closed"] = "open"
    state_reason: str | None = None
    locked: bool = False
    reactions: set[tuple[str, str, str]] = field(default_factory=set)


class Tracker:
    """Hold issues in memory. `client(account)` acts as an account; the other methods are what people do on the site.

    Time passes by one second with everything that is written, so that order and edits can be told.
    """

    def __init__(self, *, body_chars: int = 65_536) -> None:
        self.limits = Limits(body_chars=body_chars)
        self._threads: dict[str, _Thread] = {}
        self._ids = itertools.count(1001)
        self._seconds = itertools.count()

    def client(self, account: Account, capabilities: Collection[Capability] = tuple(Capability)) -> Client:
        """Give a client that acts as this account, with these capabilities."""
        return Client(self, account, frozenset(capabilities))

    def open(self, place: str, *, title: str, body: str, author: Account | None, association: str = "NONE") -> Issue:
        """Open an issue in a place (`acme/demo`)."""
        number = 1 + sum(1 for name in self._threads if name.startswith(f"{place}#"))
        conversation = f"{place}#{number}"
        opening = Message(
            id=str(next(self._ids)),
            source_type="issue",
            title=title,
            author=author,
            association=association,
            body=body,
            created_at=self._now(),
            url=f"{_HOST}/{place}/issues/{number}",
        )
        self._threads[conversation] = _Thread(opening)
        return self.issue(conversation)

    def say(self, conversation: str, body: str, *, author: Account | None, association: str = "NONE") -> Message:
        """Write a comment as a person does."""
        thread = self._thread(conversation)
        ident = str(next(self._ids))
        message = Message(
            id=ident,
            source_type="issue_comment",
            parent_id=ident,
            author=author,
            association=association,
            body=body,
            created_at=self._now(),
            url=f"{thread.opening.url}#issuecomment-{ident}",
        )
        thread.comments[ident] = message
        return message

    def alter(self, conversation: str, ident: str, body: str, *, editor: Account | None = None) -> Message:
        """Edit a comment as a person does."""
        thread = self._thread(conversation)
        message = self._comment(thread, ident)
        update = {"body": body, "updated_at": self._now(), "editor": editor or message.author}
        thread.comments[ident] = message.model_copy(update=update | {"last_edited_at": update["updated_at"]})
        return thread.comments[ident]

    def remove(self, conversation: str, ident: str) -> None:
        """Delete a comment as a person does."""
        thread = self._thread(conversation)
        self._comment(thread, ident)
        del thread.comments[ident]

    def lock(self, conversation: str, *, locked: bool = True) -> None:
        """Lock or unlock an issue."""
        self._thread(conversation).locked = locked

    def issue(self, conversation: str) -> Issue:
        """Give an issue as it is now."""
        thread = self._thread(conversation)
        opening = thread.opening
        return Issue(
            conversation=conversation,
            id=opening.id,
            title=opening.title or "",
            body=opening.body,
            author=opening.author,
            association=opening.association,
            state=thread.state,
            state_reason=thread.state_reason,
            labels=tuple(thread.labels),
            locked=thread.locked,
            comments=len(thread.comments),
            created_at=opening.created_at,
            updated_at=max(
                (m.updated_at or m.created_at for m in thread.comments.values()), default=opening.created_at
            ),
            url=opening.url,
        )

    def issues(self) -> list[Issue]:
        """Give every issue, in the order they were opened."""
        return [self.issue(conversation) for conversation in self._threads]

    def listing(self, conversation: str) -> Listing:
        """Give a thread whole, with its own count."""
        thread = self._thread(conversation)
        messages = (thread.opening, *thread.comments.values())
        return Listing(messages=messages, complete=True, reported={"issue_comment": len(thread.comments)})

    def _thread(self, conversation: str) -> _Thread:
        if conversation not in self._threads:
            raise NotFound("no such issue", backend=Client.backend, operation=conversation[:100])
        return self._threads[conversation]

    def _comment(self, thread: _Thread, ident: str) -> Message:
        if ident not in thread.comments:
            raise NotFound(f"no comment {ident[:100]}", backend=Client.backend)
        return thread.comments[ident]

    def _now(self) -> datetime:
        return _START + timedelta(seconds=next(self._seconds))


class Client(Unimplemented):
    """Act on a tracker in memory as one account; capabilities left out raise Unsupported."""

    backend = "memory"

    def __init__(self, tracker: Tracker, account: Account, capabilities: frozenset[Capability]) -> None:
        self.native = tracker
        self.capabilities = capabilities
        self.limits = tracker.limits
        self._account = account

    async def whoami(self) -> Account:
        """Give the account this client acts as."""
        return self._account

    async def read(self, thread: ThreadRef, /) -> Listing:
        """Read an issue whole."""
        return self.native.listing(thread.conversation)

    async def get_issue(self, thread: ThreadRef, /) -> Issue:
        """Read an issue."""
        return self.native.issue(thread.conversation)

    async def get_message(self, message: MessageRef, /) -> Message:
        """Read one message as it is now."""
        found = {one.ref: one for one in self.native.listing(message.conversation).messages}
        ref = f"{message.source_type}:{message.id}"
        if ref not in found:
            raise NotFound(f"no message {ref}", backend=self.backend, operation="get_message")
        return found[ref]

    async def post(self, thread: ThreadRef, draft: Draft, /) -> Message:
        """Post a comment, once for a key."""
        body = outbound.prepare(draft, carrier="markdown", limit=self.limits.body_chars)
        listing = self.native.listing(thread.conversation)
        if draft.key is not None:
            known = self._posted(listing, outbound.key_digest(draft.key), draft.since)
            if known is not None:
                return known
        if self.native.issue(thread.conversation).locked:
            raise Conflict("the issue is locked", backend=self.backend, operation="post")
        if thread.root is not None and thread.root not in {one.id for one in listing.messages}:
            raise NotFound(f"no message {thread.root[:100]} to answer", backend=self.backend, operation="post")
        return self.native.say(thread.conversation, body, author=self._account)

    def _posted(self, listing: Listing, digest: str, since: datetime | None) -> Message | None:
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
        return self.native.alter(message.conversation, message.id, body)

    async def delete(self, message: MessageRef, /) -> None:
        """Delete an own comment."""
        self._need(Capability.DELETE)
        await self._own(message)
        self.native.remove(message.conversation, message.id)

    async def label(
        self, thread: ThreadRef, /, *, add: Collection[str] = (), remove: Collection[str] = ()
    ) -> tuple[str, ...]:
        """Add and remove labels by name, ignoring case; give the labels afterwards."""
        self._need(Capability.LABEL)
        labels = self.native._thread(thread.conversation).labels
        for name in add:
            if not name.strip():
                raise Invalid("label: is blank", field="add")
            if name.lower() not in {label.lower() for label in labels}:
                labels.append(name)
        gone = {name.lower() for name in remove}
        labels[:] = [label for label in labels if label.lower() not in gone]
        return tuple(labels)

    async def react(self, message: MessageRef, reaction: str, /) -> None:
        """Add a reaction, once."""
        self._need(Capability.REACT)
        known = await self.get_message(message)
        self.native._thread(message.conversation).reactions.add((known.ref, self._account.login, reaction))

    async def minimize(self, message: MessageRef, reason: str, /) -> None:
        """Hide a comment from readers."""
        self._need(Capability.MINIMIZE)
        known = await self.get_message(message)
        if known.source_type != "issue_comment":
            raise Invalid("minimize: only a comment can be hidden", field="message")
        thread = self.native._thread(message.conversation)
        thread.comments[known.id] = known.model_copy(update={"minimized": reason})

    async def create_issue(self, draft: IssueDraft, /) -> Issue:
        """Create an issue."""
        self._need(Capability.CREATE_ISSUE)
        issue = self.native.open(draft.place, title=draft.title, body=outbound.clean(draft.body), author=self._account)
        await self.label(ThreadRef(conversation=issue.conversation), add=draft.labels)
        return self.native.issue(issue.conversation)

    async def transition(self, thread: ThreadRef, state: str, /) -> Issue:
        """Open or close an issue."""
        self._need(Capability.TRANSITION)
        if state not in ("open", "closed"):
            raise Invalid("state: must be open or closed", field="state")
        self.native._thread(thread.conversation).state = "open" if state == "open" else "closed"
        return self.native.issue(thread.conversation)

    def search(self, query: str, /) -> AsyncIterator[Issue]:
        """Find the issues whose title or body has every word of the query."""
        self._need(Capability.SEARCH)
        words = query.lower().split()
        return self._found([i for i in self.native.issues() if all(w in f"{i.title} {i.body}".lower() for w in words)])

    async def _found(self, issues: list[Issue]) -> AsyncIterator[Issue]:
        for issue in issues:
            yield issue

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
