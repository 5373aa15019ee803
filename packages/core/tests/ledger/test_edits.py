"""Edits: what counts as one, what is told about it, and what the edit guard makes of it."""

from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from tertulia.thread import Account

Make = Callable[..., Any]

AGENT = "<!-- bot-agent-scribe -->\nFixed."
FLOW = ("human-feedback", True, "flow")
GUARDED = ("human-feedback", False, "unverified")
LATE = "edited at or after the trigger (edit_guard)"


@pytest.fixture
def asked(at: Make) -> dict[str, Any]:
    """A run triggered ten minutes after the issue, with the guard on."""
    return {"edit_guard": True, "trigger_time": at(10)}


@pytest.fixture
def reason(ledger: Make) -> Make:
    """Give the reason for the decision about the last of some messages."""

    def find(*messages: Any, **asked: Any) -> str:
        return str(ledger(*messages, **asked).reasons[messages[-1].ref].reason)

    return find


@pytest.mark.parametrize(
    ("seconds", "expected"), [(-1, FLOW), (-0.001, FLOW), (0, GUARDED), (0.999, GUARDED), (1, GUARDED)]
)
def test_an_edit_at_or_after_the_trigger_second_takes_trust_away(
    fate: Make, note: Make, at: Make, asked: dict[str, Any], seconds: float, expected: Any
) -> None:
    edited = note(1, updated_at=at(10) + timedelta(seconds=seconds))

    assert fate(edited, **asked) == expected


def test_a_trigger_time_is_taken_in_whole_seconds_too(fate: Make, note: Make, at: Make) -> None:
    edited = note(1, updated_at=at(10))

    assert fate(edited, edit_guard=True, trigger_time=at(10) + timedelta(seconds=0.9)) == GUARDED
    assert fate(edited, edit_guard=True, trigger_time=at(10) + timedelta(seconds=1)) == FLOW


def test_the_reason_says_so(reason: Make, note: Make, at: Make, asked: dict[str, Any]) -> None:
    assert reason(note(1, updated_at=at(10)), **asked) == LATE


def test_the_guard_is_off_by_default(fate: Make, note: Make, at: Make) -> None:
    assert fate(note(1, updated_at=at(10)), trigger_time=at(10)) == FLOW


def test_without_a_trigger_time_any_edit_does(fate: Make, reason: Make, note: Make, at: Make) -> None:
    edited = note(1, updated_at=at(2))

    assert fate(edited, edit_guard=True) == GUARDED
    assert reason(edited, edit_guard=True) == ("edited, and the run has no trigger time to compare with (edit_guard)")
    assert fate(note(1), edit_guard=True) == FLOW


def test_a_message_is_edited_when_it_was_updated_later_than_created(
    fate: Make, note: Make, at: Make, asked: dict[str, Any]
) -> None:
    late = {"created_at": at(20)}

    assert fate(note(1, updated_at=at(20), **late), **asked) == FLOW
    assert fate(note(1, updated_at=at(20) + timedelta(seconds=0.9), **late), **asked) == FLOW
    assert fate(note(1, updated_at=at(20) + timedelta(seconds=1), **late), **asked) == GUARDED


def test_a_backends_own_time_of_the_edit_counts_before_the_update(
    fate: Make, note: Make, at: Make, asked: dict[str, Any]
) -> None:
    assert fate(note(1, updated_at=at(20), last_edited_at=at(9)), **asked) == FLOW
    assert fate(note(1, updated_at=at(9), last_edited_at=at(20)), **asked) == GUARDED


def test_the_update_of_an_opening_post_is_no_edit(
    ledger: Make, issue: Make, at: Make, asked: dict[str, Any], people: SimpleNamespace, flags: Make
) -> None:
    """It moves with every comment."""
    mine = {"author": people.ana, "association": "OWNER"}

    moved = ledger(issue(updated_at=at(20), **mine), **asked)
    edited = ledger(issue(last_edited_at=at(20), **mine), **asked)

    assert (moved.records[0].trusted, flags(moved)) == (True, [])
    assert (edited.records[0].trusted, flags(edited)) == (False, ["edited-after-trigger issue:9007"])
    assert edited.reasons["issue:9007"].decision == "body"
    assert edited.reasons["issue:9007"].reason == f"the opening post; {LATE}"


def test_agent_output_keeps_its_kind_and_loses_its_trust(
    fate: Make, note: Make, at: Make, asked: dict[str, Any], people: SimpleNamespace
) -> None:
    edited = note(1, AGENT, people.engine, updated_at=at(20))

    assert fate(edited, **asked) == ("agent-output", False, "unverified")
    assert fate(edited) == ("agent-output", True, "flow")


def test_engine_output_needs_no_guard(
    fate: Make, note: Make, at: Make, asked: dict[str, Any], people: SimpleNamespace
) -> None:
    """Notices are edited in place all the time, and never rendered."""
    edited = note(1, "<!-- bot-engine-x -->", people.engine, updated_at=at(20))

    assert fate(edited, **asked) == ("engine-output", True, "engine")


def test_what_is_untrusted_anyway_keeps_its_own_reason(
    reason: Make, note: Make, at: Make, asked: dict[str, Any], people: SimpleNamespace
) -> None:
    assert reason(note(1, author=people.eve, updated_at=at(20)), **asked) == "not the trigger author"


def test_an_edit_by_somebody_else_takes_trust_away_whenever(
    fate: Make, reason: Make, note: Make, at: Make, asked: dict[str, Any], people: SimpleNamespace
) -> None:
    edited = note(1, editor=people.bo, last_edited_at=at(2))

    assert fate(edited, **asked) == GUARDED
    assert reason(edited, **asked) == "edited by somebody else (edit_guard)"
    assert fate(note(1, editor=people.ana, last_edited_at=at(2)), **asked) == FLOW


@pytest.mark.parametrize(
    ("editor", "author", "other"),
    [
        (None, Account(id="66", login="eve"), False),
        (Account(id="66", login="new"), Account(id="66", login="eve"), False),
        (Account(id="42", login="eve"), Account(id="66", login="eve"), True),
        (Account(login="EVE"), Account(id="66", login="eve"), False),
        (Account(id="66", login="EVE"), Account(login="eve"), False),
        (Account(login="bo"), Account(id="66", login="eve"), True),
        (Account(id="42", login="bo"), Account(login="eve"), True),
        (Account(login="\u212aim"), Account(login="kim"), True),
        (Account(id="42", login="bo"), None, True),
        (None, None, False),
        (Account(login="ghost"), Account(login="ghost"), True),
    ],
)
def test_an_editor_is_compared_with_the_author(
    ledger: Make, issue: Make, flags: Make, editor: Account | None, author: Account | None, other: bool
) -> None:
    """By id where both are known, else by login; an author who is nobody edits nothing."""
    made = ledger(issue(author=author, editor=editor))

    assert flags(made) == (["edited-by-other issue:9007"] if other else [])


def test_an_edit_after_the_trigger_is_told_without_the_guard(ledger: Make, note: Make, at: Make, flags: Make) -> None:
    made = ledger(note(1, updated_at=at(11)), trigger_time=at(10))

    assert flags(made) == ["edited-after-trigger issue_comment:1"]
    assert made.audit[0].detail == "edited at 2026-03-02T08:11:00Z, the run was triggered at 2026-03-02T08:10:00Z"


def test_an_edit_in_the_trigger_second_is_told_and_one_before_is_not(
    ledger: Make, note: Make, at: Make, flags: Make
) -> None:
    half = timedelta(seconds=0.5)

    assert flags(ledger(note(1, updated_at=at(10)), trigger_time=at(10) + half)) != []
    assert flags(ledger(note(1, updated_at=at(10) - half), trigger_time=at(10))) == []
    assert flags(ledger(note(1, updated_at=at(11)))) == []


def test_edits_of_what_is_never_shown_in_full_are_not_told(
    ledger: Make, note: Make, at: Make, flags: Make, people: SimpleNamespace
) -> None:
    made = ledger(
        note(1, author=people.eve, updated_at=at(20)),
        note(2, "<!-- bot-progress -->", people.bot, updated_at=at(20)),
        note(3, deleted=True, updated_at=at(20)),
        trigger_time=at(10),
    )

    assert [flag for flag in flags(made) if flag.startswith("edited")] == []


def test_edits_of_what_the_trigger_author_wrote_are_told_even_when_it_is_untrusted(
    ledger: Make, note: Make, at: Make, flags: Make
) -> None:
    made = ledger(note(1, association="NONE", updated_at=at(20)), trigger_time=at(10))

    assert "edited-after-trigger issue_comment:1" in flags(made)


def test_edits_of_guarded_agent_output_are_told(
    ledger: Make, note: Make, at: Make, flags: Make, asked: dict[str, Any], people: SimpleNamespace
) -> None:
    made = ledger(note(1, AGENT, people.engine, updated_at=at(20), editor=people.bo), **asked)

    assert flags(made) == ["edited-after-trigger issue_comment:1", "edited-by-other issue_comment:1"]
    assert made.audit[1].detail == "the editor is not the author"


def test_the_guard_takes_no_finding_away(
    ledger: Make, note: Make, at: Make, flags: Make, asked: dict[str, Any], people: SimpleNamespace
) -> None:
    mine = note(1, updated_at=at(20))
    bots = note(1, AGENT, people.bot, updated_at=at(20))

    assert flags(ledger(mine, **asked, permissions={"41": "write"})) == ["edited-after-trigger issue_comment:1"]
    assert flags(ledger(bots, **asked)) == [
        "bot-anchor-not-engine issue_comment:1",
        "edited-after-trigger issue_comment:1",
    ]
