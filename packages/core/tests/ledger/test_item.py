"""One object of GitHub's REST API becomes a message, for an adapter as for a saved thread."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tertulia.errors import Invalid
from tertulia.ledger import ThreadRecord, reconcile, to_message
from tertulia.thread import Listing, Message

COMMENT: dict[str, Any] = {
    "id": 104,
    "issue_url": "https://api.github.com/repos/acme/demo/issues/7",
    "html_url": "https://github.com/acme/demo/issues/7#issuecomment-104",
    "user": {"login": "alice", "id": 1001, "type": "User", "site_admin": False},
    "author_association": "MEMBER",
    "body": "hello",
    "created_at": "2026-10-01T11:00:00Z",
    "updated_at": "2026-10-01T11:00:05Z",
    "performed_via_github_app": None,
}


def test_a_rest_object_becomes_a_message() -> None:
    made = to_message(COMMENT, "comments[0]")

    assert made is not None
    assert made.ref == "issue_comment:104"
    assert made.author is not None
    assert (made.author.id, made.author.kind, made.association) == ("1001", "human", "MEMBER")
    assert made.body == "hello"


def test_a_review_nobody_has_submitted_is_no_message() -> None:
    pending = {"id": 9, "source_type": "review", "state": "PENDING", "body": "not yet", "user": None}

    assert to_message(pending, "reviews[0]") is None


def test_a_long_body_is_cut_and_says_so() -> None:
    made = to_message(COMMENT | {"body": "é" * 200_000}, "comments[0]")

    assert made is not None
    assert (len(made.body), made.cut) == (131_072, 68_928)


def test_a_refusal_names_the_document_and_the_place() -> None:
    with pytest.raises(Invalid, match=r"^github: comments\[3\]\.id: ") as caught:
        to_message(COMMENT | {"id": None}, "comments[3]", what="github")

    assert caught.value.field == "comments[3].id"


def test_a_time_may_be_one_already() -> None:
    at = datetime(2026, 10, 1, 11, 0, tzinfo=UTC)

    made = to_message(COMMENT | {"created_at": at}, "comments[0]")

    assert made is not None
    assert made.created_at == at


def test_a_long_body_with_a_lone_surrogate_is_cut_too() -> None:
    made = to_message(COMMENT | {"body": "\ud800" + "a" * 262_144}, "comments[0]")

    assert made is not None
    assert made.cut == 1


FULL = COMMENT | {
    "title": "t",
    "parent_id": 9,
    "user": {"login": "a[bot]", "id": 3, "type": "Bot", "name": "A", "aliases": ["4"]},
    "editor": {"login": "b", "id": 5},
    "last_edited_at": "2026-10-01T12:00:00+02:00",
    "is_minimized": True,
    "path": "a.py",
    "line": 3,
    "cut": 2,
    "performed_via_github_app": {"id": 6},
    "files": [{"name": "x.png", "mimetype": "image/png", "size": 7}, {}],
    "marker": {"agent": "scribe", "key": "0" * 32},
}


@pytest.mark.parametrize("item", [COMMENT, FULL, COMMENT | {"deleted_at": "2026-10-01T12:00:00Z"}])
def test_a_message_and_its_record_are_what_checking_them_again_would_make(item: dict[str, Any]) -> None:
    made = to_message(item, "comments[0]")
    assert made is not None
    record = reconcile(Listing(messages=(made,))).records[0]

    assert Message.model_validate(made.model_dump()) == made
    assert ThreadRecord.model_validate(record.model_dump()) == record
    assert list(made.model_dump()) == list(Message.model_fields)
    assert list(record.model_dump()) == list(ThreadRecord.model_fields)
    assert made.model_fields_set == set(Message.model_fields)


@pytest.mark.parametrize("ident", ["", "a b", "1\n", "é", "x" * 256])
def test_an_id_that_no_ref_can_hold_is_refused(ident: str) -> None:
    with pytest.raises(Invalid, match=r"^snapshot: comments\[0\]\.id: "):
        to_message(COMMENT | {"id": ident}, "comments[0]")


def test_messages_of_one_author_share_the_account() -> None:
    one, other = (to_message(COMMENT | {"id": number}, "c") for number in (1, 2))

    assert one is not None
    assert other is not None
    assert one.author is other.author


@pytest.mark.parametrize("field", [{"number": 7}, {"title": "Cart"}])
def test_a_number_or_a_title_alone_makes_no_issue(field: dict[str, Any]) -> None:
    told = {name: value for name, value in COMMENT.items() if name != "issue_url"} | field

    with pytest.raises(Invalid, match="source_type: is missing"):
        to_message(told, "items[0]")


@pytest.mark.parametrize(
    ("time", "told"),
    [
        (5, "must be a string with a time like 2026-10-01T09:00:00Z"),
        ("tomorrow", "must be a time like 2026-10-01T09:00:00Z"),
    ],
)
def test_what_is_no_time_is_told_how_one_is_written(time: Any, told: str) -> None:
    with pytest.raises(Invalid) as refused:
        to_message(COMMENT | {"created_at": time}, "comments[0]", what="github")

    assert str(refused.value) == f"github: comments[0].created_at: {told}"


def test_a_message_has_a_time() -> None:
    with pytest.raises(Invalid) as refused:
        to_message(
            {name: value for name, value in COMMENT.items() if name != "created_at"}, "comments[0]", what="github"
        )

    assert str(refused.value) == "github: comments[0].created_at: is missing"
