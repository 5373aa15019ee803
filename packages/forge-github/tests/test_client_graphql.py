"""GraphQL answers 200 whatever happened: its errors are read, and data that came with them is kept."""

from typing import Any

import pytest

from tertulia.errors import Denied, Error, Invalid, NotFound, RateLimited, Unavailable
from tertulia.testing.github import refusals
from tertulia.testing.loopback import Reply, Server

pytestmark = pytest.mark.anyio

QUERY = "query { nodes(ids: []) { id } }"
MISSING = {"type": "NOT_FOUND", "path": ["nodes", 1], "message": "Could not resolve to a node with the id 'DC_x'"}
LIMITED = {"type": "RATE_LIMITED", "message": "API rate limit exceeded for user ID 1002."}
FINE = Reply(200, {"data": {"nodes": []}})


def answered(*errors: Any, data: Any = None) -> Reply:
    """Answer a query with errors."""
    return Reply(200, {"data": data, "errors": list(errors)})


async def test_data_beside_errors_is_an_answer_with_both(server: Server, opened: Any) -> None:
    nodes = [{"__typename": "Issue", "id": "I_1"}, None]
    server.route("POST", "/graphql", answered(MISSING, data={"nodes": nodes}))

    async with opened() as http:
        answer = await http.ask_graphql(QUERY, operation="look")

    assert answer.data["data"]["nodes"] == nodes
    assert [(one["type"], one["path"]) for one in answer.data["errors"]] == [("NOT_FOUND", ["nodes", 1])]


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (MISSING, NotFound),
        ({"type": "FORBIDDEN", "message": "Resource not accessible by integration"}, Denied),
        ({"type": "INSUFFICIENT_SCOPES", "message": "Your token has not been granted the required scopes"}, Denied),
        ({"type": "UNPROCESSABLE", "message": "no"}, Invalid),
        ({"type": "SOMETHING_NEW", "message": "no"}, Invalid),
        ({"message": 'Parse error on "}"', "locations": [{"line": 1, "column": 9}]}, Invalid),
    ],
)
@pytest.mark.parametrize("data", [None, {}, {"node": None}])
async def test_errors_instead_of_data_are_raised_once(
    error: dict[str, Any], kind: type[Error], data: Any, server: Server, opened: Any
) -> None:
    server.route("POST", "/graphql", answered(error, data=data))

    async with opened() as http:
        with pytest.raises(kind) as caught:
            await http.ask_graphql(QUERY, operation="look")

    assert type(caught.value) is kind
    assert str(caught.value).startswith(f"github look: 200 {error['message'][:9]}")
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "limit",
    [
        answered(LIMITED),
        answered(LIMITED, data={"nodes": [{"id": "I_1"}]}),
        answered({"type": "RATE_LIMIT", "message": "slow down"}),
        answered({"message": "You have exceeded a secondary rate limit. Please wait."}),
    ],
)
async def test_a_limit_is_waited_for_like_any_other(limit: Reply, server: Server, opened: Any, clock: Any) -> None:
    server.route("POST", "/graphql", limit, FINE)

    async with opened() as http:
        assert (await http.ask_graphql(QUERY, operation="look")).data == {"data": {"nodes": []}}

    assert clock.slept == pytest.approx([60], abs=1)


async def test_who_the_token_belongs_to_is_not_unknown_because_of_a_limit(server: Server, opened: Any) -> None:
    server.route("GET", "/user", refusals.INTEGRATION)
    server.route("POST", "/graphql", answered(LIMITED))

    async with opened(max_wait=1) as http:
        with pytest.raises(RateLimited, match="rate limit exceeded"):
            await http.whoami()


@pytest.mark.parametrize(
    "error",
    [
        {"message": "Something went wrong while executing your query. Please include `AB:12` when reporting this."},
        {"type": "SERVICE_UNAVAILABLE", "message": "try again"},
    ],
)
async def test_a_failure_of_githubs_own_is_tried_again(error: Any, server: Server, opened: Any, clock: Any) -> None:
    server.route("POST", "/graphql", answered(error), FINE)

    async with opened() as http:
        await http.ask_graphql(QUERY, operation="look")

    assert len(clock.slept) == 1

    server.route("POST", "/graphql", answered(error))
    async with opened() as http:
        with pytest.raises(Unavailable) as caught:
            await http.ask_graphql(QUERY, operation="look")

    assert not caught.value.ambiguous


@pytest.mark.parametrize("errors", [[], None, "no", ["no"], 5])
async def test_errors_that_are_none_are_none(errors: Any, server: Server, opened: Any) -> None:
    server.route("POST", "/graphql", Reply(200, {"data": None, "errors": errors}))

    async with opened() as http:
        assert (await http.ask_graphql(QUERY, operation="look")).data["data"] is None


async def test_only_graphql_is_read_like_this(server: Server, opened: Any) -> None:
    server.route("GET", "/x", answered(LIMITED))

    async with opened() as http:
        assert (await http.get("/x", operation="look")).data["errors"] == [LIMITED]
