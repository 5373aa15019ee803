"""What GitHub and the wire say when they do not answer, in the one error tree."""

from typing import Any

import httpx
import pytest

from github_discussions import Discussion
from tertulia.errors import Conflict, Denied, Error, Invalid, NotFound, RateLimited, Unavailable
from tertulia.testing.loopback import Reply, Server
from tertulia.thread import Draft
from tertulia_conversation_github import Client

pytestmark = pytest.mark.anyio

DRAFT = Draft(body="Here is why.", agent="helper")


def told(kind: str | None, message: str = "Nothing.", *, data: Any = None, **more: Any) -> Reply:
    """Answer with an error, as GitHub does: with status 200."""
    error = {"message": message, **({"type": kind} if kind is not None else {}), **more}
    return Reply(200, {"data": data, "errors": [error]}, {"x-github-request-id": "AB12:34"})


@pytest.mark.parametrize(
    ("kind", "cls"),
    [
        ("NOT_FOUND", NotFound),
        ("FORBIDDEN", Denied),
        ("INSUFFICIENT_SCOPES", Denied),
        ("UNPROCESSABLE", Invalid),
        ("MAX_NODE_LIMIT_EXCEEDED", Invalid),
        ("RESOURCE_LIMITS_EXCEEDED", Unavailable),
        ("INVALID_CURSOR_ARGUMENTS", Conflict),
        ("SERVICE_UNAVAILABLE", Unavailable),
        ("RATE_LIMITED", RateLimited),
        ("RATE_LIMIT", RateLimited),
        ("SOMETHING_NEW", Invalid),
        (None, Unavailable),
    ],
)
@pytest.mark.parametrize("data", [None, {"repository": None}])
async def test_every_type_of_error_has_its_place(
    client: Client, server: Server, talk: Discussion, site: Any, kind: str | None, cls: type[Error], data: Any
) -> None:
    server.route("POST", "/graphql", told(kind, data=data))

    with pytest.raises(cls) as caught:
        await client.get_conversation(site.at(talk))

    assert str(caught.value).startswith("github get_conversation: ")
    assert caught.value.request_id in ("AB12:34", None)


async def test_a_query_that_github_does_not_understand_is_invalid(client: Client, server: Server, site: Any) -> None:
    reply = told(None, "Field 'x' doesn't exist on type 'Discussion'", locations=[{"line": 1, "column": 2}])
    server.route("POST", "/graphql", reply)

    with pytest.raises(Invalid, match="doesn't exist"):
        await client.get_conversation(site.at(site.open()))


async def test_a_thing_that_is_locked_is_a_conflict(client: Client, server: Server, site: Any) -> None:
    server.route("POST", "/graphql", told("UNPROCESSABLE", "Discussion is locked"))

    with pytest.raises(Conflict):
        await client.get_conversation(site.at(site.open()))


async def test_single_sign_on_is_named_as_what_is_missing(client: Client, server: Server, site: Any) -> None:
    server.route("POST", "/graphql", told("FORBIDDEN", "Protected.", extensions={"saml_failure": True}))

    with pytest.raises(Denied) as caught:
        await client.read(site.at(site.open()))

    assert "SAML single sign-on" in str(caught.value.permission)


async def test_a_permission_to_read_is_named(client: Client, server: Server, site: Any) -> None:
    server.route("POST", "/graphql", told("FORBIDDEN", "Resource not accessible by personal access token"))

    with pytest.raises(Denied) as caught:
        await client.read(site.at(site.open()))

    assert caught.value.permission == "discussions: read"


async def test_data_beside_an_error_is_kept_and_not_the_whole(client: Client, server: Server, site: Any) -> None:
    talk = site.open()
    root = site.say(talk, "readable")
    answer = {"type": "NOT_FOUND", "path": ["node", "replies", "nodes", 0], "message": "Could not resolve to a node"}

    def beside(request: Any) -> Reply:
        reply = site.answer(request)
        reply.body["data"]["node"]["replies"]["nodes"] = [None]
        return Reply(200, {**reply.body, "errors": [answer]})

    server.route("POST", "/graphql", beside)

    listing = await client.read(site.at(talk, root, handle=root.id))

    assert [message.body for message in listing.messages] == ["readable"]
    assert not listing.complete


async def test_errors_beside_a_conversation_are_not_passed_over(client: Client, server: Server, site: Any) -> None:
    talk = site.open()
    error = {"type": "FORBIDDEN", "path": ["repository", "discussion", "labels"], "message": "No labels for you."}

    def beside(request: Any) -> Reply:
        reply = site.answer(request)
        reply.body["data"]["repository"]["discussion"]["labels"] = None
        return Reply(200, {**reply.body, "errors": [error]})

    server.route("POST", "/graphql", beside)

    with pytest.raises(Denied, match="No labels"):
        await client.get_conversation(site.at(talk))


@pytest.mark.parametrize(
    "body",
    [
        b"<html>It works!</html>",
        b"[]",
        b'"text"',
        b"null",
        b"7",
        {},
        {"data": None},
        {"data": {}},
        {"data": []},
        {"data": "text"},
        {"data": {"repository": "text"}},
        {"data": {"repository": {"discussion": []}}},
        {"data": {"repository": None}, "errors": []},
        {"data": {"repository": None}, "errors": "text"},
        {"data": {"repository": {"discussion": {"id": "D_x"}}}},
        {"data": {"repository": {"discussion": {"id": "D_x", "comments": {"nodes": None}}}}},
    ],
)
async def test_status_200_alone_is_no_success(client: Client, server: Server, site: Any, body: Any) -> None:
    server.route("POST", "/graphql", Reply(200, body))

    for read in (client.get_conversation, client.read):
        with pytest.raises(Unavailable) as caught:
            await read(site.at(site.open()))
        assert not caught.value.ambiguous


@pytest.mark.parametrize(
    ("status", "body", "cls", "match"),
    [
        (401, {"message": "Bad credentials"}, Denied, "credentials were refused: 401 Bad credentials"),
        (403, {"message": "Resource not accessible by integration"}, Denied, "not accessible"),
        (404, {"message": "Not Found"}, NotFound, "Not Found"),
        (500, b"<html>", Unavailable, "500"),
        (502, {"data": None, "errors": [{"message": "Something went wrong"}]}, Unavailable, "Something went wrong"),
        (503, {"data": {"repository": {}}}, Unavailable, "503"),
        (400, {"message": "Problems parsing JSON"}, Invalid, "parsing"),
    ],
)
async def test_a_status_that_is_no_success_is_never_one(
    client: Client, server: Server, site: Any, status: int, body: Any, cls: type[Error], match: str
) -> None:
    server.route("POST", "/graphql", Reply(status, body))

    with pytest.raises(cls, match=match):
        await client.read(site.at(site.open()))


async def test_a_header_names_the_permission_that_is_missing(client: Client, server: Server, site: Any) -> None:
    reply = Reply(403, {"message": "No."}, {"x-accepted-github-permissions": "discussions=write"})
    server.route("POST", "/graphql", reply)

    with pytest.raises(Denied) as caught:
        await client.read(site.at(site.open()))

    assert caught.value.permission == "discussions=write"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_a_redirect_is_not_followed(client: Client, server: Server, site: Any, status: int) -> None:
    server.route("POST", "/graphql", Reply(status, {"data": {}}, {"location": "https://evil.example/graphql"}))

    with pytest.raises(Invalid, match=f"{status} redirects"):
        await client.read(site.at(site.open()))

    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("reply", "ambiguous"),
    [
        (Reply(502, b"Bad Gateway"), True),
        (Reply(200, b"<html>"), True),
        (Reply(200, {"data": {"addDiscussionComment": None}}), True),
        (Reply(200, {"data": {"addDiscussionComment": {"comment": {"id": "DC_x"}}}}), True),
        (told(None, "Something went wrong while executing your query."), True),
        (Reply(200, {"data": {}}, cut=3), True),
        (Reply(200, {"data": {}}, cut=0), True),
        (told("SERVICE_UNAVAILABLE"), True),
        (told("RESOURCE_LIMITS_EXCEEDED"), False),
    ],
)
async def test_a_write_of_unknown_outcome_says_so_and_is_not_repeated(
    client: Client, server: Server, site: Any, reply: Reply, ambiguous: bool
) -> None:
    talk = site.open()
    server.route("POST", "/graphql", reply)

    with pytest.raises(Unavailable) as caught:
        await client.post(site.at(talk, handle=talk.id), DRAFT)

    assert caught.value.ambiguous is ambiguous
    assert len(server.requests) == 1


async def test_a_write_that_never_left_is_not_ambiguous(opened: Any, site: Any) -> None:
    talk = site.open()

    async with opened(graphql_url="http://127.0.0.1:9/graphql", max_wait=0) as client:
        with pytest.raises(Unavailable, match=r"no answer from 127\.0\.0\.1:9 \(ConnectError") as caught:
            await client.post(site.at(talk, handle=talk.id), DRAFT)

    assert not caught.value.ambiguous


async def test_a_server_that_is_silent_is_unavailable(opened: Any, server: Server, site: Any) -> None:
    server.route("POST", "/graphql", Reply(200, {}, delay=0.3))

    async with opened(timeout=0.05, max_wait=0) as client:
        with pytest.raises(Unavailable, match=r"within 0\.05 s \(ReadTimeout\)") as caught:
            await client.read(site.at(site.open()))

    assert isinstance(caught.value.__cause__, httpx.ReadTimeout)


async def test_text_that_cannot_be_sent_is_invalid(client: Client, server: Server, site: Any) -> None:
    with pytest.raises(Invalid, match="surrogate"):
        await client.label(site.at(site.open()), add=["\ud800"])

    assert server.requests == []


async def test_no_error_holds_the_token(opened: Any, server: Server, site: Any) -> None:
    secret = "ghp_0123456789abcdef0123"
    server.route("POST", "/graphql", Reply(403, {"message": f"the token {secret} may not"}))

    async with opened(token=secret) as client:
        with pytest.raises(Denied) as caught:
            await client.read(site.at(site.open()))

    assert secret not in str(caught.value)


@pytest.mark.parametrize("body", [b'{"data": {"x": NaN}}', b"[" * 100_000, b'{"data": "\xff"}'])
async def test_an_answer_is_strict_json(client: Client, server: Server, site: Any, body: bytes) -> None:
    server.route("POST", "/graphql", Reply(200, body))

    with pytest.raises(Unavailable, match="no result of GraphQL"):
        await client.read(site.at(site.open()))


async def test_what_was_denied_stays_so_when_nobody_can_say_why(client: Client, server: Server, site: Any) -> None:
    talk = site.open()
    server.route("POST", "/graphql", told("FORBIDDEN", "No."), Reply(500))

    with pytest.raises(Denied, match="No"):
        await client.post(site.at(talk, handle=talk.id), DRAFT)
