"""What the tracker holds, and what people do on its site."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Literal

from tertulia.errors import Invalid, NotFound
from tertulia.testing.wire import Fault, Wire
from tertulia.thread import Account, Limits, Listing, Message
from tertulia.tracker import Capability, Issue

if TYPE_CHECKING:
    from tertulia.testing.tracker._client import Client

__all__ = ["BACKEND", "PAGE", "Tracker"]

BACKEND = "memory"
PAGE = 100
"""Comments on one page of a thread."""

_START = datetime(2026, 1, 1, tzinfo=UTC)
_HOST = "https://tracker.example"


@dataclass(slots=True)
class _Thread:
    """Hold one issue: its opening post and its comments by id."""

    opening: Message
    comments: dict[str, Message] = field(default_factory=dict[str, Message])
    labels: list[str] = field(default_factory=list[str])
    state: Literal["open", "closed"] = "open"
    state_reason: str | None = None
    locked: bool = False
    reactions: set[tuple[str, str, str]] = field(default_factory=set[tuple[str, str, str]])


class Tracker:
    """Hold issues in memory. `client(account)` acts as an account; the other methods are what people do on the site.

    Time passes by one second with everything that is written, so that order and edits can be told. `wire` is what the
    clients' requests go over, and may be broken.
    """

    def __init__(self, *, body_chars: int = 65_536) -> None:
        self.limits: Limits = Limits(body_chars=body_chars)
        self.wire: Wire = Wire()
        self._threads: dict[str, _Thread] = {}
        self._numbers: Counter[str] = Counter()
        self._moved: dict[str, str] = {}
        self._shifts: dict[str, list[str]] = {}
        self._ids = itertools.count(1001)
        self._seconds = itertools.count()

    def client(self, account: Account, capabilities: Collection[Capability] = tuple(Capability)) -> Client:
        """Give a client that acts as this account, with these capabilities."""
        from tertulia.testing.tracker._client import Client

        return Client(self, account, frozenset(capabilities))

    def open(self, place: str, *, title: str, body: str, author: Account | None, association: str = "NONE") -> Issue:
        """Open an issue in a place (`acme/demo`)."""
        self._numbers[place] += 1
        number = self._numbers[place]
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

    def say(
        self,
        conversation: str,
        body: str,
        *,
        author: Account | None,
        association: str = "NONE",
        root: str | None = None,
    ) -> Message:
        """Write a comment as a person does; with a root, an answer to that comment."""
        thread = self._thread(conversation)
        if root is not None:
            self._comment(thread, root)
        ident = str(next(self._ids))
        message = Message(
            id=ident,
            source_type="issue_comment",
            parent_id=root or ident,
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

    def label(self, conversation: str, *, add: Collection[str] = (), remove: Collection[str] = ()) -> tuple[str, ...]:
        """Add and remove labels by name, ignoring case."""
        labels = self._thread(conversation).labels
        for name in add:
            if name.lower() not in {label.lower() for label in labels}:
                labels.append(name)
        gone = {name.lower() for name in remove}
        labels[:] = [label for label in labels if label.lower() not in gone]
        return tuple(labels)

    def react(self, conversation: str, ref: str, login: str, reaction: str) -> None:
        """Add a reaction to a message."""
        self._thread(conversation).reactions.add((ref, login, reaction))

    def minimize(self, conversation: str, ident: str, reason: str) -> None:
        """Hide a comment."""
        thread = self._thread(conversation)
        thread.comments[ident] = self._comment(thread, ident).model_copy(update={"minimized": reason})

    def set_state(self, conversation: str, *, closed: bool) -> Issue:
        """Close or open an issue."""
        self._thread(conversation).state = "closed" if closed else "open"
        return self.issue(conversation)

    def transfer(self, conversation: str, place: str) -> Issue:
        """Move an issue to another place; its old address leads there."""
        thread = self._thread(conversation)
        moved = self.open(place, title="", body="", author=None)
        del self._threads[conversation]
        self._threads[moved.conversation] = thread
        self._moved[conversation] = moved.conversation
        return self.issue(moved.conversation)

    def erase(self, conversation: str) -> None:
        """Delete a whole issue."""
        self._thread(conversation)
        del self._threads[conversation]

    def shift(self, conversation: str, ident: str) -> None:
        """Delete a comment as soon as the first page of its thread has been read once more; of several, one each time."""
        self._comment(self._thread(conversation), ident)
        self._shifts.setdefault(conversation, []).append(ident)

    def issue(self, conversation: str) -> Issue:
        """Give an issue as it is now."""
        thread = self._thread(conversation)
        conversation = self._moved.get(conversation, conversation)
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

    def page(self, conversation: str, number: int) -> tuple[Message, ...]:
        """Give one page of a thread's comments, counted from 0."""
        comments = tuple(self._thread(conversation).comments.values())
        start = number * PAGE - (self.wire.fault is Fault.REPEAT and number > 0)
        if number == 0 and self._shifts.get(conversation):
            self.remove(conversation, self._shifts[conversation].pop(0))
        return comments[start : (number + 1) * PAGE]

    def opening(self, conversation: str) -> Message:
        """Give the opening post of an issue."""
        return self._thread(conversation).opening

    def _thread(self, conversation: str) -> _Thread:
        if "//" in conversation:
            raise Invalid("conversation: is a URL, not an address", field="conversation", backend=BACKEND)
        conversation = self._moved.get(conversation, conversation)
        if conversation not in self._threads:
            raise NotFound("no such issue", backend=BACKEND, operation=conversation[:100])
        return self._threads[conversation]

    def _comment(self, thread: _Thread, ident: str) -> Message:
        if ident not in thread.comments:
            raise NotFound(f"no comment {ident[:100]}", backend=BACKEND)
        return thread.comments[ident]

    def _now(self) -> datetime:
        return _START + timedelta(seconds=next(self._seconds))
