"""What an agent wrote is made safe before it is posted, and marked as ours."""

import hashlib
import unicodedata
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tertulia import outbound
from tertulia.errors import Invalid
from tertulia.thread import Draft

JOIN = "\u2060"
KEY = "github:acme/shop#7/x/helper"
MARKER = "<!-- bot-agent-helper -->"
KEY_LINE = f"<!-- tertulia key={hashlib.sha256(KEY.encode()).hexdigest()[:32]} -->"
RENDERERS = [
    MarkdownIt("commonmark", {"maxNesting": 100}),
    MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"]),
]
FRAGMENTS = [
    *("```", "````", "~~~", "```py", "``` a`b", "- ", "* ", "1. ", "2. ", "10) ", "> ", ">", "  ", "   ", "    ", "\t"),
    *("\n", "\n", "\n", "\n\n", "\r", "\x00", "a", "b c", "# h", "---", "===", "***", "-", "+", "`", "\\", "@here"),
    *("<div>", "<pre>", "</pre>", "<script>", "</script>", "<textarea>", "</style>", "<style", "<?php", "?>", "<!x"),
    *(
        "<!DOCTYPE",
        ">",
        "<![CDATA[",
        "]]>",
        "<b>",
        "</b>",
        "<a href='x'>",
        "<!--",
        "-->",
        "[a]: /u",
        "[^1]: ",
        "<!here>",
    ),
    *("| a | b |", "|---|---|", "<details>", "</details>", '[c]: <x> "t"', '"t', "    ```", "      ```"),
]
BODIES = st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=16).map("".join)


def draft(body: str, key: str | None = KEY) -> Draft:
    """Make a draft of the agent `helper`."""
    return Draft(body=body, agent="helper", key=key)


def prepare(body: str, **options: Any) -> str:
    """Prepare a keyed draft for a Markdown backend."""
    return outbound.prepare(draft(body), carrier="markdown", **options)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("a\r\nb\rc\n\rd", "a\nb\nc\n\nd"),
        ("a\r\x00\nb", "a\nb"),
        ("\x00a\x08\x0b\x0c\x1b[31mb\x7f\x80\x85\x9f", "a[31mb"),
        ("a\u2028b\u00a0c\u200bd", "a\u2028b\u00a0c\u200bd"),
        ("half \ud83d\ude00 \udc00", "half \ufffd\ufffd \ufffd"),
        ("\ud7ff\ud800\udfff\ue000", "\ud7ff\ufffd\ufffd\ue000"),
        ("<!-- x -->", "&lt;!-- x -->"),
        ("<!--<!--", "&lt;!--&lt;!--"),
        ("<<!--", "<&lt;!--"),
        ("<\x00!--", "&lt;!--"),
        ("<!\x01--", "&lt;!--"),
        ("<!-\x9f-", "&lt;!--"),
        ("<\r!--", "<\n!--"),
        ("<\u200b!--", "<\u200b!--"),
        ("`<!--`", "`&lt;!--`"),
        ("&lt;!--", "&lt;!--"),
        ("<!channel> <!here> <!everyone>", f"<!{JOIN}channel> <!{JOIN}here> <!{JOIN}everyone>"),
        ("<!channel|channel> <!HERE>", f"<!{JOIN}channel|channel> <!{JOIN}HERE>"),
        ("<!gr\x00oup>", f"<!{JOIN}group>"),
        ("<!subteam^S1|@team> <@U1> <!date^1^x|y> <!channels>", "<!subteam^S1|@team> <@U1> <!date^1^x|y> <!channels>"),
        ("@here @Channel, (@EVERYONE) *@here*", f"@{JOIN}here @{JOIN}Channel, (@{JOIN}EVERYONE) *@{JOIN}here*"),
        ("_@here_ @@here", f"_@{JOIN}here_ @@{JOIN}here"),
        ("@he\x00re", f"@{JOIN}here"),
        ("ana@here.example @hereby @channel9 @heré @ana", "ana@here.example @hereby @channel9 @heré @ana"),
        ("@acme/here @acme/team", "@acme/here @acme/team"),
    ],
)
def test_text_is_cleaned(text: str, cleaned: str) -> None:
    assert outbound.clean(text) == cleaned
    assert outbound.clean(cleaned) == cleaned


@given(st.text(st.characters(codec=None, categories=None)) | BODIES)
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    once = outbound.clean(text)

    assert outbound.clean(once) == once
    assert "<!--" not in once
    assert "\r" not in once
    once.encode()


def test_a_post_stands_between_our_lines() -> None:
    assert prepare("Done.\n") == f"{MARKER}\nDone.\n\n{KEY_LINE}"


def test_a_post_without_a_key_has_the_first_line_only() -> None:
    assert outbound.prepare(draft("Done.", key=None), carrier="markdown") == f"{MARKER}\nDone."


def test_where_the_backend_carries_them_no_lines_are_added() -> None:
    assert outbound.prepare(draft("Done <!-- x --> @here"), carrier="none") == f"Done &lt;!-- x --> @{JOIN}here"


def test_the_marker_has_the_configured_prefix() -> None:
    assert prepare("x", marker_prefix="robot-").startswith("<!-- robot-agent-helper -->\n")


@pytest.mark.parametrize("prefix", ["", "-->", "a b", "A-", "x" * 32, "bot-\n"])
def test_a_prefix_cannot_break_out_of_its_comment(prefix: str) -> None:
    with pytest.raises(Invalid, match="marker_prefix"):
        outbound.marker_line("helper", marker_prefix=prefix)


@pytest.mark.parametrize("agent", ["", "-a", "A", "a -->", "a" * 64, "a\n"])
def test_an_agent_cannot_break_out_of_its_comment(agent: str) -> None:
    with pytest.raises(Invalid, match="agent"):
        outbound.marker_line(agent)


def test_a_key_is_the_beginning_of_a_sha256() -> None:
    assert outbound.key_line(KEY) == KEY_LINE
    assert outbound.key_digest("test") == "9f86d081884c7d659a2feaa0c55ad015"
    assert outbound.key_line("\ud800") != outbound.key_line("\ud801")
    with pytest.raises(Invalid, match="key"):
        outbound.key_line("")


@pytest.mark.parametrize("body", ["", " \n\t", "\x00\x1b", "\r\n", "\u00a0\u2003", "\u200b\u2060\ufeff"])
@pytest.mark.parametrize("carrier", ["markdown", "none"])
def test_an_answer_without_anything_to_read_is_refused(body: str, carrier: outbound.Carrier) -> None:
    with pytest.raises(Invalid, match="body") as refusal:
        outbound.prepare(draft(body), carrier=carrier)

    assert refusal.value.field == "body"


def test_the_limit_counts_code_points_with_our_lines() -> None:
    whole = prepare("é🚀")

    assert prepare("é🚀", limit=len(whole)) == whole
    with pytest.raises(Invalid, match=f"{len(whole)} characters with the host's lines are more than {len(whole) - 1}"):
        prepare("é🚀", limit=len(whole) - 1)


def test_a_line_end_counts_once() -> None:
    room = len(prepare("x\n" * 40_000))

    assert prepare("x\r\n" * 40_000, limit=room) == prepare("x\n" * 40_000)


@pytest.mark.parametrize(
    ("body", "written"),
    [
        ("```py\ncode", "```py\ncode\n```"),
        ("~~~~\n```\ncode", "~~~~\n```\ncode\n~~~~"),
        ("   ````\n```", "   ````\n```\n````"),
        ("```\ncode\n```", "```\ncode\n```"),
        ("- a\n  ```\n  code", "- a\n  ```\n  code"),
        ("> ```\n> code", "> ```\n> code"),
        ("- ```\n  code\n```\nmore", "- ```\n  code\n```\nmore\n```"),
        ("    ```\ncode", "    ```\ncode"),
        ("text ```\ncode", "text ```\ncode"),
        ("``` a`b\ncode", "``` a`b\ncode"),
        ("<div>\n```\n</div>\n\ntext", "<div>\n```\n</div>\n\ntext"),
        ("<pre>\n```\n</pre>", "<pre>\n```\n</pre>"),
        ("<pre>\n```\n", "&lt;pre>\n```\n```"),
        ("<script>\nx", "&lt;script>\nx"),
        ("a\n<?php\nx", "a\n&lt;?php\nx"),
        ("<!DOCTYPE html", "&lt;!DOCTYPE html"),
        ("1. <![CDATA[\nx", "1. &lt;![CDATA[\nx"),
        ("```\n<?php\n```", "```\n<?php\n```"),
    ],
)
def test_nothing_the_agent_left_open_goes_on(body: str, written: str) -> None:
    assert prepare(body) == f"{MARKER}\n{written}\n\n{KEY_LINE}"


@settings(max_examples=1500, deadline=None)
@given(BODIES)
@example("* [a]: /u\n&lt;b>\n  ~~~\nx")
@example("[a]: /u\n</b>\n~~~\n\n```py")
@example("1. x\n2. * [^1]: ~~~</x></details>\n</b>\n```py\n\n> \n\n<![CDATA[")
def test_the_key_line_is_an_html_block_of_its_own_whatever_the_agent_wrote(body: str) -> None:
    try:
        written = prepare(body)
    except Invalid:
        return

    for renderer in RENDERERS:
        top = [token for token in renderer.parse(written) if token.level == 0]
        assert (top[0].type, top[0].content.split("\n")[0]) == ("html_block", MARKER)
        assert (top[-1].type, top[-1].content.strip()) == ("html_block", KEY_LINE)


@given(st.text(st.characters(codec=None, categories=None)) | st.text("\x00\x1b\x7f\x85\x9b\r\n\t[31m<!-@here"))
def test_no_control_character_and_no_comment_of_the_agents_leaves_whatever_it_wrote(body: str) -> None:
    written = prepare(f"{body}x")

    said = written.removeprefix(MARKER).removesuffix(KEY_LINE)
    assert all(char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cs") for char in written)
    assert "<!--" not in said


@given(BODIES)
def test_our_lines_are_read_back_and_the_agents_are_not(body: str) -> None:
    unkeyed = f"{body}x\n\n{KEY_LINE}"

    assert outbound.parse_lines(prepare(body + "x")) == ("helper", outbound.key_digest(KEY), None)
    assert outbound.parse_lines(outbound.prepare(draft(unkeyed, key=None), carrier="markdown")).key is None
    assert outbound.parse_lines(outbound.prepare(draft(f"{MARKER}\nx"), carrier="none")).agent is None


@pytest.mark.parametrize(
    ("body", "agent", "keyed"),
    [
        (f"{MARKER}\r\nx\r\n\r\n{KEY_LINE}\r\n", "helper", True),
        (f"{MARKER}  \nx\n\n{KEY_LINE}\n\n", "helper", True),
        (f"{MARKER}\nx", "helper", False),
        (f"x\n\n{KEY_LINE}", None, True),
        (f"x\n{MARKER}\n{KEY_LINE}\nx", None, False),
        (f"> {MARKER}\n> {KEY_LINE}", None, False),
        ("<!-- robot-agent-helper -->\nx", None, False),
        ("<!-- bot-agent-HELPER -->\nx\n<!-- tertulia key=ABC -->", None, False),
        (f"x\u2028{KEY_LINE}", None, False),
        ("", None, False),
    ],
)
def test_only_the_first_and_the_last_line_are_ours(body: str, agent: str | None, keyed: bool) -> None:
    lines = outbound.parse_lines(body)

    assert lines.agent == agent
    assert lines.key == outbound.find_key(body) == (outbound.key_digest(KEY) if keyed else None)


def test_an_edit_keeps_agent_and_key() -> None:
    before = prepare("first")
    edit = Draft(body="second", agent="other")

    assert outbound.prepare(edit, carrier="markdown", replacing=before) == f"{MARKER}\nsecond\n\n{KEY_LINE}"
    assert outbound.prepare(edit, carrier="markdown", replacing="plain") == "<!-- bot-agent-other -->\nsecond"


def test_a_part_of_a_split_body_fits_when_the_overhead_is_kept_free() -> None:
    body = outbound.clean("word @here\n\n```py\ncode\n" * 60)
    room = 400 - outbound.overhead(draft("x"), carrier="markdown")

    for part in outbound.split(body, room):
        assert len(prepare(part, limit=400)) <= 400
    assert outbound.overhead(draft("x"), carrier="none") < outbound.overhead(draft("x", None), carrier="markdown")


STATE = "<!-- workflow-state v5 thread=github:acme/demo#7 rev=1 data=eNo -->"


def test_a_state_stands_in_exactly_three_lines() -> None:
    draft = Draft(body="Kept for\nthe next run. <!-- x --> @channel", agent="ledger", key="k", state=STATE)
    first, sentence, last = outbound.prepare(draft, carrier="markdown").split("\n")

    assert (first, last) == ("<!-- bot-workflow-terminal -->", STATE)
    assert sentence == "Kept for the next run. &lt;!-- x --> @\u2060channel"
    assert outbound.prepare(draft, carrier="markdown", replacing="<!-- bot-agent-x -->\nOld.") == "\n".join(
        [first, sentence, last]
    )


@pytest.mark.parametrize(
    "state",
    ["", "Hello", STATE + "\n", STATE + STATE, STATE.replace("eNo", "e\nNo"), STATE.replace("eNo", "é"), STATE[:-1]],
)
def test_what_is_no_state_is_refused(state: str) -> None:
    with pytest.raises(Invalid, match="state"):
        outbound.prepare(Draft(body="A sentence.", agent="ledger", state=state), carrier="markdown")


def test_a_backend_that_carries_markers_outside_carries_no_state() -> None:
    with pytest.raises(Invalid, match="keep it elsewhere"):
        outbound.prepare(Draft(body="A sentence.", agent="ledger", state=STATE), carrier="none")


def test_a_state_counts_towards_the_limit() -> None:
    draft = Draft(body="A sentence.", agent="ledger", state=STATE)
    whole = outbound.prepare(draft, carrier="markdown")

    assert outbound.prepare(draft, carrier="markdown", limit=len(whole)) == whole
    with pytest.raises(Invalid, match="more than"):
        outbound.prepare(draft, carrier="markdown", limit=len(whole) - 1)


def test_a_keyed_answer_says_which_revision_it_rests_on() -> None:
    posted = outbound.prepare(Draft(body="Done.", agent="helper", key=KEY, rev=7), carrier="markdown")

    assert posted.endswith(f"{KEY_LINE[:-4]} rev=7 -->")
    assert outbound.parse_lines(posted) == ("helper", outbound.key_digest(KEY), 7)
    assert outbound.find_key(posted) == outbound.key_digest(KEY)
    edited = outbound.prepare(Draft(body="Done!", agent="helper", rev=9), carrier="markdown", replacing=posted)
    assert outbound.parse_lines(edited) == outbound.parse_lines(posted)


def test_without_a_key_there_is_no_line_for_a_revision() -> None:
    assert "rev" not in outbound.prepare(Draft(body="Done.", agent="helper", rev=7), carrier="markdown")
