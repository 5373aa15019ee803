"""Enrich: what GitHub knows about an event goes in, what it does not tell is less trust."""

from typing import Any

import pytest

from github_discussions import Discussion
from tertulia.errors import Invalid, NotFound
from tertulia.event import Event
from tertulia.forge import Permission
from tertulia.testing.loopback import Server
from tertulia.testing.wire import Fault
from tertulia_conversation_github import Client, adapter, enrich

pytestmark = pytest.mark.anyio


@pytest.fixture
def event(server: Server, talk: Discussion) -> Event:
    """Bob has answered in discussion 7, on the server's own host."""
    return Event.check(
        {
            "repo": "acme/demo",
            "entity": {"kind": "conversation", "id": 7, "url": f"{server.url}/acme/demo/discussions/7"},
            "transition": {"kind": "comment_added", "comment": {"id": "8801", "parent_id": "8801", "body": "/ask"}},
            "state": {"labels": ["stale"], "conversation": {"category": {"name": "General"}}},
            "actor": {
                "id": "bob",
                "kind": "human",
                "role": "none",
                "is_entity_author": False,
                "account_id": "1002",
                "role_verified": False,
            },
            "source": {"system": "github", "raw_type": "discussion_comment", "raw_action": "created"},
        }
    )


@pytest.mark.parametrize("role", ["ADMIN", "MAINTAIN", "WRITE", "TRIAGE", "READ"])
async def test_the_role_and_the_labels_of_now_are_asked_for(
    client: Client, site: Any, talk: Discussion, event: Event, role: str
) -> None:
    site.repo.roles |= {"helper": "WRITE", "bob": role}
    talk.labels = [site.label("bug"), site.label("ux")]

    after = await enrich(event, conversation=client)

    assert (after.actor.role, after.actor.role_verified) == (role.lower(), True)
    assert after.state.labels == ("bug", "ux")
    assert (after.transition, after.state.conversation) == (event.transition, event.state.conversation)
    assert site.asked() == ["collaborator", "conversation"]


async def test_who_is_no_collaborator_has_no_role(client: Client, site: Any, event: Event) -> None:
    site.repo.roles["helper"] = "WRITE"

    after = await enrich(event, conversation=client)

    assert (after.actor.role, after.actor.role_verified) == ("none", True)


async def test_a_role_belongs_to_an_account(client: Client, site: Any, event: Event) -> None:
    site.repo.roles |= {"helper": "WRITE", "bob": "ADMIN"}
    actor = event.actor.model_copy(update={"account_id": "7"})

    after = await enrich(event.model_copy(update={"actor": actor}), conversation=client)

    assert (after.actor.role, after.actor.role_verified) == ("none", False)


async def test_a_deleted_account_has_no_role(client: Client, site: Any, event: Event) -> None:
    ghost = event.actor.model_copy(update={"id": "ghost", "account_id": None, "role_verified": True})

    after = await enrich(event.model_copy(update={"actor": ghost}), conversation=client)

    assert (after.actor.role, after.actor.role_verified) == ("none", False)
    assert site.asked() == ["conversation"]


async def test_what_may_not_be_asked_is_less_trust(
    client: Client, site: Any, event: Event, caplog: pytest.LogCaptureFixture
) -> None:
    after = await enrich(event, conversation=client)

    assert (after.actor.role, after.actor.role_verified, after.state.labels) == ("none", False, ())
    assert "the role of the actor could not be looked up: Denied" in caplog.text


@pytest.mark.parametrize("how", [Fault.DENY, Fault.HIDE, Fault.LIMIT, Fault.CUT])
async def test_what_cannot_be_asked_is_less_trust(client: Client, site: Any, event: Event, how: Fault) -> None:
    site.break_with(how)

    assert await enrich(event, conversation=client) == event


async def test_a_forge_is_asked_for_the_role_when_there_is_one(client: Client, site: Any, event: Event) -> None:
    class Forge:
        async def permission(self, repo: str, login: str, /) -> Permission:
            assert (repo, login) == ("acme/demo", "bob")
            return Permission(role="write")

    after = await enrich(event, conversation=client, forge=Forge())  # type: ignore[arg-type]

    assert (after.actor.role, after.actor.role_verified) == ("write", True)
    assert site.asked() == ["conversation"]


async def test_the_adapter_asks_its_own_client(client: Client, site: Any, event: Event) -> None:
    site.repo.roles |= {"helper": "WRITE", "bob": "READ"}
    assert adapter.enrich is not None

    assert (await adapter.enrich(event, client)).actor.role == "read"


async def test_an_event_of_another_host_is_invalid_before_any_request(client: Client, site: Any, event: Event) -> None:
    entity = event.entity.model_copy(update={"url": "https://evil.example/acme/demo/discussions/7"})

    with pytest.raises(Invalid, match="configured host"):
        await enrich(event.model_copy(update={"entity": entity}), conversation=client)
    with pytest.raises(Invalid, match="no discussion"):
        await enrich(event.model_copy(update={"repo": None}), conversation=client)

    assert site.server.requests == []


async def test_the_roles_of_a_repository_out_of_sight_are_not_found(client: Client, site: Any) -> None:
    with pytest.raises(NotFound):
        await client.role_of("acme/nowhere", "bob")
