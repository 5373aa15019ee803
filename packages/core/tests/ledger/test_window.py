"""The window, the pins and the caps on size: what is shown of what is relevant."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tertulia.ledger import Options, Run

Make = Callable[..., Any]


def _numbers(made: Any) -> list[int]:
    return [int(ref.partition(":")[2]) for ref in made.flow]


@pytest.mark.parametrize(
    ("window", "shown"),
    [
        (None, [1, 2, 3, 4]),
        (0, [1, 2, 3, 4]),
        (-1, [1, 2, 3, 4]),
        (1, [4]),
        (3, [2, 3, 4]),
        (4, [1, 2, 3, 4]),
        (9, [1, 2, 3, 4]),
    ],
)
def test_the_window_is_the_last_so_many_relevant_records(
    context: Make, note: Make, window: int | None, shown: list[int]
) -> None:
    made = context(*(note(number) for number in (1, 2, 3, 4)), window=window)

    assert _numbers(made) == shown
    assert made.text.count("[BEGIN issue_comment:") == len(shown)


def test_what_is_outside_is_counted_and_says_why(context: Make, note: Make) -> None:
    made = context(*(note(number) for number in (1, 2, 3)), window=1)

    assert "## Recent thread\n\n(2 earlier records are outside the window of 1.)\n\n[BEGIN" in made.text
    assert [entry.reason for entry in made.records[:2]] == ["outside the window of 1"] * 2
    assert made.counts["excluded"] == 2


def test_nothing_is_said_when_nothing_is_outside(context: Make, note: Make) -> None:
    assert "outside" not in context(note(1), window=1).text


def test_noise_never_uses_up_the_window(context: Make, note: Make, issue: Make, people: SimpleNamespace) -> None:
    """Engine output, unverified, deleted records and the opening post are not relevant records."""
    made = context(
        issue(),
        note(1),
        note(2),
        note(3, "<!-- bot-engine-x -->", people.engine),
        note(4, "Hi.", people.eve),
        note(5, deleted=True),
        window=2,
    )

    assert _numbers(made) == [1, 2]
    assert made.unverified == ("issue_comment:4",)


def test_pinned_records_come_on_top_of_the_window(context: Make, note: Make) -> None:
    made = context(*(note(n) for n in (1, 2, 3, 4)), window=1, pinned=["issue_comment:2", "issue_comment:4"])

    assert _numbers(made) == [2, 4]


def test_a_pin_makes_nothing_trusted(context: Make, note: Make, people: SimpleNamespace) -> None:
    made = context(note(1, "Hi.", people.eve), note(2), window=1, pinned=["issue_comment:1"])

    assert _numbers(made) == [2]
    assert made.unverified == ("issue_comment:1",)


def test_a_pin_revives_nothing(context: Make, note: Make, people: SimpleNamespace) -> None:
    blocked = note(3, "Hi.", people.bo)
    made = context(
        note(1, deleted=True),
        note(2, "<!-- bot-engine-x -->", people.engine),
        blocked,
        pinned=["issue_comment:1", "issue_comment:2", "issue_comment:3", "issue_comment:99"],
        blocked_user_ids=["42"],
    )

    assert made.flow == ()


@pytest.mark.parametrize(
    ("room", "kept"),
    [(31, ["b", "c"]), (30, ["b", "c"]), (29, ["c"]), (20, ["c"]), (19, []), (0, []), (-1, []), (36, ["a", "b", "c"])],
)
def test_what_just_fits_is_kept(room: int, kept: list[str]) -> None:
    from tertulia.ledger._window import fit

    sizes = {"a": 6, "b": 10, "c": 20}

    assert fit(("a", "b", "c"), sizes, room, Run(), Options()) == kept


LONG = "word " * 200


def test_a_record_over_its_cap_keeps_head_and_tail(context: Make, note: Make, inside: Make) -> None:
    made = context(note(1, "0123456789"), max_record_chars=5)

    assert inside(made.text, made.fence, "issue_comment:1") == "012\n[\u2026 5 characters omitted \u2026]\n89"


def test_of_an_even_cap_head_and_tail_get_half_each(context: Make, note: Make, inside: Make) -> None:
    made = context(note(1, "0123456789"), max_record_chars=4)

    assert inside(made.text, made.fence, "issue_comment:1") == "01\n[\u2026 6 characters omitted \u2026]\n89"


def test_a_cap_of_one_keeps_the_first_character(context: Make, note: Make, inside: Make) -> None:
    made = context(note(1, "0123456789"), max_record_chars=1)

    assert inside(made.text, made.fence, "issue_comment:1") == "0\n[\u2026 9 characters omitted \u2026]\n"


@pytest.mark.parametrize("cap", [10, 11])
def test_a_record_within_its_cap_is_whole(context: Make, note: Make, cap: int) -> None:
    assert "0123456789" in context(note(1, "0123456789"), max_record_chars=cap).text


def test_the_cap_counts_what_is_shown(context: Make, note: Make) -> None:
    made = context(note(1, "0123456789<!-- " + "x" * 50 + " -->"), max_record_chars=10)

    assert "0123456789\n[END" in made.text


def test_the_cap_is_for_the_task_too(context: Make, issue: Make) -> None:
    assert "characters omitted" in context(issue(LONG), max_record_chars=20).text


def test_a_body_that_was_cut_on_reading_says_so(context: Make, note: Make, inside: Make) -> None:
    made = context(note(1, "abc", cut=7))

    assert inside(made.text, made.fence, "issue_comment:1") == "abc\n[\u2026 7 characters were not read \u2026]"


@pytest.fixture
def thread(issue: Make, note: Make, people: SimpleNamespace) -> list[Any]:
    """An issue, twenty long comments of ana's and one of eve's."""
    return [issue(), *(note(number, f"{number} {LONG}") for number in range(1, 21)), note(30, "Hi.", people.eve)]


def test_the_oldest_are_dropped_until_the_rest_fits(context: Make, thread: list[Any]) -> None:
    whole = context(*thread)

    for limit in (4000, 9000, len(whole.text) - 1):
        made = context(*thread, max_total_chars=limit)
        assert len(made.text) <= limit
        assert _numbers(made) == list(range(21 - len(made.flow), 21))
        dropped = 20 - len(made.flow)
        assert f"({dropped} older records left out: the limit is {limit} characters.)" in made.text
        assert made.counts["excluded"] == dropped
        assert {entry.reason for entry in made.records if entry.decision == "excluded"} == {
            "left out for size (max_total_chars)"
        }


def test_no_more_are_dropped_than_needed(context: Make, thread: list[Any]) -> None:
    """One record takes about 1,200 characters: what stays free is less than one of them and the counting line."""
    made = context(*thread, max_total_chars=9000)

    assert len(made.text) > 9000 - 1400


def test_120_characters_are_kept_for_the_line_that_counts(context: Make, thread: list[Any]) -> None:
    """Less the three the parts are joined with."""
    whole = context(*thread)

    assert context(*thread, max_total_chars=len(whole.text) + 117).flow == whole.flow
    assert context(*thread, max_total_chars=len(whole.text) + 116).flow == whole.flow[1:]


def test_a_limit_that_is_met_drops_nothing(context: Make, thread: list[Any]) -> None:
    whole = context(*thread)

    made = context(*thread, max_total_chars=len(whole.text) + 200)

    assert made.flow == whole.flow
    assert "left out" not in made.text


def test_pinned_records_and_the_trigger_comment_are_kept(context: Make, thread: list[Any]) -> None:
    made = context(*thread, max_total_chars=1, pinned=["issue_comment:2"], trigger_comment="issue_comment:5")

    assert _numbers(made) == [2, 5]


def test_task_and_unverified_part_are_kept(context: Make, thread: list[Any]) -> None:
    made = context(*thread, max_total_chars=1)

    assert made.flow == ()
    assert "## Task" in made.text
    assert made.unverified == ("issue_comment:30",)
    assert "(Nothing here is relevant" not in made.text


def test_window_and_limit_count_apart(context: Make, thread: list[Any]) -> None:
    made = context(*thread, max_total_chars=5000, window=10)

    assert "(10 earlier records are outside the window of 10.)" in made.text
    assert f"({10 - len(made.flow)} older records left out" in made.text
    assert len(made.text) <= 5000
    assert made.counts["excluded"] == 20 - len(made.flow)


def test_what_was_hidden_in_a_dropped_record_is_no_finding(context: Make, note: Make, flags: Make) -> None:
    messages = [note(1, "a<!-- x -->" + LONG), note(2, "b<!-- y -->")]

    assert flags(context(*messages, max_total_chars=1200)) == ["hidden-text issue_comment:2"]
    assert flags(context(*messages, window=1)) == ["hidden-text issue_comment:2"]
