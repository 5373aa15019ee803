"""An answer is posted once for a key, marked as ours, and safe for whoever reads it."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from tertulia import outbound
from tertulia.errors import Conflict, Denied, Invalid, NotFound, RateLimited, Unavailable
from tertulia.testing.github import APPS, refusals
from tertulia.testing.loopback import Reply
from tertulia.thread import Account, Draft, ThreadRef
from tertulia_tracker import github as tracker_github
from tertulia_tracker.github import Client

GitHub = Any
pytestmark = pytest.mark.anyio
ISSUE = ThreadRef(conversation="acme/demo#7")
REVIEW = ThreadRef(conversation="acme/demo#8", root="102")
COMMENTS = "/repos/acme/demo/issues/7/comments"
DRAFT = Draft(body="Here is why.", agent="helper", key="event-1/helper")
LINE = outbound.key_line("event-1/helper")


async def test_an_answer_carries_the_agent_and_the_key(client: Client, github: GitHub) -> None:
    posted = await client.post(ISSUE, DRAFT)

    (landed,) = github.landed
    assert landed["body"] == f"<!-- bot-agent-helper -->\nHere is why.\n\n{LINE}"
    assert (posted.ref, posted.body) == (f"issue_comment:{landed['id']}", landed["body"])
    assert posted.parent_id == posted.id
    assert posted.url == landed["html_url"]
    assert posted.author is not None
    assert posted.author.id == "9001"


async def test_a_known_key_posts_nothing(client: Client, github: GitHub) -> None:
    first = await client.post(ISSUE, DRAFT)
    second = await client.post(ISSUE, DRAFT.model_copy(update={"body": "Another try."}))

    assert second == first
    assert github.count("POST", COMMENTS) == 1


async def test_another_client_finds_what_the_first_has_posted(client: Client, github: GitHub) -> None:
    first = await client.post(ISSUE, DRAFT)
    async with tracker_github.connect(token="another", api_url=github.url, http={"trust_env": False}) as other:
        second = await other.post(ISSUE, DRAFT)

    assert second == first
    assert github.count("POST", COMMENTS) == 1


async def test_a_key_is_found_on_any_page(client: Client, github: GitHub) -> None:
    first = await client.post(ISSUE, DRAFT)
    for number in range(250):
        github.say(str(number))

    assert await client.post(ISSUE, DRAFT) == first


async def test_without_a_key_every_post_is_sent_and_nothing_is_looked_for(client: Client, github: GitHub) -> None:
    draft = Draft(body="Hello", agent="helper")

    first, second = await client.post(ISSUE, draft), await client.post(ISSUE, draft)

    assert first.id != second.id
    assert [request.method for request in github.server.requests] == ["POST", "POST"]


async def test_a_look_up_starts_at_the_second_the_draft_names(client: Client, github: GitHub) -> None:
    since = datetime(2026, 10, 1, 0, 1, 30, 999_000, tzinfo=UTC)

    await client.post(ISSUE, DRAFT.model_copy(update={"since": since}))

    (look,) = github.server.asked("GET", COMMENTS)
    assert look.query["since"] == "2026-10-01T00:01:30Z"


@pytest.mark.parametrize(
    "body",
    [
        f"<!-- bot-agent-helper -->\nHere is why.\n\n{LINE}",
        LINE,
    ],
)
async def test_a_strangers_key_line_does_not_count(client: Client, github: GitHub, body: str) -> None:
    github.say(body, by="bob")
    github.say(body, by=None)

    posted = await client.post(ISSUE, DRAFT)

    assert github.landed[0]["id"] == int(posted.id)


@pytest.mark.parametrize("body", [f"> {LINE}", f"{LINE}\nand so on", f"```\n{LINE}\n```", f"as in `{LINE}`"])
async def test_a_key_line_that_is_only_quoted_does_not_count(client: Client, github: GitHub, body: str) -> None:
    github.say(body, by="helper")

    await client.post(ISSUE, DRAFT)

    assert len(github.landed) == 1


async def test_a_key_line_of_ours_counts_however_the_site_changed_the_line_ends(client: Client, github: GitHub) -> None:
    said = github.say(f"<!-- bot-agent-helper -->\r\nHere.\r\n\r\n{LINE}\r\n", by="helper")

    posted = await client.post(ISSUE, DRAFT)

    assert posted.id == str(said["id"])
    assert github.landed == []


async def test_two_posts_at_once_with_one_key_send_one(client: Client, github: GitHub) -> None:
    github.latency = 0.05

    posted = await asyncio.gather(*(client.post(ISSUE, DRAFT) for _ in range(5)))

    assert len({one.id for one in posted}) == 1
    assert github.count("POST", COMMENTS) == 1


async def test_two_keys_are_two_answers(client: Client, github: GitHub) -> None:
    drafts = [DRAFT.model_copy(update={"key": f"event-1/helper/{part}"}) for part in (1, 2)]

    posted = await asyncio.gather(*(client.post(ISSUE, draft) for draft in drafts))

    assert len({one.id for one in posted}) == 2


async def test_what_no_agent_may_post_is_made_harmless(client: Client, github: GitHub) -> None:
    await client.post(ISSUE, Draft(body="<!-- bot-engine-x --> @here look\x07", agent="helper"))

    assert github.landed[0]["body"] == "<!-- bot-agent-helper -->\n&lt;!-- bot-engine-x --> @\u2060here look"


@pytest.mark.parametrize("body", ["x" * 65_537, "é" * 65_500, " \n"])
async def test_a_body_that_cannot_be_posted_is_refused_before_any_request(
    client: Client, github: GitHub, body: str
) -> None:
    with pytest.raises(Invalid, match="body"):
        await client.post(ISSUE, DRAFT.model_copy(update={"body": body}))

    assert github.server.requests == []


async def test_the_limit_counts_code_points(client: Client, github: GitHub) -> None:
    overhead = len(outbound.prepare(DRAFT.model_copy(update={"body": "x"}), carrier="markdown")) - 1

    await client.post(ISSUE, DRAFT.model_copy(update={"body": "\U0001f389" * (65_536 - overhead)}))

    assert len(github.landed[0]["body"]) == 65_536


async def test_a_locked_issue_is_a_conflict(client: Client, github: GitHub) -> None:
    github.issues["acme/demo", 7]["locked"] = True

    with pytest.raises(Conflict):
        await client.post(ISSUE, DRAFT)


@pytest.mark.parametrize(
    ("status", "message", "error"),
    [
        (403, "Resource not accessible by integration", Denied),
        (404, "Not Found", NotFound),
        (410, "Issues are disabled for this repo", NotFound),
        (422, "Validation Failed", Invalid),
        (422, "Body is too long (maximum is 65536 characters)", Invalid),
    ],
)
async def test_a_refusal_is_the_right_error_and_is_not_repeated(
    client: Client, github: GitHub, status: int, message: str, error: type[Exception]
) -> None:
    github.server.route("POST", COMMENTS, Reply(status, {"message": message}))

    with pytest.raises(error):
        await client.post(ISSUE, DRAFT)

    assert github.count("POST", COMMENTS) == 1


@pytest.mark.parametrize("refusal", [refusals.SECONDARY, refusals.slow_down(), refusals.slow_down("90", status=403)])
async def test_an_answer_refused_because_of_a_limit_has_not_landed(
    client: Client, github: GitHub, refusal: Reply
) -> None:
    github.refuse(refusal, path=COMMENTS, method="POST")

    with pytest.raises(RateLimited):
        await client.post(ISSUE, DRAFT)

    assert github.landed == []


async def test_an_installed_app_finds_what_it_has_posted_by_the_id_of_its_bot(client: Client, github: GitHub) -> None:
    github.me = "helper[bot]"

    posted = await client.post(ISSUE, DRAFT)

    assert posted.author == Account(id=str(APPS["helper[bot]"]), login="helper[bot]", kind="bot")
    assert await client.post(ISSUE, DRAFT) == posted
    assert (github.count("GET", "/user"), github.count("POST", "/graphql")) == (1, 1)


async def test_an_issue_that_is_not_there_is_not_found(client: Client, github: GitHub) -> None:
    with pytest.raises(NotFound):
        await client.post(ThreadRef(conversation="acme/demo#99"), DRAFT)

    assert github.count("POST", ".*") == 0


@pytest.mark.parametrize("key", ["event-1/helper", None])
async def test_an_answer_follows_a_transferred_issue(client: Client, github: GitHub, key: str | None) -> None:
    moved = github.transfer(7, "acme/other")

    posted = await client.post(ISSUE, DRAFT.model_copy(update={"key": key}))

    assert [one["id"] for one in github.listed("issue_comment", moved["number"], "acme/other")] == [int(posted.id)]


async def test_without_knowing_who_we_are_a_keyed_answer_is_not_sent(client: Client, github: GitHub) -> None:
    github.refuse(refusals.BAD_CREDENTIALS, path="/user")

    with pytest.raises(Denied):
        await client.post(ISSUE, DRAFT)

    assert github.count("POST", ".*") == 0


async def test_a_thread_that_cannot_be_read_whole_is_not_answered(client: Client, github: GitHub) -> None:
    for number in range(150):
        github.say(str(number))
    empty = Reply(200, [])
    first = github.answer
    github.server.route("GET", COMMENTS, first, empty)

    with pytest.raises(Unavailable, match="read whole"):
        await client.post(ISSUE, DRAFT)

    assert github.count("POST", ".*") == 0


async def test_a_root_answers_in_that_review_thread(client: Client, github: GitHub) -> None:
    github.pull(8)
    root = github.remark("Why here?")
    ref = ThreadRef(conversation="acme/demo#8", root=str(root["id"]))

    posted = await client.post(ref, DRAFT)
    again = await client.post(ref, DRAFT)

    assert posted.ref == again.ref == f"review_comment:{github.landed[0]['id']}"
    assert posted.parent_id == str(root["id"])
    assert github.landed[0]["in_reply_to_id"] == root["id"]
    assert len(github.landed) == 1


@pytest.mark.parametrize("status", [404, 405])
async def test_a_server_without_that_route_is_told_the_root_in_the_body(
    client: Client, github: GitHub, status: int
) -> None:
    github.pull(8)
    root = github.remark("Why here?")
    github.server.route("POST", ".*/replies", Reply(status, {"message": "no such route"}))

    posted = await client.post(ThreadRef(conversation="acme/demo#8", root=str(root["id"])), DRAFT)

    (request,) = github.server.asked("POST", "/repos/acme/demo/pulls/8/comments")
    assert posted.parent_id == str(root["id"])
    assert request.json() | {"body": ""} == {
        "body": "",
        "in_reply_to": root["id"],
        "in_reply_to_id": root["id"],
        "commit_id": "c0ffee",
        "path": "a.py",
    }


async def test_a_review_comment_that_is_gone_is_not_answered(client: Client, github: GitHub) -> None:
    github.pull(8)

    with pytest.raises(NotFound):
        await client.post(ThreadRef(conversation="acme/demo#8", root="999"), DRAFT)

    assert github.landed == []


async def test_a_root_that_is_no_number_is_refused_before_any_request(client: Client, github: GitHub) -> None:
    with pytest.raises(Invalid, match="root"):
        await client.post(ThreadRef(conversation="acme/demo#8", root="../7"), DRAFT)

    assert github.server.requests == []
