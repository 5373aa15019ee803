"""One issue, one message: as it is now, and NotFound only where that proves a deletion."""

from typing import Any

import pytest

from tertulia.errors import Conflict, Denied, Invalid, NotFound, Unavailable
from tertulia.testing.loopback import Reply
from tertulia.thread import MessageRef, ThreadRef
from tertulia_tracker.github import Client

GitHub = Any
pytestmark = pytest.mark.anyio
ISSUE = ThreadRef(conversation="acme/demo#7")


def ref(kind: str, thing: dict[str, Any], conversation: str = "acme/demo#7") -> MessageRef:
    return MessageRef(conversation=conversation, source_type=kind, id=thing["id"])


async def test_an_issue_is_given_with_its_labels_and_state(client: Client, github: GitHub) -> None:
    made = github.issue(7, state="closed", state_reason="not_planned", locked=True)
    github.labels[7] = ["bug", "help wanted"]
    github.say("one")

    issue = await client.get_issue(ISSUE)

    assert (issue.conversation, issue.id, issue.title) == ("acme/demo#7", str(made["id"]), "It fails")
    assert (issue.state, issue.state_reason, issue.locked) == ("closed", "not_planned", True)
    assert (issue.labels, issue.comments, issue.body) == (("bug", "help wanted"), 1, "Since Monday.")
    assert not issue.is_change_proposal
    assert issue.author is not None


async def test_an_issue_by_nobody(client: Client, github: GitHub) -> None:
    github.issue(7, user=None, body=None)

    issue = await client.get_issue(ISSUE)

    assert (issue.author, issue.body) == (None, "")


async def test_an_issue_is_told_by_its_new_address(client: Client, github: GitHub) -> None:
    moved = github.transfer(7, "acme/other")

    assert (await client.get_issue(ISSUE)).conversation == f"acme/other#{moved['number']}"


async def test_an_issue_that_was_deleted_is_not_found_and_is_no_pull_request(client: Client, github: GitHub) -> None:
    github.erase(7)

    with pytest.raises(NotFound, match="410"):
        await client.get_issue(ISSUE)

    assert github.count("GET", ".*/pulls/7") == 0


async def test_an_issue_that_is_not_there_may_be_a_pull_request(client: Client, github: GitHub) -> None:
    del github.issues["acme/demo", 7]

    with pytest.raises(NotFound, match="404"):
        await client.get_issue(ISSUE)

    assert github.count("GET", ".*/pulls/7") == 1


async def test_an_issue_without_a_state_cannot_be_read(client: Client, github: GitHub) -> None:
    github.issue(7, state="melting")

    with pytest.raises(Unavailable):
        await client.get_issue(ISSUE)


async def test_each_kind_of_message_can_be_read_alone(client: Client, github: GitHub) -> None:
    pull = github.pull(8)
    made = {
        "pull_request": pull,
        "issue_comment": github.say("Thanks!", number=8),
        "review": github.review("Looks right."),
        "review_comment": github.remark("Why here?"),
    }

    found = [await client.get_message(ref(kind, thing, "acme/demo#8")) for kind, thing in made.items()]
    opening = await client.get_message(ref("issue", github.issues["acme/demo", 7]))

    listing = await client.read(ThreadRef(conversation="acme/demo#8"))
    assert tuple(found) == listing.messages
    assert opening.title == "It fails"


async def test_a_pull_request_answers_to_its_number_as_an_issue_too(client: Client, github: GitHub) -> None:
    pull = github.pull(8)
    as_issue = {"id": github.issues["acme/demo", 8]["ident_as_issue"]}

    found = await client.get_message(ref("pull_request", as_issue, "acme/demo#8"))

    assert found.id == str(pull["id"])


async def test_a_deleted_comment_is_not_found(client: Client, github: GitHub) -> None:
    said = github.say("oops")
    del github.things["issue_comment"][said["id"]]

    with pytest.raises(NotFound):
        await client.get_message(ref("issue_comment", said))


async def test_a_name_in_other_letters_is_no_transfer(client: Client, github: GitHub) -> None:
    github.server.route("GET", "/repos/ACME/Demo/issues/7", Reply(200, github.issues["acme/demo", 7]))

    with pytest.raises(NotFound):
        await client.get_message(ref("issue_comment", {"id": 1}, "ACME/Demo#7"))


async def test_a_comment_of_a_deleted_issue_is_not_found(client: Client, github: GitHub) -> None:
    said = github.say("gone with it")
    github.erase(7)

    with pytest.raises(NotFound):
        await client.get_message(ref("issue_comment", said))


@pytest.mark.parametrize("kind", ["issue_comment", "review_comment", "review", "issue", "pull_request"])
async def test_what_is_out_of_sight_proves_nothing(client: Client, github: GitHub, kind: str) -> None:
    del github.issues["acme/demo", 7]

    with pytest.raises(Denied, match="does not prove"):
        await client.get_message(ref(kind, {"id": 104}))


async def test_a_comment_below_another_issue_is_not_found(client: Client, github: GitHub) -> None:
    github.issue(9)
    said = github.say("elsewhere", number=9)

    with pytest.raises(NotFound, match="another thread"):
        await client.get_message(ref("issue_comment", said))


async def test_another_opening_post_is_not_found(client: Client, github: GitHub) -> None:
    with pytest.raises(NotFound):
        await client.get_message(ref("issue", {"id": 1}))
    with pytest.raises(NotFound):
        await client.get_message(ref("pull_request", github.issues["acme/demo", 7]))


async def test_a_comment_that_moved_along_is_found_at_its_new_place(client: Client, github: GitHub) -> None:
    said = github.say("moved along")
    github.transfer(7, "acme/other")

    found = await client.get_message(ref("issue_comment", said))

    assert found.body == "moved along"


@pytest.mark.parametrize("kind", ["issue_comment", "issue"])
async def test_a_message_with_another_id_after_a_transfer_proves_nothing(
    client: Client, github: GitHub, kind: str
) -> None:
    moved = github.transfer(7, "acme/other")

    with pytest.raises(Conflict, match=f"acme/other#{moved['number']}"):
        await client.get_message(ref(kind, {"id": 1}))


async def test_a_pending_review_is_not_found(client: Client, github: GitHub) -> None:
    github.pull(8)
    pending = github.review("not yet", by="helper", state="PENDING")

    with pytest.raises(NotFound):
        await client.get_message(ref("review", pending, "acme/demo#8"))


@pytest.mark.parametrize(("kind", "ident"), [("issue_comment", "x"), ("discussion_comment", "1"), ("review", "..")])
async def test_what_addresses_no_message_is_refused_before_any_request(
    client: Client, github: GitHub, kind: str, ident: str
) -> None:
    with pytest.raises(Invalid):
        await client.get_message(MessageRef(conversation="acme/demo#7", source_type=kind, id=ident))

    assert github.server.requests == []
