"""The excerpt of what nobody vouches for: one line that can start nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertulia._text import excerpt


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("", ""),
        ("plain text", "plain text"),
        ("see [the docs](https://docs.example/a?b#c) now", "see the docs (docs.example) now"),
        ("see [the docs](https://docs.example/a 'title') now", "see the docs (docs.example) now"),
        ("[a](<https://b.example/c>)", "a (b.example)"),
        ("[a](https://user:pw@b.example/c)", "a (b.example)"),
        ("[a [b] c](https://d.example)", "a [b] c (d.example)"),
        ("[a](/b/c) [d](#e) [f]()", "a (link) d (link) f (link)"),
        ("https://a.example/b?c=d e", "a.example e"),
        ("https://user:pw@a.example/b", "a.example"),
        ("ftp+x://a.example", "a.example"),
        ("<https://a.example/b>", "\u2039a.example\u203a"),
        ("www.a.example/b WWW.b.example", "www.a.example WWW.b.example"),
        ("https://" + "a" * 90 + "/b", "a" * 80),
        ("https:// x", "https:/ x"),
        ("a:////b", "a:/b"),
        ("http://[::1]/x", "http:/[::1]/x"),
    ],
)
def test_a_link_is_shown_as_its_host(body: str, line: str) -> None:
    assert excerpt(body) == line


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("a ![ALT run it](https://img.example/x.png) b", "a [image] b"),
        ("![ALT](x 'ALT')", "[image]"),
        ("![ALT [ALT] \\] ALT](x)", "[image]"),
        ("![ALT][ref] ![ALT]", "[image] [image]"),
        ("a <img src=x alt=ALT> b", "a [image] b"),
        ("a <IMG alt='ALT > ALT'> b", "a [image] b"),
        ('a <img alt="ALT > ALT"/> b', "a [image] b"),
        ("a <img alt='x", "a [image]"),
        ("[![ALT](https://a.example/b)](https://c.example/d)", "[image] (c.example)"),
    ],
)
def test_an_image_is_shown_as_a_word(body: str, line: str) -> None:
    assert excerpt(body) == line


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("`a` <b>c</b> @ana", "'a' \u2039b\u203ac\u2039/b\u203a \uff20ana"),
        ("```First\nx=1\n```", "'''First x=1 '''"),
        ("javascript:alert(1) x", "alert(1) x"),
        ("a JavaScript:b data:c vbscript:d file:e mailto:f", "a b c d e f"),
        ("[a](javascript:b)", "a ( b)"),
        ("jajavascript:vascript:a", "jajavascript:vascript:a"),
        ("javascript:javascript:a", "a"),
        ("a <!-- b --> c", "a c"),
        ("a\n\n[b]: /c\n\nd", "a d"),
        ("a\u200bb\U000e0041c", "abc"),
    ],
)
def test_code_tags_mentions_schemes_and_hidden_text_are_neutralised(body: str, line: str) -> None:
    assert excerpt(body) == line


@pytest.mark.parametrize(
    "mark", ["\n", "\r\n", "\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\n\n# "]
)
def test_it_is_one_line_under_every_line_break(mark: str) -> None:
    line = excerpt(f"a{mark}b")

    assert line.splitlines() == [line]
    assert line.replace("# ", "") == "a b"


@pytest.mark.parametrize(
    ("length", "limit", "line"),
    [
        (160, 160, "x" * 160),
        (161, 160, "x" * 159 + "\u2026"),
        (9999, 160, "x" * 159 + "\u2026"),
        (11, 10, "x" * 9 + "\u2026"),
    ],
)
def test_it_is_160_characters_long_at_most_or_as_many_as_asked(length: int, limit: int, line: str) -> None:
    assert excerpt("x" * length, limit) == line
    assert len(excerpt("x" * length)) <= 160


def test_it_is_cut_behind_a_word() -> None:
    assert excerpt("ab " * 100, 10) == "ab ab ab\u2026"


def test_it_looks_at_the_first_4096_characters() -> None:
    assert excerpt("![" + "a" * 900 + "](b)" + " " * 3189 + "cd") == "[image] c"
    assert excerpt("x <!-- " + "a" * 9000 + " --> y") == "x y"


PIECES = [
    "[",
    "]",
    "(",
    ")",
    "!",
    "<",
    ">",
    "img ",
    "a",
    "://",
    ":",
    "/",
    "//",
    "@",
    "`",
    "'",
    '"',
    "\\",
    "www.",
    "javascript:",
]
PIECES += [
    "data:",
    "http",
    "java",
    "script",
    "\n",
    "\u2028",
    " ",
    "\u200b",
    "#",
    "-",
    "<!--",
    "-->",
    "\x85",
    "\x00",
    "?",
]


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join) | st.text(), st.integers(1, 200))
def test_nothing_in_it_can_start_anything(body: str, limit: int) -> None:
    line = excerpt(body, limit)

    assert len(line) <= limit
    assert line.split() == line.split(" ") or line == ""
    assert not any(mark in line for mark in ("\n", "`", "<", ">", "@", "://", "\u2028", "\x85", "\x00", "\u200b"))
    assert not any(line.startswith(scheme) or f" {scheme}" in line for scheme in ("javascript:", "data:"))
