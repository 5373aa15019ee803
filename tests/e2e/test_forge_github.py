"""The GitHub client against a GitHub that somebody else wrote."""

import base64
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from tertulia.errors import Denied, Invalid, NotFound
from tertulia.event import Delivery, Event
from tertulia_forge_github import Client, connect, enrich, normalize, repo_path

pytestmark = pytest.mark.anyio

Call = Callable[..., Any]
REPO = "/repos/acme/demo"


@pytest.fixture
async def client(github_emulator: str) -> AsyncIterator[Client]:
    """Connect as maint-a."""
    async with connect(token="token-of-maint-a", api_url=github_emulator) as connected:
        yield connected


@pytest.fixture(scope="module")
def pull(github: Call) -> int:
    """Open a pull request from a branch of the repository, with one file more than main."""
    main = github("GET", f"{REPO}/git/ref/heads/main").body["object"]["sha"]
    assert github("POST", f"{REPO}/git/refs", {"ref": "refs/heads/proposal", "sha": main}).status == 201
    content = base64.b64encode("Grüße\n".encode()).decode()
    put = {"message": "Greet", "content": content, "branch": "proposal"}
    assert github("PUT", f"{REPO}/contents/docs/a%20greeting.txt", put).status == 201
    draft = {"title": "Greet", "body": "Please look.", "head": "proposal", "base": "main"}
    made = github("POST", f"{REPO}/pulls", draft, token="token-of-member-b")
    assert made.status == 201
    number = int(made.body["number"])
    github("POST", f"{REPO}/issues/{number}/labels", {"labels": ["ready"]})
    return number


async def test_the_client_knows_who_it_is(client: Client, github_emulator: str) -> None:
    me = await client.whoami()

    assert (me.login, me.kind) == ("maint-a", "human")
    async with connect(token="token-of-maint-a", api_url=github_emulator, engine="helper") as other:
        assert (await other.whoami()).login == "helper"
    async with connect(token="token-of-maint-a", api_url=github_emulator, engine="nobody-at-all") as other:
        with pytest.raises(Denied):
            await other.whoami()


async def test_without_a_token_the_client_is_nobody(github_emulator: str) -> None:
    async with connect(token="", api_url=github_emulator) as client:
        with pytest.raises(Denied):
            await client.whoami()


async def test_every_comment_is_read(client: Client, github: Call) -> None:
    issue = github("POST", f"{REPO}/issues", {"title": "Long"}).body["number"]
    people = ("maint-a", "member-b", "drive-by")
    for number in range(250):
        token = f"token-of-{people[number % 3]}"
        github("POST", f"{REPO}/issues/{issue}/comments", {"body": str(number)}, token=token)

    read = await client.http.pages(repo_path("acme/demo", "issues", issue, "comments"), operation="read")

    assert [item["body"] for item in read.items] == [str(number) for number in range(250)]
    assert read.complete
    assert client.rate is not None
    assert client.rate.limit >= client.rate.remaining > 0


async def test_what_is_written_can_be_read_and_deleted(client: Client, github: Call) -> None:
    issue = github("POST", f"{REPO}/issues", {"title": "Write"}).body["number"]
    comments = repo_path("acme/demo", "issues", issue, "comments")

    made = await client.http.send("POST", comments, operation="post", body={"body": "Grüße"})
    one = repo_path("acme/demo", "issues", "comments", made.data["id"])
    await client.http.send("PATCH", one, operation="edit", body={"body": "Hello"}, idempotent=True)

    assert (await client.http.get(one, operation="read")).data["body"] == "Hello"
    assert (await client.http.send("DELETE", one, operation="delete", idempotent=True)).data is None
    with pytest.raises(NotFound):
        await client.http.get(one, operation="read")


async def test_roles_are_told(client: Client, github: Call) -> None:
    assert (await client.permission("acme/demo", "maint-a")).role == "admin"
    assert (await client.permission("acme/demo", "drive-by")).role == "none"
    assert (await client.permission("acme/demo", "nobody-at-all")).role == "none"

    assert github("PUT", f"{REPO}/collaborators/helper", {"permission": "push"}).status in (201, 204)

    assert (await client.permission("acme/demo", "helper")).role == "write"
    with pytest.raises(NotFound):
        await client.permission("acme/nothing", "maint-a")


async def test_a_pull_request_is_read(client: Client, pull: int) -> None:
    change = await client.get_change("acme/demo", pull)

    assert (change.title, change.body, change.state, change.labels) == ("Greet", "Please look.", "open", ("ready",))
    assert change.author is not None
    assert change.author.login == change.proposal.author_id == "member-b"
    assert (change.proposal.head_ref, change.proposal.base_ref) == ("proposal", "main")
    assert (change.proposal.head_repo, change.proposal.is_fork) == ("acme/demo", False)
    with pytest.raises(NotFound):
        await client.get_change("acme/demo", 999_999)


async def test_a_file_is_read_at_a_ref(client: Client, pull: int) -> None:
    found = await client.get_file("acme/demo", "docs/a greeting.txt", ref="proposal")

    assert found.content == "Grüße\n".encode()
    with pytest.raises(NotFound):
        await client.get_file("acme/demo", "docs/a greeting.txt", ref="main")
    with pytest.raises(Invalid, match="directory"):
        await client.get_file("acme/demo", "docs", ref="proposal")


async def test_a_comment_event_is_enriched(client: Client, github: Call, pull: int) -> None:
    issue = github("POST", f"{REPO}/issues", {"title": "Ask", "labels": ["bug"]}).body
    path = f"{REPO}/issues/{issue['number']}"
    comment = github("POST", f"{path}/comments", {"body": "/ask why?"}).body
    on_issue = event(issue, comment)
    seen = {**issue, "number": pull, "html_url": issue["html_url"].rpartition("/")[0] + f"/{pull}", "pull_request": {}}
    on_pull = event(seen, comment)

    first, second = await enrich(on_issue, forge=client), await enrich(on_pull, forge=client)

    assert (first.actor.role, first.actor.role_verified) == ("admin", True)
    assert first.state.labels == ("bug",)
    assert second.state.labels == ("ready",)
    assert second.state.change_proposal is not None
    assert second.state.change_proposal.author_id == "member-b"


def event(issue: dict[str, Any], comment: dict[str, Any]) -> Event:
    """Normalize what a webhook about the comment would say."""
    payload = {
        "action": "created",
        "issue": issue,
        "comment": comment,
        "repository": {"full_name": "acme/demo"},
        "sender": comment["user"],
    }
    (made,) = normalize(Delivery("github", "issue_comment", json.dumps(payload).encode())).events
    return made
