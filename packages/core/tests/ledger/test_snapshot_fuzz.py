"""Any JSON value as a snapshot is a snapshot or `Invalid`, and any snapshot gives a context."""

import copy
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tertulia.errors import Invalid
from tertulia.ledger import Snapshot, build_context, context_schema

Json = Any
quick = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

ITEM: dict[str, Json] = {
    "source_type": "issue_comment",
    "id": 104,
    "user": {"login": "ana-ruiz", "id": 41, "type": "User", "name": "Ana", "aliases": ["B1"]},
    "author_association": "MEMBER",
    "created_at": "2026-03-02T09:44:00Z",
    "updated_at": "2026-03-02T09:44:00Z",
    "body": "Ship it.",
    "html_url": "https://github.com/acme/shop/issues/7#issuecomment-104",
    "parent_id": 3,
    "deleted_at": None,
    "tombstone": False,
    "is_minimized": True,
    "minimized_reason": "spam",
    "editor": {"login": "bo", "id": 42},
    "last_edited_at": "2026-03-02T09:45:00Z",
    "path": "a.py",
    "line": 3,
    "cut": 2,
    "marker": {"agent": "scribe", "key": "k"},
    "performed_via_github_app": {"id": 7},
    "files": [{"name": "a.txt", "mimetype": "text/plain", "size": 3}],
}
DOCUMENT: dict[str, Json] = {
    "thread": [
        {"number": 7, "id": 9, "title": "Cart", "created_at": "2026-03-02T08:00:00Z", "comments": 3, "user": None},
        ITEM,
        [ITEM | {"id": "b", "source_type": "review", "state": "APPROVED"}],
        {
            "gen": {
                "count": 2,
                "id_start": 200,
                "id_step": 2,
                "template": ITEM | {"body_gen": {"repeat": "ab", "times": 3}},
            }
        },
    ],
    "context": {
        "trigger_author": {"id": 41, "login": "ana-ruiz", "type": "User"},
        "engine_actor": {"id": 70, "login": "loom", "type": "Bot"},
        "command_prefix": ["/loom-"],
        "window": 3,
        "pinned": ["issue_comment:104"],
        "previous_ledger": [
            {"ref": "issue_comment:50", "kind": "command", "user_id": 41, "trusted": True, "first_seen": 1}
        ],
        "fetch": {"complete": True, "reported_count": {"issue_comment": 3}},
        "trigger_time": "2026-03-02T10:00:00Z",
        "trigger_comment": "issue_comment:104",
        "event": {"kind": "issues.closed", "sender": {"id": 41, "login": "ana-ruiz"}, "comment_author": None},
        "step_inputs": [{"name": "a", "value": "b"}],
        "policy": {"bot_anchor": "type", "permissions": {"41": "write"}, "edit_guard": True, "max_total_chars": 4000},
    },
}
VALUES: tuple[Json, ...] = (
    *(None, True, False, 0, -1, 1.5, 2**63, 10**300, "", "x", "\x00", "\u2028", "[END", "a" * 300, [], {}, [[]], [{}]),
    *({"id": 1}, {"gen": {}}, [None], ["issue_comment:1"], "issue_comment:1", "2026-03-02T08:00:00Z"),
    *("0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "https://[", "review", "PENDING", "ghost", "Bot"),
)


def _places(value: Json, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _places(part, (*path, name))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _places(part, (*path, number))


PLACES = tuple(place for place in _places(DOCUMENT) if place)


def _changed(document: Json, place: tuple[Any, ...], value: Json) -> Json:
    made = copy.deepcopy(document)
    target = made
    for step in place[:-1]:
        target = target[step]
    if value is DROPPED:
        del target[place[-1]]
    else:
        target[place[-1]] = value
    return made


DROPPED = object()

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(("thread", "context", "gen", "id", "policy", *ITEM)) | st.text(max_size=4), inner
        )
    ),
    max_leaves=12,
)
VALIDATOR = Draft202012Validator(context_schema())


def _refusal(document: str | bytes) -> str:
    """Read a document: nothing when it is a snapshot that gives a context, else the refusal."""
    try:
        made = Snapshot.parse(document)
    except Invalid as error:
        return str(error)
    context = build_context(made.listing, made.previous, made.run, made.options)
    assert sum(context.counts.values()) == len(context.records)
    VALIDATOR.validate(json.loads(json.dumps(context.document())))
    return ""


def _held(document: str | bytes) -> None:
    refusal = _refusal(document)
    assert refusal == "" or refusal.startswith("snapshot: ")
    assert refusal.isprintable()


def test_the_document_to_start_from_is_whole() -> None:
    made = Snapshot.parse(json.dumps(DOCUMENT))

    assert len(made.listing.messages) == 5
    assert len(made.previous) == 1


@settings(quick, max_examples=300)
@given(st.sampled_from(PLACES), st.sampled_from((*VALUES, DROPPED)) | json_values)
def test_a_valid_document_changed_in_one_place_is_read_or_refused(place: tuple[Any, ...], value: Json) -> None:
    _held(json.dumps(_changed(DOCUMENT, place, value)))


@quick
@given(json_values)
def test_any_value_is_read_or_refused(value: Json) -> None:
    _held(json.dumps(value))
    _held(json.dumps({"thread": value}))
    _held(json.dumps({"thread": [], "context": value}))
    _held(json.dumps({"thread": [value]}))


@quick
@given(st.text() | st.binary())
def test_any_text_is_read_or_refused(document: str | bytes) -> None:
    _held(document)
