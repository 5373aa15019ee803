"""A text with nothing taken out, and what of it is hidden."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertulia._text import clean, clean_characters
from tertulia._text._lines import unify_lines
from tertulia._text._reveal import Piece, reveal


@pytest.mark.parametrize(
    ("body", "pieces"),
    [
        ("", ()),
        ("plain", (("plain", False),)),
        ("a<!-- a -->a", (("a", False), ("<!-- a -->", True), ("a", False))),
        ("`<!-- x -->`", (("`<!-- x -->`", False),)),
        ("a\u200bb", (("a", False), ("\u200b", True), ("b", False))),
        ("\U0001f469\u200d\U0001f4bb\u200d", (("\U0001f469\u200d\U0001f4bb", False), ("\u200d", True))),
        ("a\u2028b", (("a\u2028b", False),)),
        ("a\x0bb \x00", (("a\x0bb ", False), ("\x00", True))),
        (
            "a\r\n<!-- b\r\nc -->\r\nd",
            (("a\n", False), ("<!-- b", True), ("\n", False), ("c -->", True), ("\nd", False)),
        ),
        ("[x]: /u\n", (("[x]: /u", True), ("\n", False))),
        ("<!-- a\u200b -->", (("<!-- a\u200b -->", True),)),
    ],
)
def test_hidden_parts_are_told_apart(body: str, pieces: tuple[Piece, ...]) -> None:
    assert reveal(body) == pieces


FRAGMENTS = [
    "a",
    " ",
    "\n",
    "<!--",
    "-->",
    "`",
    "```\n",
    "> ",
    "    ",
    "[x]: /u",
    "\u200b",
    "\u202e",
    "\u2028",
    "\ud800",
    "\x00",
]
TEXTS = st.one_of(st.text(max_size=30), st.lists(st.sampled_from(FRAGMENTS), max_size=20).map("".join))


@given(TEXTS)
def test_nothing_is_lost(body: str) -> None:
    assert "".join(text for text, _ in reveal(body)) == unify_lines(body)


@given(TEXTS)
def test_what_is_seen_is_what_cleaning_leaves(body: str) -> None:
    seen = "".join(text for text, hidden in reveal(body) if not hidden)

    assert solid(clean_characters(seen)[0]) == solid(clean(body).text)


def solid(text: str) -> str:
    """Leave out white space and quote marks: cleaning drops lines with nothing left in them."""
    return "".join(text.replace(">", "").split())
