"""Connecting: where to, as whom, and what is said about it."""

import asyncio
import logging
from typing import Any

import httpx
import pytest
from gql.client import AsyncClientSession

from tertulia.errors import Denied, Invalid, Unavailable
from tertulia.testing.loopback import Reply, Server
from tertulia.testing.wire import Fault
from tertulia.thread import Account, Draft
from tertulia_conversation_github import Client, connect

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("api_url", "graphql_url"),
    [
        ("https://api.github.com", "https://api.github.com/graphql"),
        ("https://ghe.example.test/api/v3", "https://ghe.example.test/api/graphql"),
        ("https://ghe.example.test/api/v3/", "https://ghe.example.test/api/graphql"),
        ("https://api.acme.ghe.com", "https://api.acme.ghe.com/graphql"),
    ],
)
async def test_the_graphql_api_is_found_from_the_rest_api(
    api_url: str, graphql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with connect(token="", api_url=api_url) as client:
        assert client.graphql.url == graphql_url

    monkeypatch.setenv("GITHUB_API_URL", api_url)
    async with connect(token="") as client:
        assert client.graphql.url == graphql_url


async def test_the_environment_may_name_the_graphql_api(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_API_URL", "https://ghe.example.test/api/v3")
    monkeypatch.setenv("GITHUB_GRAPHQL_URL", "https://ghe.example.test/graph")

    async with connect(token="") as client:
        assert client.graphql.url == "https://ghe.example.test/graph"
    async with connect(token="", graphql_url="https://other.example.test/api/graphql") as client:
        assert client.graphql.url == "https://other.example.test/api/graphql"


@pytest.mark.parametrize("url", ["http://ghe.example.test/api/graphql", "ghe.example.test", "https://u:p@ghe.test/x"])
async def test_what_is_no_address_is_invalid(url: str) -> None:
    with pytest.raises(Invalid, match="GITHUB_GRAPHQL_URL"):
        async with connect(token="", graphql_url=url):
            raise AssertionError


async def test_a_graphql_api_on_another_host_than_the_environment_says_gets_no_token(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GITHUB_GRAPHQL_URL", "https://evil.example/graphql")

    with pytest.raises(Invalid, match="not on the host"):
        async with connect():
            raise AssertionError


async def test_the_token_and_the_name_of_the_client_travel_along(opened: Any, site: Any, server: Server) -> None:
    async with opened() as client:
        await client.read(site.at(site.open()))

    headers = server.requests[0].headers
    assert headers["authorization"] == "Bearer token-of-helper"
    assert headers["user-agent"] == "tertulia-conversation-github/0.1"


@pytest.mark.parametrize("name", ["GITHUB_TOKEN", "GH_TOKEN"])
async def test_the_token_comes_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, opened: Any, site: Any, server: Server, name: str
) -> None:
    monkeypatch.setenv(name, " token-of-helper ")

    async with opened(token=None) as client:
        await client.read(site.at(site.open()))

    assert server.requests[0].headers["authorization"] == "Bearer token-of-helper"


async def test_a_token_that_was_refused_is_asked_for_once_more(opened: Any, site: Any, server: Server) -> None:
    tokens = ["expired", "token-of-helper"]

    async def token() -> str:
        return tokens.pop(0)

    async with opened(token=token) as client:
        await client.read(site.at(site.open()))

    assert [request.headers["authorization"] for request in server.requests] == [
        "Bearer expired",
        "Bearer token-of-helper",
    ]


async def test_a_token_that_stays_refused_is_denied(opened: Any, site: Any, server: Server) -> None:
    async def token() -> str:
        return "expired"

    for source, requests in ((token, 2), ("expired", 3)):
        async with opened(token=source) as client:
            with pytest.raises(Denied, match="credentials were refused"):
                await client.read(site.at(site.open()))
        assert len(server.requests) == requests


async def test_what_the_source_of_the_token_says_is_passed_on(opened: Any, site: Any, server: Server) -> None:
    async def broken() -> str:
        raise RuntimeError("no vault")

    async def refused() -> str:
        raise Denied("no such app")

    for source, cls, match in ((broken, Unavailable, "RuntimeError"), (refused, Denied, "no such app")):
        async with opened(token=source) as client:
            with pytest.raises(cls, match=match):
                await client.read(site.at(site.open()))

    assert server.requests == []


async def test_the_native_client_uses_the_same_connections(client: Client, site: Any) -> None:
    from tertulia_conversation_github import _queries as queries

    assert isinstance(client.native, AsyncClientSession)
    assert (await client.native.execute(queries.VIEWER))["viewer"]["login"] == "helper"


async def test_a_transport_may_be_brought_along(opened: Any) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"data": {"viewer": {"login": "helper", "databaseId": 1}}})

    async with opened(http={"transport": httpx.MockTransport(answer)}) as client:
        assert (await client.whoami()).login == "helper"


async def test_the_viewer_is_who_the_client_acts_as(client: Client, site: Any) -> None:
    first, second = await asyncio.gather(client.whoami(), client.whoami())

    assert first == second == Account(id="9001", login="helper")
    assert site.asked() == ["viewer"]


async def test_the_bot_of_an_app_is_one_with_its_suffix(opened: Any, site: Any) -> None:
    site.person("helper-app", 900, kind="Bot")
    site.token("app", by="helper-app", is_app=True)

    async with opened(token="app") as client:
        assert await client.whoami() == Account(id="900", login="helper-app[bot]", kind="bot")


async def test_a_bot_that_is_printed_without_its_suffix_gets_it(opened: Any, server: Server) -> None:
    viewer = {"__typename": "Bot", "login": "helper-app", "databaseId": 900}
    server.route("POST", "/graphql", Reply(200, {"data": {"viewer": viewer}}))

    async with opened() as client:
        assert await client.whoami() == Account(id="900", login="helper-app[bot]", kind="bot")


async def test_a_viewer_whose_number_is_not_told_names_nobody(opened: Any, server: Server) -> None:
    server.route("POST", "/graphql", Reply(200, {"data": {"viewer": {"login": "helper-app[bot]"}}}))

    async with opened() as client:
        with pytest.raises(Denied, match="engine="):
            await client.whoami()
    async with opened(engine="900") as client:
        assert (await client.whoami()).id == "900"


@pytest.mark.parametrize("engine", ["helper-app[bot]", "Helper-App", "@helper-app", "900", Account(login="helper-app")])
async def test_the_configured_engine_is_the_viewer_under_any_of_its_names(
    opened: Any, site: Any, engine: Account | str
) -> None:
    site.person("helper-app", 900, kind="Bot")
    site.token("app", by="helper-app", is_app=True)

    async with opened(token="app", engine=engine) as client:
        assert await client.whoami() == Account(id="900", login="helper-app[bot]", kind="bot")


async def test_an_engine_that_is_somebody_else_is_looked_up(opened: Any, site: Any) -> None:
    async with opened(engine="bob") as client:
        assert await client.whoami() == Account(id="1002", login="bob")
    async with opened(engine=Account(id="7", login="bob")) as client:
        assert (await client.whoami()).id == "7"
    async with opened(engine="nobody-at-all") as client:
        with pytest.raises(Denied, match="can be seen"):
            await client.whoami()


async def test_a_token_that_tells_nobodys_name_is_denied(client: Client, site: Any) -> None:
    site.break_with(Fault.NAMELESS)

    with pytest.raises(Denied, match="whose token this is"):
        await client.whoami()


async def test_without_a_token_the_client_acts_as_nobody(opened: Any, site: Any, server: Server) -> None:
    async with opened(token="") as client:
        with pytest.raises(Denied, match="GITHUB_TOKEN"):
            await client.whoami()

    assert server.requests == []


async def test_a_line_a_request_without_a_body_or_a_token(
    client: Client, site: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "tertulia"):
        talk = site.open()
        await client.post(site.at(talk, handle=talk.id), Draft(body="a secret plan", agent="helper"))

    (line,) = [record.getMessage() for record in caplog.records if record.name == "tertulia.conversation_github"]
    assert line.startswith("POST /graphql (post): 200 in ")
    assert line.endswith(" ms, 4999 left")
    assert "secret plan" not in caplog.text
    assert "token-of-helper" not in caplog.text
