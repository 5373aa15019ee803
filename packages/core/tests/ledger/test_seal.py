"""Keys: what one of ours signed verifies, and nothing else does."""

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertulia.errors import Invalid
from tertulia.ledger._seal import Seal, StateKeys

SECRET = "a published key, for tests only"
THREAD = "github:acme/demo#7"
KEYS = StateKeys({"k1": SECRET})


def test_the_seal_is_the_one_that_the_format_describes() -> None:
    message = b"tertulia-state\0k1\0github:acme/demo#7\0003\0eNo"
    told = hmac.new(SECRET.encode(), message, hashlib.sha256).hexdigest()

    assert KEYS.sign(THREAD, 3, "eNo") == Seal("k1", told)


@pytest.mark.parametrize(
    ("thread", "rev", "data"),
    [
        ("github:acme/demo#8", 3, "eNo"),
        (THREAD, 4, "eNo"),
        (THREAD, 3, "eNp"),
        (f"{THREAD}\0003", 3, "eNo"),
        (THREAD, 33, "eNo"),
        ("", 3, "eNo"),
    ],
)
def test_a_seal_is_good_for_one_thread_one_revision_and_its_data(thread: str, rev: int, data: str) -> None:
    seal = KEYS.sign(THREAD, 3, "eNo")

    assert KEYS.verify(seal, THREAD, 3, "eNo")
    assert not KEYS.verify(seal, thread, rev, data)


def test_an_old_key_verifies_and_the_first_one_signs() -> None:
    both = StateKeys.parse(f"k2:{SECRET[::-1].replace(' ', '_')}\n k1:{SECRET.replace(' ', '_')}")
    old = StateKeys.parse(f"k1:{SECRET.replace(' ', '_')}")

    assert both.sign(THREAD, 1, "x").kid == "k2"
    assert both.verify(old.sign(THREAD, 1, "x"), THREAD, 1, "x")
    assert not old.verify(both.sign(THREAD, 1, "x"), THREAD, 1, "x")


def test_a_name_of_a_key_is_part_of_what_it_signs() -> None:
    renamed = StateKeys({"k2": SECRET})

    assert not renamed.verify(Seal("k2", KEYS.sign(THREAD, 1, "x").mac), THREAD, 1, "x")


NAME = "a name must match [a-z0-9][a-z0-9-]{0,15}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "there is none"),
        (" ", "there is none"),
        ("k1", "write NAME:SECRET, several with a space between"),
        ("k1:", "k1 is shorter than 16 characters"),
        ("k1:short", "k1 is shorter than 16 characters"),
        (f"K1:{'x' * 16}", NAME),
        (f":{'x' * 16}", NAME),
        (f"k1:{'x' * 16} k1:{'y' * 16}", "two keys have one name"),
        ("k1:" + "x" * 15, "k1 is shorter than 16 characters"),
    ],
)
def test_keys_that_protect_nothing_are_refused_and_not_repeated(text: str, told: str) -> None:
    with pytest.raises(Invalid) as refused:
        StateKeys.parse(text)

    assert refused.value.field == "state_key"
    assert str(refused.value) == f"state key: {told}"


def test_a_secret_has_sixteen_characters_and_may_have_colons() -> None:
    assert dict(StateKeys.parse(f"k1:{'x' * 15}:").secrets) == {"k1": f"{'x' * 15}:"}


def test_a_secret_is_not_shown() -> None:
    assert SECRET not in repr(KEYS)


def test_a_digest_is_of_one_body_in_one_place_under_one_key() -> None:
    other = StateKeys({"k1": SECRET[::-1]})

    assert len(KEYS.digest("issue_comment:1", "Ship it.")) == 10
    assert len({KEYS.digest("issue_comment:1", "Ship it."), KEYS.digest("issue_comment:2", "Ship it.")}) == 2
    assert KEYS.digest("issue_comment:1", "Ship it.") != KEYS.digest("issue_comment:1", "Ship it!")
    assert KEYS.digest("issue_comment:1", "Ship it.") != other.digest("issue_comment:1", "Ship it.")


@given(st.text(), st.text(max_size=64))
def test_no_text_is_too_odd_for_a_key(thread: str, data: str) -> None:
    assert KEYS.verify(KEYS.sign(thread, 1, data), thread, 1, data)


def test_a_lone_surrogate_is_signed_like_any_character() -> None:
    odd = StateKeys({"k1": "\ud800" * 16})

    assert odd.verify(odd.sign(THREAD, 1, "x"), THREAD, 1, "x")
    assert KEYS.knows(KEYS.digest("issue_comment:1", "\udfff"), "issue_comment:1", "\udfff")
