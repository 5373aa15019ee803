"""Pages: cursors over roots and over the replies of each, bounds that are refused."""

from typing import Any

import pytest

from github_discussions import Discussion, Discussions
from tertulia.testing.wire import Fault

ROOTS = """
query ($first: Int, $last: Int, $after: String, $before: String) {
  repository(owner: "acme", name: "demo") {
    discussion(number: 7) {
      comments(first: $first, last: $last, after: $after, before: $before) {
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { databaseId } }
      }
    }
  }
}
"""
REPLIES = """
query ($id: ID!, $after: String) {
  node(id: $id) {
    ... on DiscussionComment {
      replies(first: 100, after: $after) { pageInfo { hasNextPage endCursor } nodes { databaseId } }
    }
  }
}
"""


def roots(answer: Any) -> tuple[list[int], Any]:
    """Give the numbers of the roots on a page, and what it says of other pages."""
    page = answer["data"]["repository"]["discussion"]["comments"]
    return [one["node"]["databaseId"] for one in page["edges"]], page["pageInfo"]


def test_roots_and_replies_beyond_a_hundred_are_all_given_once_and_in_order(
    site: Discussions, talk: Discussion, ask: Any
) -> None:
    made = [site.say(talk) for _ in range(205)]
    below = [site.reply(made[150]) for _ in range(230)]

    seen, after = [], None
    for _ in range(3):
        page, info = roots(ask(ROOTS, first=100, after=after))
        seen += page
        after = info["endCursor"]
    replies: list[int] = []
    cursor = None
    for _ in range(3):
        given = ask(REPLIES, id=made[150].id, after=cursor)["data"]["node"]["replies"]
        replies += [one["databaseId"] for one in given["nodes"]]
        cursor = given["pageInfo"]["endCursor"]

    assert seen == [one.database_id for one in made]
    assert replies == [one.database_id for one in below]
    assert not info["hasNextPage"] and not given["pageInfo"]["hasNextPage"]


def test_pages_go_backwards_too(site: Discussions, talk: Discussion, ask: Any) -> None:
    made = [site.say(talk).database_id for _ in range(5)]

    newest, info = roots(ask(ROOTS, last=2))
    older, before = roots(ask(ROOTS, last=2, before=info["startCursor"]))
    between, _ = roots(ask(ROOTS, first=9, after=before["startCursor"], before=info["endCursor"]))

    assert (newest, older, between) == (made[3:], made[1:3], made[2:4])
    assert (info["hasPreviousPage"], info["hasNextPage"]) == (True, False)
    assert (before["hasPreviousPage"], before["hasNextPage"]) == (True, True)


def test_an_empty_page_has_no_cursors(talk: Discussion, ask: Any) -> None:
    page, info = roots(ask(ROOTS, first=10))

    assert page == []
    assert info == {"hasNextPage": False, "hasPreviousPage": False, "startCursor": None, "endCursor": None}


def test_what_is_deleted_between_two_pages_takes_nothing_else_along(
    site: Discussions, talk: Discussion, ask: Any
) -> None:
    made = [site.say(talk) for _ in range(4)]
    site.shift(made[0])

    first, info = roots(ask(ROOTS, first=2))
    rest, _ = roots(ask(ROOTS, first=2, after=info["endCursor"]))

    assert made[0] not in talk.comments
    assert first + rest == [one.database_id for one in made]


def test_a_page_may_begin_with_the_last_item_of_the_one_before(site: Discussions, talk: Discussion, ask: Any) -> None:
    made = [site.say(talk).database_id for _ in range(3)]
    site.break_with(Fault.REPEAT)

    _, info = roots(ask(ROOTS, first=2))

    assert roots(ask(ROOTS, first=2, after=info["endCursor"]))[0] == made[1:]


@pytest.mark.parametrize(
    ("bounds", "kind", "message"),
    [
        (
            {"first": 101},
            "EXCESSIVE_PAGINATION",
            "Requesting 101 records on the `comments` connection exceeds the `first` limit of 100 records.",
        ),
        (
            {"last": 101},
            "EXCESSIVE_PAGINATION",
            "Requesting 101 records on the `comments` connection exceeds the `last` limit of 100 records.",
        ),
        (
            {},
            "MISSING_PAGINATION_BOUNDARIES",
            "You must provide a `first` or `last` value to properly paginate the `comments` connection.",
        ),
        ({"first": 2, "after": "12"}, "INVALID_CURSOR_ARGUMENTS", "`12` does not appear to be a valid cursor."),
    ],
)
def test_bounds_are_checked(talk: Discussion, ask: Any, bounds: Any, kind: str, message: str) -> None:
    told = ask(ROOTS, **bounds)

    assert told["data"] == {"repository": {"discussion": None}}
    (error,) = told["errors"]
    assert (error["type"], error["message"]) == (kind, message)
    assert error["path"] == ["repository", "discussion", "comments"]


def test_who_only_counts_needs_no_bounds(site: Discussions, talk: Discussion, ask: Any) -> None:
    site.say(talk)
    query = """query { repository(owner: "acme", name: "demo") { discussion(number: 7) { comments { ...Count } } } }
      fragment Count on DiscussionCommentConnection { totalCount ... on DiscussionCommentConnection { __typename } }"""

    assert ask(query)["data"]["repository"]["discussion"]["comments"]["totalCount"] == 1


def test_a_cursor_expires(site: Discussions, talk: Discussion, ask: Any) -> None:
    site.say(talk)
    _, info = roots(ask(ROOTS, first=1))
    site.expire()

    assert ask(ROOTS, first=1, after=info["endCursor"])["errors"][0]["type"] == "INVALID_CURSOR_ARGUMENTS"
    assert "errors" not in ask(ROOTS, first=1)


def test_more_than_a_hundred_ids_are_refused(ask: Any) -> None:
    told = ask("query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", ids=["x"] * 101)

    assert "data" in told and told["data"] is None
    assert told["errors"][0]["type"] == "ARGUMENT_LIMIT"
