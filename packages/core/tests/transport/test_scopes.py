"""A limit holds for what the backend limits together, and for nothing else."""

import pytest

from tertulia.errors import RateLimited
from tertulia.testing.clock import Time
from tertulia.transport import Clock, Failure, Traffic


class Simulated(Time, Clock):
    """A clock that does not wait."""


@pytest.fixture
def anyio_backend() -> str:
    """Run on asyncio."""
    return "asyncio"


@pytest.mark.anyio
async def test_a_limit_of_one_scope_keeps_no_other_waiting() -> None:
    traffic = Traffic(backend="memory", max_wait=0, clock=Simulated())

    async def refused() -> str | Failure:
        return Failure(RateLimited("slow down", retry_after=30.0), 429, {"retry-after": "30"})

    async def answered() -> str | Failure:
        return "well"

    with pytest.raises(RateLimited) as caught:
        await traffic.make(refused, operation="read", budget=traffic.budget(), scope="replies")

    assert caught.value.scope == "replies"
    assert await traffic.make(answered, operation="read", budget=traffic.budget(), scope="people") == "well"
    assert await traffic.make(answered, operation="read", budget=traffic.budget()) == "well"
    with pytest.raises(RateLimited):
        await traffic.make(answered, operation="read", budget=traffic.budget(), scope="replies")
