"""The other side of a client, as the tests need it: people who write, and a wire that breaks."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from tertulia.errors import Unsupported
from tertulia.thread import MessageRef, ThreadRef

__all__ = ["Ability", "Backend", "ConversationBackend", "Unable"]


class Ability(StrEnum):
    """Name what a handle can do. A test that needs an ability which the handle lacks is reported as uncovered."""

    SPEAK = "speak"
    """`say`: write as another person."""
    EDIT = "edit"
    """`alter`: edit a message, as its author does on the site."""
    DELETE = "delete"
    """`remove`: delete a message, as its author does on the site."""
    LOCK = "lock"
    """`lock`: lock a thread."""
    CATEGORY = "category"
    """`categorized`: open a conversation in another category than `open` does."""
    ASK = "ask"
    """`ask`: open a conversation in a category that takes answers."""
    CLOSE = "close"
    """`close`: close a conversation, for a reason where the backend has any."""
    GUARD = "guard"
    """`guarded`: name a category in which the client may not start a conversation."""
    BRANCH = "branch"
    """`branch`: open a thread that has a root within its conversation."""
    TRANSFER = "transfer"
    """`transfer`: move a thread to another address."""
    ERASE = "erase"
    """`erase`: delete a whole thread."""
    WATCH = "watch"
    """`writes`: count the writes that have arrived."""
    SHIFT = "shift"
    """`shift`: delete a message between the first page of a thread and the next."""
    DENY = "deny"
    """Break the wire: the credentials are refused."""
    NAMELESS = "nameless"
    """Break the wire: the credentials tell nobody's name."""
    HIDE = "hide"
    """Break the wire: every thread is out of this identity's sight."""
    LIMIT = "limit"
    """Break the wire: every request is refused because of a limit, such as 429, for longer than the client waits."""
    CUT = "cut"
    """Break the wire: no answer arrives whole, and nothing is carried out."""
    LOSE = "lose"
    """Break the wire: the next write lands and is answered with a failure, such as 502; then the wire is whole."""
    DROP = "drop"
    """Break the wire: the next write does not land and is answered in the same way; then the wire is whole."""
    HOLD = "hold"
    """Break the wire: requests are carried out, and their answers held back until the wire is mended."""
    HOLD_WRITES = "hold_writes"
    """Break the wire: writes are carried out, and their answers held back until the wire is mended; reads pass."""
    MOVE = "move"
    """Break the wire: every request is redirected to another host; `overheard` is what that was told."""
    REPEAT = "repeat"
    """Break the wire: the last message of a page is the first of the next one too."""


class Backend(Protocol):
    """Act on a backend beside the client under test. What is not in `can` is never called; `Unable` raises there.

    Every test has a handle and a client of its own. `open` and `missing` every handle has.
    """

    @property
    def can(self) -> frozenset[Ability]:
        """Say what the handle can do."""
        ...

    @property
    def secret(self) -> str:
        """Give the client's credential, which must turn up nowhere."""
        ...

    @property
    def page(self) -> int:
        """Say how many messages fit on one page, at most."""
        ...

    @property
    def forwards(self) -> bool:
        """Say whether the backend leads who asks for an old address to the new one; else nothing is there any more."""
        ...

    async def open(self) -> ThreadRef:
        """Open a thread, as another person, with an opening post and nothing below it.

        Where labels have to exist first, there are `bug`, `good first issue` and `ux`.
        """
        ...

    async def missing(self) -> ThreadRef:
        """Give the address of a thread that was never there."""
        ...

    async def say(self, thread: ThreadRef, body: str, /) -> MessageRef:
        """Write a message in a thread as another person, under its root if it names one (SPEAK)."""
        ...

    async def alter(self, message: MessageRef, body: str, /) -> None:
        """Edit a message, whoever wrote it (EDIT)."""
        ...

    async def remove(self, message: MessageRef, /) -> None:
        """Delete a message, whoever wrote it (DELETE)."""
        ...

    async def lock(self, thread: ThreadRef, /) -> None:
        """Lock a thread (LOCK)."""
        ...

    async def branch(self) -> tuple[ThreadRef, MessageRef]:
        """Open a thread with a root in a new conversation, and give its root beside it (BRANCH)."""
        ...

    async def transfer(self, thread: ThreadRef, /) -> ThreadRef:
        """Move a thread to another address (TRANSFER)."""
        ...

    async def erase(self, thread: ThreadRef, /) -> None:
        """Delete a whole thread (ERASE)."""
        ...

    async def writes(self) -> int:
        """Count the writes of the client that have arrived, refused ones too (WATCH)."""
        ...

    async def shift(self, thread: ThreadRef, message: MessageRef, /) -> None:
        """Delete a message as soon as the first page of its thread is read; of several, one at each reading (SHIFT)."""
        ...

    async def break_wire(self, how: Ability, /) -> None:
        """Break the wire in one of the ways that `Ability` names."""
        ...

    async def mend(self) -> None:
        """Make the wire whole, and let go what is held back; a whole wire stays so."""
        ...

    async def held(self) -> None:
        """Wait until an answer is held back (HOLD, HOLD_WRITES)."""
        ...

    async def overheard(self) -> str:
        """Give all that another host was sent, headers and bodies (MOVE)."""
        ...


class ConversationBackend(Backend, Protocol):
    """Act on a backend of conversations.

    `open` opens one in a category that takes no answers; where there are no opening posts nothing was said in it.
    """

    @property
    def place(self) -> str:
        """Give the place in which conversations are opened."""
        ...

    async def categorized(self) -> ThreadRef:
        """Open a conversation in a category in which neither `open` nor anybody else opens one (CATEGORY)."""
        ...

    async def ask(self) -> ThreadRef:
        """Open a conversation in a category that takes answers, where `open` opens others (ASK)."""
        ...

    async def close(self, thread: ThreadRef, /) -> str | None:
        """Close a conversation as a person does; give the reason in the backend's own words, if it has any (CLOSE)."""
        ...

    async def guarded(self) -> str:
        """Name a category of the place, by id or slug, in which the client may not start a conversation (GUARD)."""
        ...


class Unable:
    """Be what handles inherit: everything but `open` and `missing` raises Unsupported until it is overridden."""

    can: frozenset[Ability] = frozenset()
    forwards = True
    secret = "a-token-that-nobody-issued"
    page = 100
    place = "acme/demo"

    async def say(self, thread: ThreadRef, body: str, /) -> MessageRef:
        """Raise Unsupported."""
        raise _cannot(Ability.SPEAK)

    async def alter(self, message: MessageRef, body: str, /) -> None:
        """Raise Unsupported."""
        raise _cannot(Ability.EDIT)

    async def remove(self, message: MessageRef, /) -> None:
        """Raise Unsupported."""
        raise _cannot(Ability.DELETE)

    async def lock(self, thread: ThreadRef, /) -> None:
        """Raise Unsupported."""
        raise _cannot(Ability.LOCK)

    async def branch(self) -> tuple[ThreadRef, MessageRef]:
        """Raise Unsupported."""
        raise _cannot(Ability.BRANCH)

    async def categorized(self) -> ThreadRef:
        """Raise Unsupported."""
        raise _cannot(Ability.CATEGORY)

    async def ask(self) -> ThreadRef:
        """Raise Unsupported."""
        raise _cannot(Ability.ASK)

    async def close(self, thread: ThreadRef, /) -> str | None:
        """Raise Unsupported."""
        raise _cannot(Ability.CLOSE)

    async def guarded(self) -> str:
        """Raise Unsupported."""
        raise _cannot(Ability.GUARD)

    async def transfer(self, thread: ThreadRef, /) -> ThreadRef:
        """Raise Unsupported."""
        raise _cannot(Ability.TRANSFER)

    async def erase(self, thread: ThreadRef, /) -> None:
        """Raise Unsupported."""
        raise _cannot(Ability.ERASE)

    async def writes(self) -> int:
        """Raise Unsupported."""
        raise _cannot(Ability.WATCH)

    async def shift(self, thread: ThreadRef, message: MessageRef, /) -> None:
        """Raise Unsupported."""
        raise _cannot(Ability.SHIFT)

    async def break_wire(self, how: Ability, /) -> None:
        """Raise Unsupported."""
        raise _cannot(how)

    async def mend(self) -> None:
        """Do nothing: what cannot be broken is whole."""

    async def held(self) -> None:
        """Raise Unsupported."""
        raise _cannot(Ability.HOLD)

    async def overheard(self) -> str:
        """Raise Unsupported."""
        raise _cannot(Ability.MOVE)


def _cannot(ability: Ability) -> Unsupported:
    return Unsupported(ability.value, "the handle")
