"""An issue is read whole, and what may be missing is said."""

from typing import Any

import pytest

from tertulia.errors import Denied, Invalid, NotFound, RateLimited, Unavailable
from tertulia.testing.github import refusals
from tertulia.testing.loopback import Reply, Request
from tertulia.testing.wire import Fault
from tertulia.thread import ThreadRef
from tertulia_tracker.github import Client

GitHub = Any

pytestmark = pytest.mark.anyio
ISSUE = ThreadRef(conversation="acme/demo#7")
COMMENTS = "/repos/acme/demo/issues/7/comments"


async def test_the_opening_post_comes_first_and_then_every_comment(client: Client, github: GitHub) -> None:
    for number in range(250):
        github.say(f"note {number}", by=("alice", "bob", "carol")[number % 3])

    listing = await client.read(ISSUE)

    opening, *comments = listing.messages
    assert (opening.source_type, opening.title, opening.body) == ("issue", "It fails", "Since Monday.")
    assert opening.parent_id is None
    assert [one.body for one in comments] == [f"note {number}" for number in range(250)]
    assert all(one.source_type == "issue_comment" and one.parent_id == one.id for one in comments)
    assert comments[1].author is not None
    assert (comments[1].author.id, comments[1].author.login) == ("1002", "bob")
    assert listing.complete
    assert listing.reported == {"issue_comment": 250}


async def test_2500_comments_take_26_requests(client: Client, github: GitHub) -> None:
    for number in range(2_500):
        github.say(str(number))

    listing = await client.read(ISSUE)

    assert len(listing.messages) == 2_501
    assert len(github.server.requests) == 26


async def test_a_list_that_does_not_say_how_long_it_is_is_read_to_its_end(client: Client, github: GitHub) -> None:
    for number in range(301):
        github.say(str(number))
    github.tells_last = False

    listing = await client.read(ISSUE)

    assert [one.body for one in listing.messages[1:]] == [str(number) for number in range(301)]
    assert listing.complete
    assert github.count("GET", COMMENTS) == 4


async def test_a_root_changes_nothing(client: Client, github: GitHub) -> None:
    github.say("one")

    listing = await client.read(ThreadRef(conversation="acme/demo#7", root="5"))

    assert len(listing.messages) == 2


async def test_a_deleted_account_is_nobody(client: Client, github: GitHub) -> None:
    github.say("I was here")
    github.depart("alice")

    listing = await client.read(ISSUE)

    assert [one.author for one in listing.messages] == [None, None]


async def test_a_long_body_is_cut_and_says_so(client: Client, github: GitHub) -> None:
    github.say("x" * 300_000)

    listing = await client.read(ISSUE)

    assert (len(listing.messages[1].body), listing.messages[1].cut) == (262_144, 37_856)


async def test_a_transferred_issue_is_read_at_its_new_place(client: Client, github: GitHub) -> None:
    github.say("moved along")
    moved = github.transfer(7, "acme/other")

    listing = await client.read(ISSUE)

    assert [one.body for one in listing.messages] == ["Since Monday.", "moved along"]
    assert github.count("GET", COMMENTS) == 0
    assert (await client.get_issue(ISSUE)).conversation == f"acme/other#{moved['number']}"


@pytest.mark.parametrize("unnamed", ["url", "repository_url"])
async def test_a_transferred_issue_is_found_by_what_it_says_of_itself(
    client: Client, github: GitHub, unnamed: str
) -> None:
    """GitHub redirects to the number of the repository, and names it in the issue."""
    github.say("moved along")
    moved = github.transfer(7, "acme/other")
    del moved[unnamed]

    listing = await client.read(ISSUE)

    assert [one.body for one in listing.messages] == ["Since Monday.", "moved along"]
    assert (await client.get_issue(ISSUE)).conversation == f"acme/other#{moved['number']}"


async def test_a_comment_that_arrives_while_reading_is_counted(client: Client, github: GitHub) -> None:
    github.say("first")

    def late(request: Request) -> Reply:
        github.say("late")
        return github.answer(request)

    github.server.route("GET", COMMENTS, late)
    listing = await client.read(ISSUE)

    assert listing.reported == {"issue_comment": 2}
    assert [one.body for one in listing.messages[1:]] == ["first", "late"]
    assert github.count("GET", COMMENTS) == 1


async def test_a_deletion_that_hides_a_comment_at_a_pages_edge_makes_it_read_again(
    client: Client, github: GitHub
) -> None:
    said = [github.say(str(number)) for number in range(150)]

    github.shift(7, said[0]["id"])
    listing = await client.read(ISSUE)

    assert [one.body for one in listing.messages[1:]] == [str(number) for number in range(1, 150)]
    assert listing.reported == {"issue_comment": 149}
    assert listing.complete


async def test_a_thread_that_goes_on_shrinking_is_not_complete(client: Client, github: GitHub) -> None:
    for said in [github.say(str(number)) for number in range(150)]:
        github.shift(7, said["id"])

    listing = await client.read(ISSUE)

    assert not listing.complete


async def test_an_item_on_two_pages_is_given_once(client: Client, github: GitHub) -> None:
    for number in range(101):
        github.say(str(number))
    github.break_with(Fault.REPEAT)

    listing = await client.read(ISSUE)

    assert len({one.ref for one in listing.messages}) == len(listing.messages) == 102


async def test_a_count_that_never_agrees_is_shown_and_the_listing_stays_complete(
    client: Client, github: GitHub
) -> None:
    github.issue(7, comments=3)
    github.say("the only one anybody sees")

    listing = await client.read(ISSUE)

    assert listing.complete
    assert listing.reported == {"issue_comment": 3}
    assert len(listing.messages) == 2
    assert github.count("GET", COMMENTS) == 1


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (refusals.BAD_CREDENTIALS, Denied),
        (refusals.INTEGRATION, Denied),
        (refusals.SECONDARY, RateLimited),
        (refusals.slow_down(), RateLimited),
        (refusals.slow_down("120"), RateLimited),
        (refusals.slow_down("120", status=403), RateLimited),
        (refusals.hour_is_used_up(), RateLimited),
        (refusals.NOT_FOUND, NotFound),
        (refusals.DELETED, NotFound),
        (Reply(500, {"message": "Server Error"}), Unavailable),
        (Reply(200, b"<html>maintenance</html>"), Unavailable),
        (Reply(200, [1, 2]), Unavailable),
        (Reply(200, {"id": None, "number": 7}), Unavailable),
    ],
)
async def test_a_refusal_is_the_right_error(
    client: Client, github: GitHub, reply: Reply, error: type[Exception]
) -> None:
    github.server.route("GET", "/repos/acme/demo/issues/7", reply)

    with pytest.raises(error) as caught:
        await client.read(ISSUE)

    assert type(caught.value) is error
    assert "token-of-helper" not in str(caught.value)


async def test_a_page_that_is_cut_in_the_middle_is_no_page(client: Client, github: GitHub) -> None:
    for number in range(150):
        github.say(str(number))
    github.cut(COMMENTS)

    with pytest.raises(Unavailable):
        await client.read(ISSUE)

    assert len((await client.read(ISSUE)).messages) == 151


async def test_a_thread_for_which_the_hour_does_not_last_is_not_read_in_part(client: Client, github: GitHub) -> None:
    for number in range(500):
        github.say(str(number))
    github.remaining = 3

    with pytest.raises(RateLimited) as caught:
        await client.read(ISSUE)

    assert caught.value.scope == "core"
    assert caught.value.retry_after == pytest.approx(1800, abs=3)


async def test_a_list_that_fails_fails_the_reading(client: Client, github: GitHub) -> None:
    github.server.route("GET", COMMENTS, Reply(503, {"message": "no"}))

    with pytest.raises(Unavailable) as caught:
        await client.read(ISSUE)

    assert not caught.value.ambiguous


@pytest.mark.parametrize(
    "wrong", ["acme/demo", "acme/demo#0", "acme#7", "../demo#7", "a/b/c#7", "PROJ-1", "acme/demo#7#8"]
)
async def test_what_addresses_no_issue_is_refused_before_any_request(
    client: Client, github: GitHub, wrong: str
) -> None:
    with pytest.raises(Invalid, match="conversation"):
        await client.read(ThreadRef(conversation=wrong))

    assert github.server.requests == []
