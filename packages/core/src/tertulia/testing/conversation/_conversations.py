"""What the place holds, and what people do on its site."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertulia.category import Category, format_of
from tertulia.conversation import Capability, Conversation, Thread
from tertulia.errors import Invalid, NotFound
from tertulia.testing._site import BACKEND, Held, Site
from tertulia.thread import Account, Message, ThreadRef

if TYPE_CHECKING:
    from tertulia.testing.conversation._client import Client

__all__ = ["Conversations"]

_CATEGORIES = (
    Category(id="1", name="General", slug="general"),
    Category(id="2", name="Q&A", slug="q-a", format=format_of(answerable=True)),
    Category(id="3", name="Announcements", slug="announcements"),
)
_LABELS = ("bug", "good first issue", "ux")
_CLOSE_REASONS = frozenset({"duplicate", "outdated", "resolved"})
_LOCK_REASONS = frozenset({"off-topic", "resolved", "spam", "too heated"})
_HIDE_REASONS = frozenset({"abuse", "duplicate", "off-topic", "outdated", "resolved", "spam"})
_REACTIONS = frozenset({"+1", "-1", "confused", "eyes", "heart", "hooray", "laugh", "rocket"})
_GONE = {"body": "", "author": None, "deleted": True}


@dataclass(slots=True)
class _Place:
    """Hold what conversations of a place may be: its categories, its labels, and where not everybody starts one."""

    categories: tuple[Category, ...] = _CATEGORIES
    labels: tuple[str, ...] = _LABELS
    guarded: frozenset[str] = frozenset({"announcements"})


@dataclass(slots=True, kw_only=True)
class _Discussion(Held):
    """Hold one conversation: where it belongs, and which comment answers it."""

    category: Category
    answer: str | None = None

    def replies(self, root: str) -> tuple[Message, ...]:
        """Give the replies to a root."""
        return tuple(one for one in self.comments.values() if one.parent_id == root != one.id)


class Conversations(Site[_Discussion]):
    """Hold conversations in memory. `client(account)` acts as an account; the other methods are what people do on the site.

    A place (`acme/demo`) is there once something was opened in it; it has the categories General, Q&A and Announcements.
    Time passes by one second with everything that is written, so that order and edits can be told. `wire` is what the
    clients' requests go over, and may be broken.
    """

    opens = "discussion"

    def __init__(self, *, body_chars: int = 65_536, page_size: int = 100) -> None:
        super().__init__(body_chars=body_chars, page_size=page_size)
        self._places: dict[str, _Place] = {}

    def client(self, account: Account, capabilities: Collection[Capability] = tuple(Capability)) -> Client:
        """Give a client that acts as this account, with these capabilities."""
        from tertulia.testing.conversation._client import Client

        return Client(self, account, frozenset(capabilities))

    def open(
        self,
        place: str,
        *,
        title: str,
        body: str,
        author: Account | None,
        association: str = "NONE",
        category: str = "general",
    ) -> Conversation:
        """Open a conversation in a place (`acme/demo`), in a category named by its id or its slug."""
        self._places.setdefault(place, _Place())
        found = self.category(place, category)
        address = self._next_address(place)
        opening = self._opening(address, title=title, body=body, author=author, association=association)
        self._held[address] = _Discussion(opening, category=found)
        return self.conversation(address)

    def remove(self, conversation: str, ident: str) -> None:
        """Delete a comment as a person does; a root with replies leaves a tombstone, and an answer is none any more."""
        held = self._find(conversation)
        known = self._comment(held, ident)
        if held.answer == ident:
            held.answer = None
        if held.replies(ident):
            self._keep(held, known.model_copy(update=_GONE))
        else:
            super().remove(conversation, ident)

    def label(self, conversation: str, *, add: Collection[str] = (), remove: Collection[str] = ()) -> tuple[str, ...]:
        """Add and remove labels by name, ignoring case. Raises Invalid for one that the place does not have."""
        known = {name.lower() for name in self._place_of(conversation).labels}
        for name in add:
            _check("label", name.lower(), known)
        return super().label(conversation, add=add, remove=remove)

    def react(self, conversation: str, ref: str, login: str, reaction: str) -> None:
        """Add a reaction to a message. Raises Invalid for one that nobody has."""
        _check("reaction", reaction, _REACTIONS)
        super().react(conversation, ref, login, reaction)

    def minimize(self, conversation: str, ident: str, reason: str) -> None:
        """Hide a comment. Raises Invalid for a reason that is none."""
        _check("reason", reason, _HIDE_REASONS)
        super().minimize(conversation, ident, reason)

    def set_state(
        self, conversation: str, *, closed: bool | None = None, locked: bool | None = None, reason: str | None = None
    ) -> Conversation:
        """Close or open, lock or unlock a conversation; a reason says why it is closed, or else why it is locked."""
        if reason is not None:
            _check("reason", reason, _CLOSE_REASONS if closed else _LOCK_REASONS if locked else ())
        held = self._find(conversation)
        if closed is not None:
            held.closed, held.state_reason = closed, reason if closed else None
        if locked is not None:
            held.locked = locked
        return self.conversation(conversation)

    def mark_answer(self, conversation: str, ident: str, *, answer: bool = True) -> Conversation:
        """Mark a comment as the answer, or take that back. Raises Invalid where the category takes no answers."""
        held = self._find(conversation)
        known = self._comment(held, ident).id
        if held.category.format != "question_answer":
            raise Invalid("category: takes no answers", field="category", backend=BACKEND)
        if answer:
            held.answer = known
        elif held.answer == known:
            held.answer = None
        return self.conversation(conversation)

    def transfer(self, conversation: str, place: str) -> Conversation:
        """Move a conversation to the same category of another place; its old address leads there."""
        self._places.setdefault(place, self._place_of(conversation))
        return self.conversation(self._move(conversation, place))

    def conversation(self, conversation: str) -> Conversation:
        """Give a conversation as it is now."""
        held = self._find(conversation)
        opening = held.opening
        return Conversation(
            conversation=self._address(conversation),
            id=opening.id,
            title=opening.title or "",
            category=held.category,
            labels=tuple(held.labels),
            author=opening.author,
            association=opening.association,
            closed=held.closed,
            state_reason=held.state_reason,
            locked=held.locked,
            answered=held.answer is not None if held.category.format == "question_answer" else None,
            answer=held.answer,
            messages=len(held.comments),
            created_at=opening.created_at,
            updated_at=held.active_at,
            url=opening.url,
        )

    def category(self, place: str, name: str) -> Category:
        """Give a category of a place by its id or its slug. Raises NotFound for the place, Invalid for the category."""
        for category in self._at(place).categories:
            if name in (category.id, category.slug):
                return category
        raise Invalid(f"category: there is no {name[:100]}", field="category", backend=BACKEND)

    def is_guarded(self, place: str, name: str) -> bool:
        """Say whether only maintainers start conversations in a category."""
        return self.category(place, name).slug in self._at(place).guarded

    def openings(self, place: str) -> dict[str, Message]:
        """Give the opening posts of a place by the address of their conversations."""
        self._at(place)
        return {address: held.opening for address, held in self._held.items() if _place(address) == place}

    def conversations(self, place: str, category: str | None, number: int) -> tuple[Conversation, ...]:
        """Give one page of a place's conversations, or of a category's, counted from 0, last active first."""
        wanted = None if category is None else self.category(place, category)
        found = [self.conversation(address) for address in self.openings(place)]
        found.sort(key=lambda one: one.updated_at or one.created_at, reverse=True)
        return self._page(place, None, tuple(one for one in found if wanted in (None, one.category)), number)

    def threads(self, conversation: str, number: int) -> tuple[Thread, ...]:
        """Give one page of a conversation's threads, counted from 0."""
        held = self._find(conversation)
        replies: dict[str, list[Message]] = {}
        for one in held.comments.values():
            replies.setdefault(one.parent_id or one.id, []).append(one)
        address = self._address(conversation)
        threads = tuple(_thread(address, below) for below in replies.values())
        return self._page(conversation, None, threads, number)

    def thread(self, conversation: str, ident: str) -> Thread:
        """Give the thread of a root, or of a reply."""
        held = self._find(conversation)
        root = held.comments[self._comment(held, ident).parent_id or ident]
        return _thread(self._address(conversation), [root, *held.replies(root.id)])

    def replies(self, conversation: str, root: str, number: int) -> tuple[Message, ...]:
        """Give one page of the replies to a root, counted from 0."""
        return self._page(conversation, root, self._find(conversation).replies(root), number)

    def beside(self, thread: ThreadRef) -> tuple[Message, ...]:
        """Give the replies among which an answer would stand, or the roots."""
        held = self._find(thread.conversation)
        if thread.root is None:
            return tuple(one for one in held.comments.values() if one.parent_id == one.id)
        return held.replies(self._comment(held, thread.root).parent_id or thread.root)

    def _list_of(self, conversation: str, ident: str) -> str:
        comment = self._comment(self._find(conversation), ident)
        return self._address(conversation) if comment.parent_id in (None, ident) else str(comment.parent_id)

    def _place_of(self, conversation: str) -> _Place:
        self._find(conversation)
        return self._at(_place(self._address(conversation)))

    def _at(self, place: str) -> _Place:
        if place not in self._places:
            raise NotFound("no such place", backend=BACKEND, operation=place[:100])
        return self._places[place]


def _check(field: str, word: str, known: Collection[str]) -> None:
    if word not in known:
        raise Invalid(f"{field}: there is no {word[:100]}", field=field, backend=BACKEND)


def _place(address: str) -> str:
    return address.partition("#")[0]


def _thread(address: str, messages: list[Message]) -> Thread:
    root = messages[0]
    return Thread(
        ref=ThreadRef(conversation=address, root=root.id),
        root=root,
        replies=len(messages) - 1,
        last_activity=max(one.created_at for one in messages),
    )
