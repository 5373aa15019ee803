"""The forge protocol: git hosting only. Its docstrings are the contract.

Left out on purpose: branches, commits, workflows, secrets, organisations, administration. An agent's own checkout or an
installer does those, and `native` is there.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from tertulia.errors import Unsupported
from tertulia.forge._models import (
    Capability,
    Change,
    ChangeDraft,
    ChangeFile,
    File,
    Permission,
    Review,
    ReviewDraft,
    ReviewThread,
)
from tertulia.thread import Account, Draft, Message

__all__ = ["Client", "Unimplemented"]


class Client(Protocol):
    """Work with change proposals and files on a git host; `repo` is its path (`acme/demo`).

    An operation whose capability is not in `capabilities` raises Unsupported with it at the call, and leaves no trace.
    """

    @property
    def backend(self) -> str:
        """Name the backend."""
        ...

    @property
    def capabilities(self) -> frozenset[Capability]:
        """Say which optional operations the client has."""
        ...

    async def whoami(self) -> Account:
        """Give the account this client acts as, resolved once and cached. Raises Denied, Unavailable."""
        ...

    async def permission(self, repo: str, login: str, /) -> Permission:
        """Look up an account's role on a repository; an account without access has the role none.

        Raises NotFound when the repository is not visible, Denied when this identity may not ask.
        """
        ...

    async def get_change(self, repo: str, number: int, /) -> Change:
        """Read a change proposal. Raises NotFound."""
        ...

    async def get_file(self, repo: str, path: str, /, *, ref: str | None = None) -> File:
        """Read a file at a ref (the default branch without one). Raises NotFound; Invalid for a directory."""
        ...

    def changes(self, repo: str, /, *, state: str = "open") -> AsyncIterator[Change]:
        """Give the change proposals of a repository, newest first (CHANGES)."""
        ...

    def change_files(self, repo: str, number: int, /) -> AsyncIterator[ChangeFile]:
        """Give the files a change proposal touches (CHANGE_FILES)."""
        ...

    def reviews(self, repo: str, number: int, /) -> AsyncIterator[Review]:
        """Give the reviews of a change proposal, oldest first (REVIEWS)."""
        ...

    async def create_review(self, repo: str, number: int, draft: ReviewDraft, /) -> Review:
        """Submit a review (CREATE_REVIEW)."""
        ...

    def review_threads(self, repo: str, number: int, /) -> AsyncIterator[ReviewThread]:
        """Give the threads of review comments (REVIEW_THREADS)."""
        ...

    async def reply_in_review_thread(self, repo: str, number: int, root: str, draft: Draft, /) -> Message:
        """Answer in a thread of review comments, at most once for a key (REPLY_IN_REVIEW_THREAD)."""
        ...

    async def create_change(self, draft: ChangeDraft, /) -> Change:
        """Create a change proposal; Conflict when there is one already (CREATE_CHANGE)."""
        ...


class Unimplemented:
    """Be what implementers inherit: every optional operation raises Unsupported until it is overridden."""

    backend: str = "unknown"
    capabilities: frozenset[Capability] = frozenset()

    def changes(self, repo: str, /, *, state: str = "open") -> AsyncIterator[Change]:
        """Raise Unsupported, at the call."""
        raise self._cannot(Capability.CHANGES)

    def change_files(self, repo: str, number: int, /) -> AsyncIterator[ChangeFile]:
        """Raise Unsupported, at the call."""
        raise self._cannot(Capability.CHANGE_FILES)

    def reviews(self, repo: str, number: int, /) -> AsyncIterator[Review]:
        """Raise Unsupported, at the call."""
        raise self._cannot(Capability.REVIEWS)

    async def create_review(self, repo: str, number: int, draft: ReviewDraft, /) -> Review:
        """Raise Unsupported."""
        raise self._cannot(Capability.CREATE_REVIEW)

    def review_threads(self, repo: str, number: int, /) -> AsyncIterator[ReviewThread]:
        """Raise Unsupported, at the call."""
        raise self._cannot(Capability.REVIEW_THREADS)

    async def reply_in_review_thread(self, repo: str, number: int, root: str, draft: Draft, /) -> Message:
        """Raise Unsupported."""
        raise self._cannot(Capability.REPLY_IN_REVIEW_THREAD)

    async def create_change(self, draft: ChangeDraft, /) -> Change:
        """Raise Unsupported."""
        raise self._cannot(Capability.CREATE_CHANGE)

    def _cannot(self, capability: Capability) -> Unsupported:
        return Unsupported(capability.value, self.backend)
