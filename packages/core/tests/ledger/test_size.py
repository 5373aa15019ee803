"""How much the state of a ledger would take."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tertulia.ledger import StateInfo, ThreadRecord
from tertulia.ledger._size import measure

Make = Callable[..., Any]


def test_the_size_of_a_state_is_measured_and_nothing_is_written(context: Make, note: Make) -> None:
    state = context(note(1)).state

    assert state == StateInfo(source="none", rev=1, chars=state.chars, writable=True)
    assert 256 < state.chars < 1000


def test_an_empty_ledger_takes_its_frame(context: Make) -> None:
    assert 256 < context().state.chars < 500


def test_records_that_follow_one_another_take_little(context: Make, note: Make, people: SimpleNamespace) -> None:
    """Ids and times are written as differences: 2,500 records in step take a tenth of the ordinary 25,000 characters."""
    made = context(*(note(number, author=people.bo) for number in range(1, 2501)))

    assert made.state.chars < 2_500


def test_the_limit_is_60000_characters(context: Make, note: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    chars = context(note(1)).state.chars
    assert context(note(1)).state.writable

    for limit, writable in ((chars, True), (chars - 1, False)):
        monkeypatch.setattr("tertulia.ledger._size.MAX_STATE", limit)
        assert context(note(1)).state.writable is writable


def test_names_and_words_of_authors_take_room(context: Make, note: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = context(note(1)).state.chars

    for fields in ({"author_name": "Ana Ruiz"}, {"minimized": "off-topic"}, {"parent_id": "987654321"}):
        assert context(note(1, **fields)).state.chars > plain


def test_ids_may_be_any_words(context: Make, note: Make) -> None:
    made = context(*(note(name) for name in ("a", "10", "b", "12", "x9")))

    assert made.state.chars > 256


def test_what_may_be_left_out_is_no_reason_not_to_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """Display names may go, and logins of those whom nobody trusts."""
    kept = {"trusted": True, "user_login": "ana-ruiz"}
    whole = [record(1, user_name="Ana Ruiz", **kept), record(2, user_name="Eve", user_login="eve-x")]
    chars, (least, _) = measure(whole)[0], measure([record(1, **kept), record(2)])
    assert chars > least

    for limit, fits in ((chars, True), (least, True), (least - 1, False)):
        monkeypatch.setattr("tertulia.ledger._size.MAX_STATE", limit)
        assert measure(whole) == (chars, fits)


def record(number: int, **fields: Any) -> ThreadRecord:
    return ThreadRecord(kind="command", source_type="issue_comment", id=str(number), **fields)
