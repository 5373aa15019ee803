"""Labels, states, answers, hiding and reactions."""

from typing import Any

import pytest

from github_discussions import Discussion
from tertulia.errors import Conflict, Denied, Invalid, NotFound
from tertulia.testing.loopback import Reply
from tertulia.thread import Draft, MessageRef
from tertulia_conversation_github import Client

pytestmark = pytest.mark.anyio


async def test_labels_are_found_by_name_and_sent_by_node_id(client: Client, site: Any, talk: Discussion) -> None:
    bug, ux = site.label("bug"), site.label("UX")
    talk.labels = [ux]

    assert await client.label(site.at(talk), add=["bug", "ux"], remove=["UX", "nothing"]) == ("bug",)

    assert site.asked() == ["labels", "addLabels", "removeLabels"]
    assert [given["input"]["labelIds"] for given in site.variables()[1:]] == [[bug.id], [ux.id]]


async def test_what_is_so_already_is_not_sent(client: Client, site: Any, talk: Discussion) -> None:
    talk.labels = [site.label("bug")]

    assert await client.label(site.at(talk), add=["Bug"], remove=["ux"]) == ("bug",)
    assert await client.label(site.at(talk)) == ("bug",)
    assert site.writes == 0


async def test_a_label_that_there_is_not_is_invalid_and_adds_none(client: Client, site: Any, talk: Discussion) -> None:
    site.label("bug")

    with pytest.raises(Invalid, match="'nothing'"):
        await client.label(site.at(talk), add=["bug", "nothing"])

    assert talk.labels == []


@pytest.mark.parametrize("names", ["bug", [""], [7]])
async def test_what_is_no_collection_of_names_is_invalid(client: Client, site: Any, talk: Any, names: Any) -> None:
    for given in ({"add": names}, {"remove": names}):
        with pytest.raises(Invalid):
            await client.label(site.at(talk), **given)

    assert site.server.requests == []


async def test_a_category_is_no_label(client: Client, site: Any, talk: Discussion) -> None:
    found = await client.get_conversation(site.at(talk))

    assert (found.labels, found.category and found.category.name) == ((), "General")


async def test_a_discussion_is_closed_and_opened_again(client: Client, site: Any, talk: Discussion) -> None:
    closed = await client.set_state(site.at(talk), closed=True, reason="outdated")
    again = await client.set_state(site.at(talk), closed=True)
    opened = await client.set_state(site.at(talk), closed=False)

    assert (closed.closed, closed.state_reason) == (True, "outdated")
    assert again == closed
    assert (opened.closed, opened.state_reason) == (False, "reopened")
    assert site.writes == 2


@pytest.mark.parametrize("reason", ["too heated", "too-heated", "TOO_HEATED"])
async def test_a_discussion_is_locked_for_a_reason(client: Client, site: Any, talk: Discussion, reason: str) -> None:
    assert (await client.set_state(site.at(talk), locked=True, reason=reason)).locked
    assert talk.active_lock_reason == "TOO_HEATED"

    assert not (await client.set_state(site.at(talk), locked=False)).locked


async def test_a_reason_is_first_one_to_close(client: Client, site: Any, talk: Discussion) -> None:
    found = await client.set_state(site.at(talk), closed=True, locked=True, reason="duplicate")

    assert (found.closed, found.locked, found.state_reason) == (True, True, "duplicate")
    assert talk.active_lock_reason is None


@pytest.mark.parametrize(
    "change",
    [
        {"closed": True, "reason": "spam"},
        {"locked": True, "reason": "outdated"},
        {"closed": False, "reason": "resolved"},
        {"reason": "resolved"},
        {"closed": True, "locked": True, "reason": "too heated"},
    ],
)
async def test_a_reason_that_there_is_not_changes_nothing(
    client: Client, site: Any, talk: Discussion, change: dict[str, Any]
) -> None:
    with pytest.raises(Invalid, match="reason"):
        await client.set_state(site.at(talk), **change)

    assert site.server.requests == []


async def test_an_answer_is_marked_and_taken_back(client: Client, site: Any) -> None:
    talk = site.open(category="Q&A")
    comment, other = site.say(talk), site.say(talk)

    marked = await client.mark_answer(site.ref(comment))
    untouched = await client.mark_answer(site.ref(other), answer=False)
    taken = await client.mark_answer(site.ref(comment), answer=False)

    assert (marked.answered, marked.answer) == (True, str(comment.database_id))
    assert untouched == marked
    assert (taken.answered, taken.answer) == (False, None)
    assert site.writes == 2


async def test_where_there_are_no_questions_there_is_no_answer(client: Client, site: Any, talk: Discussion) -> None:
    with pytest.raises(Invalid, match="takes no answers"):
        await client.mark_answer(site.ref(site.say(talk)))

    assert site.writes == 0


async def test_a_comment_is_hidden(client: Client, site: Any, talk: Discussion) -> None:
    comment = site.say(talk)

    await client.minimize(site.ref(comment), "off-topic")

    assert (await client.get_message(site.ref(comment))).minimized == "off-topic"
    with pytest.raises(Invalid, match="must be one of"):
        await client.minimize(site.ref(comment), "boring")


@pytest.mark.parametrize(
    ("word", "content"), [("+1", "THUMBS_UP"), ("rocket", "ROCKET"), ("THUMBS_DOWN", "THUMBS_DOWN")]
)
async def test_a_reaction_is_added_once(client: Client, site: Any, talk: Any, word: str, content: str) -> None:
    comment = site.say(talk)

    await client.react(site.ref(comment), word)
    await client.react(site.ref(comment), word)

    assert [one.content for one in comment.reactions] == [content]
    with pytest.raises(Invalid, match="reaction"):
        await client.react(site.ref(comment), "shrug")


async def test_the_opening_post_takes_a_reaction_and_is_not_hidden(client: Client, site: Any, talk: Discussion) -> None:
    opening = MessageRef(conversation="acme/demo#7", source_type="discussion", id=str(talk.database_id))

    await client.react(opening, "eyes")

    assert [one.content for one in talk.reactions] == ["EYES"]
    for refused in (client.minimize(opening, "spam"), client.mark_answer(opening), client.delete(opening)):
        with pytest.raises(Invalid):
            await refused


async def test_nobody_reacts_to_what_is_locked(client: Client, site: Any, talk: Discussion) -> None:
    comment = site.say(talk)
    site.lock(talk)

    with pytest.raises(Conflict, match="locked"):
        await client.react(site.ref(comment), "eyes")


async def test_an_own_comment_is_edited_and_keeps_its_lines(client: Client, site: Any, talk: Discussion) -> None:
    posted = await client.post(site.at(talk), Draft(body="First.", agent="helper", key="k"))
    ref = MessageRef(conversation="acme/demo#7", source_type="discussion_comment", id=posted.id)

    edited = await client.edit(ref, Draft(body="Better.", agent="other"))

    assert edited.body == posted.body.replace("First.", "Better.")
    assert (edited.id, edited.parent_id) == (posted.id, posted.parent_id)


async def test_an_own_opening_post_is_edited(client: Client, site: Any) -> None:
    talk = site.open(by="helper")
    opening = MessageRef(conversation=f"acme/demo#{talk.number}", source_type="discussion", id=str(talk.database_id))

    edited = await client.edit(opening, Draft(body="Better.", agent="helper"))

    assert (edited.body, edited.title) == ("<!-- bot-agent-helper -->\nBetter.", "It fails")


async def test_what_somebody_else_wrote_is_not_touched(client: Client, site: Any, talk: Discussion) -> None:
    site.repo.roles["helper"] = "ADMIN"
    comment = site.say(talk)

    with pytest.raises(Denied, match="somebody else's"):
        await client.edit(site.ref(comment), Draft(body="Yours.", agent="helper"))
    with pytest.raises(Denied, match="somebody else's"):
        await client.delete(site.ref(comment))

    assert site.writes == 0


async def test_an_own_root_with_replies_leaves_a_tombstone(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, by="helper")
    site.reply(root)

    await client.delete(site.ref(root))

    assert (await client.get_message(site.ref(root))).deleted


async def test_a_deletion_whose_answer_was_lost_has_succeeded(opened: Any, site: Any, talk: Discussion) -> None:
    comment = site.say(talk, by="helper")

    def lost(request: Any) -> Reply:
        reply = site.answer(request)
        return Reply(502) if site.writes == 1 and "deleteComment" in request.json()["query"] else reply

    site.server.route("POST", "/graphql", lost)
    async with opened() as client:
        await client.delete(site.ref(comment))

    assert site.writes == 2
    assert talk.comments == []


async def test_what_is_not_there_is_not_found(client: Client, site: Any, talk: Discussion) -> None:
    gone = site.say(talk, by="helper")
    ref = site.ref(gone)
    site.remove(gone)

    for missing in (
        client.delete(ref),
        client.react(ref, "eyes"),
        client.minimize(ref, "spam"),
        client.mark_answer(ref),
    ):
        with pytest.raises(NotFound):
            await missing
