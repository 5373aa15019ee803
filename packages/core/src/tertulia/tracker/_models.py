"""The tracker's models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from tertulia._frozen import Frozen, Id, Instant
from tertulia.thread import Account

__all__ = ["Issue", "IssueDraft"]


class Issue(Frozen):
    """Hold an issue, or a change proposal seen as one (`is_change_proposal`).

    `conversation` addresses it (`acme/demo#7`, `PROJ-1`); after a transfer it is the new address. `comments` is the
    backend's own count. `author` None is a deleted account.
    """

    conversation: str
    id: Id
    title: str
    body: str = ""
    author: Account | None = None
    association: str | None = None
    state: Literal["open", "closed"]
    state_reason: str | None = None
    labels: tuple[str, ...] = ()
    locked: bool = False
    is_change_proposal: bool = False
    comments: Annotated[int, Field(ge=0)] | None = None
    created_at: Instant
    updated_at: Instant | None = None
    url: str | None = None


class IssueDraft(Frozen):
    """Hold an issue to be created in `place` (`acme/demo`, a Jira project)."""

    place: Annotated[str, StringConstraints(min_length=1)]
    title: Annotated[str, StringConstraints(min_length=1, max_length=256)]
    body: str = ""
    labels: tuple[str, ...] = ()
