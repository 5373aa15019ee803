"""Reading: everything, in order, and honest words where something may be missing."""

from typing import Any

import pytest

from github_discussions import Discussion, Refusal
from tertulia.errors import Denied, Invalid, NotFound, Unavailable
from tertulia.testing.loopback import Reply
from tertulia.thread import Listing, ThreadRef
from tertulia_conversation_github import Client

pytestmark = pytest.mark.anyio


def bodies(listing: Listing) -> list[str]:
    return [message.body for message in listing.messages]


async def test_a_discussion_is_read_whole_in_one_request(client: Client, site: Any, talk: Discussion) -> None:
    first = site.say(talk, "first")
    site.say(talk, "second")
    reply = site.reply(first, "to the first", "alice")

    listing = await client.read(site.at(talk))

    assert bodies(listing) == ["Since Monday.", "first", "to the first", "second"]
    assert (listing.complete, listing.reported) == (True, {"discussion_comment": 3})
    opening, root, below, _ = listing.messages
    assert (opening.ref, opening.parent_id, opening.title) == (f"discussion:{talk.database_id}", None, "It fails")
    assert (root.id, root.parent_id) == (str(first.database_id), str(first.database_id))
    assert (below.id, below.parent_id) == (str(reply.database_id), str(first.database_id))
    assert (below.handle, below.url) == (reply.id, f"https://github.com{reply.resource_path}")
    assert len(site.server.requests) == 1


async def test_a_message_says_who_wrote_and_who_edited_it(client: Client, site: Any, talk: Discussion) -> None:
    site.person("builder", kind="Bot")
    site.repo.associations["bob"] = "MEMBER"
    site.say(talk, "by a person")
    site.say(talk, "by an app", "builder")
    site.say(talk, "by nobody any more", None)
    edited = site.say(talk, "before")
    site.alter(edited, "after", "alice")

    _, person, app, ghost, changed = (await client.read(site.at(talk))).messages

    assert person.author is not None
    assert (person.author.login, person.author.id, person.association) == ("bob", "1002", "MEMBER")
    assert app.author is not None
    assert (app.author.login, app.author.kind) == ("builder[bot]", "bot")
    assert ghost.author is None
    assert changed.editor is not None
    assert (changed.body, changed.editor.login) == ("after", "alice")
    assert changed.last_edited_at is not None
    assert changed.last_edited_at > changed.created_at


async def test_hidden_comments_say_why_and_their_replies_keep_their_root(
    client: Client, site: Any, talk: Discussion
) -> None:
    root = site.say(talk, "spam")
    root.minimized_reason = "off-topic"
    site.reply(root, "below it")

    _, hidden, below = (await client.read(site.at(talk))).messages

    assert (hidden.minimized, hidden.body) == ("off-topic", "spam")
    assert (below.minimized, below.parent_id) == (None, str(root.database_id))


async def test_a_deleted_root_with_replies_is_a_tombstone(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, "gone")
    site.reply(root, "left")
    site.remove(root)

    listing = await client.read(site.at(talk))

    _, tombstone, left = listing.messages
    assert (tombstone.deleted, tombstone.body, tombstone.author) == (True, "", None)
    assert (left.parent_id, listing.complete, listing.reported) == (tombstone.id, True, {"discussion_comment": 2})


async def test_replies_beyond_a_page_are_read_from_their_root(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, "root")
    for n in range(205):
        site.reply(root, f"{n}")

    listing = await client.read(site.at(talk))

    assert bodies(listing)[2:] == [f"{n}" for n in range(205)]
    assert {message.parent_id for message in listing.messages[1:]} == {str(root.database_id)}
    assert (listing.complete, listing.reported) == (True, {"discussion_comment": 206})
    assert site.asked() == ["read", "replies", "replies"]


async def test_the_replies_of_several_threads_come_in_one_request(client: Client, site: Any, talk: Discussion) -> None:
    site.fill(talk, roots=4, replies=101)

    listing = await client.read(site.at(talk))

    assert len(listing.messages) == 1 + 4 * 102
    assert listing.complete
    assert site.asked() == ["read", "replies"]


async def test_a_hundred_roots_with_few_replies_take_one_request(client: Client, site: Any, talk: Discussion) -> None:
    site.fill(talk, roots=100, replies=2)

    assert (await client.read(site.at(talk))).complete
    assert len(site.server.requests) == 1


async def test_a_thousand_comments_in_three_hundred_threads_take_the_least(
    client: Client, site: Any, talk: Discussion
) -> None:
    site.fill(talk, roots=299, replies=2)
    root = site.say(talk, "the long one")
    for n in range(103):
        site.reply(root, f"{n}")

    listing = await client.read(site.at(talk))

    assert (len(listing.messages), listing.complete) == (1002, True)
    assert site.asked() == ["read", "read", "read", "replies"]


async def test_the_rest_of_a_long_thread_comes_beside_the_next_roots(
    client: Client, site: Any, talk: Discussion
) -> None:
    root = site.say(talk, "the long one")
    for n in range(205):
        site.reply(root, f"{n}")
    site.fill(talk, roots=299, replies=1)

    listing = await client.read(site.at(talk))

    assert bodies(listing)[2:207] == [f"{n}" for n in range(205)]
    assert (len(listing.messages), listing.complete) == (1 + 206 + 598, True)
    assert site.asked() == ["read", "read", "read"]


async def test_a_page_that_is_too_much_is_halved_and_reading_goes_on(
    client: Client, site: Any, talk: Discussion
) -> None:
    site.widest = 30
    site.fill(talk, roots=40, replies=1)

    listing = await client.read(site.at(talk))
    again = await client.read(site.at(talk))

    assert (len(listing.messages), listing.complete) == (81, True)
    assert again == listing
    widths = [given["roots"] for given in site.variables()]
    assert widths == [100, 50, 25, 25, 25, 25], "the width is remembered"


async def test_a_request_with_too_many_nodes_is_halved_too(client: Client, site: Any, talk: Discussion) -> None:
    site.costliest = 3_000
    site.fill(talk, roots=60, replies=55)

    listing = await client.read(site.at(talk))

    assert (len(listing.messages), listing.complete) == (1 + 60 * 56, True)


async def test_what_is_too_much_however_small_is_unavailable(client: Client, site: Any, talk: Discussion) -> None:
    site.widest = 0

    with pytest.raises(Unavailable, match="Resource limits") as caught:
        await client.read(site.at(talk))

    assert not caught.value.ambiguous


@pytest.mark.parametrize(
    "refusal", [None, Refusal("FORBIDDEN", "Resource protected by organization SAML enforcement.")]
)
async def test_null_among_the_items_loses_nothing_else_and_is_told(
    client: Client, site: Any, talk: Discussion, refusal: Refusal | None
) -> None:
    kept, spoiled = site.say(talk, "kept"), site.say(talk, "spoiled")
    site.reply(kept, "below")
    site.spoil(spoiled, refusal)

    listing = await client.read(site.at(talk))

    assert bodies(listing) == ["Since Monday.", "kept", "below"]
    assert (listing.complete, listing.reported) == (False, {"discussion_comment": 3})


async def test_null_among_the_replies_is_told(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, "root")
    site.spoil(site.reply(root, "spoiled"))
    site.reply(root, "kept")

    listing = await client.read(site.at(talk))

    assert bodies(listing)[1:] == ["root", "kept"]
    assert not listing.complete


async def test_a_part_that_is_refused_is_logged(
    client: Client, site: Any, talk: Discussion, caplog: pytest.LogCaptureFixture
) -> None:
    site.spoil(site.say(talk, "spoiled"), Refusal("NOT_FOUND", "Could not resolve."))

    await client.read(site.at(talk))

    assert "acme/demo#7: a part could not be read (NOT_FOUND at repository.discussion.comments.nodes.0)" in caplog.text


async def test_a_cursor_that_expires_begins_reading_again(client: Client, site: Any, talk: Discussion) -> None:
    site.fill(talk, roots=150)
    site.expire_after(1)

    listing = await client.read(site.at(talk))

    assert (len(listing.messages), listing.complete) == (151, True)
    assert site.asked() == ["read", "read", "read", "read"]


async def test_cursors_that_go_on_expiring_leave_it_incomplete(client: Client, site: Any, talk: Discussion) -> None:
    site.fill(talk, roots=150)
    site.expire_after(1, 2, 3, 4)

    listing = await client.read(site.at(talk))

    assert (len(listing.messages), listing.complete) == (101, False)


async def test_a_thread_that_shrinks_is_read_again(client: Client, site: Any, talk: Discussion) -> None:
    site.fill(talk, roots=120)
    site.shift(talk.comments[110])

    listing = await client.read(site.at(talk))

    assert (len(listing.messages), listing.complete) == (120, True)
    assert len(site.server.requests) == 4


async def test_a_thread_is_read_by_its_root(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, "root")
    site.say(talk, "another")
    reply = site.reply(root, "reply")

    by_number = await client.read(site.at(talk, root))
    by_reply = await client.read(site.at(talk, reply))

    assert bodies(by_number) == ["root", "reply"]
    assert (by_number.complete, by_number.reported) == (True, {"discussion_comment": 2})
    assert by_reply == by_number


async def test_a_handle_makes_a_thread_one_request(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, "root")
    reply = site.reply(root, "reply")

    assert bodies(await client.read(site.at(talk, root, handle=root.id))) == ["root", "reply"]
    assert len(site.server.requests) == 1
    assert bodies(await client.read(site.at(talk, reply, handle=reply.id))) == ["root", "reply"]
    assert len(site.server.requests) == 3, "whose handle is a reply's needs one more"


async def test_a_long_thread_is_read_whole(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, "root")
    for n in range(230):
        site.reply(root, f"{n}")

    listing = await client.read(site.at(talk, root, handle=root.id))

    assert (len(listing.messages), listing.complete) == (231, True)
    assert site.asked() == ["thread", "replies", "replies"]


async def test_what_was_read_need_not_be_looked_up(client: Client, site: Any, talk: Discussion) -> None:
    root = site.say(talk, "root")
    await client.read(site.at(talk))

    await client.read(site.at(talk, root))

    assert site.asked() == ["read", "thread"]


async def test_a_root_that_is_not_there_is_not_found(client: Client, site: Any, talk: Discussion) -> None:
    other = site.say(site.open(number=8), "elsewhere")

    for thread in (
        site.at(talk, other),
        site.at(talk, other, handle=other.id),
        ThreadRef(conversation="acme/demo#7", root="1"),
    ):
        with pytest.raises(NotFound):
            await client.read(thread)


@pytest.mark.parametrize("conversation", ["acme/demo#404", "acme/nowhere#7", f"acme/demo#{2**31}"])
async def test_what_is_not_there_is_not_found(client: Client, talk: Discussion, conversation: str) -> None:
    with pytest.raises(NotFound, match=r"github read: Could not resolve|no discussion with such a number"):
        await client.read(ThreadRef(conversation=conversation))


@pytest.mark.parametrize("conversation", ["https://evil.example/acme/demo/discussions/7", "acme/demo", "7", "T1/C1"])
async def test_what_is_no_address_is_invalid_before_any_request(client: Client, site: Any, conversation: str) -> None:
    with pytest.raises(Invalid):
        await client.read(ThreadRef(conversation=conversation))

    assert site.server.requests == []


async def test_a_cursor_that_expires_in_a_thread_begins_reading_again(
    client: Client, site: Any, talk: Discussion
) -> None:
    root = site.say(talk, "root")
    for n in range(150):
        site.reply(root, f"{n}")
    site.expire_after(1)

    listing = await client.read(site.at(talk, root, handle=root.id))

    assert (len(listing.messages), listing.complete) == (151, True)


async def test_a_root_that_is_deleted_while_its_replies_are_read_is_not_passed_over(
    client: Client, site: Any, talk: Discussion
) -> None:
    root = site.say(talk, "root")
    for n in range(150):
        site.reply(root, f"{n}")

    def deleting(request: Any) -> Any:
        reply = site.answer(request)
        if len(site.server.requests) == 1:
            root.replies.clear()
            site.remove(root)
        return reply

    site.server.route("POST", "/graphql", deleting)

    listing = await client.read(site.at(talk))

    assert (bodies(listing), listing.complete) == (["Since Monday."], True)


async def test_what_refuses_the_rest_of_a_thread_is_raised_as_it_is(
    client: Client, site: Any, talk: Discussion
) -> None:
    site.fill(talk, roots=12, replies=101)

    def refusing(request: Any) -> Any:
        return site.answer(request) if len(site.server.requests) == 1 else Reply(401, {"message": "Bad credentials"})

    site.server.route("POST", "/graphql", refusing)

    with pytest.raises(Denied, match="credentials"):
        await client.read(site.at(talk))
