"""A text without anything that shapes it is read without the scanner, and comes out the same."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tertulia.event import _grammar as grammar
from tertulia.event import find_commands
from tertulia.thread import Account

ENGINE = Account(id="7", login="helper[bot]")
WORDS = [
    *("/ask", "/Fix-it!", "//", "/a", "/usr/bin", "@helper", "@helper[bot]", "<@7>", "<@U0AB>", "why", "-", "*", "+"),
    *("1.", "10)", "#", "---", "===", "***", "_", "|", "| a | b |", "--- | ---", "\\", "&lt;", ":", "!", "\u200b"),
    *("\u00a0", "\u2028", "\ufeff", "\x0b", " ", "  ", "   ", "    ", "\n", "\n", "\n\n", "\r\n", "\r", "\t"),
    *("`", "> ", "<!--", "-->", "~~~", "[x]: /u"),
]


@settings(max_examples=1_500)
@given(st.lists(st.sampled_from(WORDS), max_size=14).map("".join))
@example("-     x\n/ask why")
@example("-    x\n/ask why")
@example("1.  x\n\n /ask why")
@example("\ufeff/ask why")
@example("*\n@helper\n")
def test_the_scanner_would_say_the_same(body: str) -> None:
    assert find_commands(body, engine=ENGINE) == scanned(body)


@settings(max_examples=1_500)
@given(
    st.lists(st.sampled_from([word for word in WORDS if "\n" not in word and word != "\r"]), max_size=14).map("".join)
)
@example(" /ask `why` [x](y)")
@example("\t/ask")
@example("[x]: /u")
@example("> /ask")
@example(" /ask <!-- -->")
def test_the_scanner_would_say_the_same_of_a_line_to_somebody(rest: str) -> None:
    assert find_commands(f"<@7>{rest}", engine=ENGINE) == scanned(f"<@7>{rest}")


def scanned(body: str) -> grammar.Commands:
    """Read the commands of a text with the scanner, whatever the text."""
    is_plain, grammar._is_plain = grammar._is_plain, lambda text: False
    try:
        return find_commands(body, engine=ENGINE)
    finally:
        grammar._is_plain = is_plain


@pytest.mark.parametrize("sign", ["<", ">", "`", "~", "[", "\t", "    ", "\n "])
def test_what_shapes_a_text_calls_the_scanner(sign: str) -> None:
    assert grammar._SHAPED.search(f"a{sign}b") is not None
