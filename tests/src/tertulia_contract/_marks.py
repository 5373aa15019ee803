"""What a test says of itself: the abilities it needs, and the capability it is about, with its other arm."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from enum import StrEnum
from typing import Any

import pytest

from tertulia.conversation import Trait
from tertulia.errors import Denied, RateLimited, Unavailable, Unsupported
from tertulia.thread import ThreadRef
from tertulia_contract._absent import is_absent
from tertulia_contract._backend import Ability, Backend
from tertulia_contract._helpers import AnyClient, about
from tertulia_contract._operations import plainly, settled

__all__ = ["BROKEN", "needs", "optional", "refuses", "where"]

_Async = Callable[..., Coroutine[Any, Any, None]]


def needs(*abilities: Ability) -> pytest.MarkDecorator:
    """Mark a test that needs a handle with these abilities."""
    return pytest.mark.contract_needs(*abilities)


BROKEN = pytest.mark.parametrize(
    ("how", "error"),
    [
        pytest.param(how, error, marks=needs(how))
        for how, error in [(Ability.DENY, Denied), (Ability.LIMIT, RateLimited), (Ability.CUT, Unavailable)]
    ],
)
"""Run a test over each wire on which nothing can be done, with the error that tells of it."""


def optional(capability: StrEnum) -> Callable[[_Async], _Async]:
    """Give a test two arms: it runs when the client declares the capability, and else the call must be refused."""

    def decorate(test: _Async) -> _Async:
        @functools.wraps(test)
        async def either(self: object, **fixtures: Any) -> None:
            if capability in fixtures["client"].capabilities:
                await test(self, **fixtures)
            else:
                place = fixtures.get("subject") or fixtures["thread"]
                await refuses(capability.value, fixtures["client"], fixtures["backend"], place)

        marked: _Async = pytest.mark.contract_capability(capability.value)(either)
        return marked

    return decorate


def where(trait: Trait) -> Callable[[_Async], _Async]:
    """Give a test two arms: it runs when the client says that there is such a thing, and else nothing of it may be met."""

    def decorate(test: _Async) -> _Async:
        @functools.wraps(test)
        async def either(self: object, **fixtures: Any) -> None:
            if trait in fixtures["client"].traits:
                await test(self, **fixtures)
            else:
                await is_absent(trait, fixtures["client"], fixtures["backend"], fixtures["subject"])

        marked: _Async = pytest.mark.contract_trait(trait.value)(either)
        return marked

    return decorate


async def refuses(capability: str, client: AnyClient, backend: Backend, thread: ThreadRef) -> None:
    """Assert that its operations raise Unsupported with the capability, at the call, and leave no trace."""
    operations = await plainly(capability, client, backend, thread)
    before = await _trace(client, backend, thread)

    for operation in operations:
        with pytest.raises(Unsupported) as refused:
            await settled(operation)
        assert refused.value.capability == capability
        assert refused.value.backend == client.backend

    assert await _trace(client, backend, thread) == before


async def _trace(client: AnyClient, backend: Backend, thread: ThreadRef) -> Any:
    arrived = await backend.writes() if Ability.WATCH in backend.can else None
    return arrived, await client.read(thread), await about(client, thread)
