"""What many tests do."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

from tertulia import conversation, outbound, tracker
from tertulia.conversation import Conversation, ConversationDraft
from tertulia.thread import Draft, Listing, Message, MessageRef, ThreadRef, Threads
from tertulia.tracker import Issue
from tertulia_contract._backend import Backend, ConversationBackend

__all__ = [
    "AnyClient",
    "about",
    "cancelled",
    "carried",
    "draft",
    "everything",
    "idea",
    "posted_by",
    "ref_of",
    "said_in",
    "under",
    "written",
]

_LONG = 10.0

AnyClient = tracker.Client | conversation.Client
"""A client that does more than read and answer."""


async def about(client: AnyClient, thread: ThreadRef) -> Issue | Conversation:
    """Read what labels, state and address belong to: the issue of a thread, or its conversation."""
    ways = (getattr(client, name, None) for name in ("get_issue", "get_conversation"))
    read: Callable[[ThreadRef], Awaitable[Issue | Conversation]] = next(filter(None, ways))
    return await read(thread)


def draft(body: str = "Here is why.", key: str | None = None) -> Draft:
    """Make an answer by the agent `helper`."""
    return Draft(body=body, agent="helper", key=key)


async def idea(
    client: conversation.Client, backend: ConversationBackend, thread: ThreadRef, key: str | None = None
) -> ConversationDraft:
    """Make a conversation to start beside another, in its category."""
    category = (await client.get_conversation(thread)).category
    name = (category and (category.slug or category.id)) or "general"
    return ConversationDraft(
        place=backend.place, category=name, title="An idea", body="Words.", agent="helper", key=key
    )


def said_in(listing: Listing) -> tuple[Message, ...]:
    """Give what was said in a conversation: everything but the opening post, which has no parent."""
    return tuple(one for one in listing.messages if one.parent_id is not None)


def ref_of(thread: ThreadRef, message: Message) -> MessageRef:
    """Address a message of a thread."""
    return MessageRef(
        conversation=thread.conversation, source_type=message.source_type, id=message.id, handle=message.handle
    )


def under(thread: ThreadRef, message: Message | MessageRef, *, handle: bool = True) -> ThreadRef:
    """Address the thread of a root or of a reply, by its id alone or by the adapter's handle too."""
    return ThreadRef(conversation=thread.conversation, root=message.id, handle=message.handle if handle else None)


def carried(message: Message) -> tuple[str | None, str | None]:
    """Give the agent and the digest of the key that a message carries, in its body or beside it."""
    if message.marker is not None:
        key = message.marker.key
        return message.marker.agent, outbound.key_digest(key) if key is not None else None
    lines = outbound.parse_lines(message.body)
    return lines.agent, lines.key


def written(message: Message) -> str:
    """Give what the agent wrote, without the host's own lines."""
    lines = message.body.replace("\r\n", "\n").strip().split("\n")
    agent, key = carried(message) if message.marker is None else (None, None)
    return "\n".join(lines[agent is not None : len(lines) - (key is not None)]).strip()


async def posted_by(client: Threads, thread: ThreadRef) -> list[Message]:
    """List what the client's own account has written in a thread."""
    me = await client.whoami()
    listing = await client.read(thread)
    return [one for one in listing.messages if one.author is not None and one.author.id == me.id]


def everything(error: BaseException) -> str:
    """Give all that can be seen of an error: its words, its fields, and its causes with their tracebacks."""
    return "\n".join([str(error), repr(error), repr(vars(error)), *traceback.format_exception(error)])


async def cancelled(task: asyncio.Task[Any], backend: Backend) -> None:
    """Cancel a task whose answer is held back, mend the wire, and assert that the task ended of it."""
    async with asyncio.timeout(_LONG):
        held = asyncio.create_task(backend.held())
        await asyncio.wait({task, held}, return_when=asyncio.FIRST_COMPLETED)
        held.cancel()
        task.cancel()
        await asyncio.wait({task})
    await backend.mend()
    assert task.cancelled(), "the cancellation was swallowed"
