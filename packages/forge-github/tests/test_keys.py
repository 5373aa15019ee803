"""One fact, one key: the same for every delivery of it, and never that of another fact."""

import hashlib
import json
from datetime import UTC, datetime
from typing import Any

import pytest


def digest(payload: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(payload).encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("name", "action", "key"),
    [
        ("issues", "opened", "github:acme/demo#7/issue:70007@2026-10-01T10:00:00Z/opened"),
        ("issues", "edited", "github:acme/demo#7/issue:70007@2026-10-01T10:00:00Z/edited"),
        ("issues", "locked", "github:acme/demo#7/issue:70007@2026-10-01T10:00:00Z/updated:locked"),
        ("issue_comment", "created", "github:acme/demo#7/issue_comment:104@2026-10-01T11:00:05Z/comment_added"),
        ("issue_comment", "deleted", "github:acme/demo#7/issue_comment:104@2026-10-01T11:00:05Z/comment_deleted"),
        ("pull_request", "synchronize", "github:acme/demo#8/pull_request:80008@2026-10-01T10:00:00Z/synchronized"),
        ("pull_request_target", "opened", "github:acme/demo#8/pull_request:80008@2026-10-01T10:00:00Z/opened"),
        (
            "pull_request_review_comment",
            "created",
            "github:acme/demo#8/review_comment:104@2026-10-01T11:00:05Z/comment_added",
        ),
    ],
)
def test_a_thing_with_a_time_of_its_own_is_told_apart_by_it(
    native: Any, event: Any, name: str, action: str, key: str
) -> None:
    assert event(name, native.payload(name, action)).key == key


@pytest.mark.parametrize(
    ("name", "action", "fields", "thing", "word"),
    [
        (
            "issues",
            "labeled",
            {"label": {"name": "good first/issue"}},
            "label:good%20first%2Fissue",
            "label_changed:added",
        ),
        ("issues", "unlabeled", {"label": {"name": "bug"}}, "label:bug", "label_changed:removed"),
        ("pull_request", "labeled", {"label": {"name": "bug"}}, "label:bug", "label_changed:added"),
        ("issues", "labeled", {}, "issue:70007", "updated:labeled"),
        ("issues", "assigned", {"assignee": {"login": "carol"}}, "assignee:carol", "updated:assigned"),
        ("issues", "unassigned", {"assignee": {"login": "carol"}}, "assignee:carol", "updated:unassigned"),
        ("issues", "unassigned", {"assignee": None}, "issue:70007", "updated:unassigned"),
        ("issues", "milestoned", {"milestone": {"number": 3, "title": "v1"}}, "milestone:3", "updated:milestoned"),
        ("issues", "demilestoned", {}, "issue:70007", "updated:demilestoned"),
        ("issues", "pinned", {}, "issue:70007", "updated:pinned"),
        ("issues", "some day", {}, "issue:70007", "updated:some%20day"),
        (
            "pull_request",
            "review_requested",
            {"requested_reviewer": {"login": "dora"}},
            "reviewer:dora",
            "updated:review_requested",
        ),
        (
            "pull_request",
            "review_request_removed",
            {"requested_team": {"name": "The Team", "slug": "the-team"}},
            "team:the-team",
            "updated:review_request_removed",
        ),
        ("pull_request_review", "submitted", {}, "review:900", "review_submitted"),
        ("pull_request_review", "dismissed", {}, "review:900", "updated:dismissed"),
    ],
)
def test_a_thing_without_a_time_is_told_apart_by_the_body(
    native: Any, event: Any, name: str, action: str, fields: dict[str, Any], thing: str, word: str
) -> None:
    payload = native.payload(name, action, **fields)
    number = 7 if name == "issues" else 8

    assert event(name, payload).key == f"github:acme/demo#{number}/{thing}@{digest(payload)}/{word}"


def test_a_review_with_a_time_of_its_own_is_told_apart_by_it(native: Any, event: Any) -> None:
    review = native.review(updated_at="2026-10-01T13:00:00Z")

    made = event("pull_request_review", native.payload("pull_request_review", "edited", review=review))

    assert made.key == "github:acme/demo#8/review:900@2026-10-01T13:00:00Z/updated:edited"


def test_a_comment_that_arrives_again_is_one_fact_and_its_edits_are_others(native: Any, event: Any) -> None:
    created = native.payload("issue_comment", "created")
    again = native.payload("issue_comment", "created", hook={"id": 2})
    times = ["2026-10-01T11:00:05Z", "2026-10-01T11:00:06Z", "2026-10-01T11:00:07Z"]
    edits = [native.payload("issue_comment", "edited", comment=native.comment(updated_at=time)) for time in times]

    keys = [event("issue_comment", payload).key for payload in (created, created, again, *edits)]

    assert len(set(keys[:3])) == 1
    assert len(set(keys)) == 4


def test_a_comment_without_a_time_is_told_apart_by_the_body(native: Any, event: Any) -> None:
    payload = native.payload("issue_comment", "created", comment={"id": 104, "body": "x"})

    assert f"issue_comment:104@{digest(payload)}" in event("issue_comment", payload).key


def test_two_pins_of_one_issue_are_two_facts(native: Any, event: Any) -> None:
    """A pin does not move `updated_at`: GitHub's own examples of pinned and unpinned carry the same one."""
    first = native.payload("issues", "pinned")
    second = native.payload("issues", "pinned", sender=native.user("carol", 3))

    assert event("issues", first).key != event("issues", second).key


def test_two_things_without_ids_are_two_facts(native: Any, event: Any) -> None:
    bodies = [{"state": "approved", "body": text, "updated_at": "2026-10-01T13:00:00Z"} for text in ("a", "b")]
    keys = {
        event("pull_request_review", native.payload("pull_request_review", "submitted", review=b)).key for b in bodies
    }

    assert len(keys) == 2


def test_the_transport_never_enters_the_key(native: Any, event: Any) -> None:
    """GitHub signs the body, and not the headers beside it."""
    payload = native.payload("issues", "labeled", label={"name": "bug"})

    first = event("issues", payload, headers={"X-GitHub-Delivery": "1", "X-GitHub-Event": "issues"})
    second = event("issues", payload, headers={"X-GitHub-Delivery": "2"}, actor="eve")

    assert first.key == second.key


@pytest.mark.parametrize("name", ["\u2028" * 255, "\U000e0001" * 255, "%" * 255, "/" * 255])
def test_a_key_stays_bounded(native: Any, event: Any, name: str) -> None:
    other = name[:-1] + "x"
    keys = {
        event("issues", native.payload("issues", "labeled", label={"name": n})).key.split("@")[0] for n in (name, other)
    }

    assert len(keys) == 2
    assert all(len(key) < 2000 for key in keys)


def test_a_key_that_an_event_cannot_carry_is_refused_and_named(native: Any, refused: Any) -> None:
    payload = native.payload("issues", "\U000e0001" * 128)

    assert refused("issues", payload, repo=f"a/{'b' * 510}").field == "delivery.key"


@pytest.mark.parametrize(
    ("written", "time"),
    [
        ("2026-10-01T10:00:00Z", datetime(2026, 10, 1, 10, tzinfo=UTC)),
        ("2026-10-01T12:30:00.000+02:30", datetime(2026, 10, 1, 10, tzinfo=UTC)),
        ("2026-10-01T05:00:00.250-05:00", datetime(2026, 10, 1, 10, 0, 0, 250000, tzinfo=UTC)),
        (None, None),
    ],
)
def test_the_time_is_utc(native: Any, event: Any, written: str | None, time: datetime | None) -> None:
    made = event("issues", native.payload("issues", "opened", issue=native.issue(updated_at=written)))

    assert made.time == time
    if time is not None:
        assert "@2026-10-01T10:00:00Z/" in made.key


@pytest.mark.parametrize(
    ("name", "action", "parts", "time"),
    [
        ("issues", "labeled", {"label": {"name": "x"}}, "10:00:00"),
        ("issue_comment", "created", {}, "11:00:05"),
        ("pull_request_review", "submitted", {}, "12:00:00"),
    ],
)
def test_the_time_is_the_things_own_or_else_the_entitys(
    native: Any, event: Any, name: str, action: str, parts: dict[str, Any], time: str
) -> None:
    assert event(name, native.payload(name, action, **parts)).time.strftime("%H:%M:%S") == time


def test_a_closing_without_an_update_happened_when_it_closed(native: Any, event: Any) -> None:
    issue = native.issue(updated_at=None, closed_at="2026-10-02T00:00:00Z")

    made = event("issues", native.payload("issues", "closed", issue=issue))

    assert made.time == datetime(2026, 10, 2, tzinfo=UTC)
