"""The next state of a thread, made of the one before."""

import json
from datetime import UTC, datetime

import pytest

from tertulia.errors import Invalid
from tertulia.ledger import HistoryEntry, StepInputRecord, ThreadRecord, WorkflowState, build_state
from tertulia.ledger._state import MAX_UNKNOWN, parsed

AT = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
KEY = "github:acme/demo#7"
ONE, TWO = (ThreadRecord(kind="command", source_type="issue_comment", id=ident) for ident in ("1", "2"))
STEP = HistoryEntry(step="answer", at=AT, inputs=(StepInputRecord(name="title", value="token=hunter2"),))
BEFORE = WorkflowState(thread_key=KEY, rev=4, parent_rev=3, writer="w", thread=(ONE,), history=(STEP,))


def test_the_first_state_has_no_parent() -> None:
    assert build_state(None, thread_key=KEY) == WorkflowState(thread_key=KEY, rev=1)


def test_without_records_those_before_are_carried_forward() -> None:
    after = build_state(BEFORE, thread_key=KEY, writer="x")

    assert (after.rev, after.parent_rev, after.writer) == (5, 4, "x")
    assert (after.thread, after.history) == ((ONE,), (STEP,))


@pytest.mark.parametrize("records", [(), (TWO,)])
def test_records_take_the_place_of_those_before_as_a_whole(records: tuple[ThreadRecord, ...]) -> None:
    assert build_state(BEFORE, thread_key=KEY, thread=records).thread == records


def test_steps_are_added_once() -> None:
    later = STEP.model_copy(update={"step": "review"})

    assert build_state(BEFORE, thread_key=KEY, history=(STEP, later, later)).history == (STEP, later)


def test_values_are_kept_as_they_are_or_as_the_redactor_leaves_them() -> None:
    def redact(value: str) -> str:
        return value.replace("hunter2", "***")

    (kept,) = build_state(None, thread_key=KEY, history=(STEP,)).history
    (redacted,) = build_state(None, thread_key=KEY, history=(STEP,), redactor=redact).history

    assert kept == STEP
    assert redacted.inputs[0].value == "token=***"


def test_a_redactor_that_writes_more_is_cut_too() -> None:
    (redacted,) = build_state(None, thread_key=KEY, history=(STEP,), redactor=lambda value: "x" * 5_000).history

    assert len(redacted.inputs[0].value or "") == 4_096
    assert redacted.inputs[0].truncated


def test_fields_of_a_later_release_survive_in_an_authenticated_state() -> None:
    later = {**BEFORE.document(), "colour": {"of": "the sky"}}

    kept = parsed(json.loads(json.dumps(later)), authenticated=True)

    assert kept.unknown == {"colour": {"of": "the sky"}}
    assert build_state(kept, thread_key=KEY).document()["colour"] == {"of": "the sky"}
    assert parsed(later, authenticated=False) == BEFORE


def test_fields_of_a_later_release_are_few_or_none() -> None:
    room = MAX_UNKNOWN - len('{"colour": ""}')

    assert parsed({**BEFORE.document(), "colour": "x" * room}, authenticated=True).unknown != {}
    assert parsed({**BEFORE.document(), "colour": "x" * (room + 1)}, authenticated=True) == BEFORE


def test_a_document_says_what_is_known_and_nothing_else() -> None:
    first = {"schema": 5, "thread_key": KEY, "rev": 1, "thread": [], "history": []}
    record = {
        "kind": "command",
        "source_type": "issue_comment",
        "id": "1",
        "trusted": False,
        "deleted": False,
        "cut": 0,
    }

    assert build_state(None, thread_key=KEY).document() == first
    assert BEFORE.document()["thread"] == [record]


def test_a_field_that_is_wrong_is_named() -> None:
    with pytest.raises(Invalid, match=r"^state: rev: "):
        parsed({**BEFORE.document(), "rev": 0}, authenticated=True)
