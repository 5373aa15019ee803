"""Steps of agents, and what they were given."""

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from tertulia.ledger._history import MAX_VALUE_CHARS, HistoryEntry, StepInputRecord

AT = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


def test_a_value_is_kept_as_it_is() -> None:
    value = "x --> <!-- workflow-state {} --> \u202e\x00"

    assert StepInputRecord(name="title", value=value).value == value
    assert not StepInputRecord(name="title", value=value).truncated


def test_a_long_value_is_cut_and_says_so() -> None:
    long = StepInputRecord(name="body", value="é" * (MAX_VALUE_CHARS + 1))

    assert long.value == "é" * MAX_VALUE_CHARS
    assert long.truncated
    assert not StepInputRecord(name="body", value="é" * MAX_VALUE_CHARS).truncated


def test_a_step_says_which_when_and_how_it_was_answered() -> None:
    entry = HistoryEntry(step="answer", agent="helper", at=AT, trigger="issue_comment:104", reply="issue_comment:105")

    assert HistoryEntry.model_validate_json(entry.model_dump_json()) == entry


@pytest.mark.parametrize("wrong", [{"step": ""}, {"at": datetime(2026, 3, 2)}, {"reply": "105"}, {"colour": "red"}])
def test_what_is_no_step_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        HistoryEntry.model_validate({"step": "answer", "at": AT} | wrong)
