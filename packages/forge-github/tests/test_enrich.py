"""Enrich: what GitHub knows about an event goes in, what it does not tell is less trust."""

import logging
from collections.abc import Callable
from typing import Any

import pytest

from tertulia.errors import Invalid
from tertulia.event import Event
from tertulia.testing.github import refusals
from tertulia.testing.loopback import Reply, Server
from tertulia_forge_github import Client, enrich

pytestmark = pytest.mark.anyio

BOB = "/repos/acme/demo/collaborators/bob/permission"
FAILURES = {
    "denied": Reply(403, {"message": "Must have push access"}),
    "not found": refusals.NOT_FOUND,
    "limited": refusals.slow_down("3000"),
    "unavailable": Reply(500),
    "nonsense": Reply(200, {"hello": 1}),
    "HTML": Reply(200, b"<html>"),
}


def role(name: str, ident: int = 1002) -> Reply:
    """Answer with a role of bob's."""
    return Reply(200, {"permission": "write", "role_name": name, "user": {"login": "bob", "id": ident, "type": "User"}})


@pytest.fixture
def event(event: Callable[..., Event], server: Server) -> Callable[..., Event]:
    """Make events of things on the server's own host."""

    def make(name: str, payload: Any, **transport: Any) -> Event:
        made = event(name, payload, **transport)
        url = made.entity.url.replace("https://github.com", server.url)
        return made.model_copy(update={"entity": made.entity.model_copy(update={"url": url})})

    return make


@pytest.fixture
def pull(native: Any) -> Callable[..., Reply]:
    """Answer with pull request 8."""

    def reply(**fields: Any) -> Reply:
        return Reply(200, native.pull(title="x", state="open", created_at="2026-10-01T09:00:00Z", **fields))

    return reply


@pytest.fixture
def comment_on_pull(event: Callable[..., Event], native: Any) -> Event:
    """A comment on pull request 8, which GitHub shows as an issue."""
    issue = native.issue(number=8, pull_request={"url": "x"}, html_url="https://github.com/acme/demo/issues/8")
    return event("issue_comment", native.payload("issue_comment", "created", issue=issue))


async def test_an_issue_gets_the_role_and_the_labels_of_now(
    server: Server, client: Client, event: Callable[..., Event], native: Any
) -> None:
    server.route("GET", BOB, role("maintain"))
    server.route(
        "GET", "/repos/acme/demo/issues/7", Reply(200, {"number": 7, "labels": [{"name": "a"}, {"name": "b"}]})
    )
    before = event("issue_comment", native.payload("issue_comment", "created"))

    after = await enrich(before, forge=client)

    assert (after.actor.role, after.actor.role_verified) == ("maintain", True)
    assert after.state.labels == ("a", "b")
    assert after.state.change_proposal is None
    assert after.transition == before.transition
    assert after.delivery == before.delivery
    assert Event.check(after.document()) == after
    assert len(server.requests) == 2


async def test_a_comment_on_a_pull_request_gets_it(
    server: Server, client: Client, comment_on_pull: Event, pull: Callable[..., Reply]
) -> None:
    server.route("GET", BOB, role("write"))
    server.route("GET", "/repos/acme/demo/pulls/8", pull(labels=[{"name": "ready"}]))

    after = await enrich(comment_on_pull, forge=client)

    assert after.entity.kind == "work_item"
    assert after.state.labels == ("ready",)
    assert after.state.change_proposal is not None
    assert (after.state.change_proposal.id, after.state.change_proposal.is_fork) == (8, False)
    assert len(server.requests) == 2


async def test_an_issues_event_on_a_pull_request_gets_it(
    server: Server, client: Client, event: Callable[..., Event], native: Any, pull: Callable[..., Reply]
) -> None:
    server.route("GET", BOB, role("write"))
    server.route("GET", "/repos/acme/demo/pulls/8", pull())
    issue = native.issue(number=8, pull_request={}, html_url="https://github.com/acme/demo/issues/8")

    after = await enrich(event("issues", native.payload("issues", "labeled", issue=issue)), forge=client)

    assert after.entity.kind == "change_proposal"
    assert after.state.change_proposal is not None


async def test_a_pull_request_that_the_event_carries_stays_as_it_was_then(
    server: Server, client: Client, event: Callable[..., Event], native: Any, pull: Callable[..., Reply]
) -> None:
    server.route("GET", BOB, role("write"))
    moved_on = {"ref": "feature", "sha": "d" * 40, "repo": {"full_name": "acme/demo"}}
    server.route("GET", "/repos/acme/demo/pulls/8", pull(head=moved_on, labels=[]))

    after = await enrich(event("pull_request", native.payload("pull_request", "opened")), forge=client)

    assert after.state.change_proposal is not None
    assert after.state.change_proposal.head_sha == "b" * 40
    assert after.state.labels == ()


@pytest.mark.parametrize("kind", FAILURES)
async def test_what_cannot_be_looked_up_is_less_trust(
    kind: str, server: Server, client: Client, comment_on_pull: Event, caplog: pytest.LogCaptureFixture
) -> None:
    server.route("GET", ".*", FAILURES[kind])
    claiming = comment_on_pull.model_copy(
        update={"actor": comment_on_pull.actor.model_copy(update={"role": "admin", "role_verified": True})}
    )

    after = await enrich(claiming, forge=client)

    assert (after.actor.role, after.actor.role_verified) == ("none", False)
    assert after.state == comment_on_pull.state
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert [line.split(" could not")[0] for line in warnings] == [
        "github:acme/demo#8: the role of the actor",
        "github:acme/demo#8: the pull request",
    ]
    assert "hello" not in "\n".join(warnings)


async def test_one_failure_does_not_spoil_the_other(
    server: Server, client: Client, comment_on_pull: Event, pull: Callable[..., Reply]
) -> None:
    server.route("GET", BOB, FAILURES["denied"])
    server.route("GET", "/repos/acme/demo/pulls/8", pull())

    after = await enrich(comment_on_pull, forge=client)

    assert after.actor.role_verified is False
    assert after.state.change_proposal is not None


async def test_a_definite_none_is_verified(
    server: Server, client: Client, event: Callable[..., Event], native: Any
) -> None:
    path = "/repos/acme/demo/collaborators/helper%5Bbot%5D/permission"
    server.route("GET", path, Reply(404, {"message": "helper[bot] is not a user"}))
    sender = native.user("helper[bot]", 2004, type="Bot")

    after = await enrich(event("issues", native.payload("issues", "opened", sender=sender)), forge=client)

    assert (after.actor.role, after.actor.role_verified) == ("none", True)
    assert after.state.labels == ("bug",)


async def test_a_login_that_is_another_accounts_by_now_has_no_role(
    server: Server, client: Client, event: Callable[..., Event], native: Any, caplog: pytest.LogCaptureFixture
) -> None:
    server.route("GET", BOB, role("admin", ident=6666))

    after = await enrich(event("issues", native.payload("issues", "opened")), forge=client)

    assert (after.actor.role, after.actor.role_verified) == ("none", False)
    assert "belongs to another account" in caplog.text


async def test_nobody_is_asked_about_the_ghost(
    server: Server, client: Client, event: Callable[..., Event], native: Any
) -> None:
    payload = native.payload("issues", "opened")
    del payload["sender"]

    after = await enrich(event("issues", payload), forge=client)

    assert (after.actor.id, after.actor.role, after.actor.role_verified) == ("ghost", "none", False)
    assert server.asked("GET", ".*/permission") == []


async def test_a_pull_request_with_another_number_is_not_taken(
    server: Server, client: Client, comment_on_pull: Event, pull: Callable[..., Reply]
) -> None:
    server.route("GET", "/repos/acme/demo/pulls/8", pull(number=9))

    assert (await enrich(comment_on_pull, forge=client)).state == comment_on_pull.state


async def test_an_event_of_another_host_or_system_is_refused_before_any_request(
    server: Server, client: Client, event: Callable[..., Event], native: Any
) -> None:
    issue = native.issue(html_url="https://git.evil.example/acme/demo/issues/7")
    foreign = event("issues", native.payload("issues", "opened", issue=issue))
    chat = foreign.model_copy(update={"source": foreign.source.model_copy(update={"system": "slack"})})

    for one, field in ((foreign, "entity.url"), (chat, "source.system")):
        with pytest.raises(Invalid) as caught:
            await enrich(one, forge=client)
        assert caught.value.field == field

    assert server.requests == []
