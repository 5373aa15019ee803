"""Comments: taken out where a reader does not see them, and nowhere else."""

import pytest

from tertulia._text import Cleaned, clean, scan


def left(body: str) -> str:
    """Give what is left of a text."""
    return clean(body).text


@pytest.mark.parametrize(
    ("body", "text", "count"),
    [
        ("a <!-- x --> b", "a  b", 1),
        ("a <!-- x --> b <!-- y --> c", "a  b  c", 2),
        ("<!-- x -->", "", 1),
        ("a\n<!-- x -->\nb", "a\nb", 1),
        ("a\n\n<!--\nx\n\ny\n-->\nb", "a\n\nb", 1),
        ("<!-- x --> b", " b", 1),
        ("a <!-- x\ny --> b", "a \n b", 1),
        ("a<!-->b<!--->c", "abc", 2),
        ("# a <!-- x --> b", "# a  b", 1),
        ("- a <!-- x -->\n- <!-- y -->\n- b", "- a \n- \n- b", 2),
        ("> a <!-- x -->\n> <!-- y -->\n> b", "> a \n> b", 2),
        ("> a <!-- x\n> y --> b", "> a \n>  b", 1),
        ("- a <!-- x\n  y --> b", "- a \n b", 1),
        ("|a <!-- x -->|\n|-|\n|<!-- y -->b|", "|a |\n|-|\n|b|", 2),
        ("<div><!-- x --></div>", "<div></div>", 1),
        ("a\n    <!-- x -->", "a", 1),
    ],
)
def test_a_comment_is_taken_out_and_counted(body: str, text: str, count: int) -> None:
    assert clean(body) == Cleaned(text, count)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<!-- <!-- --> x -->b", "b"),
        ("a <!-- <!-- x --> y --> b", "a  b"),
        ("<!-- <!-- <!-- x --> --> y --> b", " b"),
        ("<div>\n<!-- <!-- x -->\ny\n-->\nb", "<div>\nb"),
        ("<!-- <!-- x -->\n\ny\n\n--> b", " b"),
        ("<!-- <!-- x -->\n```\ny\n--> b\n```", " b\n```"),
        ("a <!-- <!--> x --> b", "a  b"),
        ("a <!-- x --!> y --> b", "a  b"),
    ],
)
def test_comments_nest(body: str, text: str) -> None:
    assert left(body) == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("hello\n<!-- x until the end", "hello"),
        ("hello <!-- x\n\n# y\n\n- z", "hello "),
        ("<!-- x\n```\ny\n```", ""),
        ("- <!-- x\n\ny", "- "),
        ("# a <!-- x\ny", "# a "),
        ("|a|\n|-|\n|b <!-- x|y|\nz", "|a|\n|-|\n|b "),
        ("<div>\n<!-- x\n\ny -->\n\nz", "<div>"),
        ("a <? > <!-- ?> y --> z", "a "),
        ("a <? > <!-- ?> y\n\nz", "a "),
        ("<div b='\n\nc <!-- x --> y\n\nz", "<div b='\n\nc "),
        ("<div b='\n\n<p>c <!-- x --> y\n\nz", "<div b='\n\n<p>c "),
        ("1. a <!-- x\n2. y", "1. a "),
    ],
)
def test_one_that_is_not_terminated_runs_to_the_end(body: str, text: str) -> None:
    assert left(body) == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("a <!-- x\n\ny --> b\n\nc", "a \n b\n\nc"),
        ("a <!-- x\n\n```\ny --> b\n```\n\nc", "a \n b\n```\n\nc"),
        ("a <!-- x\n\n<div>\ny -->\n`<!-- z -->`", "a \n``"),
        ("<!-- <!-- x -->\n<div>\n-->\n`<!-- z -->`", "``"),
        ("a <!-- x\n\n[y]: /z\n--> b", "a \n b"),
        ("a <!-- x\n\n<!-- y --> z --> b", "a \n b"),
    ],
)
def test_what_follows_it_keeps_the_structure_that_a_site_gives_it(body: str, text: str) -> None:
    assert left(body) == text


@pytest.mark.parametrize(
    "body",
    [
        "```\n<!-- x -->\n```",
        "```\n<!-- x",
        "``` <!-- x -->\n```",
        "~~~ `\n<!-- x -->\n~~~",
        "    <!-- x -->",
        "\n    <!-- x -->",
        "- a\n\n      <!-- x -->",
        "`<!-- x -->`",
        "`a <!-- x\n-->`",
        "`` ` <!-- x --> ``",
        "\\<!-- x -->",
        "see &#60;!-- x --&#62; and &lt;!-- y --&gt;",
        "a <b c='<!-- x -->'>",
        "a < !-- x -->",
        "[a](<b> '<!-- x -->')",
        "|a|\n|-|\n\n    <!-- x -->",
        "a|b\n    |-|\n`<!-- x -->`",
        "- a|b\n|-|\n`<!-- x -->`",
        "a\n===\n    <!-- x -->",
        "a\n-\n    <!-- x -->",
    ],
)
def test_none_is_taken_out_where_a_reader_sees_it(body: str) -> None:
    assert clean(body) == Cleaned(body)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("\t<!-- x -->", True),
        ("  \t<!-- x -->", True),
        ("   <!-- x -->", False),
        ("- a\n\n\t<!-- x -->", False),
        ("- a\n\n\t\t<!-- x -->", True),
        ("- a\n\n  \t<!-- x -->", False),
        ("- a\n\n      <!-- x -->", True),
        (">\t<!-- x -->", False),
        (">\t\t<!-- x -->", True),
        ("> \t <!-- x -->", False),
        ("-\t<!-- x -->", False),
        ("-\t\t<!-- x -->", True),
        ("-   \t<!-- x -->", True),
        ("-  \t<!-- x -->", False),
        ("-    \t<!-- x -->", True),
        (">-\t<!-- x -->", False),
        (">-\t  <!-- x -->", False),
        (" >\t-   <!-- x -->", False),
        (" >\t-\t  <!-- x -->", True),
        (">-\t \t<!-- x -->", True),
        ("1.\ta\n\n\t<!-- x -->", False),
        ("1.\ta\n\n\t    <!-- x -->", True),
        ("1.  a\n\n \t\t<!-- x -->", True),
        ("- a\n\t- b\n\n\t  <!-- x -->", False),
        ("- a\n\t- b\n\n\t\t <!-- x -->", False),
        ("- a\n\t- b\n\n\t\t\t<!-- x -->", True),
        (" - a\n\n      <!-- x -->", False),
        (" - a\n\n       <!-- x -->", True),
        ("> \t 1.    - \t<!-- x -->", False),
        ("> \t 1.    - \t    <!-- x -->", True),
        ("- \t>\t<!-- x -->", False),
        ("- \t>\t   <!-- x -->", True),
        ("[^n]\n\n[^n]:\t- \t<!-- x -->", False),
        ("[^n]\n\n[^n]:\t- \t  <!-- x -->", True),
    ],
)
def test_a_tab_stops_at_every_fourth_column(body: str, code: bool) -> None:
    assert ("x" in left(body)) is code


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("-\n\n    <!-- x -->", True),
        ("-\n  \n    <!-- x -->", False),
        ("-\n  -\n\n    <!-- x -->", False),
        ("-\n  >\n\n    <!-- x -->", False),
        ("- -\n\n    <!-- x -->", False),
        ("[^n]\n\n[^n]:\n\n    <!-- x -->", False),
    ],
)
def test_only_an_item_without_content_ends_at_a_blank_line(body: str, code: bool) -> None:
    assert ("x" in left(body)) is code


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("`a\n\n<!-- x -->`", "`a\n\n`"),
        ("`a <!-- x -->", "`a "),
        ("\\`a <!-- x -->`", "\\`a `"),
        ("``a` <!-- x -->`", "``a` `"),
        ("<http://a`> <!-- x --> `", "<http://a`>  `"),
        ("<a`@b.c> <!-- x --> `", "<a`@b.c>  `"),
        ("<b c='`'> <!-- x --> `", "<b c='`'>  `"),
        ("[a](`) <!-- x --> `", "[a](`)  `"),
        ("[a][`b] <!-- x --> `\n\n[`b]: /c", "[a][`b]  `\n\n[`b]: /c"),
        ("|`|\n|-|\n|<!-- x --> `|", "|`|\n|-|\n| `|"),
        ("- `\n- <!-- x --> `", "- `\n-  `"),
        ("`a\n===\n<!-- x -->`", "`a\n===\n`"),
        ("`a\n<!-- x -->`", "`a\n`"),
        ("<div>`<!-- x -->`</div>", "<div>``</div>"),
        ("<b>\n`<!-- x -->`", "<b>\n``"),
        ("<source>\n`<!-- x -->`", "<source>\n``"),
    ],
)
def test_it_is_where_nothing_protects_it(body: str, text: str) -> None:
    assert left(body) == text


@pytest.mark.parametrize(
    "body",
    [
        "[[x](y)](`) ` <!-- S --> `",
        "[x][`y] ` <!-- S --> `",
        "[x](a(b `) ` <!-- S --> `",
        "a <!-- -- ` --> ` <!-- S --> `",
        "a <!x ` > ` <!-- S --> `",
        "http://a/` <!-- S --> `",
        "www.a/` <!-- S --> `",
        "http://a/[b](c<!-- S -->)",
        "http://a/\\<!-- S -->",
        "`` a `b` c `<!-- S -->`",
        "a|b\n|-|\n`<!-- S -->`",
        f"a {'`' * 81} <!-- S --> {'`' * 81}",
        "[a]: b(c`\n` <!-- S --> `",
        "[a]: /b '`\\'\n` <!-- S --> `",
        "[x](/y '`\\') <!-- S -->`",
        "http://a/`b <? > <!-- S ?> T --> ` c",
    ],
)
def test_where_sites_disagree_it_is_hidden(body: str) -> None:
    assert "S" not in left(body)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("a <?x?> b", "a  b"),
        ("a <!X y> b", "a  b"),
        ("a <![CDATA[x]]> b", "a  b"),
        ("<?x\ny?>\nb", "b"),
        ("<div>\n<?x> b", "<div>\n b"),
        ("<div>\n<!1 x> b", "<div>\n b"),
        ("<div>\n</1 x> b", "<div>\n b"),
        ("<div>\n</ x\ny> b", "<div>\n b"),
        ("<div>\n<!x\n\nb", "<div>\nb"),
        ("<div>\n<!x\n\n```\nb\n```", "<div>\n```\nb\n```"),
        ("<div>\n<!x\n\n<p y\n>b", "<div>\nb"),
        ("- <!-- x --><?y\n  z\n- b", "- \n- b"),
        ("<!-- x --><?y\nb", "b"),
        ("<div>\n</>b</p>", "<div>\n</>b</p>"),
        ("a <!1 b>", "a <!1 b>"),
        ("a </1 b>", "a </1 b>"),
        ("a <?b", "a <?b"),
        ("a <![CDATA[b]>", "a <![CDATA[b]>"),
    ],
)
def test_what_a_browser_takes_for_a_comment_goes_too(body: str, text: str) -> None:
    assert left(body) == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("> a <!-- x\n\nb", "> a \n\nb"),
        ("> <!-- x\n> y\n\nb", "\nb"),
        ("> <!-- x\nb", "b"),
        ("> a <!-- x\nlazy\n\nb", "> a \n\nb"),
        ("> > <!-- x\n> b\n\nc", "> b\n\nc"),
        ("> <!-- x\n> > x\n\nb", "\nb"),
        ("> a <!-- x\n> > x\n\nb", "> a \n\nb"),
        ("> <!-- x\n\n> b", "\n> b"),
        ("> a <? > <!-- ?> x\n>\n> x\n\nb", "> a \n\nb"),
        ("- > <!-- x\n\n  b", "- > \n\n  b"),
        ("> <div>\n> <!-- x\n>\n> y\n\nb", "> <div>\n\nb"),
    ],
)
def test_one_opened_in_a_quote_ends_with_the_quote_and_leaves_doubt(body: str, text: str) -> None:
    cleaned = clean(body)

    assert cleaned.text == text
    assert cleaned.doubtful
    assert cleaned.hidden


@pytest.mark.parametrize(
    "body",
    [
        "> a <!-- x --> b\n\nc",
        "<!-- x\n> y\n\nz -->",
        "> a\n\n<!-- x",
        "> a <!-- x",
        "> <!-- x -->\n> <!-- y",
        "> > a\n\nb",
    ],
)
def test_there_is_no_doubt_otherwise(body: str) -> None:
    assert not clean(body).doubtful


def test_a_comment_outside_goes_on_through_a_quote() -> None:
    assert left("a <!-- x\n\n> y\n\nz --> b") == "a \n b"
    assert left("> a <!-- x\n\nb <!-- y\n\n> z") == "> a \n\nb "


def test_nothing_hidden_is_said_to_be_hidden() -> None:
    assert not clean("a < b & `c`").hidden
    assert not clean("> a").hidden
    assert clean("<!-- a -->").hidden
    assert clean("a\u200b").hidden


def test_line_ends_are_written_as_lf_and_a_byte_order_mark_is_dropped() -> None:
    assert clean("\ufeffa\r\nb\rc") == Cleaned("a\nb\nc")
    assert clean("\ufeffa <!-- x -->\r\nb\rc") == Cleaned("a \nb\nc", 1)


def test_the_hosts_own_lines_go_and_are_not_counted() -> None:
    body = "<!-- bot-agent-scribe -->\na <!-- x -->\n<!-- tertulia key=1 -->"

    assert clean(body, frozenset({0, 2})) == Cleaned("a ", 1)
    assert clean(body, frozenset({0})) == Cleaned("a ", 2)
    assert clean("a\nb", frozenset({1})) == Cleaned("a", 0)


def test_a_scan_can_be_handed_over() -> None:
    body = "a <!-- x -->\u200b"

    assert clean(body, scanned=scan(body)) == clean(body) == Cleaned("a ", 1, 1)


def test_nothing_in_deep_nesting_comes_out() -> None:
    for opening in ("> ", "- ", "> - ", "1. "):
        assert "S" not in left(opening * 300 + "<!-- S -->")
    assert "S" not in left("> " * 300 + "[a]: /S")
