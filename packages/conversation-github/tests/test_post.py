"""Posting: under the right root, in as few requests as possible, and once."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from github_discussions import Discussion, Refusal
from tertulia.errors import Conflict, Denied, Invalid, NotFound, Unavailable
from tertulia.thread import Draft
from tertulia_conversation_github import Client

pytestmark = pytest.mark.anyio

DRAFT = Draft(body="Here is why.", agent="helper")
KEYED = Draft(body="Here is why.", agent="helper", key="event-1/helper")
BODY = "<!-- bot-agent-helper -->\nHere is why."


async def test_an_answer_goes_under_its_root(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, "root")

    posted = await client.post(site.at(talk, root), DRAFT)

    assert (posted.parent_id, posted.body) == (str(root.database_id), BODY)
    assert [reply.body for reply in root.replies] == [BODY]
    assert site.asked() == ["read", "addComment"]
    assert site.variables()[1] == {"input": {"discussionId": talk.id, "replyToId": root.id, "body": BODY}}


async def test_an_answer_to_a_reply_goes_to_the_root(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, "root")
    reply = site.reply(root, "reply")

    posted = await client.post(site.at(talk, reply), DRAFT)

    assert posted.parent_id == str(root.database_id)
    assert site.variables()[-1]["input"]["replyToId"] == root.id


async def test_a_handle_of_a_reply_leads_to_its_root(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, "root")
    reply = site.reply(root, "reply")

    for draft in (DRAFT, KEYED):
        posted = await client.post(site.at(talk, reply, handle=f"{talk.id} {reply.id}"), draft)
        assert posted.parent_id == str(root.database_id)

    assert site.asked()[:3] == ["addComment", "message", "addComment"]
    assert len(root.replies) == 3


async def test_without_a_root_an_answer_starts_a_thread(client: Client, site: Any, talk: Discussion) -> None:
    posted = await client.post(site.at(talk), DRAFT)

    assert posted.parent_id == posted.id == str(talk.comments[0].database_id)
    assert "replyToId" not in site.variables()[-1]["input"]


async def test_a_handle_makes_it_one_request(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, "root")

    await client.post(site.at(talk, handle=talk.id), DRAFT)
    await client.post(site.at(talk, root, handle=f"{talk.id} {root.id}"), DRAFT)

    assert site.asked() == ["addComment", "addComment"]


async def test_a_thread_that_was_found_is_answered_in_one_request(client: Client, site: Any, talk: Discussion) -> None:
    site.say(talk, "root")
    (found,) = [thread async for thread in client.threads(site.at(talk))]

    await client.post(found.ref, DRAFT)

    assert site.asked() == ["threads", "addComment"]


async def test_a_discussion_that_was_read_is_answered_in_one_request(
    client: Client, site: Any, talk: Discussion
) -> None:
    root = site.say(talk, "root")
    await client.read(site.at(talk))

    await client.post(site.at(talk, root), DRAFT)

    assert site.asked() == ["read", "addComment"]


async def test_a_key_is_looked_for_first_and_posted_once(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, "root")

    first = await client.post(site.at(talk, root, handle=root.id), KEYED)
    second = await client.post(site.at(talk, root, handle=root.id), KEYED)

    assert first == second
    assert len(root.replies) == 1
    assert site.asked() == ["ownReplies", "addComment", "ownReplies"]


async def test_a_key_without_a_root_is_looked_for_among_the_roots(client: Client, site: Any, talk: Discussion) -> None:
    first = await client.post(site.at(talk), KEYED)

    assert await client.post(site.at(talk), KEYED) == first
    assert site.asked() == ["ownRoots", "addComment", "ownRoots"]


async def test_the_same_line_of_somebody_else_is_no_answer_of_ours(client: Client, site: Any, talk: Discussion) -> None:
    first = await client.post(site.at(talk), KEYED)
    talk.comments[0].author = site.people["bob"]

    assert (await client.post(site.at(talk), KEYED)).id != first.id


async def test_a_look_up_ends_where_nothing_is_new_enough(client: Client, site: Any, talk: Discussion) -> None:
    site.fill(talk, roots=350)
    new = talk.comments[300].created_at

    await client.post(site.at(talk), KEYED.model_copy(update={"since": datetime.fromisoformat(new)}))

    assert site.asked() == ["ownRoots", "ownRoots", "addComment"]


async def test_a_look_up_without_a_beginning_reads_the_whole_thread(
    client: Client, site: Any, talk: Discussion
) -> None:
    first = await client.post(site.at(talk), KEYED)
    site.fill(talk, roots=250)

    assert await client.post(site.at(talk), KEYED) == first
    assert site.asked()[-3:] == ["ownRoots"] * 3


async def test_an_answer_as_old_as_the_beginning_is_found(client: Client, site: Any, talk: Discussion) -> None:
    first = await client.post(site.at(talk), KEYED)
    moment = first.created_at + timedelta(milliseconds=700)

    assert await client.post(site.at(talk), KEYED.model_copy(update={"since": moment})) == first


@pytest.mark.parametrize("refusal", [None, Refusal("NOT_FOUND", "Could not resolve to a node.")])
async def test_nothing_is_sent_when_the_look_up_may_have_missed_it(
    client: Client, site: Any, talk: Discussion, refusal: Refusal | None
) -> None:
    site.spoil(site.say(talk, "spoiled"), refusal)

    with pytest.raises(Unavailable, match="may be there"):
        await client.post(site.at(talk), KEYED)

    assert site.writes == 0


async def test_a_cursor_that_expires_begins_the_look_up_again(client: Client, site: Any, talk: Discussion) -> None:
    first = await client.post(site.at(talk), KEYED)
    site.fill(talk, roots=150)
    site.expire_after(3)

    assert await client.post(site.at(talk), KEYED) == first


async def test_a_locked_discussion_is_a_conflict(client: Client, site: Any, talk: Discussion) -> None:
    site.lock(talk)

    with pytest.raises(Conflict, match="locked"):
        await client.post(site.at(talk), DRAFT)


async def test_what_is_denied_names_the_permission(client: Client, site: Any, talk: Discussion, opened: Any) -> None:
    site.token("no-write", scopes=("read:discussion",))
    site.token("app", scopes=(), is_app=True)

    async with opened(token="no-write") as reader, opened(token="app") as app:
        with pytest.raises(Denied, match="required scopes") as scopes:
            await reader.post(site.at(talk), DRAFT)
        with pytest.raises(Denied, match="not accessible by integration") as permission:
            await app.post(site.at(talk), DRAFT)

    assert scopes.value.permission == "public_repo or write:discussion"
    assert permission.value.permission == "discussions: write"


async def test_what_was_remembered_and_is_gone_is_looked_up_again(client: Client, site: Any, talk: Discussion) -> None:
    await client.read(site.at(talk))
    site.remove(talk)
    site.open(number=7)

    posted = await client.post(site.at(talk), DRAFT)

    assert posted.body == BODY
    assert site.asked() == ["read", "addComment", "discussion", "addComment"]


async def test_a_root_that_is_gone_is_not_found(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, "root")
    await client.read(site.at(talk))
    site.remove(root)

    for draft in (DRAFT, KEYED):
        with pytest.raises(NotFound):
            await client.post(site.at(talk, root), draft)


async def test_a_root_of_another_discussion_is_not_answered(client: Client, site: Any, talk: Discussion) -> None:
    other = site.say(site.open(number=8), "elsewhere")

    with pytest.raises(NotFound):
        await client.post(site.at(talk, other), DRAFT)
    with pytest.raises(NotFound):
        await client.post(site.at(talk, other, handle=other.id), KEYED)
    with pytest.raises(Invalid):
        await client.post(site.at(talk, other, handle=other.id), DRAFT)

    assert other.replies == []


@pytest.mark.parametrize("handle", ["7001", f"D_kw {8801}", "D_kw DC_kw DC_kw", " D_kw"])
async def test_a_number_is_never_sent_as_a_node_id(client: Client, site: Any, talk: Discussion, handle: str) -> None:
    with pytest.raises(Invalid, match="node_id"):
        await client.post(site.at(talk, site.say(talk), handle=handle), DRAFT)

    assert site.server.requests == []


async def test_a_body_over_the_limit_is_refused_before_any_request(client: Client, site: Any, talk: Discussion) -> None:
    for body in ("x" * 65_536, " ", "\U0001f308" * 65_536):
        with pytest.raises(Invalid):
            await client.post(site.at(talk), Draft(body=body, agent="helper"))

    assert site.server.requests == []


async def test_a_handle_of_another_thread_is_refused_before_anything_is_sent(
    client: Client, site: Any, talk: Discussion
) -> None:
    root, other = site.say(talk, "root"), site.say(talk, "other")
    reply = site.reply(root, "reply")

    with pytest.raises(Invalid, match="another message's"):
        await client.post(site.at(talk, root, handle=other.id), KEYED)
    with pytest.raises(Invalid, match="another message's"):
        await client.read(site.at(talk, root, handle=other.id))

    assert site.writes == 0
    assert (await client.post(site.at(talk, root, handle=reply.id), KEYED)).parent_id == str(root.database_id)
