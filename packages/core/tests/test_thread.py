"""Addresses and messages of any thread."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from pydantic import ValidationError

from tertulia.errors import Invalid
from tertulia.event import Event
from tertulia.thread import Account, Draft, Listing, Message, MessageRef, ThreadRef, record_ref

TS = "1700000000.000100"
NOON = datetime(2026, 10, 1, 12, tzinfo=UTC)


def event(
    system: str, entity: dict[str, Any], comment: dict[str, Any] | None = None, raw: str = "x", repo: str | None = None
) -> Event:
    """Make a small event about an entity, with a comment or without."""
    kind = {"kind": "comment_added", "comment": {"body": "hi"} | comment} if comment is not None else {"kind": "opened"}
    talk = {"conversation": {"category": {"name": "Ideas"}}} if entity["kind"] == "conversation" else {}
    document = {
        "entity": {"url": "https://example.test/x"} | entity,
        "transition": kind,
        "actor": {"id": "ana", "kind": "human", "role": "none", "is_entity_author": False},
        "state": {"labels": []} | talk,
        "source": {"system": system, "raw_type": raw},
    }
    return Event.check(document if repo is None else document | {"repo": repo})


def on_github(kind: str, raw: str, comment: dict[str, Any] | None = None) -> Event:
    """Make an event about number 7 of a repository."""
    return event("github", {"kind": kind, "id": 7}, comment, raw, "acme/demo")


REPLY = {"id": "90", "parent_id": "88", "handle": "DC_reply"}
ROOT = {"id": "88", "parent_id": "88", "handle": "DC_root"}


@pytest.mark.parametrize(
    ("made", "conversation", "root", "handle"),
    [
        (on_github("work_item", "issues"), "acme/demo#7", None, None),
        (on_github("work_item", "issue_comment", ROOT), "acme/demo#7", None, None),
        (on_github("change_proposal", "pull_request"), "acme/demo#7", None, None),
        (on_github("change_proposal", "pull_request_review_comment", REPLY), "acme/demo#7", "88", None),
        (on_github("change_proposal", "pull_request_review_comment", ROOT), "acme/demo#7", "88", "DC_root"),
        (on_github("conversation", "discussion"), "acme/demo#7", None, None),
        (on_github("conversation", "discussion_comment", REPLY), "acme/demo#7", "88", None),
        (on_github("conversation", "discussion_comment", ROOT), "acme/demo#7", "88", "DC_root"),
        (event("gitlab", {"kind": "work_item", "id": 7}, {}, repo="a/b/c"), "a/b/c#7", None, None),
        (event("schedule", {"kind": "work_item", "id": 7}, repo="a/b"), "a/b#7", None, None),
        (event("jira", {"kind": "work_item", "id": 10042, "key": "SHOP-3"}, ROOT, repo="a/b"), "SHOP-3", None, None),
        (event("slack", {"kind": "conversation", "key": "T1/C1"}), "T1/C1", None, None),
        (event("slack", {"kind": "conversation", "key": "T1/C1"}, {"id": "2.5", "parent_id": TS}), "T1/C1", TS, None),
        (event("slack", {"kind": "conversation", "key": "T1/C1", "id": 4}, repo="a/b"), "T1/C1", None, None),
    ],
)
def test_an_event_says_where_a_reply_goes(made: Event, conversation: str, root: str | None, handle: str | None) -> None:
    assert ThreadRef.of(made) == ThreadRef(conversation=conversation, root=root, handle=handle)


def test_an_event_without_any_address_is_refused() -> None:
    made = on_github("work_item", "issues")
    without = made.model_copy(update={"repo": None})

    with pytest.raises(Invalid, match=r"entity\.key"):
        ThreadRef.of(without)


def test_ids_are_strings_and_integers_are_taken_for_them() -> None:
    assert MessageRef(conversation="a/b#1", source_type="issue_comment", id=778).id == "778"  # type: ignore[arg-type]
    assert ThreadRef(conversation="a/b#1", root=88).root == "88"  # type: ignore[arg-type]
    assert Account(id=5, login="ana").id == "5"  # type: ignore[arg-type]


@pytest.mark.parametrize("bad", [True, 1.5, None, "", "a b", "é", "x" * 256])
def test_what_is_no_id_is_refused(bad: Any) -> None:
    with pytest.raises(ValidationError):
        MessageRef(conversation="a/b#1", source_type="issue_comment", id=bad)


@pytest.mark.parametrize("bad", ["", "Issue", "9lives", "a-b", "a" * 64])
def test_a_source_type_is_one_lower_case_word(bad: str) -> None:
    with pytest.raises(ValidationError):
        MessageRef(conversation="a/b#1", source_type=bad, id="1")


def test_an_issue_and_a_comment_may_share_a_number() -> None:
    issue = Message(id="7", source_type="issue", created_at=NOON)
    comment = Message(id="7", source_type="issue_comment", created_at=NOON)

    assert issue.ref == record_ref("issue", "7") == "issue:7"
    assert comment.ref == "issue_comment:7"


def test_times_become_utc() -> None:
    here = datetime(2026, 10, 1, 14, tzinfo=timezone(timedelta(hours=2)))
    message = Message(id="1", source_type="issue", created_at=here)

    assert message.created_at == NOON
    assert message.created_at.tzinfo is UTC


@pytest.mark.parametrize("bad", [datetime(2026, 10, 1), "2026-10-01T10:00:00", "0001-01-01T00:00:00+14:00", "today"])
def test_a_time_without_offset_or_sense_is_refused(bad: Any) -> None:
    with pytest.raises(ValidationError):
        Message(id="1", source_type="issue", created_at=bad)


@pytest.mark.parametrize("agent", ["", "-a", "A", "a_b", "a" * 64, "a b", "a\n", "é"])
def test_an_agent_has_a_plain_name(agent: str) -> None:
    with pytest.raises(ValidationError):
        Draft(body="x", agent=agent)


@pytest.mark.parametrize("agent", ["a", "9", "triage-2", "a" * 63])
def test_names_an_agent_may_have(agent: str) -> None:
    assert Draft(body="x", agent=agent).agent == agent


def test_models_are_closed_and_frozen() -> None:
    listing = Listing(messages=())

    with pytest.raises(ValidationError, match="frozen"):
        listing.complete = False
    with pytest.raises(ValidationError, match="Extra inputs"):
        Listing(messages=(), surprise=1)  # type: ignore[call-arg]
