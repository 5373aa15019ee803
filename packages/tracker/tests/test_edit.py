"""Own messages are edited and deleted, nobody else's; labels come and go by name."""

from typing import Any

import pytest

from tertulia import outbound
from tertulia.errors import Conflict, Denied, Invalid, NotFound, Unsupported
from tertulia.testing.loopback import Reply
from tertulia.testing.wire import Fault
from tertulia.thread import Draft, MessageRef, ThreadRef
from tertulia_tracker.github import Client, connect

GitHub = Any
pytestmark = pytest.mark.anyio
ISSUE = ThreadRef(conversation="acme/demo#7")
DRAFT = Draft(body="Here is why.", agent="helper", key="event-1/helper")
BETTER = Draft(body="Better: <!-- bot-engine-x -->", agent="another")


def ref(kind: str, thing: Any, conversation: str = "acme/demo#7") -> MessageRef:
    return MessageRef(conversation=conversation, source_type=kind, id=getattr(thing, "id", None) or thing["id"])


async def test_an_edit_replaces_the_body_and_keeps_agent_and_key(client: Client, github: GitHub) -> None:
    posted = await client.post(ISSUE, DRAFT)

    edited = await client.edit(ref("issue_comment", posted), BETTER)

    lines = outbound.parse_lines(edited.body)
    assert (lines.agent, lines.key) == ("helper", outbound.key_digest("event-1/helper"))
    assert "Better: &lt;!-- bot-engine-x -->" in edited.body
    assert edited.id == posted.id
    assert await client.post(ISSUE, DRAFT) == edited


@pytest.mark.parametrize("kind", ["review_comment", "review", "pull_request"])
async def test_every_own_message_can_be_edited(client: Client, github: GitHub, kind: str) -> None:
    user = {"login": "helper", "id": 9001, "type": "User"}
    things = {
        "pull_request": github.pull(8, user=user),
        "review": github.review("Looks right.", by="helper"),
        "review_comment": github.remark("Why?", by="helper"),
    }

    edited = await client.edit(ref(kind, things[kind], "acme/demo#8"), BETTER)

    assert edited.ref == f"{kind}:{things[kind]['id']}"
    assert edited.body.startswith("<!-- bot-agent-another -->\nBetter")


@pytest.mark.parametrize("by", ["alice", None])
@pytest.mark.parametrize("operation", ["edit", "delete"])
async def test_a_message_of_somebody_else_is_left_alone(
    client: Client, github: GitHub, operation: str, by: str | None
) -> None:
    said = github.say("mine", by=by)
    arguments = [BETTER] if operation == "edit" else []

    with pytest.raises(Denied, match="somebody else"):
        await getattr(client, operation)(ref("issue_comment", said), *arguments)

    assert {request.method for request in github.server.requests} == {"GET"}


async def test_an_edit_of_a_message_that_is_gone_is_not_found(client: Client, github: GitHub) -> None:
    with pytest.raises(NotFound):
        await client.edit(ref("issue_comment", {"id": 1}), BETTER)


async def test_an_edit_over_the_limit_is_refused_before_any_request(client: Client, github: GitHub) -> None:
    with pytest.raises(Invalid):
        await client.edit(ref("issue_comment", {"id": 1}), Draft(body="x" * 65_537, agent="helper"))

    assert github.server.requests == []


async def test_an_edit_below_a_locked_issue_is_a_conflict(client: Client, github: GitHub) -> None:
    posted = await client.post(ISSUE, DRAFT)
    path = f"/repos/acme/demo/issues/comments/{posted.id}"
    refusal = Reply(403, {"message": "Unable to edit because issue is locked."})
    github.server.route("PATCH", path, refusal)

    with pytest.raises(Conflict):
        await client.edit(ref("issue_comment", posted), BETTER)


@pytest.mark.parametrize("operation", ["edit", "delete"])
async def test_a_change_whose_answer_is_lost_is_made_again(client: Client, github: GitHub, operation: str) -> None:
    posted = await client.post(ISSUE, DRAFT)
    path, method = f"/repos/acme/demo/issues/comments/{posted.id}", {"edit": "PATCH", "delete": "DELETE"}[operation]
    github.break_with(Fault.LOSE)
    arguments = [BETTER] if operation == "edit" else []
    async with connect(token="t", api_url=github.url, http={"trust_env": False, "verify": False}) as patient:
        await getattr(patient, operation)(ref("issue_comment", posted), *arguments)

    assert github.count(method, path) == 2
    assert len(github.listed("issue_comment", 7)) == (operation == "edit")


async def test_an_own_comment_is_deleted(client: Client, github: GitHub) -> None:
    posted = await client.post(ISSUE, DRAFT)

    await client.delete(ref("issue_comment", posted))

    assert github.listed("issue_comment", 7) == []
    with pytest.raises(NotFound):
        await client.delete(ref("issue_comment", posted))


@pytest.mark.parametrize("kind", ["issue", "pull_request", "review"])
async def test_what_rest_cannot_delete_is_unsupported(client: Client, github: GitHub, kind: str) -> None:
    with pytest.raises(Unsupported, match="does not support delete"):
        await client.delete(ref(kind, {"id": 1}))

    assert github.server.requests == []


async def test_labels_are_added_and_removed(client: Client, github: GitHub) -> None:
    github.labels[7] = ["bug", "Stale"]

    labels = await client.label(ISSUE, add=["good first issue"], remove=["STALE", "never there"])

    assert labels == ("bug", "good first issue")
    assert github.labels[7] == ["bug", "good first issue"]
    assert github.count("DELETE", ".*") == 1


async def test_labels_are_told_when_nothing_changes(client: Client, github: GitHub) -> None:
    github.labels[7] = ["bug"]

    assert await client.label(ISSUE) == ("bug",)
    assert await client.label(ISSUE, remove=["unknown"]) == ("bug",)


async def test_a_label_that_somebody_removes_at_the_same_time_is_no_error(client: Client, github: GitHub) -> None:
    github.labels[7] = ["bug", "stale"]
    github.server.route("DELETE", ".*/labels/stale", Reply(404, {"message": "Label does not exist"}))

    assert await client.label(ISSUE, remove=["stale"]) == ("bug",)


async def test_a_label_with_a_slash_is_one_part_of_the_route(client: Client, github: GitHub) -> None:
    github.labels[7] = ["area/core"]
    github.server.route("DELETE", "/repos/acme/demo/issues/7/labels/area%2Fcore", Reply(200, []))

    assert await client.label(ISSUE, remove=["area/core"]) == ()


async def test_labels_follow_a_transferred_issue(client: Client, github: GitHub) -> None:
    github.transfer(7, "acme/other")

    assert await client.label(ISSUE, add=["bug"]) == ("bug",)


async def test_labels_of_an_issue_that_is_not_there(client: Client, github: GitHub) -> None:
    with pytest.raises(NotFound):
        await client.label(ThreadRef(conversation="acme/demo#99"), add=["bug"])


@pytest.mark.parametrize("wrong", ["bug", [""], [" "]])
async def test_what_is_no_collection_of_names_is_refused(client: Client, github: GitHub, wrong: Any) -> None:
    with pytest.raises(Invalid):
        await client.label(ISSUE, add=wrong)

    assert github.server.requests == []


async def test_what_the_client_cannot_do_is_unsupported(client: Client) -> None:
    from tertulia.tracker import Capability

    with pytest.raises(Unsupported) as caught:
        client.search("is:open")
    with pytest.raises(Unsupported):
        await client.react(ref("issue_comment", {"id": 1}), "eyes")

    assert caught.value.args == ("search", "github")
    assert client.capabilities == {Capability.EDIT, Capability.DELETE, Capability.LABEL}
    assert client.limits.body_chars == 65_536
