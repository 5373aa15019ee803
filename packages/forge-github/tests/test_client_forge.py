"""The forge client: roles, pull requests, files."""

import base64
from datetime import UTC, datetime
from typing import Any

import pytest

from tertulia import forge
from tertulia.errors import Denied, Invalid, NotFound, Unavailable, Unsupported
from tertulia.testing.github import refusals
from tertulia.testing.loopback import Reply, Server
from tertulia.thread import Account
from tertulia_forge_github import Client, adapter, connect

pytestmark = pytest.mark.anyio

PERMISSION = "/repos/acme/demo/collaborators/bob/permission"
BLOB = "c" * 40


def held(permission: str, role_name: str | None = None, **flags: bool) -> Reply:
    """Answer as GitHub does for a collaborator."""
    user = {"login": "bob", "id": 1002, "type": "User", **({"permissions": flags} if flags else {})}
    body = {"permission": permission, "user": user}
    return Reply(200, body if role_name is None else {**body, "role_name": role_name})


@pytest.mark.parametrize(
    ("reply", "role"),
    [
        (held("admin", "admin"), "admin"),
        (held("write", "maintain"), "maintain"),
        (held("write", "write"), "write"),
        (held("read", "triage"), "triage"),
        (held("read", "read"), "read"),
        (held("none", "none"), "none"),
        (held("push", "push"), "write"),
        (held("pull", "pull"), "read"),
        (held("write", "Release crew", pull=True, triage=True, push=True, maintain=True, admin=False), "maintain"),
        (held("read", "Release crew", pull=True, triage=False, push=False, maintain=False, admin=False), "read"),
        (held("none", "Release crew", pull=False, push=False), "none"),
        (held("write", "Release crew"), "write"),
        (held("write"), "write"),
        (held("emperor", "emperor"), "none"),
    ],
)
async def test_a_role_is_what_github_calls_it_or_what_a_custom_one_allows(
    reply: Reply, role: str, server: Server, client: Client
) -> None:
    server.route("GET", PERMISSION, reply)

    permission = await client.permission("acme/demo", "bob")

    assert permission == forge.Permission(role=role, role_name=reply.body.get("role_name") or reply.body["permission"])


async def test_who_is_no_collaborator_has_no_role(server: Server, client: Client) -> None:
    server.route("GET", PERMISSION, refusals.NOT_FOUND)
    server.route("GET", "/repos/acme/demo", Reply(200, {"full_name": "acme/demo"}))

    assert await client.permission("acme/demo", "bob") == forge.Permission(role="none")


async def test_an_app_is_no_user_and_has_no_role(server: Server, client: Client) -> None:
    path = "/repos/acme/demo/collaborators/helper%5Bbot%5D/permission"
    server.route("GET", path, Reply(404, {"message": "helper[bot] is not a user"}))

    assert (await client.permission("acme/demo", "helper[bot]")).role == "none"
    assert [request.path for request in server.requests] == [path]


async def test_a_repository_that_is_not_visible_is_not_found(server: Server, client: Client) -> None:
    with pytest.raises(NotFound):
        await client.permission("acme/secret", "bob")

    assert [request.path for request in server.requests][1:] == ["/repos/acme/secret"]


async def test_who_may_not_ask_is_denied(server: Server, client: Client) -> None:
    server.route("GET", PERMISSION, Reply(403, {"message": "Must have push access to view collaborator permission."}))

    with pytest.raises(Denied, match="push access"):
        await client.permission("acme/demo", "bob")


@pytest.mark.parametrize("body", [{}, [], {"permission": 1}, {"permission": "read", "role_name": 7}, None])
async def test_an_answer_that_is_no_permission_is_unavailable(body: Any, server: Server, client: Client) -> None:
    server.route("GET", PERMISSION, Reply(200, body))

    with pytest.raises(Unavailable):
        await client.permission("acme/demo", "bob")


async def test_a_pull_request_is_read(server: Server, client: Client, native: Any) -> None:
    pull = native.pull(
        title="Mend it",
        body=None,
        state="open",
        draft=True,
        merged_at=None,
        created_at="2026-10-01T09:00:00Z",
        user=native.user("helper[bot]", 2004, type="Bot"),
    )
    server.route("GET", "/repos/acme/demo/pulls/8", Reply(200, pull))

    change = await client.get_change("acme/demo", 8)

    assert change == forge.Change(
        repo="acme/demo",
        number=8,
        title="Mend it",
        author=Account(id="2004", login="helper[bot]", kind="bot"),
        state="open",
        draft=True,
        labels=("bug",),
        proposal=change.proposal,
        created_at=datetime(2026, 10, 1, 9, tzinfo=UTC),
        updated_at=datetime(2026, 10, 1, 10, tzinfo=UTC),
        url="https://github.com/acme/demo/pull/8",
    )
    assert change.proposal.model_dump() == {
        "id": 8,
        "head_repo": "acme/demo",
        "base_repo": "acme/demo",
        "head_ref": "feature",
        "base_ref": "main",
        "head_sha": "b" * 40,
        "author_id": "helper[bot]",
        "is_fork": False,
    }


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({"state": "closed", "merged": True}, "merged"),
        ({"state": "closed", "merged": None, "merged_at": "2026-10-02T09:00:00Z"}, "merged"),
        ({"state": "closed"}, "closed"),
        ({"state": "open"}, "open"),
    ],
)
async def test_a_merged_pull_request_is_told_from_a_closed_one(
    fields: dict[str, Any], state: str, server: Server, client: Client, native: Any
) -> None:
    pull = native.pull(title="x", created_at="2026-10-01T09:00:00Z", **fields)
    server.route("GET", "/repos/acme/demo/pulls/8", Reply(200, pull))

    assert (await client.get_change("acme/demo", 8)).state == state


async def test_a_pull_request_of_a_deleted_account_from_a_deleted_fork(
    server: Server, client: Client, native: Any
) -> None:
    head = {"ref": "feature", "sha": "b" * 40, "repo": None}
    pull = native.pull(title="x", state="open", created_at="2026-10-01T09:00:00Z", user=None, head=head)
    server.route("GET", "/repos/acme/demo/pulls/8", Reply(200, pull))

    change = await client.get_change("acme/demo", 8)

    assert change.author is None
    assert (change.proposal.author_id, change.proposal.head_repo, change.proposal.is_fork) == ("ghost", None, True)


async def test_an_issue_is_no_pull_request(client: Client) -> None:
    with pytest.raises(NotFound):
        await client.get_change("acme/demo", 7)


@pytest.mark.parametrize("missing", ["title", "state", "head", "created_at"])
async def test_a_pull_request_that_lacks_something_is_unavailable(
    missing: str, server: Server, client: Client, native: Any
) -> None:
    pull = native.pull(title="x", state="open", created_at="2026-10-01T09:00:00Z")
    del pull[missing]
    server.route("GET", "/repos/acme/demo/pulls/8", Reply(200, pull))

    with pytest.raises(Unavailable, match=missing):
        await client.get_change("acme/demo", 8)


def file(raw: bytes, **fields: Any) -> Reply:
    """Answer with a file."""
    encoded = base64.encodebytes(raw).decode()
    return Reply(
        200,
        {"type": "file", "encoding": "base64", "content": encoded, "size": len(raw), "sha": BLOB, **fields},
    )


async def test_a_file_is_read_at_a_ref(server: Server, client: Client) -> None:
    content = bytes(range(256)) * 3
    server.route("GET", "/repos/acme/demo/contents/src/a%20b%23.py", file(content))

    found = await client.get_file("acme/demo", "src/a b#.py", ref="release/1")
    newest = await client.get_file("acme/demo", "src/a b#.py")

    assert found == forge.File(path="src/a b#.py", ref="release/1", content=content, sha=BLOB)
    assert (newest.content, newest.ref) == (content, None)
    assert [dict(request.query) for request in server.requests] == [{"ref": "release/1"}, {}]


async def test_an_empty_file_is_empty(server: Server, client: Client) -> None:
    server.route("GET", "/repos/acme/demo/contents/empty", file(b""))

    assert (await client.get_file("acme/demo", "empty")).content == b""


async def test_a_file_over_one_megabyte_is_read_as_a_blob(server: Server, client: Client) -> None:
    content = b"large" * 300_000
    server.route("GET", "/repos/acme/demo/contents/large", file(content, content="", encoding="none"))
    server.route("GET", "/repos/acme/demo/contents/older", file(content, content=""))
    server.route("GET", f"/repos/acme/demo/git/blobs/{BLOB}", file(content))

    for path in ("large", "older"):
        assert (await client.get_file("acme/demo", path)).content == content


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ([{"type": "file", "name": "a"}], "is a directory"),
        ({"type": "dir", "entries": []}, "is a directory"),
        ({"type": "submodule", "sha": BLOB}, "is a submodule"),
        ({"type": "symlink", "sha": BLOB, "target": "/etc/passwd"}, "is a symbolic link that leads to no file"),
    ],
)
async def test_what_is_no_file_is_invalid(body: Any, words: str, server: Server, client: Client) -> None:
    server.route("GET", "/repos/acme/demo/contents/x", Reply(200, body))

    with pytest.raises(Invalid, match=words):
        await client.get_file("acme/demo", "x")


@pytest.mark.parametrize(
    "body",
    [
        {"type": "file", "encoding": "base64", "content": "###", "size": 3, "sha": BLOB},
        {"type": "file", "encoding": "base64", "content": "YWJj", "size": 4, "sha": BLOB},
        {"type": "file", "encoding": "base64", "content": "YWJj", "size": 3},
        {"type": "file", "encoding": "none", "content": "", "size": 3, "sha": BLOB},
        {"type": "portal"},
        "text",
    ],
)
async def test_a_file_that_did_not_arrive_whole_is_unavailable(body: Any, server: Server, client: Client) -> None:
    server.route("GET", "/repos/acme/demo/contents/x", Reply(200, body))
    server.route("GET", f"/repos/acme/demo/git/blobs/{BLOB}", Reply(200, {"encoding": "utf-8", "content": "abc"}))

    with pytest.raises(Unavailable):
        await client.get_file("acme/demo", "x")


@pytest.mark.parametrize("path", ["", "/etc/passwd", "../x", "a/../b", "a//b", "a/.", "a/", "\ud800"])
async def test_a_path_that_is_not_below_the_root_is_refused(path: str, server: Server, client: Client) -> None:
    with pytest.raises(Invalid):
        await client.get_file("acme/demo", path)

    assert server.requests == []


async def test_arguments_that_cannot_be_right_are_refused(server: Server, client: Client) -> None:
    for call in (
        client.get_change("acme/demo", 0),
        client.get_change("acme/demo", True),
        client.get_change("acme", 7),
        client.permission("acme/demo", ""),
        client.permission("acme/..", "bob"),
        client.get_file("acme/demo", "x", ref=""),
        client.get_file("acme/demo", "x", ref="a\nb"),
    ):
        with pytest.raises(Invalid):
            await call

    assert server.requests == []


async def test_what_the_client_cannot_do_is_unsupported(server: Server, client: Client) -> None:
    assert client.capabilities == frozenset()
    assert client.backend == "github"
    with pytest.raises(Unsupported):
        client.reviews("acme/demo", 8)

    assert server.requests == []


async def test_the_client_shows_what_is_below_it(server: Server, client: Client) -> None:
    server.route("GET", "/user", Reply(200, {"login": "helper", "id": 1004, "type": "User"}))

    assert (await client.whoami()).login == "helper"
    assert client.rate is client.http.rate is None
    assert client.scopes is client.http.scopes is None
    assert client.native is client.http.native


async def test_the_adapter_connects(server: Server) -> None:
    assert adapter.connect is not None
    async with adapter.connect(token="t", api_url=server.url) as found, connect(token="t", api_url=server.url) as same:
        assert type(found) is type(same) is Client
    assert adapter.capabilities == Client.capabilities == frozenset()
