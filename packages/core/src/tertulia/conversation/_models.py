"""The models of conversations. Who belongs to whom is in the types: a category belongs to a conversation, never to a
thread or a message; a message belongs to one thread; replies are flat.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from tertulia._frozen import Frozen, Id, Instant
from tertulia.category import Category
from tertulia.thread import Account, Draft, Message, ThreadRef

__all__ = ["Conversation", "ConversationDraft", "Thread"]


class Conversation(Frozen):
    """Hold a conversation: a GitHub Discussion, a Slack channel. `conversation` addresses it (`acme/demo#7`, `T1/C1`).

    After a transfer `conversation` is the new address. `category` is None where the backend has none; `labels` never
    hold it. `author` None is a deleted account, or nobody in particular. `answered` is None where there is no question,
    and `answer` the id of the message that answers it. `messages` is the backend's own count of messages below the
    opening post. `handle` is the adapter's own.
    """

    conversation: Annotated[str, StringConstraints(min_length=1, max_length=1024)]
    id: Id
    title: str
    category: Category | None = None
    labels: tuple[str, ...] = ()
    author: Account | None = None
    association: str | None = None
    closed: bool = False
    state_reason: str | None = None
    locked: bool = False
    answered: bool | None = None
    answer: Id | None = None
    messages: Annotated[int, Field(ge=0)] | None = None
    created_at: Instant
    updated_at: Instant | None = None
    url: str | None = None
    handle: str | None = None


class Thread(Frozen):
    """Hold a thread of a conversation as browsing finds it: its root, and how much was said below.

    `ref` addresses it, `replies` counts what is below the root (None: unknown), and `last_activity` is when something
    was last said in it.
    """

    ref: ThreadRef
    root: Message
    replies: Annotated[int, Field(ge=0)] | None = None
    last_activity: Instant


class ConversationDraft(Draft):
    """Hold a conversation to be started in `place` (`acme/demo`), in a category named by its id or its slug."""

    place: Annotated[str, StringConstraints(min_length=1)]
    category: Annotated[str, StringConstraints(min_length=1)]
    title: Annotated[str, StringConstraints(min_length=1, max_length=256)]
