"""Reading: what is sent, what comes back, and what is tried again."""

import socket
from datetime import UTC, datetime
from typing import Any

import pytest

from tertulia.errors import Conflict, Denied, Error, Invalid, NotFound, Unavailable
from tertulia.testing.github import refusals
from tertulia.testing.loopback import Reply, Server
from tertulia_forge_github import Rate, _exchange, open_http

pytestmark = pytest.mark.anyio

USER = Reply(200, {"login": "helper"})


async def test_a_request_says_who_asks_and_for_which_version(server: Server, opened: Any) -> None:
    server.route("GET", "/user", USER)

    async with opened() as http:
        answer = await http.get("/user", operation="whoami", headers={"X-Extra": "1"})

    (request,) = server.requests
    assert answer.data == {"login": "helper"}
    assert (answer.status, answer.route) == (200, "/user")
    assert answer.headers["content-type"].startswith("application/json")
    assert request.headers["authorization"] == "Bearer token-of-tests"
    assert request.headers["user-agent"] == "tertulia-forge-github/0.1"
    assert request.headers["x-github-api-version"] == "2022-11-28"
    assert request.headers["accept"] == "application/vnd.github+json"
    assert request.headers["x-extra"] == "1"


async def test_an_encoded_route_and_its_parameters_arrive_as_they_are(server: Server, opened: Any) -> None:
    server.route("GET", ".*", Reply(200, []))

    async with opened() as http:
        await http.get("/repos/a/b/labels/x%2Fy%20%C3%A9", operation="label", params={"since": "a&b", "n": 2})

    assert server.requests[0].path == "/repos/a/b/labels/x%2Fy%20%C3%A9"
    assert server.requests[0].query == {"since": "a&b", "n": "2"}


async def test_an_api_below_a_path_is_asked_there(server: Server, opened: Any) -> None:
    server.route("GET", "/api/v3/user", USER)

    async with opened(api_url=f"{server.url}/api/v3/") as http:
        assert (await http.get("/user", operation="whoami")).route == "/user"
        assert http.api_url == f"{server.url}/api/v3"


async def test_an_empty_answer_is_none(server: Server, opened: Any) -> None:
    server.route("GET", "/x", Reply(204))

    async with opened() as http:
        assert (await http.get("/x", operation="x")).data is None


async def test_nothing_is_cached(server: Server, opened: Any) -> None:
    server.route("GET", "/x", Reply(200, 1, {"cache-control": "private, max-age=60", "etag": '"a"'}), Reply(200, 2))

    async with opened() as http:
        answers = [(await http.get("/x", operation="x")).data for _ in range(2)]

    assert answers == [1, 2]
    assert "if-none-match" not in server.requests[1].headers


async def test_the_rate_is_what_was_said_last(server: Server, opened: Any) -> None:
    told = {"x-ratelimit-limit": "5000", "x-ratelimit-remaining": "4990", "x-ratelimit-reset": "1790000000"}
    server.route("GET", "/x", Reply(200, 1, {**told, "x-ratelimit-resource": "core"}), Reply(200, 1))
    server.route("GET", "/odd", Reply(200, 1, {**told, "x-ratelimit-limit": "many"}))

    async with opened() as http:
        assert http.rate is None
        await http.get("/x", operation="x")
        await http.get("/x", operation="x")
        await http.get("/odd", operation="x")

        assert http.rate == Rate(5000, 4990, datetime.fromtimestamp(1790000000, UTC), "core")


@pytest.mark.parametrize(
    ("headers", "scopes"),
    [
        ({"x-oauth-scopes": "repo, read:org"}, {"repo", "public_repo", "read:org"}),
        ({"x-oauth-scopes": ""}, set[str]()),
        ({}, None),
    ],
    ids=["some", "none", "not told"],
)
async def test_the_scopes_of_a_classic_token_are_known(server: Server, opened: Any, headers: Any, scopes: Any) -> None:
    server.route("GET", "/x", Reply(200, 1, headers))

    async with opened() as http:
        assert http.scopes is None
        await http.get("/x", operation="x")

        assert http.scopes == scopes


FAILURES = {
    "500": Reply(500, {"message": "oops"}),
    "502 in HTML": Reply(502, b"<html>Unicorn!</html>"),
    "503": Reply(503),
    "408": Reply(408),
    "200 in HTML": Reply(200, b"<html>hello</html>", {"content-type": "text/html"}),
    "200 with NaN": Reply(200, b"[NaN]"),
    "a timeout": Reply(200, {}, delay=0.6),
    "a cut connection": Reply(200, {}, cut=0),
    "a cut body": Reply(200, {"login": "helper"}, cut=5),
}


@pytest.mark.parametrize("kind", FAILURES)
async def test_a_failed_read_is_tried_again(kind: str, server: Server, opened: Any, clock: Any) -> None:
    server.route("GET", "/user", FAILURES[kind], FAILURES[kind], USER)

    async with opened(timeout=0.3 if kind == "a timeout" else 10) as http:
        assert (await http.get("/user", operation="whoami")).data == {"login": "helper"}

    assert len(server.requests) == 3
    assert [0.25 <= clock.slept[0] <= 0.5, 0.5 <= clock.slept[1] <= 1.0] == [True, True]


@pytest.mark.parametrize("kind", FAILURES)
async def test_a_read_that_fails_four_times_is_unavailable(kind: str, server: Server, opened: Any) -> None:
    server.route("GET", "/user", FAILURES[kind])

    async with opened(timeout=0.3 if kind == "a timeout" else 10) as http:
        with pytest.raises(Unavailable) as caught:
            await http.get("/user", operation="whoami")

    assert len(server.requests) == 4
    assert not caught.value.ambiguous
    assert (caught.value.backend, caught.value.operation) == ("github", "whoami")
    assert "\n" not in str(caught.value)


async def test_no_retry_sleeps_longer_than_max_wait(server: Server, opened: Any, clock: Any) -> None:
    server.route("GET", "/user", Reply(500))

    async with opened(max_wait=0) as http:
        with pytest.raises(Unavailable):
            await http.get("/user", operation="whoami")

    assert (len(server.requests), clock.slept) == (1, [])


async def test_retry_after_is_honoured_on_a_503(server: Server, opened: Any, clock: Any) -> None:
    server.route("GET", "/user", Reply(503, None, {"retry-after": "7"}), USER)

    async with opened() as http:
        await http.get("/user", operation="whoami")

    assert clock.slept == [7.0]


async def test_a_server_that_is_not_there_is_unavailable(opened: Any, clock: Any) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}"

        async with opened(api_url=url) as http:
            with pytest.raises(Unavailable, match="no answer from 127") as caught:
                await http.get("/user", operation="whoami")

    assert not caught.value.ambiguous
    assert len(clock.slept) == 3


@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        (refusals.NOT_FOUND, NotFound, "404 Not Found"),
        (refusals.DELETED, NotFound, "410 This issue was deleted"),
        (refusals.BAD_CREDENTIALS, Denied, "the credentials were refused: 401 Bad credentials"),
        (refusals.INTEGRATION, Denied, "403 Resource not accessible"),
        (refusals.LOCKED, Conflict, "is locked"),
        (Reply(403, {"message": "Too big", "errors": [{"code": "too_large"}]}), Invalid, "too_large"),
        (Reply(409, {"message": "Git Repository is empty."}), Conflict, "409"),
        (
            Reply(422, {"message": "Validation Failed", "errors": [{"field": "name", "code": "already_exists"}]}),
            Conflict,
            "422 Validation Failed; name already_exists",
        ),
        (Reply(422, {"message": "Validation Failed", "errors": ["body is too long"]}), Invalid, "body is too long"),
        (Reply(400, b"<html>no</html>"), Invalid, "400 <html>no</html>"),
        (Reply(300, {"message": "Multiple"}), Invalid, "300"),
    ],
)
async def test_a_refusal_is_told_once_with_its_status(
    reply: Reply, kind: type[Error], words: str, server: Server, opened: Any
) -> None:
    server.route("GET", "/x", Reply(reply.status, reply.body, {"x-github-request-id": "AB:12"}))

    async with opened() as http:
        with pytest.raises(kind) as caught:
            await http.get("/x", operation="look")

    assert type(caught.value) is kind
    assert words in str(caught.value)
    assert str(caught.value).startswith("github look: ")
    assert str(caught.value).endswith("[request AB:12]")
    assert len(server.requests) == 1


async def test_a_denial_names_the_permission_that_is_missing(server: Server, opened: Any) -> None:
    server.route("GET", "/app", Reply(403, {"message": "no"}, {"x-accepted-github-permissions": "issues=read"}))
    server.route("GET", "/classic", Reply(403, {"message": "no"}, {"x-accepted-oauth-scopes": "repo"}))

    async with opened() as http:
        for route, permission in (("/app", "issues=read"), ("/classic", "repo")):
            with pytest.raises(Denied) as caught:
                await http.get(route, operation="x")
            assert caught.value.permission == permission


async def test_an_answer_that_is_too_large_is_refused(
    server: Server, opened: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_exchange, "MAX_ANSWER", 1024 * 1024)
    server.route("GET", "/large", Reply(200, ["x" * (1024 * 1024)]))
    server.route("POST", "/large", Reply(201, ["x" * (1024 * 1024)]))
    server.route("GET", "/small", Reply(200, ["x" * (1024 * 1024 - 4)]))

    async with opened() as http:
        assert len((await http.get("/small", operation="x")).data[0]) == 1024 * 1024 - 4
        with pytest.raises(Invalid, match="larger than 1 MiB"):
            await http.get("/large", operation="x")
        with pytest.raises(Unavailable, match="larger than 1 MiB") as caught:
            await http.send("POST", "/large", operation="x")

    assert caught.value.ambiguous
    assert len(server.requests) == 3


async def test_a_route_that_is_none_is_refused_before_any_request(server: Server, opened: Any) -> None:
    async with opened() as http:
        for ask in (http.get, http.pages):
            with pytest.raises(Invalid):
                await ask("//evil.example/user", operation="x")
        with pytest.raises(Invalid):
            await http.send("POST", "/a/../b", operation="x")

    assert server.requests == []


async def test_an_address_that_is_none_is_refused_at_once() -> None:
    with pytest.raises(Invalid):
        async with open_http(api_url="http://api.github.com"):
            pass
