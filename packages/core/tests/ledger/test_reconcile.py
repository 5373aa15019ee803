"""Reconciling a listing with the records before: order, keys, what follows the live message and what never changes."""

import itertools
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from tertulia.ledger import Ledger, ThreadRecord, reconcile
from tertulia.thread import Account, Listing

Make = Callable[..., Any]


def _refs(made: Ledger) -> list[str]:
    return [record.ref for record in made.records]


def test_the_opening_post_comes_first_even_when_it_is_newer(ledger: Make, issue: Make, note: Make, at: Make) -> None:
    made = ledger(note(5), issue(created_at=at(60)))

    assert _refs(made) == ["issue:9007", "issue_comment:5"]


def test_records_are_in_the_order_of_their_times(ledger: Make, note: Make, at: Make) -> None:
    made = ledger(note(5, created_at=at(3)), note(6, created_at=at(1)), note(7, created_at=at(2)))

    assert _refs(made) == ["issue_comment:6", "issue_comment:7", "issue_comment:5"]


def test_in_one_second_the_type_decides_then_the_number(ledger: Make, note: Make, at: Make) -> None:
    same = at(1)
    first = note(10, created_at=same + timedelta(microseconds=900_000))
    made = ledger(
        note(2, created_at=same, source_type="review_comment"),
        note(9, created_at=same),
        first,
        note(30, created_at=same),
    )

    assert _refs(made) == ["issue_comment:9", "issue_comment:10", "issue_comment:30", "review_comment:2"]


def test_ids_that_are_not_numbers_come_after_those_that_are(ledger: Make, note: Make, at: Make) -> None:
    made = ledger(*(note(name, created_at=at(1)) for name in ("b", "a", "10", "9", "0x1")))

    assert _refs(made) == [f"issue_comment:{name}" for name in ("9", "10", "0x1", "a", "b")]


def test_the_order_of_the_listing_changes_nothing(ledger: Make, issue: Make, note: Make) -> None:
    messages = [issue(), note(1), note(2), note(2, "An older page.", updated_at=None)]

    made = [ledger(*order) for order in itertools.permutations(messages)]

    assert all(other == made[0] for other in made)


def test_versions_that_differ_in_a_time_only_are_told_apart(ledger: Make, note: Make, at: Make) -> None:
    first, second = (note(1, created_at=at(minute), updated_at=at(9)) for minute in (1, 2))

    assert ledger(first, second) == ledger(second, first)


def test_versions_that_differ_in_a_set_are_told_apart_in_every_process_alike(ledger: Make, note: Make) -> None:
    def listed(number: int, association: str, *aliases: str) -> Any:
        author = Account(id="41", login="ana", aliases={f"{name}{number}" for name in aliases})
        return note(number, author=author, association=association)

    made = ledger(*(listed(n, *way) for n in range(20) for way in (("NONE", "a", "z"), ("OWNER", "b", "c"))))

    assert {record.author_association for record in made.records} == {"OWNER"}


def test_a_comment_listed_twice_is_one_record(ledger: Make, note: Make) -> None:
    assert _refs(ledger(note(1), note(2), note(1))) == ["issue_comment:1", "issue_comment:2"]


def test_of_two_versions_the_last_updated_counts(context: Make, note: Make, at: Make) -> None:
    old, new = note(1, "Old words.", updated_at=at(2)), note(1, "New words.", updated_at=at(3))

    for order in ((old, new), (new, old)):
        text = context(*order).text
        assert "New words." in text
        assert "Old words." not in text


def test_a_version_without_an_update_is_older_than_one_with(context: Make, note: Make, at: Make) -> None:
    made = context(note(1, "New words.", updated_at=at(3)), note(1, "Old words."))

    assert "New words." in made.text


def test_of_two_equal_versions_the_deleted_one_counts(ledger: Make, note: Make) -> None:
    made = ledger(note(1, deleted=True), note(1, "zzz"))

    assert [record.deleted for record in made.records] == [True]


def test_equal_versions_are_compared_whatever_characters_they_have(ledger: Make, note: Make) -> None:
    """A lone surrogate is no character that UTF-8 can write."""
    messages = [note(1, "\ud800"), note(1, "\ud801", author_name="\udfff")]

    assert ledger(*messages) == ledger(*messages[::-1])


def test_three_artifacts_with_one_number_are_three_records(ledger: Make, note: Make) -> None:
    made = ledger(*(note(778, source_type=name) for name in ("issue_comment", "review", "review_comment")))

    assert len(made.records) == 3


@pytest.mark.parametrize("body", ["", " \n\t"])
def test_a_review_without_a_body_is_no_artifact(ledger: Make, note: Make, body: str) -> None:
    made = ledger(note(1), note(2, body, source_type="review"), note(3))

    assert _refs(made) == ["issue_comment:1", "issue_comment:3"]


def test_a_review_with_a_body_is_one(ledger: Make, note: Make) -> None:
    assert _refs(ledger(note(2, "Fine.", source_type="review"))) == ["review:2"]


def test_a_known_review_stays_when_its_body_is_emptied(ledger: Make, note: Make) -> None:
    before = ledger(note(2, "Fine.", source_type="review")).records

    made = ledger(note(2, "", source_type="review"), previous=before)

    assert _refs(made) == ["review:2"]
    assert made.reasons["review:2"].decision == "flow"


def test_any_other_empty_message_is_an_artifact(ledger: Make, note: Make) -> None:
    assert _refs(ledger(note(2, ""))) == ["issue_comment:2"]


def test_everything_a_message_says_of_itself_is_recorded(ledger: Make, note: Make, at: Make) -> None:
    message = note(
        104,
        parent_id="100",
        author=Account(id="80", login="loom[bot]", kind="bot"),
        author_name="Loom",
        association="NONE",
        updated_at=at(200),
        minimized="spam",
        app_id="7",
        cut=12,
    )

    record = ledger(message).records[0]

    assert record == ThreadRecord(
        kind="human-feedback",
        source_type="issue_comment",
        id="104",
        url="https://github.com/acme/shop/issues/7#issuecomment-104",
        user_id="80",
        user_login="loom[bot]",
        user_name="Loom",
        created_at=at(104),
        author_association="NONE",
        trusted=False,
        deleted=False,
        parent_id="100",
        updated_at=at(200),
        author_type="bot",
        app_id="7",
        minimized="spam",
        cut=12,
    )


def test_a_message_of_a_deleted_account_has_no_author(ledger: Make, note: Make) -> None:
    record = ledger(note(104, author=None)).records[0]

    assert (record.user_id, record.user_login, record.author_type) == (None, None, None)


def test_identity_fields_never_change(ledger: Make, note: Make, people: SimpleNamespace, at: Make) -> None:
    before = ledger(note(104)).records[0].model_copy(update={"first_seen": 3, "observed_rev": 4, "digest": "ab"})

    moved = note(104, author=people.bo, created_at=at(999), url="https://github.com/acme/other/issues/1")
    record = ledger(moved, previous=(before,)).records[0]

    kept = ("source_type", "id", "url", "user_id", "created_at", "first_seen", "observed_rev", "digest")
    assert [getattr(record, name) for name in kept] == [getattr(before, name) for name in kept]


def test_an_identity_field_that_was_unknown_is_filled(ledger: Make, note: Make) -> None:
    before = ThreadRecord(kind="human-feedback", source_type="issue_comment", id="104")

    record = ledger(note(104), previous=(before,)).records[0]

    assert record == ledger(note(104)).records[0]


def test_the_rest_follows_the_live_message(ledger: Make, note: Make, at: Make) -> None:
    """Login, name, association, kind and trust are those of today, so an edit or a revoked membership shows."""
    before = ledger(note(104, "/fix it", author_name="Ana")).records

    renamed = Account(id="41", login="ana-new")
    now = note(104, "never mind", renamed, author_name="A. Ruiz", association="NONE", updated_at=at(900))
    record = ledger(now, previous=before).records[0]

    assert before[0].kind == "command"
    assert before[0].trusted
    assert record.kind == "human-feedback"
    assert (record.user_login, record.user_name, record.author_association) == ("ana-new", "A. Ruiz", "NONE")
    assert (record.trusted, record.updated_at) == (False, at(900))


def test_a_message_that_changed_hands_is_not_trusted(ledger: Make, note: Make, people: SimpleNamespace) -> None:
    before = ledger(note(104, author=people.eve)).records

    made = ledger(note(104), previous=before)

    assert not made.records[0].trusted
    assert made.reasons["issue_comment:104"].decision == "unverified"
    assert made.reasons["issue_comment:104"].reason == "the account is not the one on record"


def test_a_missing_membership_is_the_reason_where_the_account_changed_too(
    ledger: Make, note: Make, people: SimpleNamespace
) -> None:
    before = ledger(note(104, author=people.eve)).records

    made = ledger(note(104, association="NONE"), previous=before)

    assert made.reasons["issue_comment:104"].reason == "the trigger author, but not an owner, member or collaborator"


def test_new_messages_are_appended_to_the_known_ones(ledger: Make, note: Make) -> None:
    before = ledger(note(1)).records

    made = ledger(note(1), note(2), previous=before)

    assert _refs(made) == ["issue_comment:1", "issue_comment:2"]


def test_a_known_record_without_a_time_comes_last(ledger: Make, note: Make) -> None:
    before = ThreadRecord(kind="human-feedback", source_type="issue_comment", id="1")

    made = ledger(note(2), previous=(before,), complete=False)

    assert _refs(made) == ["issue_comment:2", "issue_comment:1"]


def test_a_record_given_twice_is_kept_once(ledger: Make, note: Make) -> None:
    before = ledger(note(1)).records

    made = ledger(note(2), previous=(*before, *before), complete=False)

    assert _refs(made) == ["issue_comment:1", "issue_comment:2"]


def test_reconciling_twice_changes_nothing(ledger: Make, issue: Make, note: Make) -> None:
    messages = [issue(), note(1), note(2, deleted=True), note(3, "/go")]
    before = ledger(*messages, note(4)).records
    asked: dict[str, Any] = {"reported": {"issue_comment": 3}}

    first = ledger(*messages, previous=before, **asked)
    second = ledger(*messages, previous=first.records, **asked)

    assert first.records[-1].deleted
    assert second == first


def test_every_record_has_a_verdict_with_a_reason(ledger: Make, issue: Make, note: Make) -> None:
    made = ledger(issue(), note(1), note(2, deleted=True))

    assert set(made.reasons) == set(_refs(made))
    assert all(verdict.reason for verdict in made.reasons.values())


def test_an_empty_listing_of_an_unknown_thread_is_an_empty_ledger() -> None:
    made = reconcile(Listing(messages=()))

    assert (made.records, dict(made.reasons)) == ((), {})


def test_a_second_opening_post_is_left_out(ledger: Make, issue: Make, at: Make) -> None:
    made = ledger(issue(), issue(id="9008", created_at=at(1)))

    assert [made.reasons[ref].decision for ref in _refs(made)] == ["body", "excluded"]
    assert made.reasons["issue:9008"].reason == "a second opening post"


def test_a_second_opening_post_does_not_stand_in_for_a_deleted_one(ledger: Make, issue: Make, at: Make) -> None:
    made = ledger(issue(deleted=True), issue(id="9008", created_at=at(1)))

    assert made.reasons["issue:9007"].decision == "deleted"
    assert made.reasons["issue:9008"].decision == "excluded"
