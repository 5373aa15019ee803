"""Reading a saved thread: items in our form, and objects as GitHub's REST API gives them."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from tertulia.ledger import Snapshot
from tertulia.thread import Account, Attachment, Message

Make = Callable[..., Any]


@pytest.fixture
def message(saved: Make, opened: Make, item: Make) -> Make:
    """Read one item."""
    return lambda **fields: opened(saved(item(**fields))).listing.messages[0]


def test_an_item_becomes_a_message(message: Make) -> None:
    made = message(
        title="T",
        parent_id=100,
        updated_at="2026-03-02T10:00:00+01:00",
        last_edited_at="2026-03-02T09:50:00Z",
        editor={"login": "bo-lind", "id": 42},
        is_minimized=True,
        minimized_reason="spam",
        path="a.py",
        line=3,
        performed_via_github_app={"id": 7, "slug": "x"},
        user={"login": "ana-ruiz", "id": 41, "type": "User", "name": "Ana"},
        files=[{"name": "a.txt", "mimetype": "text/plain", "size": 3}, {}],
    )

    assert made == Message(
        id="104",
        source_type="issue_comment",
        parent_id="100",
        title="T",
        author=Account(id="41", login="ana-ruiz"),
        author_name="Ana",
        association="MEMBER",
        body="Ship it.",
        created_at=datetime(2026, 3, 2, 9, 44, tzinfo=UTC),
        updated_at=datetime(2026, 3, 2, 9, 0, tzinfo=UTC),
        last_edited_at=datetime(2026, 3, 2, 9, 50, tzinfo=UTC),
        editor=Account(id="42", login="bo-lind"),
        url="https://github.com/acme/shop/issues/7#issuecomment-104",
        minimized="spam",
        app_id="7",
        path="a.py",
        line=3,
        attachments=(Attachment(name="a.txt", type="text/plain", size=3), Attachment(name="file")),
    )


def test_an_item_needs_little(saved: Make, opened: Make) -> None:
    made = opened(saved({"source_type": "review", "id": "R_1", "created_at": "2026-03-02T09:44:00Z"}))

    assert made.listing.messages == (
        Message(id="R_1", source_type="review", created_at=datetime(2026, 3, 2, 9, 44, tzinfo=UTC)),
    )


@pytest.mark.parametrize(
    "source_type",
    [
        *("issue", "issue_comment", "pull_request", "review", "review_comment", "discussion", "discussion_comment"),
        *("slack_message", "jira_issue", "jira_comment"),
    ],
)
def test_every_documented_type_is_taken(message: Make, source_type: str) -> None:
    assert message(source_type=source_type).source_type == source_type


def test_unknown_keys_of_an_item_are_ignored(message: Make) -> None:
    assert message(reactions={"total_count": 3}, state_reason=[None], user={"login": "x", "site_admin": 1}) == message(
        user={"login": "x"}
    )


@pytest.mark.parametrize(
    ("user", "account"),
    [
        (None, None),
        ({}, None),
        ({"type": "Bot"}, None),
        ({"login": "a"}, Account(login="a")),
        ({"id": 5}, Account(id="5", login="")),
        ({"id": "U5", "login": "U5", "type": "User"}, Account(id="U5", login="U5")),
        ({"id": 5, "login": "a", "type": "Bot"}, Account(id="5", login="a", kind="bot")),
        ({"id": 5, "login": "a", "__typename": "Bot"}, Account(id="5", login="a", kind="bot")),
        ({"id": 5, "login": "a[bot]", "type": "User"}, Account(id="5", login="a[bot]")),
        ({"id": 5, "login": "a", "type": "bot"}, Account(id="5", login="a")),
        ({"id": 5, "login": "m", "type": "Mannequin"}, Account(id="5", login="m", placeholder=True)),
        ({"id": 5, "login": "m", "__typename": "Mannequin"}, Account(id="5", login="m", placeholder=True)),
        ({"login": "o", "type": "Organization"}, Account(login="o", placeholder=True)),
        ({"id": 5, "login": "o", "type": "Organization"}, Account(id="5", login="o")),
    ],
)
def test_an_account_is_what_its_type_says(message: Make, user: Any, account: Account | None) -> None:
    assert message(user=user).author == account


@pytest.mark.parametrize(
    ("fields", "deleted"),
    [
        ({}, False),
        ({"tombstone": True}, True),
        ({"tombstone": False}, False),
        ({"deleted_at": None}, False),
        ({"deleted_at": "2026-03-03T00:00:00Z"}, True),
    ],
)
def test_a_soft_deletion_is_seen(message: Make, fields: dict[str, Any], deleted: bool) -> None:
    assert message(**fields).deleted is deleted


@pytest.mark.parametrize(
    ("fields", "minimized"),
    [
        ({}, None),
        ({"minimized_reason": "spam"}, None),
        ({"is_minimized": False, "minimized_reason": "spam"}, None),
        ({"is_minimized": True}, "minimized"),
        ({"is_minimized": True, "minimized_reason": "off-topic"}, "off-topic"),
    ],
)
def test_a_minimized_message_has_a_reason(message: Make, fields: dict[str, Any], minimized: str | None) -> None:
    assert message(**fields).minimized == minimized


def test_a_reply_of_the_rest_api_has_a_parent(message: Make) -> None:
    assert message(in_reply_to_id=9).parent_id == "9"
    assert message(in_reply_to_id=9, parent_id=8).parent_id == "8"


def test_a_null_body_is_empty(message: Make) -> None:
    assert message(body=None).body == ""


def test_a_body_of_256_kib_is_whole(message: Make) -> None:
    for body in ("a" * 262_144, "\u00e9" * 131_072):
        made = message(body=body)
        assert (made.body, made.cut) == (body, 0)


@pytest.mark.parametrize(
    ("body", "kept", "cut"),
    [
        ("a" * 262_145, 262_144, 1),
        ("\u00e9" * 131_073, 131_072, 1),
        ("a" + "\u00e9" * 131_072, 131_072, 1),
        ("\U0001f680" * 70_000, 65_536, 4_464),
    ],
)
def test_a_longer_one_is_cut_between_code_points_and_says_so(message: Make, body: str, kept: int, cut: int) -> None:
    made = message(body=body)

    assert (len(made.body), made.cut) == (kept, cut)
    assert body.startswith(made.body)


def test_the_record_of_a_cut_body_says_so(message: Make, context: Make) -> None:
    made = context(message(body="a" * 262_150))

    assert made.records[0].record.cut == 6
    assert "flags=cut" in made.text
    assert "[\u2026 6 characters were not read \u2026]" in made.text


REST_ISSUE: dict[str, Any] = {
    "url": "https://api.github.com/repos/acme/shop/issues/7",
    "id": 9007,
    "number": 7,
    "title": "Cart",
    "state": "open",
    "user": {"login": "eve-x", "id": 66, "type": "User", "site_admin": False},
    "author_association": "NONE",
    "created_at": "2026-03-02T08:00:00Z",
    "updated_at": "2026-03-02T08:00:00Z",
    "body": None,
    "comments": 2,
    "html_url": "https://github.com/acme/shop/issues/7",
    "performed_via_github_app": None,
}
REST_COMMENT: dict[str, Any] = {
    "issue_url": "https://api.github.com/repos/acme/shop/issues/7",
    "id": 104,
    "user": {"login": "ana-ruiz", "id": 41, "type": "User"},
    "created_at": "2026-03-02T09:44:00Z",
    "updated_at": "2026-03-02T09:44:00Z",
    "author_association": "MEMBER",
    "body": "Ship it.",
    "html_url": "https://github.com/acme/shop/issues/7#issuecomment-104",
}
REST_REVIEW: dict[str, Any] = {
    "id": 300,
    "user": {"login": "ana-ruiz", "id": 41, "type": "User"},
    "body": "Fine.",
    "state": "APPROVED",
    "submitted_at": "2026-03-02T10:00:00Z",
    "author_association": "MEMBER",
    "pull_request_url": "https://api.github.com/repos/acme/shop/pulls/7",
}
REST_REVIEW_COMMENT: dict[str, Any] = {
    **REST_COMMENT,
    "id": 400,
    "pull_request_review_id": None,
    "diff_hunk": "@@",
    "path": "a.py",
    "line": None,
    "pull_request_url": "https://api.github.com/repos/acme/shop/pulls/7",
}
del REST_REVIEW_COMMENT["issue_url"]
REST_PULL = REST_ISSUE | {"issue_url": "https://api.github.com/repos/acme/shop/issues/7", "head": {}, "base": {}}


@pytest.mark.parametrize(
    ("value", "ref"),
    [
        (REST_ISSUE, "issue:9007"),
        (REST_ISSUE | {"pull_request": None}, "issue:9007"),
        (REST_ISSUE | {"pull_request": {"url": "u"}}, "pull_request:9007"),
        (REST_PULL, "pull_request:9007"),
        (REST_COMMENT, "issue_comment:104"),
        (REST_REVIEW, "review:300"),
        (REST_REVIEW_COMMENT, "review_comment:400"),
        ({name: value for name, value in REST_REVIEW_COMMENT.items() if name != "diff_hunk"}, "review_comment:400"),
        (
            {name: value for name, value in REST_REVIEW_COMMENT.items() if name != "pull_request_review_id"},
            "review_comment:400",
        ),
        ({name: value for name, value in REST_REVIEW.items() if name != "pull_request_url"}, "review:300"),
        (REST_COMMENT | {"source_type": "discussion_comment"}, "discussion_comment:104"),
    ],
)
def test_rest_objects_are_told_apart_by_their_fields(saved: Make, opened: Make, value: Any, ref: str) -> None:
    assert [message.ref for message in opened(saved(value)).listing.messages] == [ref]


def test_a_review_is_dated_when_it_was_submitted(saved: Make, opened: Make) -> None:
    made = opened(saved(REST_REVIEW, REST_REVIEW | {"id": 301, "created_at": "2026-03-02T07:00:00Z"}))

    assert [message.created_at.hour for message in made.listing.messages] == [10, 7]


def test_a_review_nobody_has_submitted_is_not_there(saved: Make, opened: Make) -> None:
    pending = {name: value for name, value in REST_REVIEW.items() if name != "submitted_at"} | {"state": "PENDING"}

    made = opened(saved(REST_ISSUE, pending, {**REST_COMMENT, "state": "PENDING"}))

    assert [message.ref for message in made.listing.messages] == ["issue:9007", "issue_comment:104"]


def test_pages_are_flattened(saved: Make, opened: Make) -> None:
    """What `gh api --paginate --slurp` writes is an array of pages."""
    second, third = REST_COMMENT | {"id": 105}, REST_COMMENT | {"id": 106}

    made = opened(saved(REST_ISSUE, [REST_COMMENT, second], [], [[third]]))

    assert [message.id for message in made.listing.messages] == ["9007", "104", "105", "106"]


def test_the_comments_an_issue_counts_are_the_reported_count(saved: Make, opened: Make) -> None:
    assert opened(saved(REST_ISSUE, REST_COMMENT)).listing.reported == {"issue_comment": 2}
    assert opened(saved(REST_PULL, REST_COMMENT)).listing.reported == {"issue_comment": 2}
    assert opened(saved([REST_ISSUE], REST_COMMENT)).listing.reported == {"issue_comment": 2}


@pytest.mark.parametrize("source_type", ["issue", "pull_request"])
def test_an_issue_in_our_form_may_count_them_too(saved: Make, opened: Make, item: Make, source_type: str) -> None:
    assert opened(saved(item(source_type=source_type, comments=0))).listing.reported == {"issue_comment": 0}


@pytest.mark.parametrize(
    "fields",
    [
        {"source_type": "discussion", "comments": 2},
        {"source_type": "issue", "comments": True},
        {"source_type": "issue", "comments": -1},
        {"source_type": "issue", "comments": "2"},
        {"source_type": "issue", "comments": [1, 2]},
        {"source_type": "issue"},
    ],
)
def test_anything_else_is_no_count(saved: Make, opened: Make, item: Make, fields: dict[str, Any]) -> None:
    assert opened(saved(item(**fields))).listing.reported is None


def test_only_the_first_item_counts(saved: Make, opened: Make, item: Make) -> None:
    assert opened(saved(item(), REST_ISSUE)).listing.reported is None


def test_a_count_that_differs_is_a_finding(saved: Make, opened: Make, flags: Make) -> None:
    from tertulia.ledger import build_context

    made = opened(saved(REST_ISSUE, REST_COMMENT, engine_actor={"id": 70, "login": "e"}))

    assert flags(build_context(made.listing, made.previous, made.run, made.options)) == ["count-mismatch -"]


def test_a_generator_stands_for_many_items(saved: Make, opened: Make, item: Make) -> None:
    made = opened(saved({"gen": {"count": 3, "id_start": 10, "id_step": 5, "template": item(body="x")}}, item(1)))

    assert [(m.id, m.body) for m in made.listing.messages] == [("10", "x"), ("15", "x"), ("20", "x"), ("1", "Ship it.")]


def test_a_generator_counts_from_one_by_one(saved: Make, opened: Make, item: Make) -> None:
    made = opened(saved({"gen": {"count": 2, "template": item()}}, {"gen": {"count": 0, "template": {}}}))

    assert [message.id for message in made.listing.messages] == ["1", "2"]


def test_an_item_with_more_than_a_generator_is_an_item(saved: Make, opened: Make, item: Make) -> None:
    assert opened(saved(item(gen={"count": 3}))).listing.messages[0].id == "104"


def test_a_long_body_can_be_generated(saved: Make, opened: Make, item: Make) -> None:
    long = {"prefix": "a", "repeat": "bc", "times": 2, "suffix": "d"}

    made = opened(
        saved(
            item(body_gen=long),
            item(5, body_gen={"times": 3}),
            item(6, body_gen={"repeat": "x"}),
            {"gen": {"count": 1, "template": item(body_gen=long)}},
        )
    )

    assert [message.body for message in made.listing.messages] == ["abcbcd", "", "", "abcbcd"]


def test_the_document_may_be_bytes_or_text_with_a_byte_order_mark() -> None:
    for document in ('{"thread": []}', b'{"thread": []}', b'\xef\xbb\xbf{"thread": []}', '\ufeff{"thread": []}'):
        assert Snapshot.parse(document).listing.messages == ()


def test_a_snapshot_needs_no_context() -> None:
    made = Snapshot.parse(json.dumps({"thread": []}))

    assert made == Snapshot.parse('{"thread": [], "context": {}}')
    assert (made.previous, made.run.trigger_author, made.run.engine, made.run.thread) == ((), None, None, "")


@pytest.mark.parametrize(
    ("fields", "thread"),
    [
        ({"html_url": "https://github.com/acme/shop/issues/7#issuecomment-1"}, "github:acme/shop#7"),
        ({"html_url": "https://github.com/acme/shop/pull/12"}, "github:acme/shop#12"),
        ({"html_url": "https://github.com/acme/shop/discussions/3"}, "github:acme/shop#3"),
        ({"html_url": "https://github.com/acme/shop/wiki/3"}, "issue_comment:104"),
        ({"html_url": "https://[bad/acme/shop/issues/7"}, "issue_comment:104"),
        ({"html_url": None}, "issue_comment:104"),
        ({"source_type": "slack_message", "id": "T1/C1/170.1", "html_url": None}, "slack:T1/C1/170.1"),
        ({"source_type": "slack_message", "id": "170.1", "html_url": None}, "slack_message:170.1"),
        ({"source_type": "forum_post", "id": "T1/C1/170.1", "html_url": None}, "forum_post:T1/C1/170.1"),
    ],
)
def test_the_thread_is_named_by_its_first_item(
    saved: Make, opened: Make, item: Make, fields: dict[str, Any], thread: str
) -> None:
    assert opened(saved(item(**fields), item(5, html_url="https://github.com/a/b/issues/1"))).run.thread == thread
