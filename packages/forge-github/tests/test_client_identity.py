"""Who the client acts as: the configured engine, the token's account, the bot of an installed app."""

import asyncio
from typing import Any

import pytest

from tertulia.errors import Denied, RateLimited, Unavailable
from tertulia.testing.github import refusals
from tertulia.testing.loopback import Reply, Server
from tertulia.thread import Account

pytestmark = pytest.mark.anyio

HELPER = {"login": "helper", "id": 1004, "type": "User"}
BOT = {"login": "helper[bot]", "id": 2004, "type": "Bot"}


def viewer(**fields: Any) -> Reply:
    """Answer a GraphQL query for the viewer."""
    return Reply(200, {"data": {"viewer": {"__typename": "User", "login": "helper", "databaseId": 2004, **fields}}})


async def test_the_tokens_account_is_asked_for_once(server: Server, opened: Any) -> None:
    server.route("GET", "/user", Reply(200, HELPER))

    async with opened() as http:
        accounts = await asyncio.gather(*(http.whoami() for _ in range(5)))
        accounts.append(await http.whoami())

    assert set(accounts) == {Account(id="1004", login="helper")}
    assert len(server.requests) == 1


async def test_a_failure_is_not_remembered(server: Server, opened: Any) -> None:
    server.route("GET", "/user", Reply(500), Reply(200, HELPER))

    async with opened(max_wait=0) as http:
        with pytest.raises(Unavailable):
            await http.whoami()
        assert (await http.whoami()).id == "1004"


@pytest.mark.parametrize(
    ("engine", "path"),
    [("helper[bot]", "/users/helper%5Bbot%5D"), ("@helper[bot]", "/users/helper%5Bbot%5D"), ("2004", "/user/2004")],
)
async def test_a_configured_engine_is_looked_up_to_its_id(engine: str, path: str, server: Server, opened: Any) -> None:
    server.route("GET", path, Reply(200, BOT))

    async with opened(engine=engine) as http:
        assert await http.whoami() == Account(id="2004", login="helper[bot]", kind="bot")
        await http.whoami()

    assert [request.path for request in server.requests] == [path]


async def test_a_configured_account_with_an_id_is_asked_nobody_about(server: Server, opened: Any) -> None:
    engine = Account(id="7", login="somebody", aliases=frozenset({"8"}))

    async with opened(engine=engine, token=None) as http:
        assert await http.whoami() == engine

    assert server.requests == []


async def test_a_configured_account_without_an_id_is_looked_up(server: Server, opened: Any) -> None:
    server.route("GET", "/users/helper", Reply(200, HELPER))

    async with opened(engine=Account(login="helper"), token=None) as http:
        assert (await http.whoami()).id == "1004"


@pytest.mark.parametrize(
    "reply",
    [
        refusals.NOT_FOUND,
        Reply(200, {"login": "acme", "id": 5, "type": "Organization"}),
        Reply(200, {"login": "ghost", "id": 10137, "type": "User"}),
        Reply(200, {"login": "helper", "type": "User"}),
        Reply(200, ["helper"]),
    ],
)
async def test_an_engine_that_is_nobody_is_refused(reply: Reply, server: Server, opened: Any) -> None:
    server.route("GET", "/users/helper", reply)

    async with opened(engine="helper") as http:
        with pytest.raises(Denied, match="engine="):
            await http.whoami()


@pytest.mark.parametrize(
    "login", [{"login": "helper", "__typename": "Bot"}, {"login": "helper[bot]"}, {"login": "helper"}]
)
async def test_an_installed_app_is_named_by_graphql(login: dict[str, str], server: Server, opened: Any) -> None:
    server.route("GET", "/user", refusals.INTEGRATION)
    server.route("POST", "/graphql", viewer(**login))

    async with opened() as http:
        assert await http.whoami() == Account(id="2004", login="helper[bot]", kind="bot")
        await http.whoami()

    assert [request.path for request in server.requests] == ["/user", "/graphql"]
    assert "viewer { __typename login databaseId }" in server.requests[1].json()["query"]
    assert server.requests[1].headers["authorization"] == "Bearer token-of-tests"


async def test_graphql_is_where_enterprise_server_has_it(server: Server, opened: Any) -> None:
    server.route("GET", "/api/v3/user", refusals.INTEGRATION)
    server.route("POST", "/api/graphql", viewer())

    async with opened(api_url=f"{server.url}/api/v3") as http:
        assert (await http.whoami()).id == "2004"


async def test_a_404_for_the_user_says_nothing_of_an_app(server: Server, opened: Any) -> None:
    server.route("POST", "/graphql", viewer())

    async with opened() as http:
        assert await http.whoami() == Account(id="2004", login="helper", kind="human")


async def test_an_app_without_a_number_is_looked_up_by_its_login(server: Server, opened: Any) -> None:
    server.route("GET", "/user", refusals.INTEGRATION)
    server.route("POST", "/graphql", viewer(databaseId=None))
    server.route("GET", "/users/helper%5Bbot%5D", Reply(200, BOT))

    async with opened() as http:
        assert await http.whoami() == Account(id="2004", login="helper[bot]", kind="bot")


@pytest.mark.parametrize(
    "reply",
    [
        refusals.NOT_FOUND,
        Reply(200, {"data": None, "errors": [{"type": "FORBIDDEN", "message": "no"}]}),
        Reply(200, {"data": {"viewer": None}}),
        Reply(200, {"data": {"viewer": {"login": ""}}}),
        Reply(200, []),
        Reply(400, {"message": "Problems parsing JSON"}),
        refusals.INTEGRATION,
    ],
)
async def test_a_token_that_nobody_names_asks_for_configuration(reply: Reply, server: Server, opened: Any) -> None:
    server.route("GET", "/user", refusals.INTEGRATION)
    server.route("POST", "/graphql", reply)

    async with opened() as http:
        with pytest.raises(Denied, match="engine="):
            await http.whoami()


async def test_another_403_is_told_as_it_is(server: Server, opened: Any) -> None:
    server.route("GET", "/user", Reply(403, {"message": "Resource protected by organization SAML enforcement."}))

    async with opened() as http:
        with pytest.raises(Denied, match="SAML"):
            await http.whoami()

    assert len(server.requests) == 1


@pytest.mark.parametrize("route", [("GET", "/user"), ("POST", "/graphql"), ("GET", "/users/helper")])
async def test_refused_credentials_are_denied_wherever_they_are_refused(
    route: tuple[str, str], server: Server, opened: Any
) -> None:
    server.route("GET", "/user", refusals.INTEGRATION)
    server.route(*route, refusals.BAD_CREDENTIALS)

    async with opened(engine="helper" if route[1] == "/users/helper" else None) as http:
        with pytest.raises(Denied, match="the credentials were refused"):
            await http.whoami()


async def test_without_a_token_nobody_is_named(server: Server, opened: Any) -> None:
    async with opened(token=None) as http:
        with pytest.raises(Denied, match="GITHUB_TOKEN"):
            await http.whoami()

    assert server.requests == []


async def test_a_limit_is_not_mistaken_for_an_app(server: Server, opened: Any) -> None:
    server.route("GET", "/user", refusals.SECONDARY)

    async with opened(max_wait=1) as http:
        with pytest.raises(RateLimited):
            await http.whoami()
