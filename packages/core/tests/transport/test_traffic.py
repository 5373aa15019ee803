"""A client's requests take turns, wait for limits, and are made again where that is safe."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tertulia.errors import Denied, Error, NotFound, RateLimited, Unavailable
from tertulia.testing.clock import Time
from tertulia.transport import CAUTION, Budget, Failure, Traffic, backoff

pytestmark = pytest.mark.anyio


def traffic_of(time: Any, **options: Any) -> Traffic:
    return Traffic(backend="test", clock=time, **{"max_wait": 60.0, **options})


def script(*outcomes: Any) -> Callable[[], Awaitable[Any]]:
    """Give one outcome after the other; an error is a failure."""
    pending = list(outcomes)

    async def attempt() -> Any:
        outcome = pending.pop(0)
        return Failure(outcome) if isinstance(outcome, Error) else outcome

    return attempt


async def made(traffic: Traffic, *outcomes: Any, **options: Any) -> Any:
    return await traffic.make(script(*outcomes), operation="read", budget=traffic.budget(), **options)


async def test_what_may_succeed_later_is_tried_again(time: Time) -> None:
    assert await made(traffic_of(time), Unavailable("one"), Unavailable("two"), "answer") == "answer"
    assert len(time.slept) == 2


async def test_four_failures_are_enough(time: Time) -> None:
    with pytest.raises(Unavailable, match="four"):
        await made(traffic_of(time), *(Unavailable(name) for name in ("one", "two", "three", "four")))


async def test_what_may_have_landed_is_not_made_again(time: Time) -> None:
    lost = Unavailable("lost", ambiguous=True)

    with pytest.raises(Unavailable) as caught:
        await made(traffic_of(time), lost, "never", write=True, repeatable=False)
    assert caught.value.ambiguous
    assert await made(traffic_of(time), lost, "answer", write=True) == "answer"


async def test_a_failure_after_one_that_may_have_landed_is_ambiguous_too(time: Time) -> None:
    failures = [Unavailable("lost", ambiguous=True), *(Unavailable("refused") for _ in range(3))]

    with pytest.raises(Unavailable) as caught:
        await made(traffic_of(time), *failures, write=True)

    assert caught.value.ambiguous


async def test_what_has_to_go_away_and_is_not_found_is_gone(time: Time) -> None:
    options: dict[str, Any] = {"write": True, "absent": lambda failure: "gone"}

    assert await made(traffic_of(time), Unavailable("lost", ambiguous=True), NotFound("none"), **options) == "gone"
    with pytest.raises(NotFound):
        await made(traffic_of(time), NotFound("none"), **options)


async def test_credentials_are_asked_for_once_more_where_they_can_be_others(time: Time) -> None:
    pending = [Failure(Denied("expired"), 401), Failure(Denied("again"), 401)]

    async def attempt() -> Any:
        return pending.pop(0)

    traffic = traffic_of(time, renewable=True)
    with pytest.raises(Denied, match="again"):
        await traffic.make(attempt, operation="read", budget=traffic.budget())
    with pytest.raises(Denied, match="once"):
        await made(traffic_of(time), Denied("once"), "never")


async def test_a_clock_that_never_stands_still_keeps_nobody_waiting() -> None:
    class Ticking(Time):
        def now(self) -> float:
            self.at += 0.001
            return self.at

    async with asyncio.timeout(5):
        assert await made(traffic_of(Ticking()), "answer") == "answer"


async def test_what_is_left_of_a_wait_by_rounding_is_waited_for_too() -> None:
    class Coarse(Time):
        async def sleep(self, seconds: float) -> None:
            await super().sleep(seconds if seconds <= 0.001 else seconds - 1e-9)

    clock = Coarse()

    assert await made(traffic_of(clock), RateLimited("slow down", retry_after=20), "answer") == "answer"
    assert clock.slept == [20 - 1e-9, 0.001]


async def test_a_limit_holds_every_task(time: Time) -> None:
    traffic = traffic_of(time)
    limited = RateLimited("slow down", retry_after=20)

    answers = await asyncio.gather(made(traffic, limited, "one"), made(traffic, "two"))

    assert answers == ["one", "two"]
    assert time.at >= 20


async def test_a_limit_beyond_what_a_call_may_sleep_is_raised_with_the_time_that_is_left(time: Time) -> None:
    traffic = traffic_of(time, max_wait=5.0)

    for _ in range(2):
        with pytest.raises(RateLimited) as caught:
            await made(traffic, RateLimited("slow down", retry_after=20), "never")
        assert (caught.value.retry_after, caught.value.backend, caught.value.operation) == (20, "test", "read")

    assert time.slept == []


async def test_reading_is_careful_after_a_secondary_limit_and_no_longer_than_that(time: Time) -> None:
    traffic, flying, most = traffic_of(time), 0, 0

    async def attempt() -> Any:
        nonlocal flying, most
        flying += 1
        most = max(most, flying)
        await asyncio.sleep(0)
        flying -= 1
        return "answer"

    async def many() -> int:
        nonlocal most
        most = 0
        calls = (traffic.make(attempt, operation="read", budget=traffic.budget()) for _ in range(9))
        await asyncio.gather(*calls)
        return most

    assert await many() == 6
    await made(traffic, RateLimited("secondary rate limit", retry_after=1), "answer")
    assert await many() == 1
    time.at += CAUTION
    assert await many() == 6


async def test_one_write_is_made_at_a_time(time: Time) -> None:
    traffic, order = traffic_of(time), []

    async def attempt() -> Any:
        order.append("begin")
        await asyncio.sleep(0)
        order.append("end")
        return "answer"

    calls = (traffic.make(attempt, operation="post", budget=traffic.budget(), write=True) for _ in range(3))
    await asyncio.gather(*calls)

    assert order == ["begin", "end"] * 3


def test_what_is_slept_at_the_same_time_counts_once(time: Time) -> None:
    budget = Budget(10, time)  # type: ignore[arg-type]

    assert budget.take(6)
    assert budget.take(6), "another request of the call sleeps meanwhile"
    assert not budget.take(11)
    assert budget.take(10)


def test_backing_off_takes_longer_each_time_and_not_for_ever() -> None:
    assert all(0.25 <= backoff(1) <= 0.5 and 1 <= backoff(3) <= 2 and 4 <= backoff(20) <= 8 for _ in range(20))
