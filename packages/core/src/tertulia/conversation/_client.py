"""The conversation protocol: chat. Its docstrings are the contract; a test exists for each must, may and raises."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from datetime import datetime
from typing import Protocol

from tertulia.conversation._capabilities import Capability, Trait
from tertulia.conversation._models import Conversation, ConversationDraft, Thread
from tertulia.errors import Unsupported
from tertulia.thread import Draft, Message, MessageRef, ThreadRef, Threads

__all__ = ["Client", "Unimplemented"]


class Client(Threads, Protocol):
    """Take part in conversations; `ThreadRef.conversation` is one, and its `root` one thread of it.

    Replies are flat: whoever answers a reply answers its root. `parent_id` of a root is its own id, of every reply the
    root's, and an opening post has none. `read` without a root gives the conversation whole: the opening post where there
    is one, then its threads with their replies. `read` with a root gives that thread: the root, then its replies; NotFound
    when there is no such root. A reply's id in place of the root's means the same thread, for `read` as for `post`. `post`
    without a root starts a thread. A key is looked for where the answer would stand: among the replies of its thread, or
    without a root among the roots.

    An operation whose capability is not in `capabilities` raises Unsupported with it at the call, and leaves no trace.
    All raise NotFound when the conversation or the message is not there, Denied, RateLimited, Unavailable.
    """

    @property
    def capabilities(self) -> frozenset[Capability]:
        """Say which optional operations the client has."""
        ...

    @property
    def traits(self) -> frozenset[Trait]:
        """Say what conversations have on this backend.

        Without OPENING nothing is in a conversation until somebody has started a thread, and every message is a root or a
        reply. Without CATEGORIES `category` is None, and without QUESTIONS none takes answers.
        """
        ...

    async def get_conversation(self, thread: ThreadRef, /) -> Conversation:
        """Read a conversation, whatever the root: title, category, labels, state.

        A transferred one is followed where the backend says where it went; elsewhere it is not there any more.
        """
        ...

    def conversations(self, place: str, /, *, category: str | None = None) -> AsyncIterator[Conversation]:
        """Find the conversations of a place (`acme/demo`, a team), last active first; of a category, by id or slug (BROWSE).

        Every page is read, as it is needed. NotFound when the place is not there; Invalid when it has no such category.
        """
        ...

    def threads(self, conversation: ThreadRef, /, *, since: datetime | None = None) -> AsyncIterator[Thread]:
        """Find the threads of a conversation, in the backend's order (BROWSE).

        All of them are found, whatever the root. `since` leaves out those with nothing said since: it is compared with the
        last activity in whole seconds, and inclusive. A thread whose root was deleted and has replies is found.
        """
        ...

    async def edit(self, message: MessageRef, draft: Draft, /) -> Message:
        """Replace the body of an own message, an opening post too; agent and key lines are kept (EDIT).

        Raises Denied for a message of somebody else, Invalid over a limit or with nothing to read.
        """
        ...

    async def delete(self, message: MessageRef, /) -> None:
        """Delete an own message (DELETE). Raises Denied for a message of somebody else, Invalid for an opening post.

        A root with replies may leave a tombstone, which `read` and `get_message` give as deleted, without what it said.
        """
        ...

    async def label(
        self, thread: ThreadRef, /, *, add: Collection[str] = (), remove: Collection[str] = ()
    ) -> tuple[str, ...]:
        """Add and remove labels of the conversation by name; give the labels afterwards (LABEL).

        Raises Invalid for a label that the place does not have. One that is not on the conversation is no error to remove.
        """
        ...

    async def react(self, message: MessageRef, reaction: str, /) -> None:
        """Add a reaction to a message, by the backend's name for it (REACT); one that is there already is no error.

        Raises Invalid for a reaction that the backend does not have.
        """
        ...

    async def set_state(
        self, thread: ThreadRef, /, *, closed: bool | None = None, locked: bool | None = None, reason: str | None = None
    ) -> Conversation:
        """Close or open, lock or unlock a conversation (SET_STATE); None leaves as it is. Give it as it is then.

        `reason` says why it is closed, or else why it is locked, in the backend's own words. What is so already is no
        error. Raises Invalid for a reason that the backend does not have, before anything is changed.
        """
        ...

    async def mark_answer(self, message: MessageRef, /, *, answer: bool = True) -> Conversation:
        """Mark a message as the answer of its conversation, or take that back (MARK_ANSWER). Give the conversation then.

        What is so already is no error, and a message that is not the answer takes nothing from the one that is. Raises
        Invalid where the category takes no answers, and for an opening post.
        """
        ...

    async def start(self, draft: ConversationDraft, /) -> Conversation:
        """Start a conversation in a category, at most once for a key, as `post` does (START).

        Raises NotFound when the place is not there, Invalid when it has no such category, over a limit or with nothing
        to read, Denied when this identity may not start one there.
        """
        ...

    async def minimize(self, message: MessageRef, reason: str, /) -> None:
        """Hide a message from readers, with a reason in the backend's own words (MINIMIZE).

        Raises Invalid for a reason that the backend does not have, and for a message that it cannot hide.
        """
        ...


class Unimplemented:
    """Be what implementers inherit: every optional operation raises Unsupported until it is overridden."""

    backend: str = "unknown"
    capabilities: frozenset[Capability] = frozenset()
    traits: frozenset[Trait] = frozenset()

    def conversations(self, place: str, /, *, category: str | None = None) -> AsyncIterator[Conversation]:
        """Raise Unsupported, at the call."""
        raise self._cannot(Capability.BROWSE)

    def threads(self, conversation: ThreadRef, /, *, since: datetime | None = None) -> AsyncIterator[Thread]:
        """Raise Unsupported, at the call."""
        raise self._cannot(Capability.BROWSE)

    async def edit(self, message: MessageRef, draft: Draft, /) -> Message:
        """Raise Unsupported."""
        raise self._cannot(Capability.EDIT)

    async def delete(self, message: MessageRef, /) -> None:
        """Raise Unsupported."""
        raise self._cannot(Capability.DELETE)

    async def label(
        self, thread: ThreadRef, /, *, add: Collection[str] = (), remove: Collection[str] = ()
    ) -> tuple[str, ...]:
        """Raise Unsupported."""
        raise self._cannot(Capability.LABEL)

    async def react(self, message: MessageRef, reaction: str, /) -> None:
        """Raise Unsupported."""
        raise self._cannot(Capability.REACT)

    async def set_state(
        self, thread: ThreadRef, /, *, closed: bool | None = None, locked: bool | None = None, reason: str | None = None
    ) -> Conversation:
        """Raise Unsupported."""
        raise self._cannot(Capability.SET_STATE)

    async def mark_answer(self, message: MessageRef, /, *, answer: bool = True) -> Conversation:
        """Raise Unsupported."""
        raise self._cannot(Capability.MARK_ANSWER)

    async def start(self, draft: ConversationDraft, /) -> Conversation:
        """Raise Unsupported."""
        raise self._cannot(Capability.START)

    async def minimize(self, message: MessageRef, reason: str, /) -> None:
        """Raise Unsupported."""
        raise self._cannot(Capability.MINIMIZE)

    def _cannot(self, capability: Capability) -> Unsupported:
        return Unsupported(capability.value, self.backend)
