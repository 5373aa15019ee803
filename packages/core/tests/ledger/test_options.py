"""The options that leave records out: blocked accounts, a cut-off at the trigger, minimized messages."""

from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from tertulia.thread import Account

Make = Callable[..., Any]


def test_a_blocked_account_is_not_rendered_not_even_a_line(
    context: Make, issue: Make, note: Make, people: SimpleNamespace
) -> None:
    made = context(issue("task words"), note(1, "blocked words", people.eve), note(2), blocked_user_ids=["66"])

    assert [(entry.decision, entry.reason) for entry in made.records[:2]] == [
        ("excluded", "the account is blocked")
    ] * 2
    assert "words" not in made.text
    assert "eve-x" not in made.text
    assert "unverified" not in made.text


def test_blocking_wins_over_trust(fate: Make, note: Make, people: SimpleNamespace) -> None:
    assert fate(note(1), blocked_user_ids=["41"])[2] == "excluded"
    assert fate(note(1, author=people.bo), trusted_user_ids=["42"], blocked_user_ids=["42"])[2] == "excluded"


def test_blocking_wins_over_the_marker_of_a_bot(fate: Make, note: Make, people: SimpleNamespace) -> None:
    for word in ("agent", "engine"):
        assert fate(note(1, f"<!-- bot-{word}-x -->", people.bot), blocked_user_ids=["80"])[2] == "excluded"


def test_any_id_of_an_account_blocks_it(fate: Make, note: Make) -> None:
    app = Account(id="U5", login="app", aliases=frozenset({"B5", "A5"}))

    for ident in ("U5", "B5", "A5"):
        assert fate(note(1, author=app), blocked_user_ids=[ident])[2] == "excluded"
    assert fate(note(1, author=app), blocked_user_ids=["app"])[2] == "unverified"


def test_the_account_on_record_and_the_one_of_today_are_both_looked_at(
    ledger: Make, note: Make, people: SimpleNamespace
) -> None:
    before = ledger(note(1, author=people.eve)).records

    for blocked in (["66"], ["42"]):
        made = ledger(note(1, author=people.bo), previous=before, blocked_user_ids=blocked)
        assert made.reasons["issue_comment:1"].decision == "excluded"


def test_a_message_of_nobody_is_not_blocked(fate: Make, note: Make) -> None:
    assert fate(note(1, author=None), blocked_user_ids=["66"])[2] == "unverified"


def test_a_deleted_record_of_a_blocked_account_is_deleted(fate: Make, note: Make) -> None:
    assert fate(note(1, deleted=True), blocked_user_ids=["41"])[2] == "deleted"


def test_a_second_opening_post_of_a_blocked_author_is_just_blocked(ledger: Make, issue: Make, at: Make) -> None:
    made = ledger(issue(), issue(id="9008", created_at=at(1)), blocked_user_ids=["66"])

    assert {verdict.reason for verdict in made.reasons.values()} == {"the account is blocked"}


@pytest.mark.parametrize(
    ("seconds", "decision"), [(-1, "flow"), (0, "flow"), (0.9, "flow"), (1, "excluded"), (60, "excluded")]
)
def test_the_cutoff_leaves_out_what_came_after_the_trigger_second(
    fate: Make, note: Make, at: Make, seconds: float, decision: str
) -> None:
    message = note(1, created_at=at(10) + timedelta(seconds=seconds))

    assert fate(message, cutoff_trigger_time=True, trigger_time=at(10))[2] == decision
    assert fate(message, trigger_time=at(10))[2] == "flow"


def test_in_the_trigger_second_only_the_trigger_comment_counts_when_it_is_known(
    fate: Make, ledger: Make, note: Make, at: Make
) -> None:
    asked = {"cutoff_trigger_time": True, "trigger_time": at(10), "trigger_comment": "issue_comment:1"}
    trigger, other = note(1, created_at=at(10)), note(2, created_at=at(10) + timedelta(seconds=0.1))

    made = ledger(trigger, other, note(3, created_at=at(9)), **asked)

    decisions = {ref: verdict.decision for ref, verdict in made.reasons.items()}
    assert decisions == {"issue_comment:1": "flow", "issue_comment:2": "excluded", "issue_comment:3": "flow"}
    assert made.reasons["issue_comment:2"].reason == "written after the trigger (cutoff_trigger_time)"


def test_the_trigger_comment_itself_is_never_late(fate: Make, note: Make, at: Make) -> None:
    asked = {"cutoff_trigger_time": True, "trigger_time": at(10), "trigger_comment": "issue_comment:20"}

    assert fate(note(20), **asked)[2] == "flow"


def test_a_cutoff_without_a_trigger_time_leaves_nothing_out(fate: Make, note: Make) -> None:
    assert fate(note(1), cutoff_trigger_time=True)[2] == "flow"


def test_the_cutoff_is_for_unverified_records_too_and_not_for_the_task(
    ledger: Make, issue: Make, note: Make, at: Make, people: SimpleNamespace
) -> None:
    made = ledger(issue(created_at=at(30)), note(20, author=people.eve), cutoff_trigger_time=True, trigger_time=at(10))

    assert [verdict.decision for verdict in made.reasons.values()] == ["body", "excluded"]


@pytest.mark.parametrize("reason", ["spam", "minimized", ""])
def test_minimized_messages_can_be_left_out(fate: Make, ledger: Make, note: Make, reason: str) -> None:
    message = note(1, minimized=reason)

    assert fate(message, skip_minimized=True)[2] == "excluded"
    assert ledger(message, skip_minimized=True).reasons[message.ref].reason == "minimized (skip_minimized)"
    assert fate(message)[2] == "flow"
    assert fate(note(1), skip_minimized=True)[2] == "flow"


def test_a_minimized_task_stays_the_task(fate: Make, issue: Make) -> None:
    assert fate(issue(minimized="off-topic"), skip_minimized=True)[2] == "body"


def test_engine_output_stays_engine_output(fate: Make, note: Make, at: Make, people: SimpleNamespace) -> None:
    message = note(20, "<!-- bot-engine-x -->", people.engine, minimized="outdated")

    assert fate(message, skip_minimized=True, cutoff_trigger_time=True, trigger_time=at(10))[2] == "engine"
