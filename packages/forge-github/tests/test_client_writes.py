"""Writing: at most once, and honest about what is not known."""

import asyncio
import socket
import threading
from dataclasses import replace
from typing import Any

import pytest

from tertulia.errors import Conflict, Invalid, NotFound, Unavailable
from tertulia.testing.github import refusals
from tertulia.testing.loopback import Reply, Request, Server

pytestmark = pytest.mark.anyio

MADE = Reply(201, {"id": 1})

UNCERTAIN = {
    "500": Reply(500, {"message": "oops"}),
    "502": Reply(502, b"<html>"),
    "201 in HTML": Reply(201, b"<html>"),
    "a timeout": Reply(201, {"id": 1}, delay=0.6),
    "a cut connection": Reply(201, {"id": 1}, cut=0),
    "a cut body": Reply(201, {"id": 1}, cut=3),
}


async def test_a_write_sends_json_once(server: Server, opened: Any) -> None:
    server.route("POST", "/x", MADE)

    async with opened() as http:
        answer = await http.send("post", "/x", operation="post", body={"body": "é"})

    (request,) = server.requests
    assert (answer.status, answer.data) == (201, {"id": 1})
    assert request.json() == {"body": "é"}
    assert request.headers["content-type"] == "application/json"
    assert request.headers["authorization"] == "Bearer token-of-tests"


@pytest.mark.parametrize("kind", UNCERTAIN)
async def test_a_post_whose_outcome_is_not_known_is_not_sent_again(kind: str, server: Server, opened: Any) -> None:
    server.route("POST", "/x", UNCERTAIN[kind])

    async with opened(timeout=0.3 if kind == "a timeout" else 10) as http:
        with pytest.raises(Unavailable) as caught:
            await http.send("POST", "/x", operation="post", body={})

    assert caught.value.ambiguous
    assert len(server.requests) == 1


async def test_a_post_that_never_left_is_not_ambiguous(opened: Any, clock: Any) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))

        async with opened(api_url=f"http://127.0.0.1:{probe.getsockname()[1]}") as http:
            with pytest.raises(Unavailable) as caught:
                await http.send("POST", "/x", operation="post", body={})

    assert not caught.value.ambiguous
    assert len(clock.slept) == 3


async def test_a_post_refused_because_of_a_limit_is_sent_when_it_is_over(
    server: Server, opened: Any, clock: Any
) -> None:
    server.route("POST", "/x", replace(refusals.SECONDARY, headers={"retry-after": "9"}), MADE)

    async with opened() as http:
        assert (await http.send("POST", "/x", operation="post", body={})).data == {"id": 1}

    assert clock.slept == pytest.approx([9], abs=0.5)
    assert len(server.requests) == 2


@pytest.mark.parametrize("kind", UNCERTAIN)
@pytest.mark.parametrize("method", ["PATCH", "PUT", "DELETE"])
async def test_a_write_that_may_be_repeated_is(method: str, kind: str, server: Server, opened: Any) -> None:
    server.route(method, "/x", UNCERTAIN[kind], Reply(200, {"id": 1}))

    async with opened(timeout=0.3 if kind == "a timeout" else 10) as http:
        answer = await http.send(method, "/x", operation="edit", body={}, idempotent=True)

    assert answer.data == {"id": 1}
    assert len(server.requests) == 2


async def test_a_repeated_write_that_fails_to_the_end_is_ambiguous(server: Server, opened: Any) -> None:
    server.route("PATCH", "/x", Reply(500))

    async with opened() as http:
        with pytest.raises(Unavailable) as caught:
            await http.send("PATCH", "/x", operation="edit", body={}, idempotent=True)

    assert caught.value.ambiguous
    assert len(server.requests) == 4


async def test_a_deletion_that_finds_nothing_after_an_unknown_outcome_has_succeeded(
    server: Server, opened: Any
) -> None:
    server.route("DELETE", "/x", Reply(204, cut=0), refusals.NOT_FOUND)
    server.route("DELETE", "/y", refusals.NOT_FOUND)

    async with opened() as http:
        assert (await http.send("DELETE", "/x", operation="delete", idempotent=True)).status == 404
        with pytest.raises(NotFound):
            await http.send("DELETE", "/y", operation="delete", idempotent=True)


async def test_a_locked_thread_is_a_conflict(server: Server, opened: Any) -> None:
    server.route("POST", "/x", refusals.LOCKED)

    async with opened() as http:
        with pytest.raises(Conflict):
            await http.send("POST", "/x", operation="post", body={})


async def test_a_body_that_is_no_text_is_refused_before_it_is_sent(server: Server, opened: Any) -> None:
    async with opened() as http:
        for body in ({"body": "\ud800"}, {"body": float("nan")}):
            with pytest.raises(Invalid):
                await http.send("POST", "/x", operation="post", body=body)

    assert server.requests == []


async def test_a_write_follows_only_where_it_has_to_be_made_again(server: Server, opened: Any) -> None:
    server.route(
        "POST", "/repos/old/name/issues", Reply(307, None, {"location": f"{server.url}/repositories/5/issues"})
    )
    server.route("POST", "/repositories/5/issues", MADE)
    server.route("POST", "/gone", Reply(301, None, {"location": f"{server.url}/repositories/5/issues"}))

    async with opened() as http:
        answer = await http.send("POST", "/repos/old/name/issues", operation="create", body={"title": "x"})
        with pytest.raises(Invalid, match="301 the thing has moved to /repositories/5/issues"):
            await http.send("POST", "/gone", operation="create", body={"title": "x"})

    assert answer.route == "/repositories/5/issues"
    assert [request.json() for request in server.asked("POST", "/repositories/5/issues")] == [{"title": "x"}]


async def test_a_cancelled_write_is_not_sent_again_and_leaves_the_client_usable(server: Server, opened: Any) -> None:
    arrived = threading.Event()

    def slow(request: Request) -> Reply:
        arrived.set()
        return Reply(201, {"id": 1}, delay=0.2)

    server.route("POST", "/slow", slow)
    server.route("POST", "/x", MADE)

    async with opened() as http:
        write = asyncio.create_task(http.send("POST", "/slow", operation="post", body={}))
        await asyncio.to_thread(arrived.wait, 5)
        write.cancel()
        with pytest.raises(asyncio.CancelledError):
            await write
        assert (await http.send("POST", "/x", operation="post", body={})).data == {"id": 1}

    assert len(server.asked("POST", "/slow")) == 1
