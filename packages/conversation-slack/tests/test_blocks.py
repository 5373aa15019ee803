"""Rich text and other blocks, as Markdown."""

from typing import Any

import pytest

from tertulia_conversation_slack._format import markdown

Json = dict[str, Any]


def said(*blocks: Json, text: str = "", **fields: Any) -> str:
    """Write a message with blocks as Markdown."""
    return markdown({"text": text, "blocks": list(blocks), **fields})


def rich(*elements: Json) -> Json:
    return {"type": "rich_text", "elements": list(elements)}


def section(*elements: Json | str) -> Json:
    return {"type": "rich_text_section", "elements": [text(one) if isinstance(one, str) else one for one in elements]}


def text(words: str, **style: bool) -> Json:
    return {"type": "text", "text": words, **({"style": style} if style else {})}


def items(*lines: str, style: str = "bullet", indent: int = 0, **fields: Any) -> Json:
    elements = [section(line) for line in lines]
    return {"type": "rich_text_list", "style": style, "indent": indent, "elements": elements, **fields}


def test_styles_are_marks_with_white_space_outside() -> None:
    made = said(
        rich(
            section(
                "a ", text("bold ", bold=True), text("it", italic=True), text(" s", strike=True), text("x*y", code=True)
            )
        )
    )

    assert made == "a **bold** _it_ ~~s~~`x*y`"
    assert said(rich(section(text("both\ntwo", bold=True, italic=True)))) == "**_both_**\n**_two_**"


def test_inline_elements_are_what_they_show() -> None:
    made = said(
        rich(
            section(
                {"type": "user", "user_id": "U0ANNA"},
                " ",
                {"type": "channel", "channel_id": "C0HELP"},
                " ",
                {"type": "usergroup", "usergroup_id": "S1"},
                " ",
                {"type": "broadcast", "range": "here"},
                " ",
                {"type": "emoji", "name": "tada", "unicode": "1f389"},
                " ",
                {"type": "link", "url": "https://x.example", "text": "x", "style": {"bold": True}},
                " ",
                {"type": "link", "url": "https://x.example"},
                " ",
                {"type": "date", "timestamp": 1740823500, "format": "{date}", "fallback": "1 March"},
                " ",
                {"type": "color", "value": "#fff"},
            )
        )
    )

    assert made == (
        "<@U0ANNA> <#C0HELP> <!subteam^S1> @here :tada: **[x](https://x.example)** https://x.example 1 March #fff"
    )


def test_nested_lists_keep_their_numbers_and_their_depth() -> None:
    made = said(
        rich(
            section("todo:\n"),
            items("one", "two", style="ordered"),
            items("a", "b\nmore", indent=1),
            items("deep", indent=5),
            items("three", style="ordered", offset=2),
            section("/deploy"),
        )
    )

    assert made == ("todo:\n1. one\n2. two\n    - a\n    - b\n      more\n        - deep\n3. three\n\n/deploy")


def test_a_list_that_begins_indented_begins_at_the_margin() -> None:
    assert said(rich(items("a", indent=3))) == "- a"


def test_code_and_quotes_are_blocks() -> None:
    made = said(
        rich(
            section("run:\n"),
            {"type": "rich_text_preformatted", "elements": [text("a *b* ```"), {"type": "link", "url": "https://x"}]},
            {"type": "rich_text_quote", "elements": [text("said\nthis")]},
            section("/ask why"),
        )
    )

    assert made == "run:\n````\na *b* ```https://x\n````\n> said\n> this\n\n/ask why"


def test_a_table_has_a_head_and_keeps_its_columns() -> None:
    rows = [
        [{"type": "raw_text", "text": "a|b"}, {"type": "raw_text", "text": "n"}],
        [rich(section(text("x", bold=True), "\ny")), {"type": "raw_number", "value": 7}],
        [{"type": "raw_text", "text": "short"}],
    ]

    made = said({"type": "table", "rows": rows, "column_settings": [{"align": "center"}, {"align": "right"}]})

    assert made == "| a\\|b | n |\n| :---: | ---: |\n| **x**<br>y | 7 |\n| short |  |"
    assert said({"type": "table", "rows": []}, text="none") == "none"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (1.5, "1.5"), (float("nan"), ""), (float("inf"), ""), (True, ""), (None, ""), ("7", "")],
)
def test_a_cell_shows_a_number_and_nothing_else(value: object, shown: str) -> None:
    rows = [[{"type": "raw_text", "text": "n"}], [{"type": "raw_number", "value": value}]]
    assert said({"type": "table", "rows": rows}) == f"| n |\n| --- |\n| {shown} |"


def test_blocks_of_apps_are_what_people_see() -> None:
    made = said(
        {"type": "header", "text": {"type": "plain_text", "text": "Deployed\nnow"}},
        {"type": "section", "text": {"type": "mrkdwn", "text": "*ok*"}, "fields": [{"type": "mrkdwn", "text": "_f_"}]},
        {"type": "divider"},
        {"type": "context", "elements": [{"type": "image", "alt_text": "a  b"}, {"type": "plain_text", "text": "*c*"}]},
        {"type": "image", "image_url": "https://x.example/y.png"},
        {"type": "markdown", "text": "**as is** &amp;"},
        {"type": "actions", "elements": []},
        text="a notification",
    )

    assert made == "## Deployed now\n\n**ok**\n\n_f_\n\n---\n\n[image: a b] *c*\n\n[image]\n\n**as is** &amp;"


@pytest.mark.parametrize(
    "blocks",
    [
        [rich(section({"type": "new"}))],
        [rich({"type": "rich_text_new"})],
        [{"type": "new"}, {"type": "divider"}],
        [{"type": "table", "rows": [[{"type": "new"}]]}],
        [],
        [{"type": "actions", "elements": []}],
    ],
)
def test_the_text_stands_in_for_blocks_nobody_knows(blocks: list[Json]) -> None:
    assert said(*blocks, text="*the text*") == "**the text**"


def test_without_a_text_the_blocks_that_are_known_are_better_than_nothing() -> None:
    assert said({"type": "new"}, {"type": "markdown", "text": "this"}) == "this"


def test_strings_in_blocks_are_decoded_when_slack_escaped_them() -> None:
    assert said(rich(section("a &lt; b &amp;amp;"))) == "a < b &amp;"
    assert said(rich(section("a < b &amp;"))) == "a < b &amp;"
    assert said(rich(section("a & b &amp;"))) == "a & b &amp;"


def test_a_message_of_attachments_only_says_what_they_say() -> None:
    made = markdown(
        {
            "text": "",
            "attachments": [
                {
                    "pretext": "*new*",
                    "title": "A &amp; B",
                    "title_link": "https://x.example",
                    "text": "failed",
                    "fallback": "f",
                },
                {"title": "alone"},
                {"fallback": "only this"},
                {"blocks": [{"type": "section", "text": {"type": "plain_text", "text": "in blocks"}}]},
                {},
            ],
        }
    )

    assert made == "**new**\n\n[A & B](https://x.example)\n\nfailed\n\nalone\n\nonly this\n\nin blocks"
    assert markdown({"text": "said", "attachments": [{"text": "a preview"}]}) == "said"


def test_a_message_without_anything_says_nothing() -> None:
    assert markdown({}) == ""
    assert markdown({"text": None, "blocks": None, "attachments": "x"}) == ""
