"""The marker line of a body, and the lines the host writes around an answer."""

import pytest

from tertulia._text import BodyMarker, find_marker, own_lines, scan

AGENT = "<!-- bot-agent-scribe -->"
KEY = "<!-- tertulia key=0123456789abcdef0123456789abcdef -->"
STATE = "<!-- workflow-state v5 thread=k rev=1 data=AA -->"


@pytest.mark.parametrize(
    ("line", "kind", "name"),
    [
        ("<!-- bot-workflow-terminal -->", "engine", "workflow-terminal"),
        ("<!-- bot-engine-status -->", "engine", "status"),
        (AGENT, "agent", "scribe"),
        ("<!-- bot-agent-a -->", "agent", "a"),
        ("<!-- bot-agent-a1-b -->", "agent", "a1-b"),
        (f"<!-- bot-agent-{'a' * 63} -->", "agent", "a" * 63),
        (f"<!-- bot-agent-{'a' * 64} -->", "unknown", f"agent-{'a' * 64}"),
        ("<!-- bot-agent- -->", "unknown", "agent-"),
        ("<!-- bot-agent--a -->", "unknown", "agent--a"),
        ("<!-- bot-agent -->", "unknown", "agent"),
        ("<!-- bot-other-x -->", "unknown", "other-x"),
        (f"<!-- bot-{'a' * 81} -->", "unknown", "a" * 81),
    ],
)
def test_the_words_behind_the_prefix_name_kind_and_name(line: str, kind: str, name: str) -> None:
    found = find_marker(f"{line}\n\nDone.")

    assert found is not None
    assert (found.kind, found.name) == (kind, name)


@pytest.mark.parametrize(
    "before",
    ["", " ", "  ", "   ", "text\n", "text\n\n", "```\nx\n```\n", "> x\n\n", "<!-- x -->\n", "- x\n  ", "[^n]: x\n\n"],
)
@pytest.mark.parametrize("end", ["", " ", "\t", "\n", "\r\n", "\rx"])
def test_a_marker_stands_alone_on_a_line(before: str, end: str) -> None:
    assert find_marker(f"{before}{AGENT}{end}") is not None


@pytest.mark.parametrize(
    "body",
    [
        f"The string {AGENT} is how we tag output.",
        f"x {AGENT}",
        f"{AGENT} x",
        f"{AGENT}{AGENT}",
        f"    {AGENT}",
        f"\t{AGENT}",
        f"- {AGENT}",
        f"> {AGENT}",
        f">{AGENT}",
        f"> x\n> {AGENT}",
        f"> <div>\n{'> '}{AGENT}",
        f"> nice work\u2028{AGENT}\u2028x",
        f"x\x0b{AGENT}",
        f"x\x85{AGENT}",
        f"```\n{AGENT}\n```",
        f"~~~\n{AGENT}",
        f"- ```\n  {AGENT}",
        f"<!--\n{AGENT}\n-->",
        f"<!-- x\n\n{AGENT}",
        f"x <!-- y\n\n{AGENT}",
        f"<!-- <!-- x -->\n{AGENT}\n-->",
        f"<div>\n<!--\n\n{AGENT}",
        f"<?\n{AGENT}\n?>",
        f"[^n]: x\n    {AGENT}\n\n[^n]",
        f"x\n\n    {AGENT}",
        f"`\n\n```\n{AGENT}",
        "<!-- bot\u2011agent-scribe -->",
        "<!-- bot-\u200bagent-scribe -->",
        "<!-- bot-agent-scribe\u00a0-->",
        "<!-- bot-agent-Scribe -->",
        "<!-- BOT-agent-scribe -->",
        "<!--bot-agent-scribe-->",
        "<!--  bot-agent-scribe -->",
        "<!-- bot-agent-scribe  -->",
        "<!-- bot-agent-scribe --!>",
        "<!-- bot-agent-scribé -->",
        "<!-- bot-agent_scribe -->",
        "<!-- bot--agent -->",
        "<!-- bot- -->",
        "<!-- -->",
        "\u200b" + AGENT,
        f"<!-- bot-{'a' * 82} -->",
        "&lt;!-- bot-agent-scribe -->",
    ],
)
def test_anything_else_is_none(body: str) -> None:
    assert find_marker(body) is None


def test_the_first_marker_line_decides() -> None:
    body = f"> <!-- bot-agent-quoted -->\n\n{AGENT}\n<!-- bot-engine-late -->"

    assert find_marker(body) == BodyMarker("agent", "scribe", 2)


def test_a_byte_order_mark_does_not_hide_one() -> None:
    assert find_marker(f"\ufeff{AGENT}") == BodyMarker("agent", "scribe")


def test_the_prefix_can_be_another() -> None:
    assert find_marker("<!-- my.x-agent-a -->", "my.x-") == BodyMarker("agent", "a")
    assert find_marker("<!-- myzx-agent-a -->", "my.x-") is None
    assert find_marker(AGENT, "my.x-") is None


def test_a_scan_can_be_handed_over() -> None:
    assert find_marker(f"x\n\n{AGENT}", scanned=scan(f"x\n\n{AGENT}")) == BodyMarker("agent", "scribe", 2)


@pytest.mark.parametrize(
    ("body", "own"),
    [
        (f"{AGENT}\nx", {0}),
        (f"x\n{AGENT}\ny", set()),
        (f"{AGENT}\nx\n{KEY}", {0, 2}),
        (f"{AGENT}\nx\n{KEY}\n", {0, 2}),
        (f"{AGENT}\nx\n{KEY}\n \n", {0, 2}),
        (f"{AGENT}\nx\n{STATE}", {0, 2}),
        (f"{AGENT}\nx\n<!-- workflow-state {{}} -->", {0, 2}),
        (f"x\n{AGENT}\n{KEY}", {2}),
        (f"{AGENT}\n{KEY}\nx", {0}),
        (f"{AGENT}\nx\n {KEY}", {0}),
        (f"{AGENT}\nx {KEY}", {0}),
        (f"{AGENT}\n> {KEY}", {0}),
        (f"{AGENT}\n```\n{KEY}", {0}),
        (f"{AGENT}\n<!-- x\n{KEY}", {0}),
        (f"{AGENT}\nx <!-- y\n\n{KEY}", {0}),
        (f"{AGENT}\nx\n<!-- tertulia key=0123 -->", {0}),
        (f"{AGENT}\nx\n{KEY} y", {0}),
        (f"{AGENT}\nx\n<!-- workflow-state é -->", {0}),
        (f"{AGENT}\nx\n<!-- workflow-state", {0}),
        (AGENT, {0}),
        (f"{AGENT}\n\n", {0}),
    ],
)
def test_the_hosts_own_lines_are_a_marker_on_the_first_and_a_key_or_state_on_the_last(body: str, own: set[int]) -> None:
    found = find_marker(body)

    assert found is not None
    assert own_lines(body, found) == own == own_lines(body, found, scan(body))
