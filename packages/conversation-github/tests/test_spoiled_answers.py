"""Answers that are not what GitHub's schema promises: whatever is done with them, it ends in a result or an error of ours."""

import copy
import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from tertulia.conversation import ConversationDraft
from tertulia.errors import Error
from tertulia.testing.loopback import Reply, Request
from tertulia.thread import Draft, MessageRef

pytestmark = pytest.mark.anyio

JUNK: list[Any] = [
    None,
    7,
    -1,
    True,
    "x",
    "2026-13-01",
    [],
    {},
    [None],
    [7],
    {"nodes": None},
    [{"id": 7}],
    {"login": 7},
]
DRAFT = Draft(body="So.", agent="helper", key="k")


@pytest.mark.parametrize("seed", range(4))
async def test_a_spoiled_answer_never_ends_in_anything_but_an_error_of_ours(opened: Any, site: Any, seed: int) -> None:
    chance = random.Random(seed)
    talk = site.open(number=7, category="Q&A")
    site.label("bug")
    root, own = site.say(talk, "root"), site.say(talk, "own", "helper")
    reply = site.reply(root, "reply")
    site.fill(talk, roots=101)
    opening = MessageRef(conversation="acme/demo#7", source_type="discussion", id=str(talk.database_id))
    idea = ConversationDraft(place="acme/demo", category="general", title="T", **DRAFT.model_dump())
    operations = [
        lambda client: client.read(site.at(talk)),
        lambda client: client.read(site.at(talk, root)),
        lambda client: client.get_message(site.ref(reply)),
        lambda client: client.get_message(opening),
        lambda client: client.get_conversation(site.at(talk)),
        lambda client: listed(client.conversations("acme/demo", category="q-a")),
        lambda client: listed(client.threads(site.at(talk))),
        lambda client: client.post(site.at(talk, reply), DRAFT),
        lambda client: client.edit(site.ref(own), DRAFT),
        lambda client: client.label(site.at(talk), add=["bug"], remove=["ux"]),
        lambda client: client.react(site.ref(root), "+1"),
        lambda client: client.set_state(site.at(talk), closed=True),
        lambda client: client.mark_answer(site.ref(root)),
        lambda client: client.minimize(site.ref(root), "spam"),
        lambda client: client.start(idea),
        lambda client: client.whoami(),
        lambda client: client.role_of("acme/demo", "bob"),
    ]
    site.server.route("POST", "/graphql", lambda request: spoiled(site, request, chance))

    for operation in operations * 3:
        async with opened(max_wait=0) as client:
            with suppress(Error):
                await operation(client)


async def listed(found: Any) -> list[Any]:
    return [one async for one in found]


def spoiled(site: Any, request: Request, chance: random.Random) -> Reply:
    """Answer, and put something else in one place of the answer, or take it out."""
    reply: Reply = site.answer(request)
    places = list(below(reply.body))
    place = chance.choice(places[:60] if chance.random() < 0.5 else places)
    if chance.random() < 0.4 or not place:
        return reply
    body = holder = copy.deepcopy(reply.body)
    for step in place[:-1]:
        holder = holder[step]
    if chance.random() < 0.1:
        del holder[place[-1]]
    else:
        holder[place[-1]] = chance.choice(JUNK)
    return Reply(reply.status, body, reply.headers)


def below(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """List every place in a document."""
    yield place
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        yield from below(inner, (*place, step))
