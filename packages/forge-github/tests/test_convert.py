"""Answers made into models: whatever is answered, only an error of ours comes out."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertulia.errors import Invalid, Unavailable
from tertulia.forge import Change, Permission
from tertulia.thread import Account
from tertulia_forge_github import _convert as convert

KEYS = [
    "login", "id", "type", "title", "state", "head", "base", "ref", "sha", "repo", "full_name", "number", "user", "labels",
    "name", "created_at", "merged_at", "permission", "role_name", "permissions", "admin", "encoding", "content", "size",
]  # fmt: skip
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    st.sampled_from(
        ["base64", "open", "admin", "2026-10-01T09:00:00Z", "acme/demo", "YWJj", "a" * 40, "9999-12-31T23:59:59-12:00"]
    ),
)
ANSWERS = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=8),
    max_leaves=20,
)


@given(ANSWERS)
def test_nothing_but_invalid_comes_out_of_any_answer(answer: Any) -> None:
    for make in (
        lambda: convert.change(answer, "acme/demo"),
        lambda: convert.permission(answer),
        lambda: convert.issue_labels(answer),
    ):
        try:
            made: Any = make()
        except Invalid:
            continue
        assert isinstance(made, Change | tuple)
    assert isinstance(convert.account(answer), Account | None)


@given(st.dictionaries(st.sampled_from(KEYS), LEAVES, max_size=8))
def test_any_pull_request_is_one_or_is_refused(fields: dict[str, Any]) -> None:
    side = {"ref": "main", "sha": "a" * 40, "repo": {"full_name": "acme/demo"}}
    pull = {
        "number": 8,
        "title": "x",
        "state": "open",
        "head": side,
        "base": side,
        "created_at": "2026-10-01T09:00:00Z",
    }

    try:
        change = convert.change(pull | fields, "acme/demo")
    except Invalid:
        return

    assert change.number == change.proposal.id


@given(st.fixed_dictionaries({"permission": LEAVES}, optional={"role_name": LEAVES, "user": LEAVES}))
def test_no_answer_gives_a_role_that_it_does_not_name(answer: dict[str, Any]) -> None:
    try:
        permission, _ = convert.permission(answer)
    except Invalid:
        return

    assert permission == Permission(role=permission.role, role_name=answer.get("role_name") or answer["permission"])
    assert permission.role in ("none", answer["permission"], answer.get("role_name"))


def test_what_is_not_understood_is_unavailable() -> None:
    with pytest.raises(Unavailable, match="github look: cannot read what was answered: answer: number") as caught:
        convert.understood(lambda: convert.issue_labels({"number": "seven"}), "look")

    assert not caught.value.ambiguous


@pytest.mark.parametrize(
    ("user", "account"),
    [
        (None, None),
        ({}, None),
        ({"login": "bob", "id": 2**40, "type": "User"}, Account(id=str(2**40), login="bob")),
        ({"login": "helper[bot]", "id": 1, "type": "Bot"}, Account(id="1", login="helper[bot]", kind="bot")),
        ({"login": "robot[bot]", "id": 1, "type": "User"}, Account(id="1", login="robot[bot]")),
        ({"login": "Ghost", "id": 10137, "type": "User"}, Account(id="10137", login="Ghost", placeholder=True)),
        ({"login": "m", "id": 3, "type": "Mannequin"}, Account(id="3", login="m", placeholder=True)),
        ({"login": "acme", "type": "Organization"}, Account(login="acme", placeholder=True)),
        ({"login": "bob", "id": True}, Account(login="bob")),
    ],
)
def test_an_account_is_what_the_backend_says(user: Any, account: Account | None) -> None:
    assert convert.account(user) == account
