"""Nobody knows whether an answer landed: it is looked for, and never sent a second time blindly."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tertulia.errors import Unavailable
from tertulia.testing.github import refusals
from tertulia.testing.loopback import Reply
from tertulia.thread import Draft, ThreadRef
from tertulia_tracker.github import Client

GitHub = Time = Any
pytestmark = pytest.mark.anyio
ISSUE = ThreadRef(conversation="acme/demo#7")
COMMENTS = "/repos/acme/demo/issues/7/comments"
DRAFT = Draft(body="Here is why.", agent="helper", key="event-1/helper")
FAILURES = [
    refusals.BAD_GATEWAY,
    Reply(503, b"<html>"),
    Reply(201, {}, cut=0),
    Reply(201, {"id": 1}, cut=4),
    Reply(201, b"<html>"),
    Reply(201, {"id": None}),
]
NAMES = ["502", "503", "cut before", "cut within", "html", "no comment"]


@pytest.mark.parametrize("failure", FAILURES, ids=NAMES)
async def test_what_landed_is_found(client: Client, github: GitHub, time: Time, failure: Reply) -> None:
    github.lose(failure)

    posted = await client.post(ISSUE, DRAFT)

    assert posted.id == str(github.landed[0]["id"])
    assert github.count("POST", COMMENTS) == 1
    assert time.slept == [1.0]


@pytest.mark.parametrize("failure", FAILURES, ids=NAMES)
async def test_what_did_not_land_is_ambiguous_after_three_looks(
    client: Client, github: GitHub, time: Time, failure: Reply
) -> None:
    github.drop(failure)

    with pytest.raises(Unavailable) as caught:
        await client.post(ISSUE, DRAFT)

    assert caught.value.ambiguous
    assert github.count("POST", COMMENTS) == 1
    assert github.count("GET", COMMENTS) == 4
    assert time.slept == [1.0, 2.0, 6.0]


async def test_what_shows_late_is_found(client: Client, github: GitHub, time: Time) -> None:
    late: list[Any] = []

    def later(land: Any) -> Reply:
        late.append(land)
        return refusals.BAD_GATEWAY

    async def sleep(seconds: float) -> None:
        await time.sleep(seconds)
        if time.at == 9.0:
            late.pop()()

    github.outcome = later
    posted = await Client(client.http, sleep=sleep, clock=time.now).post(ISSUE, DRAFT)

    assert posted.id == str(github.landed[0]["id"])
    assert github.count("POST", COMMENTS) == 1


async def test_when_nobody_can_look_it_stays_ambiguous(client: Client, github: GitHub) -> None:
    github.drop()
    github.server.route("GET", COMMENTS, Reply(200, []), Reply(500, {}), refusals.INTEGRATION)

    with pytest.raises(Unavailable) as caught:
        await client.post(ISSUE, DRAFT)

    assert caught.value.ambiguous
    assert github.count("POST", COMMENTS) == 1


async def test_a_look_that_fails_does_not_end_the_looking(client: Client, github: GitHub) -> None:
    github.lose()
    github.refuse(Reply(200, []), Reply(500, {}), path=COMMENTS)

    posted = await client.post(ISSUE, DRAFT)

    assert posted.id == str(github.landed[0]["id"])


async def test_a_caller_who_tries_again_after_that_finds_it_or_sends(client: Client, github: GitHub) -> None:
    github.drop()
    with pytest.raises(Unavailable):
        await client.post(ISSUE, DRAFT)

    posted = await client.post(ISSUE, DRAFT)

    assert [one["id"] for one in github.landed] == [int(posted.id)]


async def test_without_a_key_an_unknown_outcome_is_told_at_once(client: Client, github: GitHub, time: Time) -> None:
    github.drop()

    with pytest.raises(Unavailable) as caught:
        await client.post(ISSUE, Draft(body="Hello", agent="helper"))

    assert caught.value.ambiguous
    assert github.count("POST", COMMENTS) == 1
    assert time.slept == []


async def test_a_review_reply_that_landed_is_found(client: Client, github: GitHub) -> None:
    github.pull(8)
    root = github.remark("Why here?")

    github.lose()
    posted = await client.post(ThreadRef(conversation="acme/demo#8", root=str(root["id"])), DRAFT)

    assert posted.ref == f"review_comment:{github.landed[0]['id']}"
    assert github.count("POST", ".*") == 1


async def cancelled_while_sending(client: Client, github: GitHub, outcome: Callable[..., Reply]) -> None:
    """Cancel a post while the server is busy with it."""
    loop, arrived = asyncio.get_running_loop(), asyncio.Event()

    def noted(land: Any) -> Reply:
        reply = outcome(land)
        loop.call_soon_threadsafe(arrived.set)
        return reply

    github.outcome = noted
    task = asyncio.create_task(client.post(ISSUE, DRAFT))
    await arrived.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_cancelled_post_passes_the_cancellation_on_and_a_retry_finds_it(
    client: Client, github: GitHub, time: Time
) -> None:
    def slow(land: Any) -> Reply:
        return Reply(201, land().body, delay=0.3)

    await cancelled_while_sending(client, github, slow)
    assert time.slept == []

    posted = await client.post(ISSUE, DRAFT)

    assert posted.id == str(github.landed[0]["id"])
    assert github.count("POST", COMMENTS) == 1


async def test_a_retry_that_is_faster_than_the_cancelled_post_waits_for_it(
    client: Client, github: GitHub, time: Time
) -> None:
    late: list[Any] = []

    def later(land: Any) -> Reply:
        late.append(land)
        return Reply(201, {}, delay=0.3)

    async def sleep(seconds: float) -> None:
        await time.sleep(seconds)
        if time.at == 3.0:
            late.pop()()

    patient = Client(client.http, sleep=sleep, clock=time.now)
    await cancelled_while_sending(patient, github, later)

    posted = await patient.post(ISSUE, DRAFT)

    assert posted.id == str(github.landed[0]["id"])
    assert github.count("POST", COMMENTS) == 1
    assert time.slept == [1.0, 2.0]


async def test_a_retry_after_a_cancelled_post_that_never_landed_sends(
    client: Client, github: GitHub, time: Time
) -> None:
    await cancelled_while_sending(client, github, lambda land: Reply(502, {}, delay=0.3))

    posted = await client.post(ISSUE, DRAFT)

    assert [one["id"] for one in github.landed] == [int(posted.id)]
    assert time.slept == [1.0, 2.0, 6.0]


async def test_a_retry_long_after_a_cancelled_post_looks_once(client: Client, github: GitHub, time: Time) -> None:
    await cancelled_while_sending(client, github, lambda land: Reply(502, {}, delay=0.3))
    time.at += 10.0

    await client.post(ISSUE, DRAFT)

    assert time.slept == []
    assert github.count("GET", COMMENTS) == 2


async def test_a_retry_that_cannot_look_does_not_send(client: Client, github: GitHub) -> None:
    await cancelled_while_sending(client, github, lambda land: Reply(502, {}, delay=0.3))
    github.server.route("GET", COMMENTS, Reply(200, []), Reply(500, {}))

    with pytest.raises(Unavailable):
        await client.post(ISSUE, DRAFT)

    assert github.count("POST", COMMENTS) == 1


async def test_a_cancellation_while_looking_passes_too(client: Client, github: GitHub) -> None:
    looking = asyncio.Event()

    async def sleep(seconds: float) -> None:
        looking.set()
        await asyncio.sleep(60)

    github.drop()
    task = asyncio.create_task(Client(client.http, sleep=sleep).post(ISSUE, DRAFT))
    await looking.wait()
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert await client.get_issue(ISSUE)


async def test_a_deadline_of_the_caller_is_kept(client: Client, github: GitHub) -> None:
    github.outcome = lambda land: Reply(201, land().body, delay=0.5)

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await client.post(ISSUE, DRAFT)
