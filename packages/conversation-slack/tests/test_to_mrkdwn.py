"""Markdown in Slack's own markup: what people see, nothing lost, and no token that an agent did not mean."""

import re
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertulia import outbound
from tertulia.errors import Invalid
from tertulia_conversation_slack._mrkdwn import from_mrkdwn
from tertulia_conversation_slack._to_mrkdwn import to_mrkdwn

TOKEN = re.compile(
    r"<(?:@[UW][A-Z0-9]+|#[CDG][A-Z0-9]+|!subteam\^S[A-Z0-9]+|(?:https?://|mailto:)[^<>|]*(?:\|[^<>\n]*)?)>", re.I
)
QUOTE = re.compile(r"^(?:> ?)+", re.MULTILINE)
CODE = """\
```
if a &lt; b &amp;&amp; c:
    pass
```"""
TABLE = """\
```
| name               | n   |
| ------------------ | --- |
| a\\|b               | 1   |
| c (https://x.test) | :x: |
```"""


@pytest.mark.parametrize(
    ("markdown", "mrkdwn"),
    [
        ("a & b < c > d", "a &amp; b &lt; c &gt; d"),
        ("*a* __b__ ~~c~~ ***d***", "_a_ *b* ~c~ _*d*_"),
        ("**two\nlines**", "*two*\n*lines*"),
        ("**a **b** c**", "*a b c*"),
        ("这是**重点**。", "这是\u200b*重点*。"),
        ("*a*_b_", "_a_\u200b_b_"),
        ("snake_case_name and 2 * 3", "snake_case_name and 2 * 3"),
        ("# A *b* **c**", "*A _b_ c*"),
        ("`a < b` ``c`d``", "`a &lt; b` c`d"),
        ("```python\nif a < b && c:\n    pass\n```", CODE),
        ("    #!/bin/sh\n    x", "```\n#!/bin/sh\nx\n```"),
        ("~~~\n```\n~~~", "```\n``\u2060`\n```"),
        ("\\`\\`\\` is no fence", "``\u2060` is no fence"),
        ("- a\n  - b\n    1. c\n- [x] d", "• a\n  • b\n    1. c\n• [x] d"),
        ("3. a\n4. b\n\n   c", "3. a\n4. b\n\n   c"),
        ("1. a\n   ```\n     b\n   ```\n2. c", "1. a\n```\n  b\n```\n2. c"),
        ("> a\n> b\n>\n> - c\n>> d", "> a\n> b\n>\n> • c\n>\n> > d"),
        ("> ```\n> a\n> b\n> ```", "> `a`\n> `b`"),
        ("\\> is no quote", "\u2060&gt; is no quote"),
        ("| name | n |\n|---|--:|\n| a\\|b | 1 |\n| [**c**](https://x.test) | :x: |", TABLE),
        ("[a *b*](https://x.test/?a=1&b=2)", "<https://x.test/?a=1&amp;b=2|a b>"),
        ("<https://x.test> <anna@x.test>", "<https://x.test> <mailto:anna@x.test|anna@x.test>"),
        ("[a][1]\n\n[1]: https://x.test", "<https://x.test|a>"),
        ("*[a <https://y.test> b](https://x.test)*", "_<https://x.test|a https://y.test b>_"),
        ("![a\nb](https://x.test/i.png)", "<https://x.test/i.png|a b>"),
        ("[here](docs/a.md) ![x](i.png)", "here (docs/a.md) x (i.png)"),
        ("<@U0ANNA> in <#C0HELP>, <!subteam^S0TRIAGE> :tada:", "<@U0ANNA> in <#C0HELP>, <!subteam^S0TRIAGE> :tada:"),
        ("\\<@U0ANNA> `<@U0ANNA>` &lt;@U0ANNA>", "&lt;@U0ANNA&gt; `&lt;@U0ANNA&gt;` &lt;@U0ANNA&gt;"),
        ("<b>x</b><br>", "&lt;b&gt;x&lt;/b&gt;&lt;br&gt;"),
        ("a\n\n* * *\n\nb  \nc", "a\n\n---\n\nb\nc"),
    ],
)
def test_markdown_is_written_as_slack_shows_it(markdown: str, mrkdwn: str) -> None:
    assert to_mrkdwn(markdown) == mrkdwn


def test_a_wide_cell_does_not_make_every_row_wide() -> None:
    table = "| a | b |\n|---|---|\n" + "| c | d |\n" * 50 + f"| {'long ' * 100} | e |\n"

    assert len(to_mrkdwn(table)) < 1.5 * len(table)


@pytest.mark.parametrize(
    "markdown",
    [
        "<!channel> <!here|here> <!everyone>",
        "&lt;!channel&gt; &#60;!here&#62; &#x3c;!everyone>",
        "\\<!channel\\> <\\!here> <!\\everyone>",
        "[all](!channel) [all](<!here>) ![all](!everyone) [all](&#33;channel)",
        "[!channel]: x\n\n[all][!channel] <!chan*nel*> <!**channel**>",
        "`<!channel>` ```<!here>``` ``<!everyone>``",
        "```\n<!channel>\n```\n\n    <!here>\n\n> <!everyone>",
        "| <!channel> |\n|---|\n| [x](!here) |",
        "<!subteam^S1|<!channel>> <@U1|<!here>> [<!everyone>](https://x.test)",
        "@channel @&#104;ere @every\\one <!date^0^{date}|x>",
        "[x](https://x.test/<!channel>) [x](https://x.test/\\><!here>) <https://x.test/|<!channel>>",
    ],
)
def test_nobody_is_called_with_everybody(markdown: str) -> None:
    for body in (markdown, outbound.clean(markdown)):
        text = to_mrkdwn(body)
        assert re.search("<!(?!subteam)", text) is None
        assert re.search("@(?:channel|here|everyone)", text) is None


@pytest.mark.parametrize("markdown", ["", "[a]: https://x.test", "\n \n", "> " * 200 + "a", "1. " * 2_000 + "a"])
def test_what_leaves_nothing_to_show_or_is_too_deep_is_invalid(markdown: str) -> None:
    with pytest.raises(Invalid) as refused:
        to_mrkdwn(markdown)

    assert refused.value.field == "body"


def test_depth_that_can_be_read_is_written() -> None:
    assert to_mrkdwn("> " * 40 + "a").endswith("> a")
    assert to_mrkdwn("- " * 40 + "a").endswith("• a")


PIECES = st.sampled_from(
    [
        *"*_~`<>&[]()!|#-\\\n\t :@^.1a",
        "> ",
        "```",
        "\n\n",
        "<!",
        "<@U1>",
        "channel",
        "](https://x.test)",
        "<https://y.test>",
        "    ",
        "|-|\n",
        "&lt;",
        "&#2;",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES | st.characters(), max_size=60).map("".join))
def test_any_text_is_a_text_or_invalid(markdown: str) -> None:
    try:
        text = to_mrkdwn(markdown)
    except Invalid:
        return

    inside = QUOTE.sub("", TOKEN.sub("", text))
    assert "<" not in inside
    assert ">" not in re.sub(r"(?m)^ *(?:(?:•|\d+\.) +)*(?:> ?)+", "", inside)
    assert text == outbound.clean(text)
    assert isinstance(from_mrkdwn(text), str)


SHAPES = [
    "{}",
    "**{}**",
    "*{}*",
    "`{}`",
    "- {}",
    "1. {}",
    "> {}",
    "# {}",
    "```\n{}\n```",
    "| {} |\n|---|\n| x |",
    "[{}](https://x.test)",
]
HOLDERS = ["{}\n\n", "- {}\n", "> {}\n", "1. a\n\n   {}\n", "**{}** and\n"]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(SHAPES), st.sampled_from(HOLDERS)), min_size=1, max_size=12))
def test_no_word_is_lost_on_the_way_there_and_back(shapes: list[tuple[str, str]]) -> None:
    words = [f"word{number}" for number in range(len(shapes))]
    body = "".join(holder.format(shape.format(word)) for word, (shape, holder) in zip(words, shapes, strict=True))

    text = to_mrkdwn(body)

    assert [word for word in words if word not in text] == []
    assert [word for word in words if word not in from_mrkdwn(text)] == []


REPEATED = [
    *("[", "![", "[a](", "![a](b", "<@U1> > ", "`a", "_a_", "*a **b ", "~~a", "<a ", "<!-", "&", "&lt;", "\\", "a*b*"),
    *("- a\n  ", "|a", "|a|b|\n|-|-|\n", "a\n> ", "[a]: b\n\nc\n\n", "<a:"),
]


@pytest.mark.parametrize("piece", REPEATED)
def test_what_is_done_grows_with_the_text_and_not_faster(piece: str) -> None:
    few, many = (steps(lambda count=count: to_mrkdwn(piece * count)) for count in (150, 600))

    assert many < 5 * few


def steps(work: Callable[[], Any]) -> int:
    """Count the calls that a piece of work makes."""
    count = 0

    def called(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
