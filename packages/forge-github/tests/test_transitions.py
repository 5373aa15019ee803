"""What happened: every native action has one transition."""

from typing import Any

import pytest


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        ("opened", "opened"),
        ("reopened", "reopened"),
        ("edited", "edited"),
        ("closed", "closed"),
        ("assigned", "updated"),
        ("transferred", "updated"),
        ("pinned", "updated"),
        ("milestoned", "updated"),
        ("locked", "updated"),
        ("deleted", "updated"),
        ("typed", "updated"),
        ("some_day", "updated"),
    ],
)
def test_an_issue_action_has_a_transition(native: Any, event: Any, action: str, kind: str) -> None:
    made = event("issues", native.payload("issues", action))

    assert made.transition.kind == kind
    assert made.source.model_dump() == {"system": "github", "raw_type": "issues", "raw_action": action}
    assert made.entity.kind == "work_item"
    assert made.entity.id == 7
    assert made.entity.url == "https://github.com/acme/demo/issues/7"
    assert made.state.labels == ("bug",)


@pytest.mark.parametrize("name", ["pull_request", "pull_request_target"])
@pytest.mark.parametrize(
    ("action", "kind"),
    [
        ("opened", "opened"),
        ("reopened", "reopened"),
        ("edited", "edited"),
        ("closed", "closed"),
        ("synchronize", "synchronized"),
        ("ready_for_review", "marked_ready"),
        ("converted_to_draft", "updated"),
        ("auto_merge_enabled", "updated"),
        ("review_requested", "updated"),
    ],
)
def test_a_pull_request_action_has_a_transition(native: Any, event: Any, name: str, action: str, kind: str) -> None:
    made = event(name, native.payload(name, action))

    assert made.transition.kind == kind
    assert made.source.raw_type == name
    assert made.source.raw_action == action
    assert (made.entity.kind, made.entity.id) == ("change_proposal", 8)
    assert made.state.change_proposal is not None


def test_a_pull_request_closed_by_a_merge_is_merged(native: Any, event: Any) -> None:
    payload = native.payload("pull_request", "closed", pull_request=native.pull(merged=True))

    assert event("pull_request", payload).transition.kind == "merged"


def test_merged_says_nothing_unless_it_was_closed(native: Any, event: Any) -> None:
    payload = native.payload("pull_request", "edited", pull_request=native.pull(merged=True))

    assert event("pull_request", payload).transition.kind == "edited"


@pytest.mark.parametrize(("name", "part"), [("issues", "issue"), ("pull_request", "pull_request")])
def test_an_added_label_is_merged_into_the_labels(native: Any, event: Any, name: str, part: str) -> None:
    """The payload may be older than the label."""
    made = event(name, native.payload(name, "labeled", label={"name": "ready"}))

    assert made.transition.kind == "label_changed"
    assert made.transition.label.model_dump() == {"name": "ready", "action": "added"}
    assert made.state.labels == ("bug", "ready")


def test_an_added_label_that_is_there_in_another_case_is_not_added_twice(native: Any, event: Any) -> None:
    made = event("issues", native.payload("issues", "labeled", label={"name": "BUG"}))

    assert made.transition.label.name == "BUG"
    assert made.state.labels == ("bug",)


def test_a_removed_label_is_taken_out_whatever_its_case(native: Any, event: Any) -> None:
    labels = [{"name": "Bug"}, {"name": "kept"}]
    payload = native.payload("issues", "unlabeled", issue=native.issue(labels=labels), label={"name": "bUG"})

    made = event("issues", payload)

    assert made.transition.label.action == "removed"
    assert made.state.labels == ("kept",)


@pytest.mark.parametrize("action", ["labeled", "unlabeled"])
@pytest.mark.parametrize("fields", [{}, {"label": None}])
def test_a_label_that_is_gone_leaves_an_update(native: Any, event: Any, action: str, fields: dict[str, Any]) -> None:
    """GitHub documents `label` as optional: the label may have been deleted."""
    made = event("issues", native.payload("issues", action, **fields))

    assert made.transition.kind == "updated"
    assert made.source.raw_action == action


@pytest.mark.parametrize("label", [{}, {"name": ""}, {"name": None}])
def test_a_label_without_a_name_is_refused(native: Any, refused: Any, label: dict[str, Any]) -> None:
    assert refused("issues", native.payload("issues", "labeled", label=label)).field == "label.name"


@pytest.mark.parametrize("labels", [None, []])
def test_no_labels_are_no_labels(native: Any, event: Any, labels: Any) -> None:
    assert event("issues", native.payload("issues", "opened", issue=native.issue(labels=labels))).state.labels == ()


def test_what_has_no_name_is_not_a_label(native: Any, event: Any) -> None:
    labels = [{"name": "a"}, "b", {"name": ""}, {"name": 3}, None, {}, 5, ["x"], {"name": "c"}]
    payload = native.payload("issues", "opened", issue=native.issue(labels=labels))

    assert event("issues", payload).state.labels == ("a", "c")


def test_a_label_longer_than_an_event_carries_is_refused_and_named(native: Any, refused: Any) -> None:
    """Nothing is left out silently: a trigger may look for it."""
    labels = [{"name": "a"}, {"name": "x" * 256}]
    payload = native.payload("issues", "opened", issue=native.issue(labels=labels))

    assert refused("issues", payload).field == "issue.labels[1].name"


@pytest.mark.parametrize("name", ["a\tb\x00\x1b[31m", "  ", "é" * 255, "\u202eevil", "/:#@%"])
def test_a_label_is_kept_as_it_is(native: Any, event: Any, name: str) -> None:
    made = event("issues", native.payload("issues", "labeled", label={"name": name}))

    assert made.state.labels == ("bug", name)


@pytest.mark.parametrize("state", ["approved", "changes_requested", "commented", "dismissed"])
@pytest.mark.parametrize("spell", [str.lower, str.upper])
def test_a_submitted_review_has_a_state_in_lower_case(native: Any, event: Any, state: str, spell: Any) -> None:
    """Emulators send upper case, as GraphQL does."""
    review = native.review(state=spell(state), body="Please.")

    made = event("pull_request_review", native.payload("pull_request_review", "submitted", review=review))

    assert made.transition.kind == "review_submitted"
    assert made.transition.review.model_dump() == {"state": state, "reviewer_id": "bob"}
    assert made.state.change_proposal.id == 8


@pytest.mark.parametrize("body", [None, "", " \r\n"])
def test_a_review_that_only_carries_inline_comments_is_ignored(native: Any, ignored: Any, body: str | None) -> None:
    review = native.review(state="COMMENTED", body=body)

    reason = ignored("pull_request_review", native.payload("pull_request_review", "submitted", review=review))

    assert reason.reason == "empty-review"


@pytest.mark.parametrize("state", ["approved", "changes_requested"])
def test_a_verdict_needs_no_words(native: Any, event: Any, state: str) -> None:
    payload = native.payload("pull_request_review", "submitted", review=native.review(state=state, body=None))

    assert event("pull_request_review", payload).transition.review.state == state


@pytest.mark.parametrize("action", ["edited", "dismissed"])
def test_a_review_that_changes_later_is_an_update(native: Any, event: Any, action: str) -> None:
    payload = native.payload("pull_request_review", action, review=native.review(state="dismissed"))

    made = event("pull_request_review", payload)

    assert made.transition.model_dump(exclude_none=True) == {"kind": "updated"}
    assert made.source.raw_action == action


@pytest.mark.parametrize("state", ["pending", "", None, "approved\n"])
def test_a_review_state_nobody_knows_is_refused(native: Any, refused: Any, state: str | None) -> None:
    payload = native.payload("pull_request_review", "submitted", review=native.review(state=state))

    assert refused("pull_request_review", payload).field == "review.state"


@pytest.mark.parametrize(
    ("name", "action"),
    [("issue_comment", "pinned"), ("issue_comment", "unpinned"), ("pull_request_review", "queued")],
)
def test_an_action_that_changes_no_conversation_is_ignored(native: Any, ignored: Any, name: str, action: str) -> None:
    reason = ignored(name, native.payload(name, action))

    assert reason.reason == "unsupported-action"
    assert action in reason.detail


@pytest.mark.parametrize("name", ["push", "schedule", "workflow_dispatch", "release"])
def test_what_has_no_conversation_is_ignored(ignored: Any, name: str) -> None:
    reason = ignored(name, {"ref": "refs/heads/main"})

    assert reason.reason == "unsupported-event"
    assert "has no conversation" in reason.detail


@pytest.mark.parametrize(
    "name", ["commit_comment", "issue", "ISSUES", "pull_request_review_thread", "\x1b[31m", "x" * 999]
)
def test_a_name_nobody_knows_is_ignored(ignored: Any, name: str) -> None:
    reason = ignored(name, {})

    assert reason.reason == "unsupported-event"
    assert reason.detail.isprintable()
    assert len(reason.detail) < 300


def test_a_ping_is_ignored(ignored: Any) -> None:
    assert ignored("ping", {"zen": "Design for failure.", "hook_id": 1}).reason == "ping"


@pytest.mark.parametrize("name", ["discussion", "discussion_comment"])
def test_discussions_belong_to_another_adapter(ignored: Any, name: str) -> None:
    reason = ignored(name, {"action": "created", "discussion": {"number": 5}})

    assert reason.reason == "other-adapter"
    assert "tertulia-conversation-github" in reason.detail
