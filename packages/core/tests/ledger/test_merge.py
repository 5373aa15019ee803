"""Two writers of one state: whoever merges, and in whatever order, gets the same, and nothing is lost."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertulia.errors import Invalid
from tertulia.ledger import ThreadRecord, WorkflowState
from tertulia.ledger._history import HistoryEntry
from tertulia.ledger._merge import merge

START = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
KEY = "github:acme/demo#7"


def state(**fields: Any) -> WorkflowState:
    return WorkflowState(**({"thread_key": KEY, "rev": 1} | fields))


def record(ident: int = 104, **fields: Any) -> ThreadRecord:
    start = {"kind": "human-feedback", "source_type": "issue_comment", "created_at": START + timedelta(minutes=ident)}
    return ThreadRecord(id=str(ident), **(start | fields))


some = st.one_of(st.none(), st.integers(1, 3))
records = st.builds(
    record,
    st.integers(1, 3),
    first_seen=some,
    observed_rev=some,
    deleted=st.booleans(),
    trusted=st.booleans(),
    updated_at=st.sampled_from([None, START, START + timedelta(hours=1)]),
    user_login=st.sampled_from([None, "ana", "bo"]),
)
entries = st.builds(
    HistoryEntry,
    step=st.sampled_from(["answer", "review"]),
    at=st.sampled_from([START, START + timedelta(hours=1)]),
    agent=st.sampled_from([None, "helper"]),
)
states = st.builds(
    state,
    rev=st.integers(1, 3),
    parent_rev=some,
    writer=st.sampled_from([None, "a", "b"]),
    thread=st.lists(records, max_size=4).map(tuple),
    history=st.lists(entries, max_size=3).map(tuple),
)


@given(states, states)
def test_the_order_of_two_does_not_matter(one: WorkflowState, other: WorkflowState) -> None:
    assert merge(one, other) == merge(other, one)


@given(states, states, states)
def test_the_order_of_three_does_not_matter(one: WorkflowState, two: WorkflowState, three: WorkflowState) -> None:
    assert merge(merge(one, two), three) == merge(one, merge(two, three))


@given(states, states)
def test_merging_again_changes_nothing(one: WorkflowState, other: WorkflowState) -> None:
    merged = merge(one, other)

    assert merge(merged, merged) == merged
    assert merge(merged, one) == merged
    assert merge(merged, other) == merged


@given(states, states)
def test_no_record_and_no_step_is_lost(one: WorkflowState, other: WorkflowState) -> None:
    merged = merge(one, other)

    assert {record.ref for record in merged.thread} == {record.ref for record in (*one.thread, *other.thread)}
    assert set(merged.history) == {*one.history, *other.history}
    assert merged.rev == max(one.rev, other.rev)


def test_of_two_records_the_one_seen_later_counts_then_the_deleted_one() -> None:
    alive, gone = record(), record(deleted=True)
    back = record(observed_rev=5)

    assert merge(state(thread=(alive,)), state(thread=(gone,))).thread == (gone,)
    assert merge(state(thread=(gone,)), state(thread=(back,))).thread == (back,)


def test_a_record_was_first_seen_when_either_saw_it() -> None:
    (merged,) = merge(
        state(thread=(record(first_seen=4, observed_rev=9),)), state(thread=(record(first_seen=2, observed_rev=3),))
    ).thread

    assert (merged.first_seen, merged.observed_rev) == (2, 9)


def test_merged_records_stand_in_the_order_of_the_thread() -> None:
    opening = record(900, source_type="issue", kind="issue-body")
    merged = merge(state(thread=(record(3), record(1))), state(thread=(record(2), opening)))

    assert [one.id for one in merged.thread] == ["900", "1", "2", "3"]


def test_two_threads_are_not_merged() -> None:
    with pytest.raises(Invalid, match="thread"):
        merge(state(), state(thread_key="github:acme/demo#8"))
