"""What every site in memory has: addresses that may move, messages, ids, a clock, and the wire its clients ask over."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import ClassVar, Generic, TypeVar

from tertulia.errors import Invalid, NotFound
from tertulia.testing.wire import Fault, Wire
from tertulia.thread import Account, Limits, Message, ThreadRef

__all__ = ["BACKEND", "Held", "Site"]

BACKEND = "memory"

_START = datetime(2026, 1, 1, tzinfo=UTC)
_HOST = "https://tracker.example"
_T = TypeVar("_T")


@dataclass(slots=True)
class Held:
    """Hold an opening post, what was said below it by id, and what people did to it."""

    opening: Message
    comments: dict[str, Message] = field(default_factory=dict[str, Message])
    labels: list[str] = field(default_factory=list[str])
    closed: bool = False
    state_reason: str | None = None
    locked: bool = False
    reactions: set[tuple[str, str, str]] = field(default_factory=set[tuple[str, str, str]])

    @property
    def active_at(self) -> datetime:
        """Give the time when something was last written."""
        return max(one.updated_at or one.created_at for one in (self.opening, *self.comments.values()))


_Held = TypeVar("_Held", bound=Held)


class Site(Generic[_Held]):
    """Hold what was said under addresses (`acme/demo#7`).

    Time passes by one second with everything that is written, so that order and edits can be told. `wire` is what the
    clients' requests go over, and may be broken. `page_size` items are on one page.
    """

    opens: ClassVar[str]
    """The source type of an opening post; a comment's is made of it."""

    def __init__(self, *, body_chars: int = 65_536, page_size: int = 100) -> None:
        self.limits: Limits = Limits(body_chars=body_chars)
        self.page_size: int = page_size
        self.wire: Wire = Wire()
        self._held: dict[str, _Held] = {}
        self._numbers: Counter[str] = Counter()
        self._moved: dict[str, str] = {}
        self._shifts: dict[str, list[str]] = {}
        self._ids = itertools.count(1001)
        self._seconds = itertools.count()

    def say(
        self,
        conversation: str,
        body: str,
        *,
        author: Account | None,
        association: str = "NONE",
        root: str | None = None,
    ) -> Message:
        """Write a comment as a person does; with a root, an answer to that comment, or to the one that it answers."""
        held = self._find(conversation)
        ident = self._next_id()
        message = Message(
            id=ident,
            source_type=f"{self.opens}_comment",
            parent_id=ident if root is None else self._comment(held, root).parent_id,
            author=author,
            association=association,
            body=body,
            created_at=self._now(),
            url=f"{held.opening.url}#{self.opens}comment-{ident}",
        )
        held.comments[ident] = message
        return message

    def alter(self, conversation: str, ident: str, body: str, *, editor: Account | None = None) -> Message:
        """Edit a message as a person does."""
        held, now = self._find(conversation), self._now()
        known = self._message(held, ident)
        update = {"body": body, "updated_at": now, "last_edited_at": now, "editor": editor or known.author}
        return self._keep(held, known.model_copy(update=update))

    def remove(self, conversation: str, ident: str) -> None:
        """Delete a comment as a person does."""
        held = self._find(conversation)
        del held.comments[self._comment(held, ident).id]

    def lock(self, conversation: str, *, locked: bool = True) -> None:
        """Lock or unlock a conversation."""
        self._find(conversation).locked = locked

    def label(self, conversation: str, *, add: Collection[str] = (), remove: Collection[str] = ()) -> tuple[str, ...]:
        """Add and remove labels by name, ignoring case."""
        held = self._find(conversation)
        names: dict[str, str] = {}
        for name in (*held.labels, *add):
            names.setdefault(name.lower(), name)
        gone = {name.lower() for name in remove}
        held.labels = [name for folded, name in names.items() if folded not in gone]
        return tuple(held.labels)

    def react(self, conversation: str, ref: str, login: str, reaction: str) -> None:
        """Add a reaction to a message."""
        self._find(conversation).reactions.add((ref, login, reaction))

    def minimize(self, conversation: str, ident: str, reason: str) -> None:
        """Hide a comment."""
        held = self._find(conversation)
        self._keep(held, self._comment(held, ident).model_copy(update={"minimized": reason}))

    def erase(self, conversation: str) -> None:
        """Delete a whole conversation."""
        self._find(conversation)
        del self._held[self._address(conversation)]

    def shift(self, conversation: str, ident: str) -> None:
        """Delete a comment as soon as the first page of what lists it has been read once more; of several, one each time."""
        self._shifts.setdefault(self._list_of(conversation, ident), []).append(ident)

    def opening(self, conversation: str) -> Message:
        """Give the opening post."""
        return self._find(conversation).opening

    def message(self, conversation: str, source_type: str, ident: str) -> Message:
        """Give one message, the opening post too."""
        found = self._message(self._find(conversation), ident)
        if found.source_type != source_type:
            raise NotFound(f"no {source_type} has the id {ident[:100]}", backend=BACKEND)
        return found

    def is_locked(self, conversation: str) -> bool:
        """Say whether a conversation takes no answers."""
        return self._find(conversation).locked

    def beside(self, thread: ThreadRef) -> tuple[Message, ...]:
        """Give the messages among which an answer would stand, where its key is looked for."""
        held = self._find(thread.conversation)
        return (held.opening, *held.comments.values())

    def _opening(
        self, address: str, *, title: str, body: str, author: Account | None, association: str = "NONE"
    ) -> Message:
        place, _, number = address.partition("#")
        return Message(
            id=self._next_id(),
            source_type=self.opens,
            title=title,
            author=author,
            association=association,
            body=body,
            created_at=self._now(),
            url=f"{_HOST}/{place}/{self.opens}s/{number}",
        )

    def _next_address(self, place: str) -> str:
        self._numbers[place] += 1
        return f"{place}#{self._numbers[place]}"

    def _move(self, conversation: str, place: str) -> str:
        held, before = self._find(conversation), self._address(conversation)
        after = self._next_address(place)
        del self._held[before]
        self._held[after] = held
        self._moved[before] = after
        return after

    def _address(self, conversation: str) -> str:
        while conversation in self._moved:
            conversation = self._moved[conversation]
        return conversation

    def _find(self, conversation: str) -> _Held:
        if "//" in conversation:
            raise Invalid("conversation: is a URL, not an address", field="conversation", backend=BACKEND)
        address = self._address(conversation)
        if address not in self._held:
            raise NotFound(f"no such {self.opens}", backend=BACKEND, operation=conversation[:100])
        return self._held[address]

    def _list_of(self, conversation: str, ident: str) -> str:
        """Say what lists a comment on its pages: its conversation, or its root."""
        self._comment(self._find(conversation), ident)
        return self._address(conversation)

    def _page(self, conversation: str, root: str | None, items: tuple[_T, ...], number: int) -> tuple[_T, ...]:
        """Give one page, counted from 0, of what a conversation lists, or a root in it."""
        shifts = self._shifts.get(root or self._address(conversation))
        if number == 0 and shifts:
            self.remove(conversation, shifts.pop(0))
        start = number * self.page_size - (self.wire.fault is Fault.REPEAT and number > 0)
        return items[start : (number + 1) * self.page_size]

    def _message(self, held: _Held, ident: str) -> Message:
        return held.opening if ident == held.opening.id else self._comment(held, ident)

    def _comment(self, held: _Held, ident: str) -> Message:
        if ident not in held.comments:
            raise NotFound(f"no comment {ident[:100]}", backend=BACKEND)
        return held.comments[ident]

    def _keep(self, held: _Held, message: Message) -> Message:
        if message.id == held.opening.id:
            held.opening = message
        else:
            held.comments[message.id] = message
        return message

    def _next_id(self) -> str:
        return str(next(self._ids))

    def _now(self) -> datetime:
        return _START + timedelta(seconds=next(self._seconds))
