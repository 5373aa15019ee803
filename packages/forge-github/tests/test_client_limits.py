"""Rate limits: waited for when the time allows, told when it does not, and never run against."""

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from tertulia.errors import RateLimited
from tertulia.testing.github import refusals
from tertulia.testing.loopback import Reply, Request, Server
from tertulia.transport import Clock

pytestmark = pytest.mark.anyio

OK = Reply(200, [])


def in_date_form(seconds: float) -> Reply:
    """Say in the second form of RFC 9110 when to come again."""
    moment = datetime.now(UTC) + timedelta(seconds=seconds)
    return refusals.slow_down(format_datetime(moment, usegmt=True), status=403)


@pytest.mark.parametrize(
    ("reply", "least", "most"),
    [
        (lambda: refusals.slow_down("7"), 6.5, 7.0),
        (lambda: refusals.slow_down("0", status=403), 0.5, 1.0),
        (lambda: in_date_form(20), 17, 20),
        (lambda: in_date_form(-20), 0.5, 1.0),
        (lambda: refusals.hour_is_used_up(30), 27, 30),
        (lambda: refusals.hour_is_used_up(-30), 0.5, 1.0),
        (lambda: refusals.SECONDARY, 59, 60),
        (lambda: replace(refusals.SECONDARY, headers={"x-ratelimit-remaining": "4000", "retry-after": "no"}), 59, 60),
    ],
    ids=["seconds", "zero", "date", "past date", "primary", "past reset", "by its text alone", "retry-after nonsense"],
)
async def test_a_limit_is_waited_for(
    reply: Callable[[], Reply], least: float, most: float, server: Server, opened: Any, clock: Any
) -> None:
    server.route("GET", "/x", reply(), OK)

    async with opened() as http:
        await http.get("/x", operation="x")

    assert len(server.requests) == 2
    assert least <= sum(clock.slept) <= most


async def test_a_limit_beyond_max_wait_is_told(server: Server, opened: Any, clock: Any) -> None:
    server.route("GET", "/x", refusals.hour_is_used_up(1800))

    async with opened(max_wait=60) as http:
        with pytest.raises(RateLimited) as caught:
            await http.get("/x", operation="look")

    assert clock.slept == []
    assert caught.value.retry_after == pytest.approx(1800, abs=3)
    assert caught.value.resets_at is not None
    assert (caught.value.scope, caught.value.operation, caught.value.transient) == ("core", "look", True)


async def test_an_hour_is_not_waited_for_and_not_shortened(server: Server, opened: Any, clock: Any) -> None:
    server.route("GET", "/x", refusals.slow_down("3600"))

    async with opened(max_wait=60) as http:
        with pytest.raises(RateLimited) as caught:
            await http.get("/x", operation="look")

    assert (len(server.requests), clock.slept) == (1, [])
    assert caught.value.retry_after == pytest.approx(3600, abs=3)


async def test_one_call_never_sleeps_longer_than_max_wait_in_all(server: Server, opened: Any, clock: Any) -> None:
    server.route("GET", "/x", refusals.slow_down("25"))

    async with opened(max_wait=60) as http:
        with pytest.raises(RateLimited):
            await http.get("/x", operation="x")

    assert len(server.requests) == 3
    assert sum(clock.slept) == pytest.approx(50, abs=1)


async def test_a_limit_without_a_time_grows(server: Server, opened: Any, clock: Any) -> None:
    server.route("GET", "/x", refusals.SECONDARY, refusals.SECONDARY, OK)

    async with opened(max_wait=200) as http:
        await http.get("/x", operation="x")

    assert clock.slept == pytest.approx([60, 120], abs=1)


async def test_no_other_call_runs_against_a_known_limit(server: Server, opened: Any) -> None:
    server.route("GET", "/x", refusals.slow_down("100"))

    async with opened() as http:
        for _ in range(3):
            with pytest.raises(RateLimited, match="429 You have triggered") as caught:
                await http.get("/x", operation="second")
        with pytest.raises(RateLimited):
            await http.send("POST", "/x", operation="third")

    assert len(server.requests) == 1
    assert caught.value.retry_after == pytest.approx(100, abs=2)
    assert caught.value.operation == "second"


async def test_who_waited_for_a_turn_meanwhile_does_not_run_against_the_limit(server: Server, opened: Any) -> None:
    arrived: list[float] = []

    def post(request: Request) -> Reply:
        arrived.append(time.monotonic())
        return refusals.slow_down("1") if len(arrived) == 1 else Reply(201, {})

    server.route("POST", "/x", post)

    async with opened(_clock=Clock()) as http:
        await asyncio.gather(*(http.send("POST", "/x", operation="x") for _ in range(3)))

    assert len(arrived) == 4
    assert arrived[1] - arrived[0] > 0.95


async def test_what_many_pages_sleep_at_the_same_time_counts_once(server: Server, opened: Any) -> None:
    limited: list[str] = []

    def page(request: Request) -> Reply:
        number = request.query["page"]
        if number != "1" and len(limited) < 5:
            limited.append(number)
            return replace(refusals.slow_down("1"), delay=0.05)
        return Reply(200, [int(number)], {"link": f'<{server.url}/x?page=6>; rel="last"'} if number == "1" else {})

    server.route("GET", "/x", page)

    async with opened(max_wait=2, _clock=Clock()) as http:
        read = await http.pages("/x", operation="x")

    assert sorted(read.items) == [1, 2, 3, 4, 5, 6]


class Crowd:
    """Count how many requests are answered at the same time; the first of them wait for the expected number."""

    def __init__(self, expected: int) -> None:
        self.most = 0
        self._expected = expected
        self._now = 0
        self._changed = threading.Condition()

    def answer(self, request: Request) -> Reply:
        """Take a while, so that one too many would be seen."""
        with self._changed:
            self._now += 1
            self.most = max(self.most, self._now)
            self._changed.notify_all()
            self._changed.wait_for(lambda: self.most >= self._expected, timeout=5)
        time.sleep(0.03)
        with self._changed:
            self._now -= 1
        return OK


async def test_six_reads_are_in_flight_at_most(server: Server, opened: Any) -> None:
    crowd = Crowd(6)
    server.route("GET", "/x", crowd.answer)

    async with opened() as http:
        await asyncio.gather(*(http.get("/x", operation="x") for _ in range(20)))

    assert crowd.most == 6


async def test_one_read_is_in_flight_after_a_secondary_limit_and_six_when_it_is_long_past(
    server: Server, opened: Any, clock: Any
) -> None:
    crowd, later = Crowd(1), Crowd(6)
    server.route("GET", "/limited", replace(refusals.SECONDARY, headers={"retry-after": "1"}), OK)
    server.route("GET", "/x", crowd.answer)
    server.route("GET", "/y", later.answer)

    async with opened() as http:
        await http.get("/limited", operation="x")
        await asyncio.gather(*(http.get("/x", operation="x") for _ in range(8)))
        await clock.sleep(301)
        await asyncio.gather(*(http.get("/y", operation="x") for _ in range(20)))

    assert crowd.most == 1
    assert later.most == 6


async def test_a_primary_limit_is_no_reason_to_be_careful(server: Server, opened: Any) -> None:
    crowd = Crowd(6)
    server.route("GET", "/limited", refusals.hour_is_used_up(2), OK)
    server.route("GET", "/x", crowd.answer)

    async with opened() as http:
        await http.get("/limited", operation="x")
        await asyncio.gather(*(http.get("/x", operation="x") for _ in range(20)))

    assert crowd.most == 6


async def test_one_write_is_in_flight_at_most_beside_the_reads(server: Server, opened: Any) -> None:
    writes, reads = Crowd(1), Crowd(6)
    server.route("POST", "/x", writes.answer)
    server.route("GET", "/x", reads.answer)

    async with opened() as http:
        calls = [http.send("POST", "/x", operation="x") for _ in range(5)]
        calls += [http.get("/x", operation="x") for _ in range(12)]
        await asyncio.gather(*calls)

    assert (writes.most, reads.most) == (1, 6)
