"""Tokens: where they come from, when they are asked for, and that nobody else sees them."""

import logging
import re
from typing import Any

import pytest

from tertulia.errors import Denied, Error, Invalid, Unavailable
from tertulia.testing.github import refusals
from tertulia.testing.loopback import Reply, Server

pytestmark = pytest.mark.anyio

SECRET = "plain-secret-0123456789"


def sent(server: Server) -> list[str | None]:
    """Give the credentials that arrived."""
    return [request.headers.get("authorization") for request in server.requests]


async def test_the_token_is_the_argument_else_the_environments(
    server: Server, opened: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.route("GET", "/x", Reply(200, []))
    monkeypatch.setenv("GH_TOKEN", "second")
    for token in (None, "", "given"):
        async with opened(token=token) as http:
            await http.get("/x", operation="x")
    monkeypatch.setenv("GITHUB_TOKEN", " first\n")
    async with opened(token=None) as http:
        await http.get("/x", operation="x")

    assert sent(server) == ["Bearer second", None, "Bearer given", "Bearer first"]


async def test_without_a_token_requests_are_made_as_nobody(server: Server, opened: Any) -> None:
    server.route("GET", "/x", Reply(200, []))

    async with opened(token=None) as http:
        await http.get("/x", operation="x")

    assert sent(server) == [None]


async def test_a_callable_is_asked_for_each_request(server: Server, opened: Any) -> None:
    server.route("GET", "/x", Reply(200, []))
    tokens = iter(["a", "b", "c"])

    async def token() -> str:
        return next(tokens)

    async with opened(token=token) as http:
        await http.get("/x", operation="x")
        await http.get("/x", operation="x")
        await http.native.arequest("GET", "/x")

    assert sent(server) == ["Bearer a", "Bearer b", "Bearer c"]


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_callable_is_asked_once_more_after_a_401(method: str, server: Server, opened: Any) -> None:
    server.route(method, "/x", refusals.BAD_CREDENTIALS, Reply(200, {}))
    server.route(method, "/never", refusals.BAD_CREDENTIALS)
    tokens = iter(["old", "new", "one", "two", "three"])

    async def token() -> str:
        return next(tokens)

    async with opened(token=token) as http:
        await http.send(method, "/x", operation="x")
        with pytest.raises(Denied, match="the credentials were refused"):
            await http.send(method, "/never", operation="x")

    assert sent(server) == ["Bearer old", "Bearer new", "Bearer one", "Bearer two"]


async def test_a_fixed_token_is_not_tried_again_after_a_401(server: Server, opened: Any) -> None:
    server.route("GET", "/x", refusals.BAD_CREDENTIALS)

    async with opened() as http:
        with pytest.raises(Denied):
            await http.get("/x", operation="x")

    assert len(server.requests) == 1


@pytest.mark.parametrize(("raised", "kind"), [(ValueError(SECRET), Unavailable), (Denied("no key"), Denied)])
async def test_a_callable_that_fails_is_told_without_its_words(
    raised: Exception, kind: type[Error], server: Server, opened: Any
) -> None:
    async def token() -> str:
        raise raised

    async with opened(token=token) as http:
        with pytest.raises(kind) as caught:
            await http.send("POST", "/x", operation="x")

    assert SECRET not in str(caught.value)
    assert getattr(caught.value, "ambiguous", False) is False
    assert server.requests == []


@pytest.mark.parametrize("token", [f"{SECRET}\r\nX-Evil: 1", f"{SECRET} two", f"{SECRET}é", f"{SECRET}\x00"])
async def test_what_cannot_be_a_token_is_refused_and_not_shown(token: str, server: Server, opened: Any) -> None:
    async def ask() -> str:
        return token

    with pytest.raises(Denied) as fixed:
        async with opened(token=token):
            pass
    async with opened(token=ask) as http:
        with pytest.raises(Denied) as asked:
            await http.get("/x", operation="x")

    assert SECRET not in f"{fixed.value!r} {asked.value!r} {fixed.value} {asked.value}"
    assert server.requests == []


async def test_what_is_no_string_is_invalid(opened: Any) -> None:
    async def ask() -> Any:
        return None

    async with opened(token=ask) as http:
        with pytest.raises(Invalid):
            await http.get("/x", operation="x")


async def test_a_callable_token_is_for_asynchronous_requests_only(server: Server, opened: Any) -> None:
    server.route("GET", "/x", Reply(200, []))

    async def ask() -> str:
        return "a"

    async with opened() as fixed, opened(token=ask) as asked:
        fixed.native.request("GET", "/x")
        with pytest.raises(Exception, match="asynchronous requests only"):
            asked.native.request("GET", "/x")

    assert sent(server) == ["Bearer token-of-tests"]


async def test_no_token_is_in_a_log_an_error_or_a_repr(
    server: Server, opened: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    echo = {"message": f"Bad: Bearer {SECRET}", "errors": [{"message": "ghp_0123456789abcdefghij"}]}
    server.route("GET", "/ok", Reply(200, {"body": SECRET}))
    server.route("GET", "/cut", Reply(200, {}, cut=0))
    server.route("POST", "/bad", Reply(422, echo))
    told = []

    async with opened(token=SECRET, max_wait=0) as http:
        await http.get("/ok", operation="x", params={"token": "in-a-parameter"})
        for call in (http.get("/cut", operation="x"), http.send("POST", "/bad", operation="x", body={"body": SECRET})):
            with pytest.raises(Error) as caught:
                await call
            told += [str(caught.value), repr(caught.value)]
        told += [repr(http), str(vars(http)), repr(http.native), repr(http.native.auth), repr(http.native.config)]

    logged = "\n".join(record.getMessage() for record in caplog.records)
    assert SECRET not in "\n".join(told)
    assert "ghp_" not in "\n".join(told)
    assert SECRET not in logged
    ours = [record for record in caplog.records if record.name == "tertulia.forge_github"]
    assert {record.levelname for record in ours} == {"INFO"}
    assert "in-a-parameter" not in "\n".join(record.getMessage() for record in ours)


async def test_one_line_a_request_is_logged(server: Server, opened: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "tertulia.forge_github")
    rate = {"x-ratelimit-limit": "5000", "x-ratelimit-remaining": "41"}
    server.route("GET", "/repos/a/b", Reply(500), Reply(200, {}, rate))
    server.route("POST", "/repos/a/b/issues", Reply(200, {}, cut=0))

    async with opened() as http:
        await http.get("/repos/a/b", operation="x")
        with pytest.raises(Unavailable):
            await http.send("POST", "/repos/a/b/issues", operation="x", body={"title": "private"})

    lines = [record.getMessage() for record in caplog.records if record.name == "tertulia.forge_github"]
    wanted = [
        r"GET /repos/a/b: 500 in \d+ ms",
        r"GET /repos/a/b: 200 in \d+ ms, 41 left",
        r"POST /repos/a/b/issues: RemoteProtocolError in \d+ ms",
    ]
    assert len(lines) == len(wanted)
    assert all(re.fullmatch(pattern, line) for pattern, line in zip(wanted, lines, strict=True))
