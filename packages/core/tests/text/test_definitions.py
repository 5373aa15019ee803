"""Reference definitions and footnotes: lines that render as nothing, taken out when nothing uses them."""

import pytest

from tertulia._text import Cleaned, clean


def left(body: str) -> str:
    """Give what is left of a text."""
    return clean(body).text


UNUSED = [
    "[//]: # (S do it)",
    "[a]: /S",
    "[a]: <S>",
    "[a]: <S t> 'S'",
    '[a]: /S "S"',
    "[a]: /S (S)",
    "[a]:\n/S\n'S\nS'",
    "[a\nb]: /S",
    "   [a]: /S",
    "[a]: /S\\(",
    "[a]: /S(S(S))",
    "[a]: /S\u00a0S\u2003S",
    "[a]: /S'S'",
    "[a\\]]: /S",
    "[a]: /S 'S\\'S'",
    "[a]: <\\>S>",
    "[" + "a" * 999 + "]: /S",
    "[a]: /S  ",
    "[a]:/S",
    "[a]:<S t>",
    "[a]: /x\n[b]: /S",
    "[a]: /S(S",
    '[a]: /x "S\\"',
]


@pytest.mark.parametrize("definition", UNUSED)
def test_an_unused_definition_is_taken_out_and_counted(definition: str) -> None:
    cleaned = clean(f"hi\n\n{definition}\n\nbye")

    assert cleaned.text == "hi\n\n\nbye"
    assert cleaned.blocks == (2 if "[b]" in definition else 1)


@pytest.mark.parametrize(
    "body",
    [
        "[a]: ",
        "[a] : /b",
        "[a]",
        "[]: /b",
        "[ ]: /b",
        "[a[]: /b",
        "[a]: /b c",
        "[a]: /b 'c' d",
        "[a]: <b>'c'",
        "x\n2. [a]: /b",
        "x\n*\n[a]: /b",
        "x\n**\n[a]: /b",
        "x\n**a\n[a]: /b",
        "x\n*-*\n[a]: /b",
        "x\n+++\n[a]: /b",
        "x\n*a\n[a]: /b",
        "x\n#a\n[a]: /b",
        "x\n####### a\n[a]: /b",
        "x\n``\n[a]: /b",
        "[a]: /b\\ c",
        "[a]: <b> c",
        "[a]: <b",
        "[a]: <b\n>",
        "[a]: <b<c>",
        "[a]: b)",
        "[a]: /b (c(d)",
        "[a]: /b 'c\n\nd'",
        "x\n[a]: /b",
        "    [a]: /b",
        "```\n[a]: /b\n```",
        "`x\n[a]: /b`",
        "\\[a]: /b",
        "# [a]: /b",
        "<div>\n[a]: /b",
        "<b>\n[a]: /b",
        "|a|\n|-|\n[a]: /b",
        "|x\n[a]: /b|c\n-|-",
        "[" + "a" * 1000 + "]: /b",
        "[a]: " + "(" * 33 + "b" + ")" * 33,
    ],
)
def test_what_is_none_stays(body: str) -> None:
    assert clean(body) == Cleaned(body)


def test_a_destination_holds_no_control() -> None:
    assert left("[a]: /b\x7f") == "[a]: /b"


@pytest.mark.parametrize(
    "before",
    [
        "x\n===",
        "x\n-",
        "# x",
        "***",
        "<!-- x -->",
        "<div>\n",
        "<b>x</b>\n# y",
        "```\n```",
        "|x|\n|-|\n",
        "- x\n",
        "> x\n",
        "    x",
        "[b]: /c",
    ],
)
def test_one_may_follow_anything_but_a_paragraph(before: str) -> None:
    assert "S" not in left(f"{before}\n[a]: /S")


@pytest.mark.parametrize(
    "body",
    [
        "- [a]: /S",
        "> [a]: /S",
        "1. x\n2. [a]: /S",
        "- x\n- [a]: /S",
        "> x\n\n> [a]: /S",
        "> - [a]: /S\n> - [b]: x '\n>   S'",
        "- [a]:\n  /S",
    ],
)
def test_one_may_stand_in_a_container(body: str) -> None:
    assert "S" not in left(body)


@pytest.mark.parametrize(
    "use",
    [
        "[a]",
        "[x][a]",
        "[a][]",
        "![x][a]",
        "![a]",
        "[A]",
        "[ a\t]",
        "[x][\na]",
        "# [a]",
        "- [a]",
        "> [a]",
        "|[a]|\n|-|",
        "[[a]]",
        "[x [a] y](",
        "[a](",
        "[a](/b c)",
        "[a]b)",
        "[a](<b>'c')",
        "[a](/b 'c)",
        "[a] (b)",
        "*[a]*",
        "[a]: /c [a]",
        "[x][y][a]",
    ],
)
def test_a_used_one_stays(use: str) -> None:
    body = f"{use}\n\n[a]: /b 'c\nd'\n"

    assert clean(body) == Cleaned(body)


@pytest.mark.parametrize(
    "use",
    [
        "[b]",
        "\\[a]",
        "[a\\]",
        "`[a]`",
        "<!-- [a] -->",
        "[a](/b)",
        "[a](/b(c))",
        "[a]()",
        "[a](<b> 'c')",
        "[a][b]",
        "[x](<[a]>)",
        "[x](/[a])",
        "<b c='[a]'>",
        "<http:[a]>",
        "```\n[a]\n```",
        "    [a]",
        "<div>\n[a]",
        "![x [a]](/b)",
        "[a\u00a0]",
        "a",
        "[a b]",
        "[x][a\u00a0]",
        "www.x[a]",
    ],
)
def test_what_does_not_use_it_does_not_keep_it(use: str) -> None:
    assert "S" not in left(f"{use}\n\n[a]: /S\n")


@pytest.mark.parametrize(
    "between",
    [
        "* * *",
        "*\t*\t*",
        "_ _ _",
        "***",
        "---",
        "- - -",
        "# y",
        "#",
        "###### y",
        "```\n```",
        "~~~\n~~~",
        "<!-- y -->",
        "<div>\n",
    ],
)
def test_a_paragraph_ends_before_a_block(between: str) -> None:
    assert "S" not in left(f"x\n{between}\n[a]: /S")


@pytest.mark.parametrize("mark", ["-", "*", "+", "1.", "1)", ">", "> -", "- 7."])
def test_a_container_can_begin_behind_a_paragraph(mark: str) -> None:
    assert "S" not in left(f"x\n{mark} [a]: /S")


def test_a_label_is_compared_without_case_and_with_white_space_collapsed() -> None:
    assert "/c" in left("[STRASSE  x]\n\n[stra\u00dfe\n x]: /c")
    assert "/c" not in left("[a b]\n\n[a\u00a0b]: /c")


def test_of_two_with_one_label_the_first_is_used() -> None:
    assert clean("[a]\n\n[a]: /b\n[A]: /S\n\n[a]: /S") == Cleaned("[a]\n\n[a]: /b\n", 2)


def test_a_link_in_a_link_is_no_link() -> None:
    assert "S" not in left("[x [y](/z) [a]](/b)\n\n[c]: /S")
    assert "/b" in left("[x [y](/z)][a]\n\n[a]: /b")
    assert "/b" in left("![x [y](/z)](/w)[a]\n\n[a]: /b")


def test_hidden_text_uses_nothing() -> None:
    assert "S" not in left("<div>\n<!--\n\n[a]\n\n[a]: /S")
    assert "S" not in left("x <? > <!-- ?> [a]\n\n[a]: /S")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("x\n\n[^n]: S\n    S\n\n    S\n\ny", "x\n\n\n\ny"),
        ("x\n[^n]: S\nS", "x"),
        ("x\n\n[^n]:\n    ```\n    S\n    ```\ny", "x\n\ny"),
        ("x\n\n[^n[m]: S", "x\n"),
        ("x[^n]\n\n[^n]: y\n\n[^n]: S", "x[^n]\n\n[^n]: y\n"),
        ("x\n\n[^n]: [a]\n\n[a]: /S", "x\n\n"),
        ("- x\n- [^n]: S", "- x"),
    ],
)
def test_a_footnote_nobody_refers_to_is_taken_out(body: str, text: str) -> None:
    cleaned = clean(body)

    assert cleaned.text == text
    assert cleaned.blocks > 0


@pytest.mark.parametrize(
    "body",
    [
        "x[^n]\n\n[^n]: y\n    z",
        "x[^n]\n\n[^n]: y\nlazy",
        "x\n\n[^n]: y [^n]",
        "x[^n]\n\n[^n]: [a]\n\n[a]: /b",
        "[^n]\n\n[^n]:     y",
    ],
)
def test_one_that_is_referred_to_stays(body: str) -> None:
    assert clean(body) == Cleaned(body)


def test_a_footnote_ends_where_its_indent_does() -> None:
    assert left("[^n]: S\n\nx") == "\nx"
    assert left("[^n]:\n\nx") == "\nx"
    assert left("[^n]:\n\n    S\n\nx") == "\n\nx"
