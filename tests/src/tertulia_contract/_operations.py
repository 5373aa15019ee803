"""The optional operations of every kind of client, each called in the plainest way."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

from tertulia.thread import ThreadRef
from tertulia.tracker import IssueDraft
from tertulia_contract._helpers import draft, idea, ref_of

__all__ = ["plainly", "settled"]


async def plainly(capability: str, client: Any, backend: Any, thread: ThreadRef) -> list[Callable[[], Any]]:
    """Post an answer to act on, and give the operations of a capability."""
    message = ref_of(thread, await client.post(thread, draft()))
    match capability:
        case "edit":
            return [partial(client.edit, message, draft("Better."))]
        case "label":
            return [partial(client.label, thread, add=["bug"])]
        case "react":
            return [partial(client.react, message, "+1")]
        case "minimize":
            return [partial(client.minimize, message, "spam")]
        case "create_issue":
            place = thread.conversation.partition("#")[0]
            return [partial(client.create_issue, IssueDraft(place=place, title="Another one"))]
        case "transition":
            return [partial(client.transition, thread, "closed")]
        case "search":
            return [partial(client.search, "fails")]
        case "set_state":
            return [partial(client.set_state, thread, closed=True)]
        case "start":
            return [partial(client.start, await idea(client, backend, thread))]
        case "browse":
            return [partial(client.threads, thread), partial(client.conversations, backend.place)]
        case _:
            return [partial(getattr(client, capability), message)]


async def settled(operation: Callable[[], Any]) -> Any:
    """Call an operation; wait for what is waited for, and list what is found."""
    answer = operation()
    if inspect.isawaitable(answer):
        return await answer
    return [one async for one in answer]
