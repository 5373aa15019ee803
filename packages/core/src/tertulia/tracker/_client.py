"""The tracker protocol: issue content. Its docstrings are the contract; a test exists for each must, may and raises."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from typing import Protocol

from tertulia.errors import Unsupported
from tertulia.thread import Draft, Message, MessageRef, ThreadRef, Threads
from tertulia.tracker._capabilities import Capability
from tertulia.tracker._models import Issue, IssueDraft

__all__ = ["Client", "Unimplemented"]


class Client(Threads, Protocol):
    """Work with issues; `ThreadRef.conversation` is the issue.

    An operation whose capability is not in `capabilities` raises Unsupported with it at the call, and leaves no trace.
    """

    @property
    def capabilities(self) -> frozenset[Capability]:
        """Say which optional operations the client has."""
        ...

    async def get_issue(self, thread: ThreadRef, /) -> Issue:
        """Read an issue. A transferred one is followed; NotFound when it is not there or was deleted."""
        ...

    async def edit(self, message: MessageRef, draft: Draft, /) -> Message:
        """Replace the body of an own message; agent and key lines are kept (EDIT).

        Raises NotFound, Denied for a message of somebody else, Invalid over a limit.
        """
        ...

    async def delete(self, message: MessageRef, /) -> None:
        """Delete a message (DELETE). Raises NotFound when it is not there, Denied."""
        ...

    async def label(
        self, thread: ThreadRef, /, *, add: Collection[str] = (), remove: Collection[str] = ()
    ) -> tuple[str, ...]:
        """Add and remove labels by name; give the labels afterwards (LABEL). A label that is not there is no error to remove."""
        ...

    async def react(self, message: MessageRef, reaction: str, /) -> None:
        """Add a reaction to a message (REACT); one that is there already is no error."""
        ...

    async def minimize(self, message: MessageRef, reason: str, /) -> None:
        """Hide a message from readers, with a reason (MINIMIZE)."""
        ...

    async def create_issue(self, draft: IssueDraft, /) -> Issue:
        """Create an issue (CREATE_ISSUE)."""
        ...

    async def transition(self, thread: ThreadRef, state: str, /) -> Issue:
        """Move an issue to another state: `open`, `closed`, or one of the backend's own (TRANSITION)."""
        ...

    def search(self, query: str, /) -> AsyncIterator[Issue]:
        """Find issues in the backend's own query language (SEARCH)."""
        ...


class Unimplemented:
    """Be what implementers inherit: every optional operation raises Unsupported until it is overridden."""

    backend: str = "unknown"
    capabilities: frozenset[Capability] = frozenset()

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

    async def minimize(self, message: MessageRef, reason: str, /) -> None:
        """Raise Unsupported."""
        raise self._cannot(Capability.MINIMIZE)

    async def create_issue(self, draft: IssueDraft, /) -> Issue:
        """Raise Unsupported."""
        raise self._cannot(Capability.CREATE_ISSUE)

    async def transition(self, thread: ThreadRef, state: str, /) -> Issue:
        """Raise Unsupported."""
        raise self._cannot(Capability.TRANSITION)

    def search(self, query: str, /) -> AsyncIterator[Issue]:
        """Raise Unsupported, at the call."""
        raise self._cannot(Capability.SEARCH)

    def _cannot(self, capability: Capability) -> Unsupported:
        return Unsupported(capability.value, self.backend)
