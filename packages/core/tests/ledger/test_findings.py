"""Findings: each flag when there is cause, and only then."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, get_args

import pytest

from tertulia.ledger import Finding, Flag
from tertulia.thread import Account

Make = Callable[..., Any]

MARK = "<!-- bot-agent-x -->\nDone."


@pytest.fixture
def causes(issue: Make, note: Make, ledger: Make, at: Make, people: SimpleNamespace) -> dict[str, tuple[Any, Any]]:
    """For every flag: messages and keywords that give it, and ones close by that do not."""
    eve, bot, engine = people.eve, people.bot, people.engine
    before = ledger(note(1)).records
    deleted = tuple(record.model_copy(update={"deleted": True}) for record in before)
    derived = (Finding(flag="trigger-author-ambiguous", detail="d"),)
    allow = {"bot_anchor": "allowlist"}
    late = {"trigger_time": at(10)}
    return {
        "forged-marker": (([note(1, MARK, eve)], {}), ([note(1, f"> {MARK}", eve)], {})),
        "bot-anchor-not-engine": (([note(1, MARK, bot)], {}), ([note(1, MARK, engine)], {})),
        "bot-not-allowlisted": (
            ([note(1, MARK, bot)], allow),
            ([note(1, MARK, bot)], allow | {"trusted_bot_ids": ["80"]}),
        ),
        "shared-engine-account": (([], {"engine": people.ana}), ([], {"engine": people.bo})),
        "engine-actor-unresolved": (([], {"engine": None}), ([], {})),
        "trigger-author-ambiguous": (([], {"findings": derived}), ([], {"trigger_author": None})),
        "trigger-author-not-associated": (([note(1, association="NONE")], {}), ([note(1)], {})),
        "permission-too-low": (([note(1)], {"permissions": {}}), ([note(1, author=eve)], {"permissions": {}})),
        "edited-after-trigger": (([note(1, updated_at=at(10))], late), ([note(1, updated_at=at(9))], late)),
        "edited-by-other": (([note(1, editor=eve)], {}), ([note(1, editor=people.ana)], {})),
        "trigger-comment-missing": (
            ([note(1)], {"trigger_comment": "issue_comment:2"}),
            ([note(1)], {"trigger_comment": "issue_comment:1"}),
        ),
        "incomplete-fetch": (([note(1)], {"complete": False}), ([note(1)], {})),
        "count-mismatch": (
            ([note(1)], {"reported": {"issue_comment": 2}}),
            ([note(1)], {"reported": {"issue_comment": 1}}),
        ),
        "resurrected": (([note(1)], {"previous": deleted}), ([note(1)], {"previous": before})),
        "thread-near-comment-cap": (
            ([note(one) for one in range(1, 2_001)], {}),
            ([note(one) for one in range(1, 2_000)], {}),
        ),
        "hidden-text": (([note(1, "a\u200b")], {}), ([note(1, "a\u200b", eve)], {})),
    }


OF_A_STATE = {
    *("foreign-state-ignored", "state-mac-invalid", "state-rollback", "state-thread-mismatch", "state-rejected"),
    *("state-too-large", "state-schema-newer", "duplicate-state", "second-writer"),
}
"""Flags that reading a state gives: test_carried.py and test_letter.py have a cause for each."""


@pytest.mark.parametrize("flag", sorted(set(get_args(Flag)) - OF_A_STATE))
def test_a_flag_is_there_when_there_is_cause_and_only_then(
    context: Make, causes: dict[str, tuple[Any, Any]], flag: str
) -> None:
    (messages, asked), (others, other_asked) = causes[flag]

    assert [finding.flag for finding in context(*messages, **asked).audit] == [flag]
    assert [finding.flag for finding in context(*others, **other_asked).audit] == []


@pytest.mark.parametrize(
    ("flag", "told"),
    [
        (
            "engine-actor-unresolved",
            "the engine's account is not known: a marker on a person's account counts for nobody; name it with --engine",
        ),
        (
            "shared-engine-account",
            "the engine posts with the account of the person who started the run: markers alone tell them apart",
        ),
        ("trigger-comment-missing", "the comment that started the run is not in the thread any more"),
        ("incomplete-fetch", "the listing is not complete"),
        ("resurrected", "was deleted, and is listed again"),
    ],
)
def test_a_finding_says_what_was_found(context: Make, causes: dict[str, tuple[Any, Any]], flag: str, told: str) -> None:
    (messages, asked), _ = causes[flag]

    assert [finding.detail for finding in context(*messages, **asked).audit] == [told]


def test_comments_that_are_only_counted_near_the_cap_too(ledger: Make, note: Make, flags: Make) -> None:
    made = ledger(note(1), complete=False, reported={"issue_comment": 2_000})

    assert flags(made) == ["incomplete-fetch -", "thread-near-comment-cap -", "count-mismatch -"]


@pytest.mark.parametrize("asked", [{"deleted": True}, {}])
def test_a_trigger_comment_that_is_gone_is_missing(
    ledger: Make, note: Make, flags: Make, asked: dict[str, Any]
) -> None:
    """Deleted, or known from before and not listed."""
    before = ledger(note(1)).records
    messages = [note(1, **asked)] if asked else []

    made = ledger(*messages, previous=before, complete=bool(asked), trigger_comment="issue_comment:1")

    assert "trigger-comment-missing issue_comment:1" in flags(made)


def test_an_incomplete_listing_is_told_once(ledger: Make, note: Make, flags: Make) -> None:
    before = ledger(note(1), note(2)).records

    assert flags(ledger(note(1), previous=before, complete=False)) == ["incomplete-fetch -"]


def test_every_type_whose_count_differs_is_named(ledger: Make, note: Make) -> None:
    reported = {"review": 1, "issue_comment": 0, "review_comment": 0}

    made = ledger(note(1), reported=reported)

    assert [finding.detail for finding in made.audit] == [
        "1 of type issue_comment were listed, the backend counts 0",
        "0 of type review were listed, the backend counts 1",
    ]


def test_a_review_without_a_body_counts_as_listed(ledger: Make, note: Make, flags: Make) -> None:
    assert flags(ledger(note(1, "", source_type="review"), reported={"review": 1})) == []


def test_a_finding_about_a_record_names_it(ledger: Make, note: Make, people: SimpleNamespace) -> None:
    made = ledger(note(7, MARK, people.eve))

    assert made.audit[0].ref == "issue_comment:7"


def test_findings_of_the_run_come_first(ledger: Make, note: Make, people: SimpleNamespace, flags: Make) -> None:
    derived = (Finding(flag="trigger-author-ambiguous", detail="d"),)

    made = ledger(note(1, MARK, people.eve), findings=derived, engine=None, complete=False)

    assert flags(made) == [
        "trigger-author-ambiguous -",
        "engine-actor-unresolved -",
        "incomplete-fetch -",
        "forged-marker issue_comment:1",
    ]


def test_an_engine_that_is_not_known_is_not_shared(ledger: Make, flags: Make) -> None:
    assert flags(ledger(engine=None, trigger_author=Account(login=""))) == ["engine-actor-unresolved -"]
