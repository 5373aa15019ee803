"""Two writers of one state: whoever merges, and in whatever order, gets the same, and nothing is lost."""

import itertools
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
    back = record(observed_rev=1)

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
    with pytest.raises(Invalid, match=r"^state: two threads cannot be merged$") as refused:
        merge(state(), state(thread_key="github:acme/demo#8"))
    assert refused.value.field == "thread_key"


def test_what_is_said_of_the_writing_is_the_newer_states() -> None:
    """The one of the higher revision; of one revision the one made later, by the later name, with more besides."""
    steps = [
        state(rev=1, parent_rev=9, writer="z"),
        state(rev=2),
        state(rev=2, parent_rev=1),
        state(rev=2, parent_rev=1, writer="A", unknown={"a": 9, "b": 1}),
        state(rev=2, parent_rev=1, writer="A", unknown={"a": 9, "b": 2}),
        state(rev=2, parent_rev=1, writer="B"),
        state(rev=2, parent_rev=2, writer="A"),
    ]

    for older, newer in itertools.pairwise(steps):
        assert merge(older, newer) == merge(newer, older) == newer


def test_the_order_of_unknown_fields_does_not_make_one_newer() -> None:
    one, other = state(unknown={"b": 1, "a": 1}), state(unknown={"a": 1, "c": 1})

    assert merge(one, other) == merge(other, one) == other


def test_of_two_records_seen_at_once_the_one_edited_later_counts_then_the_greater_as_json() -> None:
    minutes = [None, *(START + timedelta(minutes=minute) for minute in (1, 2))]
    steps = [record(updated_at=minute, first_seen=1, user_login="b") for minute in minutes]
    steps += [record(updated_at=minutes[2], first_seen=1, user_login="c")]

    for older, newer in itertools.pairwise(steps):
        assert merge(state(thread=(older,)), state(thread=(newer,))).thread == (newer,)
        assert merge(state(thread=(newer,)), state(thread=(older,))).thread == (newer,)


def test_when_a_record_was_first_seen_does_not_make_it_later() -> None:
    early, late = record(first_seen=1, digest="b"), record(first_seen=9, digest="a")

    for states in ((early, late), (late, early)):
        (merged,) = merge(*(state(thread=(one,)) for one in states)).thread
        assert (merged.digest, merged.first_seen) == ("b", 1)


def test_the_steps_of_both_stand_once_in_the_order_of_their_times() -> None:
    first, last = HistoryEntry(step="review", at=START), HistoryEntry(step="answer", at=START + timedelta(hours=1))
    same = HistoryEntry(step="zeal", at=START)

    merged = merge(state(history=(last, same)), state(history=(first, last)))

    assert merged.history == (first, same, last)
