"""Counters, budgets, waits and quantities: small things with one rule each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertulia_cli._failure import Failure
from tertulia_cli.serve._backoff import Backoff
from tertulia_cli.serve._budget import Budget
from tertulia_cli.serve._counters import OTHER, Counters
from tertulia_cli.serve._quantities import seconds, size

STEADY = Backoff(first=1, longest=60, retry_for=1_000, chance=lambda: 0.0)


def test_counters_add_up_by_group_and_word() -> None:
    counters = Counters()
    for word in ("signature", "method", "signature"):
        counters.count("refused", word)
    counters.count("answered", "accepted", 5)

    assert counters.document() == {"answered": {"accepted": 5}, "refused": {"method": 1, "signature": 2}}


def test_a_group_that_is_full_counts_the_rest_as_other() -> None:
    counters = Counters()
    for number in range(1_000):
        counters.count("dropped", f"ignored: {number}")
    counters.count("dropped", "ignored: 1")

    counts = counters.document()["dropped"]
    assert counts["ignored: 1"] == 2
    assert (len(counts), counts[OTHER], sum(counts.values())) == (101, 900, 1_001)


def test_a_budget_lends_what_it_has_and_gets_it_back() -> None:
    budget = Budget(10)

    assert [budget.take(6), budget.take(5), budget.take(4), budget.take(0), budget.take(1)] == [
        True,
        False,
        True,
        True,
        False,
    ]
    budget.give_back(6)
    assert budget.take(6)


def test_waits_double_up_to_the_longest() -> None:
    assert [STEADY.wait(n, 0) for n in (1, 2, 3, 7, 1_000_000)] == [1, 2, 4, 60, 60]


def test_what_the_other_side_asks_for_is_waited_for_up_to_an_hour() -> None:
    assert [STEADY.wait(1, 0, told) for told in (None, 0.5, 90, 1e9, -5)] == [1, 1, 90, 3_600, 1]


def test_what_has_been_tried_for_long_enough_is_given_up() -> None:
    assert STEADY.wait(1, 999.9) is not None
    assert STEADY.wait(1, 1_000) is None


@given(st.integers(1, 100), st.floats(0, 1))
def test_chance_adds_a_tenth_at_most(failures: int, chance: float) -> None:
    by_chance = Backoff(first=1, longest=60, chance=lambda: chance).wait(failures, 0)
    steady = STEADY.wait(failures, 0)

    assert by_chance is not None
    assert steady is not None
    assert steady <= by_chance <= steady * 1.1


@pytest.mark.parametrize(
    ("given", "read"), [("90s", 90), ("15m", 900), ("24h", 86_400), ("7d", 604_800), ("0s", 0), ("0.5 s", 0.5)]
)
def test_a_duration_is_read(given: str, read: float) -> None:
    assert seconds(given, "--keep") == read


@pytest.mark.parametrize("given", ["", "90", "s", "-1s", "1w", "1e9s", "nan", "1 h 5 m", "9999999999s", "٣s"])
def test_what_is_no_duration_is_refused_by_option(given: str) -> None:
    with pytest.raises(Failure, match="is not a duration") as caught:
        seconds(given, "--keep")

    assert caught.value.where == "--keep"


def test_a_size_is_read_in_bytes_and_a_duration_is_none() -> None:
    assert [size("500MB", "--size"), size("2GB", "--size")] == [500_000_000, 2_000_000_000]
    with pytest.raises(Failure, match="is not a size"):
        size("5m", "--size")
