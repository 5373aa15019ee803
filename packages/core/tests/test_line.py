"""One printable line out of anything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertulia._line import one_line


@given(st.text(st.characters(codec=None, categories=None)), st.integers(1, 400))
def test_it_is_one_printable_line_within_its_length(text: str, most: int) -> None:
    line = one_line(text, most)

    assert line.isprintable()
    assert len(line) <= most


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", ""),
        (" a\n\tb\r\u2028c ", "a b c"),
        ("a\x00b\x1b[31m\u202ec", "a b [31m c"),
        ("x" * 300, "x" * 300),
        ("x" * 301, "x" * 299 + "…"),
        ("größe 🚀", "größe 🚀"),
        ("ghp_short", "ghp_short"),
        ("see ghp_abcdefgh.", "see [token]"),
        ("https://ana:pw@h/x and ana@h", "https://[token]@h/x and ana@h"),
    ],
)
def test_white_space_is_one_blank_and_tokens_are_gone(text: str, line: str) -> None:
    assert one_line(text) == line


def test_a_length_may_be_given() -> None:
    assert one_line("abcdef", 6) == "abcdef"
    assert one_line("abcdefg", 6) == "abcde…"


def test_of_a_long_text_the_beginning_is_read_without_its_last_word() -> None:
    whole = "a" + " " * 2393 + "ghp_ss"

    assert one_line(whole) == "a ghp_ss"
    assert one_line(whole + "ssssss") == "a"
    assert one_line("x" * 2401) == ""
