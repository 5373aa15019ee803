"""The schemas of what goes in and what comes out."""

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tertulia.ledger import HistoryEntry, StepInputRecord, WorkflowState, context_schema, snapshot_schema, state_schema

Make = Callable[..., Any]


@pytest.fixture
def snapshots() -> Draft202012Validator:
    """A validator of snapshots."""
    return Draft202012Validator(snapshot_schema())


@pytest.mark.parametrize("schema", [snapshot_schema, context_schema, state_schema])
def test_a_schema_is_valid_draft_2020_12(schema: Make) -> None:
    made = schema()

    Draft202012Validator.check_schema(made)
    assert made["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert made["$id"].startswith("urn:tertulia:")
    assert json.loads(json.dumps(made)) == made


def test_schemas_have_names_and_numbers() -> None:
    assert (snapshot_schema()["$id"], snapshot_schema()["title"]) == ("urn:tertulia:snapshot:v1", "Snapshot")
    assert (context_schema()["$id"], context_schema()["title"]) == ("urn:tertulia:context:v1", "Context")
    assert (state_schema()["$id"], state_schema()["title"]) == ("urn:tertulia:state:v5", "State")


def test_every_reference_in_a_schema_leads_somewhere() -> None:
    for made in (snapshot_schema(), context_schema(), state_schema()):
        found = {part.partition('"')[0] for part in json.dumps(made).split('"$ref": "#/$defs/')[1:]}
        assert found <= set(made["$defs"])


def test_a_snapshot_that_is_read_validates(
    saved: Make, opened: Make, item: Make, snapshots: Draft202012Validator
) -> None:
    rest = {"id": 9007, "number": 7, "title": "t", "created_at": "2026-03-02T08:00:00Z", "user": None, "comments": 0}
    document = saved(
        rest,
        [item("a"), [item(5, user={"login": "x", "id": "U1", "__typename": "Bot"}, files=[{"name": "a", "size": 3}])]],
        {"gen": {"count": 2, "template": item()}},
        item(6, body_gen={"prefix": "a", "times": 2}, parent_id=4, line=3, deleted_at="2026-03-02T08:00:00Z"),
        trigger_author={"id": 41, "login": "ana-ruiz"},
        engine_actor=None,
        command_prefix=["/a"],
        window=3,
        pinned=["issue_comment:1"],
        previous_ledger=[{"ref": "issue_comment:1", "user_id": 41, "trusted": True}],
        fetch={"complete": True, "reported_count": {"review": 1}},
        trigger_time="2026-03-02T08:00:00Z",
        event={"kind": "closed", "sender": {"id": 41}},
        step_inputs=[{"name": "a", "value": "b", "more": 1}],
        policy={"trusted_bot_ids": [1, "2"], "permissions": {"1": "read"}, "max_record_chars": 5},
    )

    opened(document)
    snapshots.validate(document)


@pytest.mark.parametrize(
    "document",
    [
        {},
        [],
        {"thread": {}},
        {"thread": [1]},
        {"thread": [], "more": 1},
        {"thread": [], "context": {"more": 1}},
        {"thread": [], "context": {"policy": {"state_key": "x"}}},
        {"thread": [], "context": {"pinned": ["104"]}},
        {"thread": [{"body": "without an id"}]},
        {"thread": [{"gen": {"count": 1}}]},
        {"thread": [{"gen": 1}]},
        {"thread": [{"id": 1, "body_gen": {"times": -1}}]},
        {"thread": [{"gen": {"count": -1, "template": {}}}]},
        {"thread": [{}]},
        {"thread": [{"gen": {"count": 1, "template": {}}, "more": 1}]},
        {"thread": [{"id": 1, "body": 1}]},
    ],
)
def test_one_that_is_not_read_does_not(document: Any, snapshots: Draft202012Validator) -> None:
    assert not snapshots.is_valid(document)


def test_a_context_validates(context: Make, issue: Make, note: Make, people: SimpleNamespace, at: Make) -> None:
    before = context(note(9)).records[0].record.model_copy(update={"first_seen": 1, "digest": "ab"})
    full = context(
        issue(),
        note(1, "a\u200b", minimized="spam", app_id="7", updated_at=at(3), parent_id="9", author_name="A"),
        note(2, author=people.eve),
        note(3, author=None),
        note(4, author=people.bot),
        previous=(before,),
    )
    validator = Draft202012Validator(context_schema())

    for made in (full, context(trigger_author=None, engine=None)):
        validator.validate(json.loads(json.dumps(made.document())))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("text",), 1),
        (("records", 0, "decision"), "shown"),
        (("records", 0, "kind"), "x"),
        (("records", 0, "body"), "x"),
        (("audit",), [{"flag": "x", "detail": ""}]),
        (("more",), 1),
        (("state", "chars"), "1"),
    ],
)
def test_another_document_does_not(context: Make, note: Make, path: tuple[Any, ...], value: Any) -> None:
    document = context(note(1)).document()
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value

    assert not Draft202012Validator(context_schema()).is_valid(document)


def test_a_state_validates_with_fields_of_a_later_release_too(context: Make, note: Make, at: Make) -> None:
    step = HistoryEntry(step="answer", at=at(5), inputs=(StepInputRecord(name="x", value="y"),))
    records = tuple(entry.record for entry in context(note(1), note(2)).records)
    state = WorkflowState(thread_key="t", rev=2, parent_rev=1, thread=records, history=(step,), unknown={"later": 1})
    validator = Draft202012Validator(state_schema())

    validator.validate(state.document())
    assert "unknown" not in state_schema()["properties"]
    for wrong in ({"schema": 4}, {"rev": 0}, {"thread": [{"kind": "command"}]}, {"history": [{"step": ""}]}):
        assert not validator.is_valid(state.document() | wrong)
