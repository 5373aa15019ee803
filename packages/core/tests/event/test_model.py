"""The rules an event is held to; every refusal names the field."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from tertulia.errors import Invalid
from tertulia.event import COMMENT_KINDS, Event

Document = dict[str, Any]
Changed = Callable[..., Document]

PROPOSAL = "state.change_proposal"
COMMENT = "transition.comment"
LONG = "é"


def test_every_kind_of_document_is_accepted_and_comes_back_the_same(documents: dict[str, Document]) -> None:
    for name, document in documents.items():
        event = Event.parse(json.dumps(document))

        assert event.document() == document, name
        assert Event.check(event.document()) == event


@pytest.mark.parametrize(
    ("name", "path", "value", "field"),
    [
        ("issue opened", "repo", "acme/../secrets", "repo"),
        ("issue opened", "repo", "./shop", "repo"),
        ("issue opened", "repo", "acme/shop/..", "repo"),
        ("issue opened", "repo", "acme", "repo"),
        ("issue opened", "repo", "acme/sh op", "repo"),
        ("issue opened", "repo", "acme/shop\n", "repo"),
        ("issue opened", "repo", "a/" + "b" * 511, "repo"),
        ("issue opened", "entity.id", 0, "entity.id"),
        ("issue opened", "entity.id", "7", "entity.id"),
        ("issue opened", "entity.id", 7.5, "entity.id"),
        ("issue opened", "entity.id", True, "entity.id"),
        ("issue opened", "entity.kind", "epic", "entity.kind"),
        ("issue opened", "entity.url", "github.com/acme", "entity.url"),
        ("issue opened", "entity.url", "https://github.com/ä", "entity.url"),
        ("issue opened", "entity.url", "https:" + "x" * 2043, "entity.url"),
        ("issue opened", "actor.role", "", "actor.role"),
        ("issue opened", "actor.role", "owner", "actor.role"),
        ("issue opened", "actor.kind", "robot", "actor.kind"),
        ("issue opened", "actor.id", "", "actor.id"),
        ("issue opened", "actor.is_entity_author", "yes", "actor.is_entity_author"),
        ("issue opened", "source.system", "email", "source.system"),
        ("issue opened", "source.raw_type", "", "source.raw_type"),
        ("issue opened", "source.raw_action", "x" * 129, "source.raw_action"),
        ("issue opened", "state.labels", [""], "state.labels[0]"),
        ("issue opened", "state.labels", ["ok", "x" * 256], "state.labels[1]"),
        ("issue opened", "transition.kind", "exploded", "transition.kind"),
        ("issue opened", "surprise", 1, "surprise"),
        ("issue opened", "entity.surprise", 1, "entity.surprise"),
        ("issue opened", "entity.key", "T1/C1", "entity.key"),
        ("issue commented", f"{COMMENT}.body", LONG * 4097, f"{COMMENT}.body"),
        ("issue commented", f"{COMMENT}.instruction", LONG * 4097, f"{COMMENT}.instruction"),
        ("issue commented", f"{COMMENT}.command", "x" * 65, f"{COMMENT}.command"),
        ("issue commented", f"{COMMENT}.commands", ["/a"] * 101, f"{COMMENT}.commands"),
        ("issue commented", f"{COMMENT}.id", "", f"{COMMENT}.id"),
        ("issue commented", f"{COMMENT}.id", 104, f"{COMMENT}.id"),
        ("issue commented", f"{COMMENT}.created_at", "2026-10-01T10:00:00", f"{COMMENT}.created_at"),
        ("issue commented", f"{COMMENT}.created_at", "1700000000", f"{COMMENT}.created_at"),
        ("issue commented", f"{COMMENT}.created_at", 1700000000, f"{COMMENT}.created_at"),
        ("issue commented", f"{COMMENT}.created_at", "2026-02-30T10:00:00Z", f"{COMMENT}.created_at"),
        ("issue commented", f"{COMMENT}.created_at", "0001-01-01T00:00:00+14:00", f"{COMMENT}.created_at"),
        ("issue labelled", "transition.label.action", "moved", "transition.label.action"),
        ("pull request reviewed", "transition.review.state", "APPROVED", "transition.review.state"),
        ("discussion commented", "state.conversation.category.format", "qa", "state.conversation.category.format"),
        ("discussion commented", "state.conversation.category.name", " \t", "state.conversation.category.name"),
        ("discussion commented", f"{COMMENT}.id", "  ", f"{COMMENT}.id"),
        ("discussion commented", f"{COMMENT}.parent_id", " \u2003", f"{COMMENT}.parent_id"),
        ("pull request opened", f"{PROPOSAL}.head_sha", "abc", f"{PROPOSAL}.head_sha"),
        ("pull request opened", f"{PROPOSAL}.head_repo", "acme/..", f"{PROPOSAL}.head_repo"),
        ("pull request opened", f"{PROPOSAL}.id", 13, f"{PROPOSAL}.id"),
        ("pull request commented", f"{PROPOSAL}.id", 13, f"{PROPOSAL}.id"),
        ("pull request commented", "entity.linked_change_proposal.id", 13, f"{PROPOSAL}.id"),
        ("ticket commented", "entity.key", "3-SHOP", "entity.key"),
        ("ticket commented", "entity.key", "SHOP-٣", "entity.key"),
        ("message posted", "entity.key", "T1 C1", "entity.key"),
        ("message posted", "entity.key", "T1/C1\u0085", "entity.key"),
        ("message posted", "entity.key", "x" * 256, "entity.key"),
        ("message posted", "delivery.key", "", "delivery.key"),
    ],
)
def test_a_value_out_of_bounds_is_refused(changed: Changed, name: str, path: str, value: Any, field: str) -> None:
    with pytest.raises(Invalid) as refusal:
        Event.check(changed(name, (path, value)))

    assert refusal.value.field == field
    assert f"event: {field}: " in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "path", "field"),
    [
        ("issue opened", "repo", "repo"),
        ("issue opened", "entity", "entity"),
        ("issue opened", "entity.id", "entity.id"),
        ("issue opened", "entity.url", "entity.url"),
        ("issue opened", "state.labels", "state.labels"),
        ("issue opened", "actor.role", "actor.role"),
        ("issue opened", "source.raw_type", "source.raw_type"),
        ("issue commented", COMMENT, COMMENT),
        ("issue commented", f"{COMMENT}.body", f"{COMMENT}.body"),
        ("issue labelled", "transition.label", "transition.label"),
        ("pull request reviewed", "transition.review", "transition.review"),
        ("ticket commented", "entity.key", "entity.key"),
        ("ticket commented", "entity.id", "entity.id"),
        ("message posted", "entity.key", "entity.key"),
        ("discussion commented", "state.conversation", "state.conversation"),
        ("discussion opened", "state.conversation", "state.conversation"),
        ("discussion commented", f"{COMMENT}.id", f"{COMMENT}.id"),
        ("discussion commented", f"{COMMENT}.parent_id", f"{COMMENT}.parent_id"),
        ("pull request commented", "entity.linked_change_proposal", "entity.linked_change_proposal"),
        ("pull request opened", f"{PROPOSAL}.head_repo", f"{PROPOSAL}.is_fork"),
    ],
)
def test_what_is_required_is_missed(changed: Changed, gone: object, name: str, path: str, field: str) -> None:
    with pytest.raises(Invalid) as refusal:
        Event.check(changed(name, (path, gone)))

    assert refusal.value.field == field


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("issue opened", COMMENT, {"body": "x"}),
        ("issue opened", "transition.label", {"name": "x", "action": "added"}),
        ("issue opened", "transition.review", {"state": "approved", "reviewer_id": "ana"}),
        ("issue opened", "state.conversation", {"category": {"name": "Ideas"}}),
        ("pull request opened", "entity.linked_change_proposal", {"id": 12, "url": "https://x/12"}),
    ],
)
def test_a_part_stands_only_where_it_belongs(changed: Changed, name: str, path: str, value: Any) -> None:
    with pytest.raises(Invalid, match="forbidden") as refusal:
        Event.check(changed(name, (path, value)))

    assert refusal.value.field == path


@pytest.mark.parametrize("kind", sorted(COMMENT_KINDS))
def test_every_comment_transition_on_a_conversation_needs_its_ids(changed: Changed, gone: object, kind: str) -> None:
    whole = changed("discussion commented", ("transition.kind", kind))
    without = changed("discussion commented", ("transition.kind", kind), (f"{COMMENT}.parent_id", gone))

    assert Event.check(whole).transition.kind == kind
    with pytest.raises(Invalid, match="parent_id"):
        Event.check(without)


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("issue opened", "repo", "acme/a..b"),
        ("issue opened", "repo", "acme/..."),
        ("issue opened", "entity.id", 7.0),
        ("issue opened", "entity.id", 10**30),
        ("issue opened", "entity.key", "SHOP-3"),
        ("issue opened", "entity.url", "mailto:"),
        ("issue opened", "state.labels", ["same", "same"]),
        ("issue opened", "source.raw_action", ""),
        ("issue opened", "actor.role_verified", True),
        ("issue commented", f"{COMMENT}.body", LONG * 4096),
        ("issue commented", f"{COMMENT}.body", "\U0001f600" * 4096),
        ("issue commented", f"{COMMENT}.command", ""),
        ("issue commented", f"{COMMENT}.created_at", "2026-10-01t12:00:00.123456789+02:00"),
        ("discussion commented", f"{COMMENT}.id", "880"),
        ("discussion commented", "state.conversation.answered", False),
        ("pull request opened", PROPOSAL, None),
        ("fork opened", f"{PROPOSAL}.head_repo", None),
        ("pull request commented", PROPOSAL, None),
        ("message posted", "repo", "acme/shop"),
        ("message posted", "entity.id", 4),
        ("message posted", "delivery", None),
    ],
)
def test_what_the_rules_allow_is_accepted(changed: Changed, gone: object, name: str, path: str, value: Any) -> None:
    Event.check(changed(name, (path, gone if value is None else value)))


@pytest.mark.parametrize("path", ["entity.key", COMMENT, "delivery", "delivery.time", "state.change_proposal"])
def test_null_is_not_a_way_to_leave_a_field_out(changed: Changed, path: str) -> None:
    document = changed("issue opened", ("delivery.key", "k"), (path, None))

    with pytest.raises(Invalid, match="must be absent, not null") as refusal:
        Event.check(document)

    assert refusal.value.field == path


def test_an_event_cannot_be_changed(documents: dict[str, Document]) -> None:
    event = Event.check(documents["issue opened"])

    with pytest.raises(ValueError, match="frozen"):
        event.entity.id = 8


def test_time_and_key_come_from_the_delivery(documents: dict[str, Document]) -> None:
    event = Event.check(documents["message posted"])

    assert event.time == datetime(2026, 10, 1, 10, tzinfo=UTC)
    assert event.key == "slack:T1/C1/1700000000.000100/x"


def test_without_a_delivery_the_key_follows_from_the_document(changed: Changed) -> None:
    event, same = Event.check(changed("issue opened")), Event.check(changed("issue opened"))
    other = Event.check(changed("issue opened", ("actor.id", "bob")))

    assert event.time is None
    assert event.key == same.key != other.key
    assert event.key.startswith("github:acme/shop#7/event@")
    assert event.key.endswith("/opened")


def test_the_first_of_several_mistakes_is_named_and_the_others_counted(changed: Changed) -> None:
    document = changed("issue opened", ("entity.id", 0), ("actor.role", "king"), ("actor.kind", "king"))

    with pytest.raises(Invalid, match=r"event: entity\.id: .* \(and 2 more\)$"):
        Event.check(document)
