"""Looking at a state without a run: what it takes, and what stands in the text of a comment."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tertulia.errors import Invalid
from tertulia.ledger import (
    Finding,
    HistoryEntry,
    Reader,
    Recalled,
    StateKeys,
    StepInputRecord,
    ThreadRecord,
    WorkflowState,
    recall_text,
    size_report,
)
from tertulia.ledger._letter import write_state

START = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
THREAD = "slack:T1/C1#général"
KEYS = StateKeys({"k1": "a published key, for tests only"})
STEP = HistoryEntry(step="answer", at=START, inputs=(StepInputRecord(name="title", value="Cart"),))


def record(number: int, **fields: Any) -> ThreadRecord:
    return ThreadRecord(kind="command", source_type="issue_comment", id=str(number), **fields)


NAMED = tuple(
    record(number, user_login=f"eve-{number * 7919}", user_name=f"Dr. {number * 104729}") for number in range(7)
)


def state(**fields: Any) -> WorkflowState:
    return WorkflowState(**({"thread_key": THREAD, "rev": 3, "parent_rev": 2} | fields))


def chars(made: WorkflowState) -> int:
    return len(write_state(made).body)


def test_the_parts_of_a_state_are_measured_each_by_what_it_adds() -> None:
    whole = state(thread=NAMED, history=(STEP,))
    bare = tuple(record(number) for number in range(7))

    report = size_report(whole)

    assert (report.chars, report.limit, report.records) == (chars(whole), 60_000, 7)
    assert report.steps_chars == chars(whole) - chars(state(thread=NAMED)) > 0
    assert report.names_chars == chars(whole) - chars(state(thread=bare, history=(STEP,))) > 0
    assert report.record_chars == round((chars(state(thread=NAMED)) - chars(state())) / 7, 1)
    assert report.record_chars != round(report.record_chars)
    assert (report.left_out, report.fits) == ((), True)


def test_a_state_without_records_and_steps_takes_its_frame() -> None:
    report = size_report(state())

    assert (report.records, report.record_chars, report.steps_chars, report.names_chars) == (0, 0.0, 0, 0)


def test_what_is_left_out_and_what_does_not_fit_is_told() -> None:
    whole = state(thread=NAMED)

    tight, no_room = size_report(whole, chars(whole) - 1), size_report(whole, 100)

    assert (tight.left_out, tight.fits) == (("display names",), True)
    assert (no_room.left_out, no_room.fits) == ((), False)
    assert tight.chars == no_room.chars == chars(whole)


def test_a_text_names_the_thread_it_is_of() -> None:
    body = write_state(state()).body

    assert recall_text(body) == recall_text(body, THREAD) == (THREAD, Recalled(state(), source="text"))


def test_what_is_known_of_the_reader_counts_for_a_text() -> None:
    signed = write_state(state(), KEYS, marker_prefix="our-").body

    assert recall_text(signed, None, Reader(keys=KEYS, marker_prefix="our-", min_rev=3))[1].state == state()
    assert refusal(signed, Reader(keys=StateKeys({"k2": "another key, for tests"}), marker_prefix="our-")) == Finding(
        flag="state-mac-invalid", detail="none of our keys signed it"
    )
    assert refusal(signed, Reader(marker_prefix="our-", min_rev=4)) == Finding(
        flag="state-rollback", detail="revision 3 is older than 4, which was seen before"
    )


def refusal(body: str, reader: Reader) -> Finding:
    key, recalled = recall_text(body, None, reader)
    assert (key, recalled.state, recalled.source, recalled.writable) == (THREAD, None, "none", True)
    (finding,) = recalled.findings
    return finding


def test_over_a_state_of_a_later_release_nothing_may_be_written() -> None:
    key, recalled = recall_text(write_state(state()).body.replace(" v5 ", " v6 "))

    assert (key, recalled.state, recalled.writable) == (THREAD, None, False)
    assert [finding.flag for finding in recalled.findings] == ["state-schema-newer"]


@pytest.mark.parametrize(("asked", "told"), [(None, ""), (THREAD, THREAD)])
def test_lines_that_only_look_like_a_state_name_no_thread(asked: str | None, told: str) -> None:
    key, recalled = recall_text(write_state(state()).body.replace("data=", "data=!"), asked)

    assert (key, recalled.state, recalled.writable) == (told, None, True)
    assert [finding.flag for finding in recalled.findings] == ["state-rejected"]


def test_a_text_without_a_state_is_refused() -> None:
    with pytest.raises(Invalid, match=r"^state: the text holds none$") as refused:
        recall_text("Ship it.")
    assert refused.value.field == "state"
