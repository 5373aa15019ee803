"""Limits: waited for by every task, within what one call may sleep."""

import asyncio
import threading
from typing import Any

import pytest

from github_discussions import Discussion, secondary
from tertulia.errors import RateLimited, Unavailable
from tertulia.testing.clock import Time
from tertulia.testing.loopback import Reply, Request, Server
from tertulia_conversation_github import Client

pytestmark = pytest.mark.anyio


async def test_the_points_that_are_left_are_told(client: Client, site: Any, talk: Discussion) -> None:
    assert client.rate is None

    await client.read(site.at(talk))

    assert client.rate is not None
    assert (client.rate.limit, client.rate.remaining, client.rate.resource) == (5000, 4999, "graphql")


async def test_the_scopes_of_a_token_are_told_with_those_they_bring_along(
    opened: Any, site: Any, talk: Discussion
) -> None:
    site.token("token-of-an-app", is_app=True)
    told = {}

    for token in ("token-of-helper", "token-of-an-app"):
        async with opened(token=token) as client:
            assert client.scopes is None
            await client.read(site.at(talk))
            told[token] = client.scopes

    assert told == {"token-of-helper": {"repo", "public_repo"}, "token-of-an-app": None}


async def test_points_that_are_spent_are_waited_for_as_long_as_is_allowed(opened: Any, site: Any, talk: Any) -> None:
    site.points = 0

    async with opened(max_wait=60) as client:
        with pytest.raises(RateLimited) as caught:
            await client.read(site.at(talk))

    assert caught.value.retry_after == pytest.approx(3600, abs=5)
    assert caught.value.resets_at is not None
    assert caught.value.scope == "graphql"
    assert len(site.server.requests) == 1


@pytest.mark.parametrize(("reply", "slept"), [(secondary(), 60), (secondary(429, 30), 30), (secondary(403, 7), 7)])
async def test_a_secondary_limit_is_waited_for(
    opened: Any, site: Any, talk: Discussion, time: Time, reply: Reply, slept: float
) -> None:
    site.refuse(reply)

    async with opened(max_wait=60) as client:
        assert (await client.read(site.at(talk))).complete

    assert time.slept == [slept]


async def test_a_secondary_limit_without_a_time_grows(opened: Any, site: Any, talk: Discussion, time: Time) -> None:
    site.refuse(secondary(), secondary(), secondary())

    async with opened(max_wait=1000) as client:
        await client.read(site.at(talk))

    assert time.slept == [60, 120, 240]


async def test_a_secondary_limit_in_an_answer_of_graphql_is_one_too(
    opened: Any, site: Any, talk: Discussion, time: Time
) -> None:
    words = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    site.refuse(Reply(200, {"data": None, "errors": [{"message": words}]}))

    async with opened() as client:
        await client.read(site.at(talk))

    assert time.slept == [60]


async def test_a_write_that_a_limit_refused_is_sent_again(opened: Any, site: Any, talk: Discussion) -> None:
    from tertulia.thread import Draft

    site.refuse(secondary(429, 1))

    async with opened() as client:
        await client.post(site.at(talk, handle=talk.id), Draft(body="Once.", agent="helper"))

    assert len(talk.comments) == 1


async def test_reads_are_tried_again_and_what_they_sleep_is_bounded(
    opened: Any, site: Any, talk: Discussion, time: Time
) -> None:
    site.refuse(Reply(502), Reply(503, None, {"retry-after": "5"}), Reply(500))

    async with opened(max_wait=20) as client:
        assert (await client.read(site.at(talk))).complete
    assert time.slept[1] == 5

    site.refuse(Reply(503, None, {"retry-after": "30"}))
    async with opened(max_wait=20) as client:
        with pytest.raises(Unavailable):
            await client.read(site.at(talk))


async def test_the_requests_of_one_call_share_what_it_may_sleep(
    opened: Any, site: Any, talk: Discussion, time: Time
) -> None:
    site.fill(talk, roots=250)

    def limited(request: Request) -> Reply:
        again = len(site.server.requests) % 2 == 0
        return site.answer(request) if again else secondary(429, 20)

    site.server.route("POST", "/graphql", limited)

    async with opened(max_wait=50) as client:
        with pytest.raises(RateLimited):
            await client.read(site.at(talk))

    assert sum(time.slept) == 40


async def test_at_most_six_reads_are_in_flight_and_one_write(opened: Any, site: Any, server: Server) -> None:
    talks = [site.open() for _ in range(20)]
    flying, most, lock = 0, 0, threading.Lock()

    def counted(request: Request) -> Reply:
        nonlocal flying, most
        with lock:
            flying += 1
            most = max(most, flying)
        reply = site.answer(request)
        threading.Event().wait(0.02)
        with lock:
            flying -= 1
        return reply

    server.route("POST", "/graphql", counted)

    async with opened() as client:
        await asyncio.gather(*(client.read(site.at(talk)) for talk in talks))
        reads, most = most, 0
        await asyncio.gather(*(client.label(site.at(talk)) for talk in talks))
        comments = [site.say(talk) for talk in talks]
        most = 0
        asked = client.graphql.operation("delete")
        from tertulia_conversation_github import _queries as queries

        await asyncio.gather(*(asked.change(queries.DELETE_COMMENT, {"id": one.id}) for one in comments))

    assert 1 < reads <= 6
    assert most == 1


async def test_after_a_secondary_limit_one_thing_is_read_at_a_time(opened: Any, site: Any, server: Server) -> None:
    talks = [site.open() for _ in range(8)]
    flying, most, lock = 0, 0, threading.Lock()
    site.refuse(secondary(429, 1))

    def counted(request: Request) -> Reply:
        nonlocal flying, most
        with lock:
            flying += 1
            most = max(most, flying)
        threading.Event().wait(0.01)
        reply = site.answer(request)
        with lock:
            flying -= 1
        return reply

    server.route("POST", "/graphql", counted)

    async with opened() as client:
        await client.read(site.at(talks[0]))
        most = 0
        await asyncio.gather(*(client.read(site.at(talk)) for talk in talks))

    assert most == 1


async def test_a_cancelled_read_leaves_the_client_usable(opened: Any, site: Any, talk: Discussion) -> None:
    async with opened() as client:
        slow = Reply(200, {}, delay=0.2)
        site.server.route("POST", "/graphql", slow, site.answer)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await client.read(site.at(talk))

        assert (await client.read(site.at(talk))).complete
