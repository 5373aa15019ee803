"""Against another Markdown and a browser's view of its HTML: no comment comes out, and what a reader sees stays.

The examples are the same in every run: the other Markdown has faults of its own, and meeting one by chance says nothing.
"""

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tertulia._text import clean, scan
from tertulia.event import find_commands

Browse = Callable[[str], Any]
Numbered = Callable[[list[str]], tuple[str, list[str]]]

BREAKS = ["\n", "\n", "\n", "\n\n", "%", "% ", "%\n", "/%\n"]
COMMENTS = [
    "<!--",
    "<!--%",
    "-->",
    "<!-- % -->",
    "<!--\n%\n-->",
    "<!-->",
    "<!--->",
    "--!>",
    "<?",
    "?>",
    "<?%?>",
    "<!X %>",
    "<! %>",
]
COMMENTS += ["</ %>", "<![CDATA[", "]]>", "<? > <!-- % ?>"]
CODE = ["`", "``", "` ", "\\`", "\\", "```\n", "~~~\n", "`%`", "`` ` ``", "\n    %\n"]
LINKS = [
    "[",
    "]",
    "](",
    "](/%)",
    "[%](/%)",
    "](<%>)",
    "](/% '%')",
    "![",
    "[a]",
    "[a]: /%\n",
    "[b]: <%> (%)\n",
    "[c]:\n/%\n'%'\n",
    "[a][b]",
]
TAGS = [
    "<div>\n",
    "</div>",
    "<p>%",
    "<b>%</b>",
    "<b c='",
    '<b c="%',
    "'>",
    '">',
    "<http:%",
    "<a@b.c>",
    "<",
    ">",
    "<table>\n",
]
BLOCKS = [
    "# ",
    "===\n",
    "---\n",
    "***\n",
    "- ",
    "* ",
    "1. ",
    "2. ",
    "  ",
    "|%|\n|-|\n",
    "|%|%|\n|-|-|\n",
    "|%|\n",
    "|",
    "\t%",
]
QUOTES = ["> ", ">", "> > ", "> <!--%\n", "> ```\n", "> - %\n"]


SAME = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def documents(*kinds: list[str]) -> st.SearchStrategy[list[str]]:
    """Draw fragments of some kinds, line breaks and words between them."""
    return st.lists(st.sampled_from([*(piece for kind in kinds for piece in kind), *BREAKS]), min_size=1, max_size=25)


DOCUMENTS = st.one_of(
    documents(COMMENTS, CODE),
    documents(COMMENTS, CODE, LINKS),
    documents(COMMENTS, TAGS, CODE),
    documents(COMMENTS, BLOCKS),
    documents(COMMENTS, BLOCKS, CODE, QUOTES),
    documents(COMMENTS, CODE, LINKS, TAGS, BLOCKS),
)


@settings(SAME, max_examples=1500)
@given(DOCUMENTS)
def test_no_word_that_stands_in_comments_only_is_left(browse: Browse, numbered: Numbered, pieces: list[str]) -> None:
    body, words = numbered(pieces)
    page = browse(body)

    cleaned = clean(body)

    hidden = [word for word in words if word in page.comments and word not in page.visible + page.tags]
    assert cleaned.doubtful or [word for word in hidden if word in cleaned.text] == []


@settings(SAME, max_examples=500)
@given(documents([piece for piece in LINKS if piece != "!["], CODE[:-1], ["# ", "===\n", "> ", "\n***\n"]))
def test_no_word_that_is_not_on_the_page_at_all_is_left(browse: Browse, numbered: Numbered, pieces: list[str]) -> None:
    body, words = numbered(pieces)
    page = browse(body)
    seen = scan(body)
    fences = "".join(seen.raw(line) for line in seen.lines if line.kind == "fence")

    text = clean(body).text

    assert [word for word in words if word in text and word not in "".join(page) and word not in fences] == []


@settings(SAME, max_examples=500)
@given(documents(COMMENTS, CODE, ["# ", "- ", "\n\n", "/%\n", "/%\n", "/% %\n"]))
def test_a_command_is_text_on_the_page_and_not_in_code(browse: Browse, numbered: Numbered, pieces: list[str]) -> None:
    body, _ = numbered(pieces)
    page = browse(body)

    commands = find_commands(body).commands

    assert [command for command in commands if command not in page.visible] == []


INDENTS = ["\t", "\t", " ", "  ", "   ", "    ", "- ", "-\t", "-", "1. ", "10)", "\n", "\n", "\n\n"]


@settings(SAME, max_examples=1500)
@given(
    st.lists(
        st.sampled_from([*INDENTS, "a <!-- % -->", "a <!-- % -->\n", "%\n", "\ta <!-- % -->", "`<!-- % -->`"]),
        max_size=20,
    )
)
def test_what_is_code_depends_on_tabs_and_containers_as_on_the_page(
    browse: Browse, numbered: Numbered, pieces: list[str]
) -> None:
    body, words = numbered(pieces)
    page = browse(body)

    left = clean(body).text

    assert [word for word in words if (word in page.visible) != (word in left)] == []


INLINE = [
    "%",
    "*%*",
    "`%`",
    "`<!-- % -->`",
    "<!-- % -->",
    "[%](/%)",
    "[%](/% '%')",
    "![%](/%)",
    "<b>%</b>",
    "[used]",
    "&lt;!-- % --&gt;",
]
INLINE += [
    "\\<!-- % -->",
    "<b c='%'>%</b>",
    "<http://h/%>",
    "`` ` % ``",
    "\\`",
    "~~%~~",
    "%!",
    "1 < 2 %",
    "a -- %",
    "%\n%",
    "<!--%-->",
]
PARAGRAPH = st.lists(st.sampled_from(INLINE), min_size=1, max_size=6).map(lambda parts: "w " + " ".join(parts))
LEAVES = [
    "```\n<!-- % -->\n[x]: %\n```",
    "~~~ %\n%\n\n`\n~~~",
    "    <!-- % -->\n\n    %",
    "<!-- % -->",
    "<!--\n%\n\n```\n% -->",
]
LEAVES += [
    "<div>\n% <!-- % --> %\n</div>",
    "<details>\n\n%\n\n</details>",
    "[unused]: /% '%'",
    "***",
    "|%|%|\n|-|-|\n|%|`%`|",
]
LEAVES += ["<pre>\n%\n\n%\n</pre>", "%\n===", "# % `%`", "%\n---", "<?%?>"]


def _indented(text: str, first: str, rest: str) -> str:
    return first + text.replace("\n", f"\n{rest}")


@st.composite
def well_formed(draw: st.DrawFn, depth: int = 2) -> str:
    """Draw a document in which everything that begins ends."""
    blocks = draw(st.lists(PARAGRAPH | st.sampled_from(LEAVES), min_size=1, max_size=4))
    if depth:
        inner = draw(st.lists(well_formed(depth - 1), max_size=2))
        first, rest = draw(st.sampled_from([("> ", "> "), ("- ", "  "), ("1. ", "   ")]))
        blocks += [_indented(text, first, rest) for text in inner]
    return "\n\n".join(draw(st.permutations(blocks)))


@settings(SAME, max_examples=300)
@given(well_formed())
def test_of_a_well_formed_text_nothing_is_lost_that_a_reader_sees(
    browse: Browse, numbered: Numbered, text: str
) -> None:
    body, words = numbered([text, "\n\n[used]: /% '%'\n"])
    page = browse(body)

    left = clean(body).text

    assert [word for word in words if word in page.visible and word not in left] == []
    assert [word for word in words if word in page.comments and word not in page.visible and word in left] == []
