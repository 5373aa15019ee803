"""Who did it: by account id, never by what somebody claims to be."""

from typing import Any

import pytest


def actor_of(native: Any, event: Any, **fields: Any) -> Any:
    return event("issues", native.payload("issues", "opened", **fields)).actor


def test_the_sender_acts_and_has_no_role_until_somebody_looks_it_up(native: Any, event: Any) -> None:
    actor = event("issue_comment", native.payload("issue_comment", "created")).actor

    assert actor.model_dump() == {
        "id": "bob",
        "kind": "human",
        "role": "none",
        "is_entity_author": False,
        "account_id": "1002",
        "role_verified": False,
    }


@pytest.mark.parametrize(
    ("login", "type_", "kind"),
    [
        ("svc", "Bot", "bot"),
        ("svc", "BOT", "bot"),
        ("renovate[bot]", "User", "bot"),
        ("Renovate[BOT]", None, "bot"),
        ("bot", "User", "human"),
        ("acme", "Organization", "human"),
        ("x", "Mannequin", "human"),
    ],
)
def test_a_bot_is_one_by_its_type_or_its_suffix(native: Any, event: Any, login: str, type_: Any, kind: str) -> None:
    assert actor_of(native, event, sender={"login": login, "id": 5, "type": type_}).kind == kind


@pytest.mark.parametrize("sender", [None, {}, {"login": None}, {"login": "", "id": 5}])
def test_without_a_sender_the_runner_says_who_it_was(native: Any, event: Any, sender: Any) -> None:
    payload = native.payload("issues", "opened", sender=sender)

    actor = event("issues", payload, actor="alice").actor

    assert (actor.id, actor.kind, actor.account_id) == ("alice", "human", None)
    assert actor.is_entity_author is True


def test_a_runner_can_be_a_bot(native: Any, event: Any) -> None:
    payload = native.payload("issues", "opened", sender=None)

    assert event("issues", payload, actor="helper[bot]").actor.kind == "bot"


def test_the_sender_wins_over_the_runner(native: Any, event: Any) -> None:
    assert event("issues", native.payload("issues", "opened"), actor="eve").actor.id == "bob"


@pytest.mark.parametrize("sender", [None, {"login": "ghost", "id": 10137, "type": "User"}, {"login": "Ghost"}])
@pytest.mark.parametrize("author", [None, {"login": "ghost", "id": 10137}])
def test_the_ghost_is_nobody(native: Any, event: Any, sender: Any, author: Any) -> None:
    actor = actor_of(native, event, sender=sender, issue=native.issue(user=author))

    assert (actor.id, actor.role, actor.account_id, actor.is_entity_author) == ("ghost", "none", None, False)


def test_a_payload_without_a_sender_is_the_ghosts(native: Any, event: Any) -> None:
    payload = native.payload("issues", "opened")
    del payload["sender"]

    assert event("issues", payload).actor.id == "ghost"


@pytest.mark.parametrize(
    ("sender", "author", "same"),
    [
        ({"login": "alice", "id": 1}, {"login": "alice", "id": 1}, True),
        ({"login": "renamed", "id": 1}, {"login": "alice", "id": 1}, True),
        ({"login": "alice", "id": 2}, {"login": "alice", "id": 1}, False),
        ({"login": "alice"}, {"login": "Alice", "id": 1}, True),
        ({"login": "ALICE", "id": 1}, {"login": "alice"}, True),
        ({"login": "bob"}, {"login": "alice"}, False),
        ({"login": "\u212aim"}, {"login": "kim"}, False),
        ({"login": "alice", "id": 1}, None, False),
        ({"login": "alice", "id": 1}, {}, False),
    ],
)
def test_the_author_is_told_by_account_id_and_else_by_login(
    native: Any, event: Any, sender: Any, author: Any, same: bool
) -> None:
    assert actor_of(native, event, sender=sender, issue=native.issue(user=author)).is_entity_author is same


def test_who_dismisses_a_review_is_compared_with_the_author_of_the_pull_request(native: Any, event: Any) -> None:
    review = native.review(user=native.user("alice", 1001), state="dismissed")

    actor = event("pull_request_review", native.payload("pull_request_review", "dismissed", review=review)).actor

    assert (actor.id, actor.is_entity_author) == ("bob", False)


@pytest.mark.parametrize(
    ("user", "reviewer"),
    [(None, "bob"), ({"login": "carol", "id": 3}, "carol"), ({"login": "ghost", "id": 10137}, "ghost")],
)
def test_a_reviewer_without_an_account_is_the_sender(native: Any, event: Any, user: Any, reviewer: str) -> None:
    payload = native.payload("pull_request_review", "submitted", review=native.review(user=user))

    assert event("pull_request_review", payload).transition.review.reviewer_id == reviewer


def test_account_ids_are_larger_than_32_bits(native: Any, event: Any) -> None:
    assert actor_of(native, event, sender=native.user("bob", 2**53 + 1)).account_id == "9007199254740993"


@pytest.mark.parametrize("association", ["OWNER", "MEMBER", "COLLABORATOR"])
def test_an_association_is_never_a_role(native: Any, event: Any, association: str) -> None:
    issue = native.issue(author_association=association)
    payload = native.payload("issue_comment", "created", issue=issue)
    payload["comment"]["author_association"] = association

    assert event("issue_comment", payload).actor.role == "none"


@pytest.mark.parametrize(
    ("sender", "field"),
    [
        ({"login": "x" * 256}, "sender.login"),
        ({"login": 5}, "sender.login"),
        ({"login": "a", "id": "5"}, "sender.id"),
        ({"login": "a", "id": 1.5}, "sender.id"),
        ({"login": "a", "id": True}, "sender.id"),
        ({"login": "a", "id": 0}, "sender.id"),
        ({"login": "a", "id": 2**63}, "sender.id"),
        ("alice", "sender"),
        ([], "sender"),
    ],
)
def test_a_wrong_sender_is_refused_and_the_field_named(native: Any, refused: Any, sender: Any, field: str) -> None:
    assert refused("issues", native.payload("issues", "opened", sender=sender)).field == field


def test_a_runner_with_a_name_too_long_is_refused(native: Any, refused: Any) -> None:
    assert refused("issues", native.payload("issues", "opened", sender=None), actor="x" * 256).field == "actor"
