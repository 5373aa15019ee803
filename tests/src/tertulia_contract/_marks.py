"""What a test says of itself: the abilities it needs, and the capability it is about, with its other arm."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tertulia import tracker
from tertulia.errors import Unsupported
from tertulia.thread import Draft, MessageRef, ThreadRef
from tertulia.tracker import Capability, IssueDraft
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._helpers import draft, ref_of

__all__ = ["call", "needs", "optional", "refuses"]

_Async = Callable[..., Coroutine[Any, Any, None]]


def needs(*abilities: Ability) -> pytest.MarkDecorator:
    """Mark a test that needs a handle with these abilities."""
    return pytest.mark.contract_needs(*abilities)


def optional(capability: Capability) -> Callable[[_Async], _Async]:
    """Give a test two arms: it runs when the client declares the capability, and else the call must be refused."""

    def decorate(test: _Async) -> _Async:
        @functools.wraps(test)
        async def either(self: object, **fixtures: Any) -> None:
            if capability in fixtures["client"].capabilities:
                await test(self, **fixtures)
            else:
                await refuses(capability, fixtures["client"], fixtures["backend"], fixtures["thread"])

        marked: _Async = pytest.mark.contract_capability(capability.value)(either)
        return marked

    return decorate


async def refuses(capability: Capability, client: tracker.Client, backend: Backend, thread: ThreadRef) -> None:
    """Assert that an operation raises Unsupported with its capability, at the call, and leaves no trace."""
    posted = await client.post(thread, draft())
    before = await _trace(client, backend, thread)

    with pytest.raises(Unsupported) as refused:
        await _settled(capability, client, thread, ref_of(thread, posted))

    assert refused.value.capability == capability.value
    assert refused.value.backend == client.backend
    assert await _trace(client, backend, thread) == before


def call(capability: Capability, client: tracker.Client, thread: ThreadRef, message: MessageRef) -> Any:
    """Call the operation of a capability in the plainest way."""
    place = thread.conversation.partition("#")[0]
    match capability:
        case Capability.EDIT:
            return client.edit(message, Draft(body="Better.", agent="helper"))
        case Capability.DELETE:
            return client.delete(message)
        case Capability.LABEL:
            return client.label(thread, add=["bug"])
        case Capability.REACT:
            return client.react(message, "+1")
        case Capability.MINIMIZE:
            return client.minimize(message, "spam")
        case Capability.CREATE_ISSUE:
            return client.create_issue(IssueDraft(place=place, title="Another one"))
        case Capability.TRANSITION:
            return client.transition(thread, "closed")
        case Capability.SEARCH:
            return client.search("fails")


async def _settled(capability: Capability, client: tracker.Client, thread: ThreadRef, message: MessageRef) -> None:
    answer = call(capability, client, thread, message)
    if inspect.isawaitable(answer):
        await answer


async def _trace(client: tracker.Client, backend: Backend, thread: ThreadRef) -> Any:
    arrived = await backend.writes() if Ability.WATCH in backend.can else None
    return arrived, await client.read(thread), await client.get_issue(thread)
