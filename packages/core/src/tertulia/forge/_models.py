"""The forge's models: change proposals, files, reviews, and what an account may do on a repository."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from tertulia._frozen import Frozen, Id, Instant
from tertulia.event import ChangeProposal, Role
from tertulia.thread import Account

__all__ = [
    "Capability",
    "Change",
    "ChangeDraft",
    "ChangeFile",
    "File",
    "Permission",
    "Review",
    "ReviewComment",
    "ReviewDraft",
    "ReviewState",
    "ReviewThread",
]

ReviewState = Literal["approved", "changes_requested", "commented", "dismissed", "pending"]


class Capability(StrEnum):
    """Name what a forge client can do besides its required operations."""

    CHANGES = "changes"
    CHANGE_FILES = "change_files"
    REVIEWS = "reviews"
    CREATE_REVIEW = "create_review"
    REVIEW_THREADS = "review_threads"
    REPLY_IN_REVIEW_THREAD = "reply_in_review_thread"
    CREATE_CHANGE = "create_change"


class Permission(Frozen):
    """Say what an account may do on a repository: `role` in our words, `role_name` in the backend's (a custom role)."""

    role: Role
    role_name: str | None = None


class Change(Frozen):
    """Hold a change proposal. `proposal` is what an event carries of it; `author` None is a deleted account."""

    repo: str
    number: Annotated[int, Field(ge=1)]
    title: str
    body: str = ""
    author: Account | None = None
    state: Literal["open", "closed", "merged"]
    draft: bool = False
    labels: tuple[str, ...] = ()
    proposal: ChangeProposal
    created_at: Instant
    updated_at: Instant | None = None
    url: str | None = None


class File(Frozen):
    """Hold a file at a ref: its bytes, and the id of the blob."""

    path: str
    ref: str | None = None
    content: bytes
    sha: str | None = None


class ChangeFile(Frozen):
    """Name a file a change proposal touches; `patch` is absent for a binary or a very large one."""

    path: str
    status: str
    additions: Annotated[int, Field(ge=0)] = 0
    deletions: Annotated[int, Field(ge=0)] = 0
    patch: str | None = None
    previous_path: str | None = None


class Review(Frozen):
    """Hold a review of a change proposal."""

    id: Id
    author: Account | None = None
    state: ReviewState
    body: str = ""
    submitted_at: Instant | None = None
    commit: str | None = None
    url: str | None = None


class ReviewComment(Frozen):
    """Place one remark of a review draft on a line of a file."""

    path: str
    line: Annotated[int, Field(ge=1)]
    body: str


class ReviewDraft(Frozen):
    """Hold a review on its way out."""

    state: Literal["approved", "changes_requested", "commented"]
    body: str = ""
    comments: tuple[ReviewComment, ...] = ()
    commit: str | None = None


class ReviewThread(Frozen):
    """Name a thread of review comments by its root comment."""

    root: Id
    path: str
    line: int | None = None
    resolved: bool | None = None
    comments: Annotated[int, Field(ge=1)] = 1


class ChangeDraft(Frozen):
    """Hold a change proposal to be created from branches that are there."""

    repo: Annotated[str, StringConstraints(min_length=3)]
    title: Annotated[str, StringConstraints(min_length=1, max_length=256)]
    body: str = ""
    head: str
    base: str
    draft: bool = False
