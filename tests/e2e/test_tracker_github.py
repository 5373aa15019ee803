"""The GitHub tracker against the emulator: threads read whole, answers posted once, whatever process posts them."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from tertulia import ledger
from tertulia.errors import Denied, NotFound
from tertulia.thread import Draft, MessageRef, ThreadRef
from tertulia_tracker import github as tracker_github

Call = Callable[..., Any]
Client = tracker_github.Client
pytestmark = pytest.mark.anyio

DRAFT = Draft(body="I looked at the log.\n\n<!-- bot-engine-x --> @here", agent="helper", key="event-1/helper")
POST = """
import asyncio, sys
from tertulia.thread import Draft, ThreadRef
from tertulia_tracker import github

async def main(conversation, root):
    async with github.connect() as client:
        draft = Draft(body="Another wording.", agent="helper", key="event-1/helper")
        print((await client.post(ThreadRef(conversation=conversation, root=root or None), draft)).ref)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture
async def client(github_emulator: str) -> AsyncIterator[Client]:
    """A client that acts as the engine."""
    async with tracker_github.connect(token="token-of-helper", api_url=github_emulator) as made:
        yield made


def issue(github: Call, title: str) -> ThreadRef:
    """Open an issue as drive-by."""
    made = github("POST", "/repos/acme/demo/issues", {"title": title, "body": "It broke."}, token="token-of-drive-by")
    return ThreadRef(conversation=f"acme/demo#{made.body['number']}")


def pull(github: Call, branch: str) -> ThreadRef:
    """Propose a change as member-b."""
    main = github("GET", "/repos/acme/demo/git/ref/heads/main").body["object"]["sha"]
    assert github("POST", "/repos/acme/demo/git/refs", {"ref": f"refs/heads/{branch}", "sha": main}).status == 201
    change = {"title": "Fix it", "head": branch, "base": "main", "body": "Small."}
    made = github("POST", "/repos/acme/demo/pulls", change, token="token-of-member-b")
    return ThreadRef(conversation=f"acme/demo#{made.body['number']}")


def say(github: Call, thread: ThreadRef, body: str, by: str = "maint-a") -> Any:
    """Comment as somebody."""
    return github("POST", f"{path(thread)}/comments", {"body": body}, token=f"token-of-{by}").body


def remark(github: Call, thread: ThreadRef, body: str, by: str = "maint-a", root: int | None = None) -> Any:
    """Comment on a line of a pull request."""
    inline = {"body": body, "path": "a.py", "position": 1, "in_reply_to_id": root}
    return github("POST", f"{path(thread, 'pulls')}/comments", inline, token=f"token-of-{by}").body


def path(thread: ThreadRef, kind: str = "issues") -> str:
    """Write the route of a thread."""
    return f"/repos/acme/demo/{kind}/{thread.conversation.partition('#')[2]}"


def posted_elsewhere(url: str, thread: ThreadRef) -> str:
    """Post the same answer from a new process, and give the ref it returns."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    env = kept | {"GITHUB_API_URL": url, "GITHUB_TOKEN": "token-of-helper"}
    command = [sys.executable, "-I", "-W", "error", "-c", POST, thread.conversation, thread.root or ""]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


async def test_an_issue_with_250_comments_by_several_people_is_read_whole(client: Client, github: Call) -> None:
    thread = issue(github, "Very long")
    people = ("maint-a", "member-b", "drive-by")
    said = [say(github, thread, f"note {number}", people[number % 3]) for number in range(250)]

    listing = await client.read(thread)

    opening, *comments = listing.messages
    assert (opening.title, opening.body) == ("Very long", "It broke.")
    assert [one.id for one in comments] == [str(one["id"]) for one in said]
    assert [one.author.login for one in comments if one.author] == [people[number % 3] for number in range(250)]
    assert [one.association for one in comments[:3]] == ["MEMBER", "MEMBER", "NONE"]
    assert listing.complete
    assert listing.reported == {"issue_comment": 250}


async def test_an_answer_is_posted_once_whatever_process_posts_it(
    client: Client, github: Call, github_emulator: str
) -> None:
    thread = issue(github, "Once")
    say(github, thread, "Which build?", "member-b")

    posted = await client.post(thread, DRAFT)
    again = await client.post(thread, DRAFT)
    elsewhere = posted_elsewhere(github_emulator, thread)

    comments = github("GET", f"{path(thread)}/comments").body
    assert (again, elsewhere) == (posted, posted.ref)
    assert [one["user"]["login"] for one in comments] == ["member-b", "helper"]
    assert comments[1]["body"].startswith("<!-- bot-agent-helper -->\nI looked at the log.")
    assert "&lt;!-- bot-engine-x --> @\u2060here" in comments[1]["body"]


async def test_a_new_process_posts_what_nobody_has_posted(github: Call, github_emulator: str) -> None:
    thread = issue(github, "Copied")
    say(github, thread, "<!-- bot-agent-helper -->\nMine?\n\n<!-- tertulia key=" + "0" * 32 + " -->", "drive-by")

    first, second = posted_elsewhere(github_emulator, thread), posted_elsewhere(github_emulator, thread)

    assert first == second
    assert len(github("GET", f"{path(thread)}/comments").body) == 2


async def test_a_deleted_comment_is_gone_and_proved_so(client: Client, github: Call) -> None:
    thread = issue(github, "Regretted")
    kept, regretted = say(github, thread, "kept"), say(github, thread, "regretted", "member-b")
    ref = MessageRef(conversation=thread.conversation, source_type="issue_comment", id=regretted["id"])
    assert (await client.get_message(ref)).body == "regretted"

    github("DELETE", f"/repos/acme/demo/issues/comments/{regretted['id']}", token="token-of-member-b")

    listing = await client.read(thread)
    assert [one.id for one in listing.messages[1:]] == [str(kept["id"])]
    assert listing.reported == {"issue_comment": 1}
    with pytest.raises(NotFound):
        await client.get_message(ref)
    with pytest.raises(Denied):
        await client.get_message(ref.model_copy(update={"conversation": "acme/secret#1"}))


async def test_the_ledger_knows_our_answer_and_buries_what_was_deleted(
    client: Client, github: Call, tmp_path: Path
) -> None:
    thread = issue(github, "Remembered")
    said = say(github, thread, "Look here.", "member-b")
    store = ledger.SqliteStore(tmp_path / "state.db")
    await ledger.read(client, thread, store=store)

    posted = await client.post(thread, DRAFT)
    github("DELETE", f"/repos/acme/demo/issues/comments/{said['id']}", token="token-of-member-b")
    context = await ledger.read(client, thread, store=store)

    records = {entry.record.ref: entry.record for entry in context.records}
    assert records[posted.ref].kind == "agent-output"
    assert records[posted.ref].trusted
    assert records[f"issue_comment:{said['id']}"].deleted
    assert "I looked at the log." in context.text
    assert "Look here." not in context.text


async def test_a_pull_request_is_read_whole_and_answered_once_in_its_review_thread(
    client: Client, github: Call, github_emulator: str
) -> None:
    thread = pull(github, "tracked")
    talk = say(github, thread, "Thanks!")
    review = github("POST", f"{path(thread, 'pulls')}/reviews", {"body": "Looks right.", "event": "COMMENT"}).body
    github("POST", f"{path(thread, 'pulls')}/reviews", {"body": "Not yet said."})
    root = remark(github, thread, "Why here?")
    other = remark(github, thread, "And there?")
    reply = remark(github, thread, "Because.", "member-b", root["id"])

    answer = await client.post(thread.model_copy(update={"root": str(root["id"])}), DRAFT)
    elsewhere = posted_elsewhere(github_emulator, thread.model_copy(update={"root": str(root["id"])}))
    listing = await client.read(thread)

    parents = {one.ref: one.parent_id for one in listing.messages}
    assert listing.messages[0].source_type == "pull_request"
    assert parents == {
        listing.messages[0].ref: None,
        f"issue_comment:{talk['id']}": str(talk["id"]),
        f"review:{review['id']}": str(review["id"]),
        f"review_comment:{root['id']}": str(root["id"]),
        f"review_comment:{other['id']}": str(other["id"]),
        f"review_comment:{reply['id']}": str(root["id"]),
        answer.ref: str(root["id"]),
    }
    assert elsewhere == answer.ref
    assert listing.complete
    assert (listing.reported or {})["review_comment"] == 4


async def test_what_was_deleted_in_a_pull_request_is_gone_and_proved_so(client: Client, github: Call) -> None:
    thread = pull(github, "regretted")
    said = {"issue_comment": say(github, thread, "a"), "review_comment": remark(github, thread, "b")}
    github("DELETE", f"/repos/acme/demo/issues/comments/{said['issue_comment']['id']}")
    github("DELETE", f"/repos/acme/demo/pulls/comments/{said['review_comment']['id']}")

    listing = await client.read(thread)

    assert [one.source_type for one in listing.messages] == ["pull_request"]
    for kind, gone in said.items():
        with pytest.raises(NotFound):
            await client.get_message(MessageRef(conversation=thread.conversation, source_type=kind, id=gone["id"]))


async def test_own_messages_are_edited_and_deleted_and_nobody_elses(client: Client, github: Call) -> None:
    thread = issue(github, "Edited")
    foreign, posted = say(github, thread, "mine", "drive-by"), await client.post(thread, DRAFT)
    own = MessageRef(conversation=thread.conversation, source_type="issue_comment", id=posted.id)

    edited = await client.edit(own, Draft(body="Better.", agent="another"))
    with pytest.raises(Denied):
        await client.edit(own.model_copy(update={"id": str(foreign["id"])}), Draft(body="Changed.", agent="helper"))
    found = await client.post(thread, DRAFT)
    await client.delete(own)

    assert edited.body.startswith("<!-- bot-agent-helper -->\nBetter.\n\n<!-- tertulia key=")
    assert found.body == edited.body
    assert [one["body"] for one in github("GET", f"{path(thread)}/comments").body] == ["mine"]


async def test_labels_come_and_go(client: Client, github: Call) -> None:
    thread = issue(github, "Labelled")

    assert set(await client.label(thread, add=["area/core", "bug"])) == {"area/core", "bug"}
    assert await client.label(thread, remove=["area/core", "never there"]) == ("bug",)
    assert (await client.get_issue(thread)).labels == ("bug",)


async def test_the_account_is_the_tokens(client: Client, github: Call) -> None:
    me = await client.whoami()

    assert (me.login, me.id) == ("helper", str(github("GET", "/user", token="token-of-helper").body["id"]))
