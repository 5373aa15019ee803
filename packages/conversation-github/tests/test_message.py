"""One message as it is now, and what it proves when there is none."""

from typing import Any

import pytest

from github_discussions import Discussion, Refusal
from tertulia.errors import Denied, Invalid, NotFound, Unavailable
from tertulia.testing.loopback import Reply
from tertulia.testing.wire import Fault
from tertulia.thread import MessageRef
from tertulia_conversation_github import Client

pytestmark = pytest.mark.anyio


async def test_a_handle_makes_it_one_request(client: Client, site: Any, talk: Discussion) -> None:
    reply = site.reply(site.say(talk, "root"), "reply")

    found = await client.get_message(site.ref(reply, handle=reply.id))

    assert (found.body, found.parent_id) == ("reply", str(talk.comments[0].database_id))
    assert site.asked() == ["message"]


async def test_without_a_handle_its_number_is_found_among_the_others(
    client: Client, site: Any, talk: Discussion
) -> None:
    reply = site.reply(site.say(talk, "root"), "reply")

    found = await client.get_message(site.ref(reply))
    again = await client.get_message(site.ref(talk.comments[0]))

    assert (found.body, found.parent_id) == ("reply", again.id)
    assert site.asked() == ["read", "message"], "and what stood beside it is remembered"


async def test_a_number_is_not_looked_for_beyond_where_it_is(client: Client, site: Any, talk: Discussion) -> None:
    site.fill(talk, roots=250)

    await client.get_message(site.ref(talk.comments[120]))

    assert site.asked() == ["read", "read"]


async def test_the_opening_post_is_found_by_its_number(client: Client, site: Any, talk: Discussion) -> None:
    ref = MessageRef(conversation="acme/demo#7", source_type="discussion", id=str(talk.database_id))

    found = await client.get_message(ref)

    assert (found.title, found.body, found.parent_id) == ("It fails", "Since Monday.", None)
    with pytest.raises(NotFound, match="another one"):
        await client.get_message(ref.model_copy(update={"id": "1"}))


@pytest.mark.parametrize("by_handle", [True, False])
async def test_not_found_is_proof(client: Client, site: Any, talk: Discussion, by_handle: bool) -> None:
    gone = site.say(talk, "gone")
    ref = site.ref(gone, handle=gone.id if by_handle else None)
    site.remove(gone)

    with pytest.raises(NotFound):
        await client.get_message(ref)

    assert len(site.server.requests) == 1


@pytest.mark.parametrize("by_handle", [True, False])
async def test_a_message_is_gone_with_its_discussion(
    client: Client, site: Any, talk: Discussion, by_handle: bool
) -> None:
    gone = site.say(talk, "gone")
    ref = site.ref(gone, handle=gone.id if by_handle else None)
    site.remove(talk)

    with pytest.raises(NotFound, match="Could not resolve to a Discussion"):
        await client.get_message(ref)


@pytest.mark.parametrize("by_handle", [True, False])
async def test_a_repository_out_of_sight_proves_nothing(
    client: Client, site: Any, talk: Discussion, by_handle: bool
) -> None:
    root = site.say(talk, "root")
    site.break_with(Fault.HIDE)

    with pytest.raises(Denied, match="does not prove"):
        await client.get_message(site.ref(root, handle=root.id if by_handle else None))


async def test_null_without_a_reason_proves_nothing(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, "root")
    site.spoil(root)

    with pytest.raises(Unavailable):
        await client.get_message(site.ref(root, handle=root.id))
    with pytest.raises(Unavailable, match="not given whole"):
        await client.get_message(site.ref(root))


async def test_a_refusal_proves_nothing(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, "root")
    site.spoil(root, Refusal("FORBIDDEN", "Although you appear to have the correct authorization, no."))

    with pytest.raises(Denied):
        await client.get_message(site.ref(root, handle=root.id))


async def test_a_message_of_another_discussion_is_not_found(client: Client, site: Any, talk: Discussion) -> None:
    other = site.say(site.open(number=8), "elsewhere")
    ref = site.ref(other).model_copy(update={"conversation": "acme/demo#7"})

    for wrong in (ref, ref.model_copy(update={"handle": other.id})):
        with pytest.raises(NotFound):
            await client.get_message(wrong)


@pytest.mark.parametrize("handle", ["1639954892", "DC_kw DO", "", "https://github.com/acme", "é"])
async def test_a_handle_that_is_no_node_id_is_refused_before_any_request(
    client: Client, site: Any, talk: Discussion, handle: str
) -> None:
    with pytest.raises(Invalid, match="node_id"):
        await client.get_message(site.ref(site.say(talk, "root"), handle=handle))

    assert site.server.requests == []


async def test_a_handle_of_something_else_is_invalid(client: Client, site: Any, talk: Discussion) -> None:
    one, other = site.say(talk, "one"), site.say(talk, "other")

    with pytest.raises(Invalid, match="another message's"):
        await client.get_message(site.ref(one, handle=other.id))
    with pytest.raises(Invalid, match="no comment's"):
        await client.get_message(site.ref(one, handle=talk.id))


@pytest.mark.parametrize(("kind", "ident"), [("issue_comment", "1"), ("discussion_comment", "DC_kwDO"), ("x", "1")])
async def test_what_is_no_message_of_a_discussion_is_invalid(
    client: Client, site: Any, talk: Discussion, kind: str, ident: str
) -> None:
    with pytest.raises(Invalid):
        await client.get_message(MessageRef(conversation="acme/demo#7", source_type=kind, id=ident))

    assert site.server.requests == []


async def test_a_number_beyond_an_int_is_read_from_the_address(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, "root")
    root.database_id = 4_870_591_746

    _, found = (await client.read(site.at(talk))).messages

    assert (found.id, found.parent_id) == ("4870591746", "4870591746")


async def test_a_message_with_an_error_beside_it_is_not_passed_off_as_whole(
    client: Client, site: Any, talk: Discussion
) -> None:
    root = site.say(talk, "root")
    error = {"type": "FORBIDDEN", "path": ["node", "author"], "message": "No names for you."}

    def beside(request: Any) -> Reply:
        reply = site.answer(request)
        reply.body["data"]["node"]["author"] = None
        return Reply(200, {**reply.body, "errors": [error]})

    site.server.route("POST", "/graphql", beside)

    with pytest.raises(Denied, match="No names"):
        await client.get_message(site.ref(root, handle=root.id))


async def test_a_repository_that_is_denied_is_denied(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, "root")
    error = {"type": "FORBIDDEN", "path": ["repository"], "message": "Not for you."}
    site.refuse(Reply(200, {"data": {"node": None, "repository": None}, "errors": [error]}))

    with pytest.raises(Denied, match="Not for you"):
        await client.get_message(site.ref(root, handle=root.id))


async def test_only_the_discussions_that_were_read_last_are_remembered(client: Client, site: Any) -> None:
    talks = [site.open() for _ in range(65)]
    comments = [site.say(talk) for talk in talks]
    for talk in talks:
        await client.read(site.at(talk))

    await client.get_message(site.ref(comments[0]))
    await client.get_message(site.ref(comments[-1]))

    assert site.asked()[-2:] == ["read", "message"]
