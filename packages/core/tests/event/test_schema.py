"""The exported JSON Schema says what the model holds, but for the rules a schema cannot say."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertulia.errors import Invalid
from tertulia.event import Event, schema

Document = dict[str, Any]

REMOVED = object()
PATHS = [
    "repo",
    "entity",
    "entity.kind",
    "entity.id",
    "entity.key",
    "entity.url",
    "entity.linked_change_proposal",
    "entity.linked_change_proposal.id",
    "transition",
    "transition.kind",
    "transition.label",
    "transition.label.name",
    "transition.review",
    "transition.review.state",
    "transition.comment",
    "transition.comment.id",
    "transition.comment.parent_id",
    "transition.comment.body",
    "transition.comment.command",
    "transition.comment.commands",
    "transition.comment.author",
    "transition.comment.author.kind",
    "transition.comment.created_at",
    "transition.comment.addressed",
    "actor.id",
    "actor.role",
    "actor.role_verified",
    "state.labels",
    "state.conversation",
    "state.conversation.category",
    "state.conversation.category.name",
    "state.conversation.category.format",
    "state.conversation.locked",
    "state.change_proposal",
    "state.change_proposal.id",
    "state.change_proposal.is_fork",
    "state.change_proposal.head_repo",
    "state.change_proposal.head_sha",
    "source.system",
    "source.raw_type",
    "source.raw_action",
    "delivery",
    "delivery.key",
    "delivery.time",
    "unknown",
    "actor.unknown",
]
WORDS = [
    *("github", "gitlab", "jira", "slack", "schedule", "work_item", "change_proposal", "conversation"),
    *("opened", "label_changed", "comment_added", "comment_edited", "comment_deleted", "review_submitted", "updated"),
    *("acme/shop", "acme/..", "a/./b", "SHOP-3", "T1/C1", "T1\u2003C1", "https://x/y", "x:", "approved", "none", "bot"),
    *("question_answer", "", " ", "\u3000", "a" * 40, "a" * 64, "a" * 65, "a" * 256, "é" * 4096, "é" * 4097),
    *("2026-10-01T10:00:00Z", "2026-02-30T10:00:00Z", "2026-10-01T10:00:00", "1700000000", "line\nbreak", "a\x00b"),
]
PARTS: list[Any] = [
    {"name": "ready", "action": "added"},
    {"state": "approved", "reviewer_id": "ana"},
    {"body": "hi"},
    {"id": "1", "parent_id": "1", "body": "hi"},
    {"category": {"name": "Ideas"}},
    {"id": 12, "url": "https://x/12"},
    {"key": "k"},
    {"login": "ana", "kind": "human"},
    ["bug"],
    ["bug", ""],
    [],
    {},
]
VALUES = st.one_of(
    st.just(REMOVED),
    st.sampled_from(WORDS),
    st.sampled_from(PARTS),
    st.sampled_from([None, True, False, 0, 1, 7, 12, 12.0, 12.5, -1, 10**20]),
    st.text(max_size=5),
)
CHANGES = st.lists(st.tuples(st.sampled_from(PATHS), VALUES), min_size=1, max_size=4)


def only_the_model_says(document: Document) -> Iterator[str]:
    """Name the rules a schema cannot say that a document breaks. This is the whole list."""
    proposal = document["state"].get("change_proposal", {})
    repos = [document.get("repo", ""), proposal.get("head_repo", ""), proposal.get("base_repo", "")]
    if any(segment in (".", "..") for repo in repos for segment in repo.split("/")):
        yield "a segment of a repository is neither . nor .."
    linked = document["entity"].get("linked_change_proposal", {})
    if proposal and "id" in linked and linked["id"] != proposal["id"]:
        yield "the linked change proposal is the change proposal of the state"
    if proposal and document["entity"]["kind"] == "change_proposal" and document["entity"].get("id") != proposal["id"]:
        yield "a change proposal is the change proposal of the state"
    comment = document["transition"].get("comment", {})
    on_conversation = document["entity"]["kind"] == "conversation"
    names = [comment.get("id", "x"), comment.get("parent_id", "x")] if on_conversation else []
    category = document["state"].get("conversation", {}).get("category", {})
    if not all(name.strip() for name in [*names, category.get("name", "x")]):
        yield "names and ids of a conversation are not blank (white space differs between dialects of patterns)"
    times = [comment.get("created_at"), document.get("delivery", {}).get("time")]
    if "2026-02-30T10:00:00Z" in times:
        yield "a time is on the calendar (`format` is an annotation)"


def strict(node: Any) -> Any:
    """Read `$` in patterns as JSON Schema does, as the very end; Python also lets a line feed follow."""
    if isinstance(node, list):
        return [strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: value.removesuffix("$") + r"\Z" if key == "pattern" and isinstance(value, str) else strict(value)
        for key, value in node.items()
    }


VALIDATOR = jsonschema.Draft202012Validator(strict(schema()))


def put(document: Document, path: str, value: Any) -> None:
    """Set or remove one place, where the document has objects on the way to it."""
    *steps, last = path.split(".")
    place: Any = document
    for step in steps:
        place = place.get(step) if isinstance(place, dict) else None
    if isinstance(place, dict) and value is REMOVED:
        place.pop(last, None)
    elif isinstance(place, dict):
        place[last] = copy.deepcopy(value)


def refused(document: Document) -> str:
    """Give the model's refusal, or nothing."""
    try:
        Event.check(document)
    except Invalid as refusal:
        return str(refusal)
    return ""


def test_the_schema_is_valid_in_its_own_dialect() -> None:
    made = schema()

    jsonschema.Draft202012Validator.check_schema(made)
    assert made["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert json.loads(json.dumps(made)) == made


def test_the_schema_never_asks_for_null() -> None:
    assert '"null"' not in json.dumps(schema())


def test_the_schema_accepts_what_the_model_writes(documents: dict[str, Document]) -> None:
    for name, document in documents.items():
        assert VALIDATOR.is_valid(Event.check(document).document()), name


def test_a_number_is_at_least_one_in_every_dialect() -> None:
    entity = schema()["$defs"]["Entity"]["properties"]

    assert entity["id"]["minimum"] == 1


def test_every_object_is_closed() -> None:
    made = schema()

    for name, part in {"Event": made, **made["$defs"]}.items():
        assert part["additionalProperties"] is False, name


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_schema_and_model_agree_on_mutated_events(documents: dict[str, Document], data: st.DataObject) -> None:
    document = copy.deepcopy(documents[data.draw(st.sampled_from(sorted(documents)))])
    for path, value in data.draw(CHANGES):
        put(document, path, value)

    refusal = refused(document)

    if VALIDATOR.is_valid(document):
        assert bool(refusal) is any(only_the_model_says(document)), refusal
    else:
        assert refusal, next(VALIDATOR.iter_errors(document)).message


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("issue opened", "repo", "acme/.."),
        ("pull request opened", "state.change_proposal.head_repo", "a/./b"),
        ("pull request commented", "entity.linked_change_proposal.id", 13),
        ("pull request opened", "state.change_proposal.id", 13),
        ("discussion commented", "transition.comment.parent_id", "\u3000"),
        ("discussion opened", "state.conversation.category.name", " "),
        ("message posted", "delivery.time", "2026-02-30T10:00:00Z"),
    ],
)
def test_a_rule_only_the_model_says_is_none_of_the_schemas(
    documents: dict[str, Document], name: str, path: str, value: Any
) -> None:
    document = copy.deepcopy(documents[name])
    put(document, path, value)

    assert len(list(only_the_model_says(document))) == 1
    assert VALIDATOR.is_valid(document)
    assert refused(document)
