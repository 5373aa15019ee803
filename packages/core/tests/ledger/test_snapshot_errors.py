"""A snapshot that is wrong: one `Invalid` that names what and where, whatever is in it."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tertulia.errors import Invalid
from tertulia.ledger import Snapshot

Make = Callable[..., Any]


def _refused(document: str | bytes) -> Invalid:
    with pytest.raises(Invalid) as caught:
        Snapshot.parse(document)

    return caught.value


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("", "snapshot: is empty"),
        ("[]", "snapshot: must be a JSON object, not an array"),
        ("null", "snapshot: must be a JSON object, not null"),
        ("{", "snapshot: is not JSON"),
        (b"\xff", "snapshot: is not JSON"),
        ('{"thread": NaN}', "snapshot: is not JSON"),
        ("{}", "snapshot: thread: is missing"),
        ('{"thread": null}', "snapshot: thread: must be an array"),
        ('{"thread": {}}', "snapshot: thread: must be an array"),
        ('{"thread": [1]}', "snapshot: thread[0]: must be an object"),
        ('{"thread": [[], [null]]}', "snapshot: thread[1][0]: must be an object"),
        ('{"thread": [], "context": null}', "snapshot: context: must be an object"),
        ('{"thread": [], "context": []}', "snapshot: context: must be an object"),
        ('{"thread": [], "contxt": {}}', "snapshot: 'contxt': unknown field"),
        ('{"thread": [{"id": 1}]}', "snapshot: thread[0].source_type: is missing, and the fields do not tell it"),
    ],
)
def test_what_is_wrong_is_said(document: str | bytes, message: str) -> None:
    assert str(_refused(document)).startswith(message)


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ("{}", "thread"),
        ('{"thread": [[], [null]]}', "thread[1][0]"),
        ('{"thread": [], "context": 1}', "context"),
        ('{"thread": [], "zz": 1, "aa": 2}', "aa"),
        ('{"thread": [{"id": 1}]}', "thread[0].source_type"),
    ],
)
def test_the_error_names_the_field(document: str, field: str) -> None:
    assert _refused(document).field == field


def test_an_unknown_key_is_shortened_and_printable() -> None:
    error = _refused(json.dumps({"thread": [], "\n" + "k" * 100: 1}))

    assert error.field == "\n" + "k" * 63
    assert "k" * 64 not in str(error)
    assert str(error).isprintable()


WRONG_ITEM = {
    "source_type": ["Issue", 1, None, "a" * 64],
    "id": [None, True, 1.5, [], "", "a b", "a" * 256, "\u00e9"],
    "title": [1, []],
    "user": ["ana", 1, []],
    "author_association": [1],
    "created_at": ["", "yesterday", 1, "2026-03-02T08:00:00", "2026-13-02T08:00:00Z", True],
    "submitted_at": [1],
    "updated_at": [1, "x"],
    "body": [1, [], {}],
    "html_url": [1],
    "parent_id": [True, 1.5],
    "in_reply_to_id": [[]],
    "deleted_at": [True, "x"],
    "tombstone": [1, "true", None],
    "is_minimized": [1, None],
    "minimized_reason": [1],
    "editor": ["ana"],
    "last_edited_at": [0],
    "path": [1],
    "line": ["1", 1.5, True],
    "performed_via_github_app": [7, "x"],
    "files": [{}, "a", 1, None, [1]],
    "state": [1],
    "cut": [-1, "1", True, None],
    "marker": ["scribe", {}, {"agent": 1}],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WRONG_ITEM.items() for value in values])
def test_every_wrong_type_in_an_item_is_named_with_its_place(saved: Make, item: Make, name: str, value: Any) -> None:
    error = _refused(json.dumps(saved(item(), [item(), item(**{name: value})])))

    assert error.field is not None
    assert error.field.startswith(f"thread[1][1].{name}")
    assert str(error).startswith(f"snapshot: thread[1][1].{name}")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"user": {"login": 1}}, "user.login"),
        ({"user": {"id": True}}, "user.id"),
        ({"user": {"type": 1}}, "user.type"),
        ({"user": {"name": []}}, "user.name"),
        ({"user": {"aliases": [1]}}, "user.aliases[0]"),
        ({"performed_via_github_app": {"id": []}}, "performed_via_github_app.id"),
        ({"files": [{"name": "a"}, {"size": -1}]}, "files[1].size"),
        ({"files": [{"mimetype": 1}]}, "files[0].mimetype"),
        ({"created_at": None}, "created_at"),
    ],
)
def test_so_is_a_wrong_type_deeper_down(saved: Make, item: Make, fields: dict[str, Any], field: str) -> None:
    assert _refused(json.dumps(saved(item(**fields)))).field == f"thread[0].{field}"


WRONG_CONTEXT = {
    "trigger_author": [1, "ana", [], {"name": "x"}],
    "engine_actor": [True, {"id": []}],
    "command_prefix": [1, [1], {}],
    "window": ["3", 1.5, True],
    "pinned": ["issue_comment:1", ["104"], [1], None],
    "previous_ledger": [{}, [1], [{}], [{"ref": "x"}], [{"ref": "issue_comment:1", "body": ""}], None],
    "fetch": [1, {"complete": 1}, {"reported_count": -1}, {"reported_count": {"a": -1}}, {"pages": 3}],
    "trigger_time": [0, "2026-03-02", "2026-03-02T08:00:00", True],
    "trigger_comment": ["104", 104],
    "event": [1, {}, {"kind": 1}, {"kind": "x", "sender": 1}, {"kind": "x", "actor": {}}],
    "step_inputs": [{}, [{}], [{"name": 1}], [{"name": "a", "value": 1}], None],
    "policy": [None, 1, [], {"state_key": "x"}, {"max_record_chars": 0}, {"edit_guard": 1}, {"window": 1}],
    "triger_author": [None],
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in WRONG_CONTEXT.items() for value in values]
)
def test_every_wrong_type_in_the_context_is_named_with_its_place(saved: Make, name: str, value: Any) -> None:
    error = _refused(json.dumps(saved(**{name: value})))

    assert str(error).startswith(f"snapshot: context.{name}")


@pytest.mark.parametrize(
    ("policy", "field"),
    [
        ({"bot_anchor": "name"}, "bot_anchor"),
        ({"trusted_bot_ids": "1"}, "trusted_bot_ids"),
        ({"trusted_user_ids": [None]}, "trusted_user_ids"),
        ({"blocked_user_ids": {}}, "blocked_user_ids"),
        ({"permissions": []}, "permissions"),
        ({"permissions": {"1": 2}}, "permissions"),
        ({"max_total_chars": -1}, "max_total_chars"),
        ({"max_total_chars": True}, "max_total_chars"),
        ({"pinned": []}, "pinned"),
        ({"nonce": "a" * 32}, "nonce"),
    ],
)
def test_a_wrong_policy_is_named_with_its_option(saved: Make, policy: dict[str, Any], field: str) -> None:
    assert str(_refused(json.dumps(saved(policy=policy)))).startswith(f"snapshot: context.policy.{field}")


def test_a_record_before_whose_key_is_too_long_is_refused(saved: Make) -> None:
    error = _refused(json.dumps(saved(previous_ledger=[{"ref": "a" * 64 + ":1"}])))

    assert error.field == "context.previous_ledger[0].ref"


@pytest.mark.parametrize(
    ("generator", "field"),
    [
        ({"count": 1}, "gen.template"),
        ({"template": {}}, "gen.count"),
        ({"count": -1, "template": {}}, "gen.count"),
        ({"count": 200_001, "template": {}}, "gen.count"),
        ({"count": "1", "template": {}}, "gen.count"),
        ({"count": 1, "template": []}, "gen.template"),
        ({"count": 1, "template": {}, "step": 1}, "gen.step"),
        ({"count": 1, "template": {}}, "source_type"),
        ({"count": 1, "template": {"body_gen": 1}}, "body_gen"),
        (1, "gen"),
    ],
)
def test_a_wrong_generator_is_named(saved: Make, generator: Any, field: str) -> None:
    error = _refused(json.dumps(saved({"gen": generator})))

    assert error.field == f"thread[0].{field}"
    assert str(error).startswith(f"snapshot: thread[0].{field}: ")


@pytest.mark.parametrize(
    ("generator", "field"),
    [
        ({"times": -1}, "body_gen.times"),
        ({"times": 10_000_001}, "body_gen.times"),
        ({"times": "3"}, "body_gen.times"),
        ({"repeat": 1}, "body_gen.repeat"),
        ({"prefix": None}, "body_gen.prefix"),
        ({"extra": 1}, "body_gen.extra"),
        (1, "body_gen"),
        ({"repeat": "a" * 257, "times": 1_048_576}, "body_gen"),
    ],
)
def test_a_wrong_body_generator_is_named(saved: Make, item: Make, generator: Any, field: str) -> None:
    error = _refused(json.dumps(saved(item(body_gen=generator))))

    assert error.field == f"thread[0].{field}"
    assert str(error).startswith(f"snapshot: thread[0].{field}: ")


def test_a_generated_body_that_is_too_long_is_not_made(saved: Make, item: Make) -> None:
    longer = {"repeat": "a" * 257, "times": 1_048_576}

    assert str(_refused(json.dumps(saved(item(body_gen=longer))))) == "snapshot: thread[0].body_gen: is too long"


def test_a_thread_has_a_largest_size(saved: Make, item: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tertulia.ledger._snapshot.MAX_ITEMS", 3)

    assert len(Snapshot.parse(json.dumps(saved(item(1), item(2), item(3)))).listing.messages) == 3
    error = _refused(json.dumps(saved({"gen": {"count": 4, "template": item()}})))
    assert str(error) == "snapshot: thread: more than 3 items"
    assert error.field == "thread"


def test_the_largest_thread_has_200000_items() -> None:
    error = _refused('{"thread": [{"gen": {"count": 200000, "template": {}}}, {}]}')

    assert str(error) == "snapshot: thread: more than 200000 items"


def test_a_file_has_a_largest_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tertulia.ledger._snapshot.MAX_BYTES", 14)

    assert Snapshot.parse('{"thread": []}').listing.messages == ()
    assert "are more than 14" in str(_refused('{"thread": [] }'))


def test_deep_pages_are_refused_and_do_not_overflow() -> None:
    for depth in (100, 5_000):
        document = '{"thread": ' + "[" * depth + "]" * depth + "}"
        if depth == 100:
            assert Snapshot.parse(document).listing.messages == ()
        else:
            assert "is not JSON" in str(_refused(document))
