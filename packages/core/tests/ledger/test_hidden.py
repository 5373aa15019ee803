"""Hidden text: taken out of what is rendered in full, and counted."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tertulia.thread import Attachment, Marker

Make = Callable[..., Any]


@pytest.fixture
def shown(context: Make, note: Make, inside: Make) -> Make:
    """Give what stands in the fence of one trusted comment, and the details of its findings."""

    def make(body: str, **fields: Any) -> tuple[str, list[str]]:
        made = context(note(1, body, **fields))
        assert {finding.flag for finding in made.audit} <= {"hidden-text"}
        return inside(made.text, made.fence, "issue_comment:1"), [finding.detail for finding in made.audit]

    return make


ONE = ["1 comment or unused definition taken out"]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("a <!-- x --> b", "a  b"),
        ("a\n\n<!-- x\ny -->\n\nb", "a\n\n\nb"),
        ("a\n\n<!-- never closed\nb", "a"),
        ("a\n\n[note]: # 'obey'\n\nb", "a\n\n\nb"),
    ],
)
def test_what_a_reader_does_not_see_is_taken_out_and_counted(shown: Make, body: str, text: str) -> None:
    got, findings = shown(body)

    assert got.split() == text.split()
    assert findings == ONE


@pytest.mark.parametrize(
    "body",
    [
        "```\n<!-- x -->\n```",
        "`<!-- x -->`",
        "a\n\n    <!-- x -->",
        "see [note]\n\n[note]: https://github.com/a",
        "&lt;!-- x --&gt;",
        "&#8203;",
        "\U0001f469\u200d\U0001f680",
        "\u0646\u200c\u0647",
        "\u2764\ufe0f",
        "a\tb",
    ],
)
def test_what_a_reader_does_see_is_kept(shown: Make, body: str) -> None:
    assert shown(body) == (body, [])


@pytest.mark.parametrize(
    "char",
    [
        "\u200b",
        "\u202e",
        "\u2066",
        "\u2069",
        "\ufeff",
        "\u00ad",
        "\U000e0041",
        "\ufe0f",
        "\u200d",
        "\x07",
        "\x7f",
        "\x9b",
    ],
)
def test_invisible_characters_go_everywhere(shown: Make, char: str) -> None:
    assert shown(f"a{char}b") == ("ab", ["1 invisible character taken out"])
    assert shown(f"`a{char}b`") == ("`ab`", ["1 invisible character taken out"])


HELLO = "\U000e0068\U000e0065\U000e006c\U000e006c\U000e006f"


@pytest.mark.parametrize("body", [HELLO, "\u200b\u2060", "<!-- obey -->", f"<!-- {HELLO} -->", "\x00\x1b"])
def test_a_body_with_nothing_to_see_comes_out_empty(
    context: Make, note: Make, people: SimpleNamespace, shown: Make, body: str
) -> None:
    """Nothing left is no reason to show what was there."""
    text, findings = shown(body)
    unverified = context(note(1, body, people.eve)).text

    assert (text.strip(), len(findings)) == ("", 1)
    assert [word for word in (HELLO, "\u200b", "obey", "\x00") if word in unverified] == []


@pytest.mark.parametrize("gap", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c"])
def test_other_line_breaks_become_spaces(shown: Make, gap: str) -> None:
    assert shown(f"a{gap}b") == ("a b", [])


def test_both_kinds_are_told_in_one_finding(shown: Make) -> None:
    _, findings = shown("a\u200b\u200b <!-- x --> <!-- y -->")

    assert findings == ["2 comments or unused definitions and 2 invisible characters taken out"]


def test_a_comment_left_open_in_a_quote_is_doubtful(shown: Make) -> None:
    _, findings = shown("> <!-- open\n\nafter")

    assert findings == [f"{ONE[0]}; a comment is left open inside a quote: the site may hide more than was taken out"]


def test_titles_paths_and_file_names_are_cleaned_and_counted(
    context: Make, issue: Make, inside: Make, flags: Make
) -> None:
    made = context(issue("b", title="t\u200b", path="p\u202e\u202e", attachments=(Attachment(name="n\u200b"),)))

    assert inside(made.text, made.fence, "issue:9007") == "t\n\npath: p\n\nb\n\n[file: n]"
    assert made.audit[-1].detail == "4 invisible characters taken out"


def test_a_clean_thread_has_no_finding(context: Make, issue: Make, note: Make, flags: Make) -> None:
    assert flags(context(issue(), note(1))) == []


def test_the_finding_names_the_record(context: Make, issue: Make, note: Make, flags: Make) -> None:
    made = context(issue("<!-- x -->"), note(1, "a\u200b"))

    assert flags(made) == ["hidden-text issue:9007", "hidden-text issue_comment:1"]


def test_what_is_hidden_in_an_excerpt_is_taken_out_without_a_finding(
    context: Make, note: Make, people: SimpleNamespace, flags: Make
) -> None:
    made = context(note(1, "a<!-- obey -->", people.eve))

    assert "obey" not in made.text
    assert flags(made) == []


def test_white_lines_around_a_body_go(shown: Make) -> None:
    assert shown("\n\n  a\n\n") == ("  a", [])
    assert shown("\nXX\n") == ("XX", [])


def test_what_marks_an_answer_as_ours_is_not_hidden_text(
    context: Make, note: Make, people: SimpleNamespace, flags: Make, inside: Make
) -> None:
    """A marker in the body, under any prefix, and one that the backend carries beside it."""
    marked = context(note(1, "<!-- acme-agent-scribe -->\nDone.", people.engine), marker_prefix="acme-")
    carried = context(note(1, "Done.", people.engine, marker=Marker(agent="scribe")))

    for made in (marked, carried):
        assert inside(made.text, made.fence, "issue_comment:1").strip() == "Done."
        assert flags(made) == []
