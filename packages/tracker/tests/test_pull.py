"""A pull request is read whole: comments, review bodies and review comments."""

import threading
from typing import Any

import pytest

from tertulia.errors import Unavailable
from tertulia.testing.github import refusals
from tertulia.testing.loopback import Reply, Request
from tertulia.thread import ThreadRef
from tertulia_tracker.github import Client

GitHub = Any
pytestmark = pytest.mark.anyio
PULL = ThreadRef(conversation="acme/demo#8")


@pytest.fixture
def talk(github: GitHub) -> dict[str, Any]:
    """A pull request with something of every kind, in the order it was said."""
    said = {"pull_request": github.pull(8)}
    said["root"] = github.remark("Why here?")
    github.review("Not yet said.", by="helper", state="PENDING")
    said["review"] = github.review("Looks right.")
    said["issue_comment"] = github.say("Thanks!", number=8)
    said["reply"] = github.remark("Because.", by="bob", root=said["root"]["id"])
    return said


async def test_every_kind_of_message_is_read(client: Client, talk: dict[str, Any]) -> None:
    listing = await client.read(PULL)

    assert [(one.source_type, one.id, one.parent_id) for one in listing.messages] == [
        ("pull_request", str(talk["pull_request"]["id"]), None),
        ("review_comment", str(talk["root"]["id"]), str(talk["root"]["id"])),
        ("review", str(talk["review"]["id"]), str(talk["review"]["id"])),
        ("issue_comment", str(talk["issue_comment"]["id"]), str(talk["issue_comment"]["id"])),
        ("review_comment", str(talk["reply"]["id"]), str(talk["root"]["id"])),
    ]
    assert (listing.messages[1].path, listing.messages[1].line) == ("a.py", 3)
    assert listing.complete
    assert listing.reported == {"issue_comment": 1, "review_comment": 2}


async def test_an_issue_reports_no_review_comments(client: Client) -> None:
    listing = await client.read(ThreadRef(conversation="acme/demo#7"))

    assert listing.reported == {"issue_comment": 0}


async def test_the_three_lists_are_read_at_the_same_time(client: Client, github: GitHub, talk: dict[str, Any]) -> None:
    together = threading.Barrier(3)

    def waiting(request: Request) -> Reply:
        together.wait(timeout=5)
        return github.answer(request)

    for path in ("issues/8/comments", "pulls/8/reviews", "pulls/8/comments"):
        github.server.route("GET", f"/repos/acme/demo/{path}", waiting)

    assert (await client.read(PULL)).complete


@pytest.mark.parametrize("path", ["issues/8/comments", "pulls/8/reviews", "pulls/8/comments"])
async def test_one_list_that_fails_fails_the_reading(
    client: Client, github: GitHub, talk: dict[str, Any], path: str
) -> None:
    github.server.route("GET", f"/repos/acme/demo/{path}", refusals.BAD_GATEWAY)

    with pytest.raises(Unavailable):
        await client.read(PULL)


async def test_a_server_that_knows_no_issue_of_a_pull_request_is_asked_for_the_pull_request(
    client: Client, github: GitHub, talk: dict[str, Any]
) -> None:
    github.server.route("GET", "/repos/acme/demo/issues/8", refusals.NOT_FOUND)

    listing = await client.read(PULL)

    assert len(listing.messages) == 5
    assert (await client.get_issue(PULL)).is_change_proposal


async def test_a_pull_request_is_an_issue_that_proposes_a_change(client: Client, talk: dict[str, Any]) -> None:
    issue = await client.get_issue(PULL)

    assert issue.is_change_proposal
    assert issue.id == str(talk["pull_request"]["id"])
    assert (issue.comments, issue.state) == (1, "open")
