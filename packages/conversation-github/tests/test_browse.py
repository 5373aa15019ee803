"""Browsing: what there is, every page of it, and nothing twice."""

from typing import Any

import pytest

from github_discussions import Discussion, Refusal
from tertulia.errors import Conflict, Denied, Invalid, NotFound, Unavailable
from tertulia.thread import ThreadRef
from tertulia_conversation_github import Client

pytestmark = pytest.mark.anyio


async def test_conversations_come_last_active_first(client: Client, site: Any) -> None:
    first, second = site.open("First"), site.open("Second", category="Q&A")
    site.say(first)

    found = [one async for one in client.conversations("acme/demo")]

    assert [one.title for one in found] == ["First", "Second"]
    assert found[1].category is not None
    assert (found[1].category.name, found[1].category.format) == ("Q&A", "question_answer")
    assert (found[0].conversation, found[0].handle, found[0].answered) == ("acme/demo#1", first.id, None)
    assert (found[1].id, found[1].answered) == (str(second.database_id), False)


async def test_the_conversations_of_a_category_are_found_by_its_id_or_slug(client: Client, site: Any) -> None:
    site.open("First")
    question = site.open("Second", category="Q&A")

    for name in ("q-a", question.category.id):
        assert [one.title async for one in client.conversations("acme/demo", category=name)] == ["Second"]


@pytest.mark.parametrize("category", ["3301", "nothing", "Q&A", ""])
async def test_a_category_that_there_is_not_is_invalid(client: Client, site: Any, category: str) -> None:
    with pytest.raises(Invalid, match="node_id"):
        async for _ in client.conversations("acme/demo", category=category):
            pass

    assert site.asked() == ["categories"]


async def test_pages_are_read_as_they_are_needed(client: Client, site: Any) -> None:
    for _ in range(150):
        site.open()

    async for _ in client.conversations("acme/demo"):
        break

    assert site.asked() == ["conversations"]


async def test_a_list_whose_cursor_expires_is_begun_again_without_repeating(client: Client, site: Any) -> None:
    for _ in range(150):
        site.open()
    site.expire_after(1)

    found = [one.conversation async for one in client.conversations("acme/demo")]

    assert len(found) == len(set(found)) == 150


async def test_a_page_that_is_not_whole_is_not_passed_off_as_one(client: Client, site: Any) -> None:
    talk = site.open()
    root = site.say(talk)
    for thing in (talk, root):
        for refusal in (None, Refusal("FORBIDDEN", "No.")):
            site.spoil(thing, refusal)
            with pytest.raises(Unavailable if refusal is None else Denied):
                async for _ in client.conversations("acme/demo") if thing is talk else client.threads(site.at(talk)):
                    pass
        site._spoiled.clear()


async def test_threads_say_how_much_was_said_and_when(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, "root")
    site.say(talk, "alone")
    reply = site.reply(root, "reply")
    site.alter(root, "edited later")

    first, second = [one async for one in client.threads(site.at(talk))]

    assert (first.root.body, first.replies, first.ref.root) == ("edited later", 1, str(root.database_id))
    assert f"{first.last_activity:%Y-%m-%dT%H:%M:%SZ}" == reply.created_at
    assert (second.replies, second.last_activity) == (0, second.root.created_at)


async def test_threads_are_those_with_something_said_since(client: Client, site: Any, talk: Discussion) -> None:
    old, revived, new = (site.say(talk, name) for name in ("old", "revived", "new"))
    site.reply(revived)
    whole = {one.root.body: one async for one in client.threads(site.at(talk))}

    since = whole["new"].last_activity.replace(microsecond=900_000)
    found = [one.root.body async for one in client.threads(site.at(talk), since=since)]

    assert found == ["revived", "new"]
    assert (old.body, new.body) == ("old", "new")


async def test_a_deleted_root_with_replies_is_a_thread(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, "gone")
    site.reply(root)
    site.remove(root)

    (found,) = [one async for one in client.threads(site.at(talk))]

    assert (found.root.deleted, found.replies) == (True, 1)


async def test_every_thread_is_found_once_though_pages_are_narrow(client: Client, site: Any, talk: Discussion) -> None:
    site.fill(talk, roots=105)
    site.widest = 20

    found = [one.root.id async for one in client.threads(site.at(talk))]

    assert len(found) == len(set(found)) == 105


async def test_what_is_not_there_is_not_found(client: Client, site: Any) -> None:
    with pytest.raises(NotFound):
        async for _ in client.conversations("acme/nowhere"):
            pass
    with pytest.raises(NotFound):
        async for _ in client.threads(ThreadRef(conversation="acme/demo#404")):
            pass


@pytest.mark.parametrize("place", ["acme", "https://github.com/acme/demo", "acme/..", ""])
async def test_what_is_no_place_is_invalid_at_the_call(client: Client, place: str) -> None:
    with pytest.raises(Invalid, match="acme/demo"):
        client.conversations(place)


async def test_a_list_whose_cursors_go_on_expiring_is_a_conflict(client: Client, site: Any) -> None:
    for _ in range(150):
        site.open()
    site.expire_after(1, 3)

    with pytest.raises(Conflict):
        async for _ in client.conversations("acme/demo"):
            pass
