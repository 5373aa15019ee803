"""What the command prints of a ledger can be fed back as the ledger before."""

import json
from typing import Any

import pytest

from tertulia.errors import Invalid
from tertulia.ledger import Context, Snapshot, build_context

ISSUE = {"source_type": "issue", "id": 1, "title": "t", "user": None, "created_at": "2026-01-01T00:00:00Z"}
NOTE = {
    "source_type": "issue_comment",
    "id": 5,
    "user": {"login": "mara", "id": 7, "type": "User"},
    "author_association": "MEMBER",
    "created_at": "2026-01-02T00:00:00Z",
    "body": "/ask",
}


def read(thread: list[Any], **context: Any) -> Context:
    saved = Snapshot.parse(json.dumps({"thread": thread, "context": context}))
    return build_context(saved.listing, saved.previous, saved.run, saved.options)


def test_printed_records_are_the_ledger_before() -> None:
    printed = read([ISSUE, NOTE]).document()["records"]

    got = read([ISSUE], previous_ledger=printed, fetch={"reported_count": 0})

    assert [entry.decision for entry in got.records] == ["body", "deleted"]
    assert got.records[1].record.user_login == "mara"


@pytest.mark.parametrize(("field", "value"), [("source_type", "review"), ("id", "6")])
def test_a_key_that_says_two_things_is_refused(field: str, value: str) -> None:
    with pytest.raises(Invalid, match=f"{field}: must be the one in ref"):
        read([ISSUE], previous_ledger=[{"ref": "issue_comment:5", field: value}])


@pytest.mark.parametrize("prefix", ["", [""], []])
def test_a_blank_prefix_is_none(prefix: Any) -> None:
    got = read([ISSUE, NOTE], command_prefix=prefix)

    assert got.records[1].record.kind == "command"
