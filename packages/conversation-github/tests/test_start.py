"""Starting a discussion: in a category, and once."""

from typing import Any

import pytest

from tertulia.conversation import ConversationDraft
from tertulia.errors import Denied, Invalid, NotFound, Unavailable
from tertulia.testing.clock import Time
from tertulia.testing.wire import Fault
from tertulia_conversation_github import Client

pytestmark = pytest.mark.anyio


def idea(**fields: Any) -> ConversationDraft:
    given = {"place": "acme/demo", "category": "q-a", "title": "Why?", "body": "Because.", "agent": "helper"}
    return ConversationDraft(**{**given, **fields})


async def test_a_discussion_is_started_in_a_category(client: Client, site: Any) -> None:
    started = await client.start(idea())

    talk = site.repo.discussions[1]
    assert (talk.title, talk.body, talk.category.slug) == ("Why?", "<!-- bot-agent-helper -->\nBecause.", "q-a")
    assert (started.conversation, started.handle, started.answered) == ("acme/demo#1", talk.id, False)
    assert site.asked() == ["categories", "create"]
    assert site.variables()[1]["input"]["categoryId"] == talk.category.id


async def test_a_key_is_looked_for_first_whatever_its_category_is_by_now(client: Client, site: Any) -> None:
    first = await client.start(idea(key="k"))
    site.repo.discussions[1].category = site.repo.categories[0]

    assert (await client.start(idea(key="k"))).conversation == first.conversation
    assert len(site.repo.discussions) == 1


async def test_a_look_up_ends_where_nothing_is_new_enough(client: Client, site: Any) -> None:
    for _ in range(150):
        site.open()
    started = await client.start(idea(key="k"))

    await client.start(idea(key="other", since=started.created_at))

    assert site.asked()[-3:] == ["categories", "ownConversations", "create"]


async def test_a_start_that_landed_without_an_answer_is_found(client: Client, site: Any, time: Time) -> None:
    site.break_with(Fault.LOSE)

    started = await client.start(idea(key="k"))

    assert started.conversation == "acme/demo#1"
    assert time.slept == [1]


async def test_a_start_that_cannot_be_found_is_ambiguous(client: Client, site: Any, time: Time) -> None:
    site.break_with(Fault.DROP)

    with pytest.raises(Unavailable) as caught:
        await client.start(idea(key="k"))

    assert caught.value.ambiguous
    assert time.slept == [1, 2, 6]
    assert site.repo.discussions == {}


@pytest.mark.parametrize(
    ("fields", "cls"),
    [
        ({"place": "acme/nowhere"}, NotFound),
        ({"place": "https://github.com/acme/demo"}, Invalid),
        ({"category": "nothing"}, Invalid),
        ({"category": "3301"}, Invalid),
        ({"body": "x" * 65_536}, Invalid),
        ({"category": "announcements"}, Denied),
    ],
)
async def test_what_cannot_be_started_is_not(client: Client, site: Any, fields: dict[str, Any], cls: type) -> None:
    with pytest.raises(cls):
        await client.start(idea(**fields))

    assert site.repo.discussions == {}
