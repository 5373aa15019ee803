"""Redirects: followed below the API on its own scheme, host and port, and nowhere else."""

from typing import Any

import pytest

from tertulia.errors import Invalid, Unavailable
from tertulia.testing.loopback import Reply, Request, Server, serve

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_a_thing_that_moved_is_followed(status: int, server: Server, opened: Any) -> None:
    server.route(
        "GET", "/repos/a/b/issues/7", Reply(status, None, {"location": f"{server.url}/repositories/5/issues/9"})
    )
    server.route("GET", "/repositories/5/issues/9", Reply(200, {"number": 9}))

    async with opened() as http:
        answer = await http.get("/repos/a/b/issues/7", operation="read", params={"q": "1"})

    assert (answer.data, answer.route) == ({"number": 9}, "/repositories/5/issues/9")
    assert server.requests[1].query == {"q": "1"}
    assert server.requests[1].headers["authorization"] == "Bearer token-of-tests"


async def test_a_relative_address_with_its_own_query_is_taken_as_it_is(server: Server, opened: Any) -> None:
    server.route("GET", "/x", Reply(302, None, {"location": "/y?page=2"}))
    server.route("GET", "/y", Reply(200, []))

    async with opened() as http:
        assert (await http.get("/x", operation="x", params={"page": 1})).route == "/y"

    assert server.requests[1].query == {"page": "2"}


async def test_three_redirects_are_followed_and_no_fourth(server: Server, opened: Any) -> None:
    server.route("GET", "/([0-9])", lambda r: Reply(302, None, {"location": f"/{int(r.path[1:]) + 1}"}))
    server.route("GET", "/4", Reply(200, "here"))

    async with opened() as http:
        assert (await http.get("/1", operation="x")).data == "here"
        with pytest.raises(Invalid, match="more than 3 times"):
            await http.get("/0", operation="x")


async def test_no_redirect_leads_to_another_port(server: Server, opened: Any) -> None:
    with serve() as other:
        other.route("GET", ".*", Reply(200, []))
        server.route("GET", "/x", Reply(302, None, {"location": f"{other.url}/x"}))

        async with opened() as http:
            with pytest.raises(Invalid, match="another scheme, host or port"):
                await http.get("/x", operation="x")

        assert other.requests == []


@pytest.mark.parametrize(
    "location",
    [
        "https://evil.example/x",
        "//evil.example/x",
        "http://user:pass@127.0.0.1:{port}/api/v3/y",
        "http://127.0.0.1:{port}.evil.example/x",
        "https://127.0.0.1:{port}/x",
        "/outside",
        "/api/v3/../../outside",
        "/api/v3",
        "javascript:alert(1)",
        "http://[",
        "",
    ],
)
async def test_no_redirect_leads_out_of_the_api(location: str, server: Server, opened: Any) -> None:
    port = server.url.rpartition(":")[2]
    for method in ("GET", "PUT"):
        server.route(method, "/api/v3/x", Reply(307, None, {"location": location.format(port=port)}))
        server.route(method, "/outside|/api/v3/y", Reply(200, []))

    async with opened(api_url=f"{server.url}/api/v3", timeout=1) as http:
        with pytest.raises((Invalid, Unavailable)):
            await http.get("/x", operation="x")
        with pytest.raises((Invalid, Unavailable)):
            await http.send("PUT", "/x", operation="x", idempotent=True)

    assert {request.path for request in server.requests} == {"/api/v3/x"}


async def test_the_sdks_own_client_sends_the_token_to_the_api_only(server: Server, opened: Any) -> None:
    with serve() as other:
        for one in (server, other):
            one.route("GET", "/x", Reply(200, []))

        async with opened() as http:
            await http.native.arequest("GET", "/x")
            await http.native.arequest("GET", f"{other.url}/x", headers={"Authorization": "Bearer mistake"})

        assert server.requests[0].headers["authorization"] == "Bearer token-of-tests"
        assert server.requests[0].headers["user-agent"] == "tertulia-forge-github/0.1"
        assert "authorization" not in other.requests[0].headers


async def test_the_sdks_own_client_follows_no_redirect(server: Server, opened: Any) -> None:
    with serve() as other:
        server.route("GET", "/x", Reply(302, None, {"location": f"{other.url}/x"}))

        async with opened() as http:
            answer = await http.native.arequest("GET", "/x")

        assert answer.status_code == 302
        assert other.requests == []


async def test_a_moved_list_is_read_where_it_is_now(server: Server, opened: Any) -> None:
    def page(request: Request) -> Reply:
        number = request.query["page"]
        return Reply(200, [number], {"link": '<http://evil.example/?page=3>; rel="last"'})

    server.route("GET", "/old", Reply(301, None, {"location": f"{server.url}/new"}))
    server.route("GET", "/new", page)

    async with opened() as http:
        assert sorted((await http.pages("/old", operation="x")).items) == ["1", "2", "3"]

    assert len(server.asked("GET", "/old")) == 1
