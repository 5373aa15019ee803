"""What is not listed any more: a tombstone needs proof."""

from collections.abc import Callable
from typing import Any

import pytest

from tertulia.ledger import Ledger, ThreadRecord

Make = Callable[..., Any]


@pytest.fixture
def before(ledger: Make, issue: Make, note: Make) -> tuple[ThreadRecord, ...]:
    """The records of an issue and six comments."""
    return ledger(issue(), *(note(number) for number in range(1, 7))).records


def _deleted(made: Ledger) -> list[str]:
    return [record.ref for record in made.records if record.deleted]


def _decision(made: Ledger, number: int) -> str:
    return made.reasons[f"issue_comment:{number}"].decision


def test_a_complete_listing_whose_count_agrees_is_proof(ledger: Make, issue: Make, note: Make, before: Any) -> None:
    listed = [issue(), *(note(number) for number in range(2, 7))]

    made = ledger(*listed, previous=before, reported={"issue_comment": 5})

    assert _deleted(made) == ["issue_comment:1"]
    assert _decision(made, 1) == "deleted"


@pytest.mark.parametrize(
    "asked",
    [
        {"reported": {"issue_comment": 6}},
        {"reported": {"issue_comment": 4}},
        {"reported": {"issue_comment": 5}, "complete": False},
        {"reported": {"review": 0}},
        {"reported": {}},
        {"reported": None},
    ],
)
def test_anything_less_is_no_proof(ledger: Make, issue: Make, note: Make, before: Any, asked: dict[str, Any]) -> None:
    listed = [issue(), *(note(number) for number in range(2, 7))]

    made = ledger(*listed, previous=before, **asked)

    assert _deleted(made) == []
    assert made.reasons["issue_comment:1"].decision == "excluded"
    assert made.reasons["issue_comment:1"].reason.startswith("unconfirmed")
    assert made.records[1] == before[1]


def test_one_that_was_proven_stays_and_says_why(ledger: Make, issue: Make, note: Make, before: Any) -> None:
    listed = [issue(), *(note(number) for number in range(2, 7))]
    once = ledger(*listed, previous=before, reported={"issue_comment": 5})

    again = ledger(*listed, previous=once.records)

    assert [made.reasons["issue_comment:1"].reason for made in (once, again)] == ["deleted on the backend"] * 2


def test_a_type_without_a_count_needs_direct_proof(ledger: Make, note: Make) -> None:
    before = ledger(note(1), note(2), note(3, source_type="review")).records
    asked = {"previous": before, "reported": {"issue_comment": 2}}

    assert _deleted(ledger(note(1), note(2), **asked)) == []
    assert _deleted(ledger(note(1), note(2), gone=frozenset({"review:3"}), **asked)) == ["review:3"]


def test_a_type_of_which_nothing_is_listed_agrees_with_a_count_of_none(ledger: Make, note: Make) -> None:
    before = ledger(note(1), note(2, source_type="review_comment"), note(3)).records

    made = ledger(note(1), note(3), previous=before, reported={"review_comment": 0})

    assert _deleted(made) == ["review_comment:2"]


def test_a_message_listed_twice_counts_once(ledger: Make, note: Make) -> None:
    """Pages that overlap must not make up for a message that is missing."""
    before = ledger(note(1), note(2), note(3)).records

    made = ledger(note(1), note(2), note(2), previous=before, reported={"issue_comment": 3})

    assert _deleted(made) == []


def test_a_direct_not_found_is_proof(ledger: Make, issue: Make, note: Make, before: Any) -> None:
    gone = frozenset({"issue_comment:1", "issue_comment:2"})

    made = ledger(issue(), *(note(n) for n in range(4, 7)), previous=before, gone=gone, complete=False)

    assert _deleted(made) == sorted(gone)
    assert _decision(made, 3) == "excluded"


def test_what_is_listed_is_not_gone(ledger: Make, note: Make) -> None:
    before = ledger(note(1)).records

    made = ledger(note(1), previous=before, gone=frozenset({"issue_comment:1"}))

    assert _deleted(made) == []


def test_more_than_half_together_are_taken_for_a_bad_read(
    ledger: Make, issue: Make, note: Make, before: Any, flags: Make
) -> None:
    listed = [issue(), note(1), note(2)]

    made = ledger(*listed, previous=before, reported={"issue_comment": 2})

    assert _deleted(made) == []
    assert [_decision(made, number) for number in (3, 4, 5, 6)] == ["excluded"] * 4
    assert flags(made) == ["incomplete-fetch -"]
    assert made.audit[0].detail.startswith("4 of 7 records vanished together")


def test_half_of_them_may_vanish(ledger: Make, note: Make) -> None:
    """Three of six are not more than half."""
    before = ledger(*(note(number) for number in range(1, 7))).records

    made = ledger(note(1), note(2), note(3), previous=before, reported={"issue_comment": 3})

    assert len(_deleted(made)) == 3
    assert made.audit == ()


def test_three_of_five_are_more_than_half(ledger: Make, note: Make) -> None:
    before = ledger(*(note(number) for number in range(1, 6))).records

    made = ledger(note(1), note(2), previous=before, reported={"issue_comment": 2})

    assert _deleted(made) == []


@pytest.mark.parametrize("first_seen", [None, 1, 2])
def test_whoever_was_there_when_the_missing_were_last_seen_counts(
    ledger: Make, note: Make, first_seen: int | None
) -> None:
    """Three of six are not more than half, since whenever the others are known."""
    before = ledger(*(note(number) for number in range(1, 7)), rev=2).records
    known = [record.model_copy(update={"first_seen": first_seen}) for record in before]

    made = ledger(note(1), note(2), note(3), previous=tuple(known), reported={"issue_comment": 3}, rev=3)

    assert len(_deleted(made)) == 3


def test_two_may_always_vanish(ledger: Make, note: Make) -> None:
    before = ledger(note(1), note(2)).records

    made = ledger(previous=before, reported={"issue_comment": 0})

    assert len(_deleted(made)) == 2


def test_direct_proof_counts_in_a_mass_disappearance_and_is_not_counted(ledger: Make, note: Make) -> None:
    """Five of six are gone: two with direct proof, so three of six vanish without, and the count is proof enough."""
    before = ledger(*(note(number) for number in range(1, 7))).records

    made = ledger(
        note(1), previous=before, reported={"issue_comment": 1}, gone=frozenset({"issue_comment:2", "issue_comment:3"})
    )

    assert len(_deleted(made)) == 5


def test_direct_proof_holds_for_its_own_when_the_rest_is_kept(ledger: Make, note: Make) -> None:
    before = ledger(*(note(number) for number in range(1, 6))).records

    made = ledger(note(1), previous=before, reported={"issue_comment": 1}, gone=frozenset({"issue_comment:2"}))

    assert _deleted(made) == ["issue_comment:2"]


def test_records_that_were_deleted_before_do_not_count_as_vanishing(ledger: Make, note: Make, flags: Make) -> None:
    live = ledger(note(1), note(2)).records
    old = tuple(record.model_copy(update={"deleted": True, "id": f"9{record.id}"}) for record in (*live, *live[:1]))

    made = ledger(note(1), previous=(*live, *old), reported={"issue_comment": 1})

    assert flags(made) == []
    assert "issue_comment:2" in _deleted(made)


def test_records_that_were_deleted_before_do_not_dilute_a_mass(ledger: Make, note: Make, flags: Make) -> None:
    live = ledger(*(note(number) for number in range(1, 6))).records
    old = tuple(note_.model_copy(update={"deleted": True, "id": f"9{note_.id}"}) for note_ in live)

    made = ledger(note(1), note(2), previous=(*live, *old), reported={"issue_comment": 2})

    assert flags(made) == ["incomplete-fetch -"]


def test_a_tombstone_stays_whatever_the_listing_is_worth(ledger: Make, note: Make) -> None:
    before = ledger(note(1)).records[0].model_copy(update={"deleted": True})

    made = ledger(previous=(before,), complete=False)

    assert made.records == (before,)
    assert made.reasons["issue_comment:1"].decision == "deleted"


def test_a_deleted_record_keeps_its_last_values(ledger: Make, note: Make) -> None:
    before = ledger(note(1), note(2)).records

    made = ledger(note(1), previous=before, reported={"issue_comment": 1})

    assert made.records[1] == before[1].model_copy(update={"deleted": True})


def test_a_deleted_record_is_never_rendered(context: Make, note: Make, issue: Make) -> None:
    made = context(issue("gone words", deleted=True), note(1, "lost words", deleted=True), note(2, "kept words"))

    assert made.counts["deleted"] == 2
    assert "kept words" in made.text
    assert "lost words" not in made.text
    assert "gone words" not in made.text


def test_what_comes_back_is_no_longer_deleted(ledger: Make, note: Make, flags: Make) -> None:
    before = ledger(note(1)).records[0].model_copy(update={"deleted": True})

    made = ledger(note(1), previous=(before,))

    assert made.records == ledger(note(1)).records
    assert made.reasons["issue_comment:1"].decision == "flow"
    assert flags(made) == ["resurrected issue_comment:1"]


def test_a_soft_deleted_message_that_is_still_listed_is_deleted(ledger: Make, note: Make) -> None:
    made = ledger(note(1, "", author=None, source_type="discussion_comment", deleted=True))

    assert (made.records[0].deleted, made.records[0].trusted) == (True, False)


def test_a_soft_deleted_message_is_not_trusted_whoever_wrote_it(ledger: Make, note: Make) -> None:
    made = ledger(note(1, deleted=True))

    assert not made.records[0].trusted
    assert made.reasons["issue_comment:1"].reason == "deleted on the backend"


def test_a_soft_deleted_message_keeps_what_was_known_of_it(ledger: Make, note: Make, flags: Make) -> None:
    before = ledger(note(1, source_type="slack_message")).records

    tombstone = note(1, "", author=None, association=None, source_type="slack_message", deleted=True)
    made = ledger(tombstone, previous=before)
    again = ledger(tombstone, previous=made.records)

    assert made.records == (before[0].model_copy(update={"deleted": True}),)
    assert again == made
    assert flags(again) == []
