"""A long body is cut into parts that each stand alone."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tertulia.errors import Invalid
from tertulia.outbound import split

WORDS = st.sampled_from(
    ["word ", "a", "é\u0301", "👩\u200d👩\u200d👧", "🇩🇪🇫🇷", "x" * 30, "\n", "\n\n", "> ", "- ", "# ", "    ", "\t"]
)
FENCED = WORDS | st.sampled_from(["```", "```py\n", "\n```\n", "~~~", "- ```\n", "> ```\n> ", "  ", "1.    ```x\n"])
LIMITS = st.sampled_from([1, 2, 3, 8, 10, 20, 24, 25, 30, 40, 60, 100, 200])


def squeezed(text: str) -> str:
    """Take all white space out."""
    return re.sub(r"\s", "", text)


@given(st.lists(WORDS, max_size=40).map("".join), LIMITS)
def test_no_part_is_too_long_and_only_white_space_is_lost(body: str, limit: int) -> None:
    parts = split(body, limit)

    assert all(0 < len(part) <= limit and part.strip() for part in parts)
    assert squeezed("".join(parts)) == squeezed(body)


@settings(max_examples=300)
@given(st.lists(FENCED, max_size=40).map("".join), LIMITS)
def test_with_fences_nothing_is_lost_either(body: str, limit: int) -> None:
    parts = split(body, limit)
    rest = iter(squeezed("".join(parts)))

    assert all(0 < len(part) <= limit and part.strip() for part in parts)
    assert all(char in rest for char in squeezed(body)), "what was written stands in the parts, in order"


@pytest.mark.parametrize("body", ["", " ", "\n\n", "\t"])
def test_nothing_to_read_gives_no_parts(body: str) -> None:
    assert split(body, 10) == ()
    assert split(body * 20, 10) == ()


def test_a_body_within_the_limit_is_left_alone() -> None:
    assert split("  a\n\n", 5) == ("  a\n\n",)


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_must_hold_something(limit: int) -> None:
    with pytest.raises(Invalid, match="limit"):
        split("a", limit)


def test_paragraphs_stay_whole_where_they_can() -> None:
    assert split("one one\n\ntwo\ntwo\n\nthree three", 16) == ("one one\n\ntwo\ntwo", "three three")


def test_a_blank_line_is_better_than_a_later_line() -> None:
    assert split("head\n\nbody body\nbody", 18) == ("head", "body body\nbody")


def test_lines_stay_whole_where_they_can() -> None:
    assert split("one one\ntwo two\nthree", 16) == ("one one\ntwo two", "three")


def test_the_indentation_of_a_line_survives_a_cut_before_it() -> None:
    assert split("aaaaaaaa\n\n    code", 10) == ("aaaaaaaa", "    code")


def test_words_stay_whole_where_they_can() -> None:
    assert split("aaaa bbbb cccc", 10) == ("aaaa bbbb", "cccc")


def test_a_word_over_the_limit_is_cut() -> None:
    assert split("x" * 25, 10) == ("x" * 10, "x" * 10, "x" * 5)


@pytest.mark.parametrize("whole", ["e\u0301", "👩\u200d👩\u200d👧", "🇩🇪", "👍🏽", "❤\ufe0f"])
def test_what_people_see_as_one_character_is_not_cut(whole: str) -> None:
    count = 10 // len(whole)

    assert split(whole * count * 2, 10) == (whole * count,) * 2


def test_more_marks_than_fit_are_cut_all_the_same() -> None:
    assert "".join(split("e" + "\u0301" * 100, 10)) == "e" + "\u0301" * 100


def test_a_cut_fence_is_closed_and_opened_again_with_its_info() -> None:
    parts = split("```py\n" + "code = 1\n" * 8 + "```\n\nend", 60)

    assert len(parts) == 2
    assert parts[0].startswith("```py\ncode = 1\n")
    assert parts[0].endswith("code = 1\n```")
    assert parts[1].startswith("```py\ncode = 1\n")
    assert parts[1].endswith("```\n\nend")


def test_a_fence_that_fits_is_not_cut() -> None:
    fence = "```\n" + "x = 1\n" * 5 + "```"

    assert split(f"some words before\n{fence}\nand after", 50) == ("some words before", f"{fence}\nand after")


def test_a_cut_leaves_no_empty_fence() -> None:
    for limit in range(30, 60):
        for part in split("```py\n" + "a = 1\n" * 12 + "```\nafter " * 5, limit):
            assert "```py\n```" not in part


def test_a_fence_in_a_quote_is_opened_again_in_the_quote() -> None:
    parts = split("> ```py\n" + "> code = 1\n" * 8 + "\nafter", 60)

    assert parts[0].endswith("> code = 1\n> ```")
    assert parts[1].startswith("> ```py\n> code = 1")
    assert parts[-1].endswith("after")


@pytest.mark.parametrize("indent", [2, 3, 4, 6])
def test_text_after_a_cut_fence_in_a_list_is_text_again(indent: int) -> None:
    pad = " " * indent
    marker = "-" if indent < 6 else "1234."
    for end in (f"{pad}```\n\n", ""):
        body = f"{marker.ljust(indent)}```py\n" + f"{pad}code\n" * 30 + f"{end}after words"
        parts = split(body, 90)
        tokens = MarkdownIt("commonmark").parse(parts[-1])

        assert len(parts) > 2
        assert tokens[-2].content == "after words"
        assert tokens[-2].type == "inline"


@pytest.mark.parametrize("mark", ["```", "~~~~~~", "````py", "- ```x", "> ```x"])
def test_parts_with_fences_keep_every_limit(mark: str) -> None:
    pad = {"-": "  ", ">": "> "}.get(mark[0], "")
    run = mark.lstrip("->").strip().rstrip("pyx")
    body = f"{mark}\n" + "".join(f"{pad}{'c' * width}\n" for width in range(1, 40)) + f"{pad}{run}\n{run}\nlast\n{run}"

    for limit in range(20, 120):
        parts = split(body, limit)
        assert max(map(len, parts)) <= limit
        assert "".join(parts).count("c") == body.count("c")


def test_an_info_string_too_long_to_repeat_is_left_out() -> None:
    parts = split("```" + "i" * 70 + "\n" + "code\n" * 40, 120)

    assert all(part.startswith("```\n") for part in parts[1:])


def test_a_fence_too_long_to_repeat_is_cut_as_text() -> None:
    assert all(len(part) <= 20 for part in split("`" * 30 + "\n" + "code\n" * 20, 20))
