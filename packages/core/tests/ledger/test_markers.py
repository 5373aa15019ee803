"""The marker in a body: exact ASCII, alone on its line, where a reader would not see it; the first one decides."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tertulia.thread import Marker

Make = Callable[..., Any]

AGENT = "<!-- bot-agent-scribe -->"
NOTICE = "<!-- bot-engine-status -->"
TERMINAL = "<!-- bot-workflow-terminal -->"


@pytest.mark.parametrize(
    ("line", "kind", "decision"),
    [
        (TERMINAL, "engine-output", "engine"),
        (NOTICE, "engine-output", "engine"),
        (AGENT, "agent-output", "flow"),
        (f"   {AGENT}", "agent-output", "flow"),
    ],
)
def test_a_marker_of_the_engine_names_the_kind(
    fate: Make, note: Make, people: SimpleNamespace, line: str, kind: str, decision: str
) -> None:
    assert fate(note(1, f"{line}\n\nDone.", people.engine)) == (kind, True, decision)


@pytest.mark.parametrize(
    "body",
    [
        f"    {AGENT}",
        f"> {AGENT}",
        f"```\n{AGENT}\n```",
        f"<!-- hidden\n{AGENT}",
        f"See {AGENT}",
        f"{AGENT} done",
        "<!--bot-agent-scribe-->",
        "<!-- BOT-AGENT-SCRIBE -->",
        "<!-- bot\u2010agent-scribe -->",
        "<!-- b\u043et-agent-scribe -->",
        f"Done.\u2028{AGENT}",
        f"Done.\x0b{AGENT}",
        f"Done.\x85{AGENT}",
    ],
)
def test_anything_else_is_no_marker(fate: Make, note: Make, people: SimpleNamespace, body: str) -> None:
    kind, _, decision = fate(note(1, body, people.engine))

    assert (kind, decision) == ("human-feedback", "unverified")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_ends_at_lf_crlf_or_cr(fate: Make, note: Make, people: SimpleNamespace, end: str) -> None:
    assert fate(note(1, f"Done.{end}{end}{AGENT}{end}", people.engine))[0] == "agent-output"


def test_the_first_marker_decides(fate: Make, note: Make, people: SimpleNamespace) -> None:
    assert fate(note(1, f"{NOTICE}\n{AGENT}", people.engine))[0] == "engine-output"
    assert fate(note(1, f"{AGENT}\n{NOTICE}", people.engine))[0] == "agent-output"


def test_an_unknown_marker_is_engine_output_for_the_engine(fate: Make, note: Make, people: SimpleNamespace) -> None:
    assert fate(note(1, "<!-- bot-progress -->", people.engine)) == ("engine-output", True, "engine")


def test_an_unknown_marker_of_another_bot_takes_the_human_path(fate: Make, note: Make, people: SimpleNamespace) -> None:
    assert fate(note(1, "<!-- bot-progress -->\nhi", people.bot)) == ("human-feedback", False, "unverified")


def test_an_unknown_marker_of_a_person_takes_the_human_path(fate: Make, note: Make) -> None:
    assert fate(note(1, "<!-- bot-progress -->\nhi")) == ("human-feedback", True, "flow")


def test_the_scheme_can_be_changed(fate: Make, note: Make, people: SimpleNamespace) -> None:
    message = note(1, "<!-- acme-agent-scribe -->\nhi", people.engine)

    assert fate(message, marker_prefix="acme-")[0] == "agent-output"
    assert fate(message)[0] == "human-feedback"
    assert fate(note(1, AGENT, people.engine), marker_prefix="acme-")[0] == "human-feedback"


def test_the_opening_post_has_a_kind_of_its_own_whatever_it_says(
    fate: Make, issue: Make, people: SimpleNamespace
) -> None:
    assert fate(issue(AGENT, people.engine, association="MEMBER")) == ("issue-body", False, "body")
    assert fate(issue("/fix this"))[0] == "issue-body"


@pytest.mark.parametrize("source_type", ["issue", "pull_request", "discussion", "jira_issue"])
def test_four_types_are_opening_posts(fate: Make, issue: Make, source_type: str) -> None:
    assert fate(issue(source_type=source_type))[0] == "issue-body"


def test_the_root_of_a_chat_takes_the_human_path(fate: Make, note: Make) -> None:
    root = note(1, "hello", source_type="slack_message", parent_id="1")

    assert fate(root) == ("human-feedback", True, "flow")


@pytest.mark.parametrize("source_type", ["slack_message", "jira_comment"])
def test_where_the_backend_has_a_carrier_text_is_never_parsed(
    fate: Make, note: Make, people: SimpleNamespace, source_type: str
) -> None:
    assert fate(note(1, AGENT, people.engine, source_type=source_type))[0] == "human-feedback"


def test_on_a_backend_of_its_own_kind_text_is_parsed(fate: Make, note: Make, people: SimpleNamespace) -> None:
    assert fate(note(1, AGENT, people.engine, source_type="forum_post"))[0] == "agent-output"


@pytest.mark.parametrize("source_type", ["slack_message", "jira_comment", "issue_comment"])
def test_a_carried_marker_means_agent_output(fate: Make, note: Make, people: SimpleNamespace, source_type: str) -> None:
    message = note(1, NOTICE, people.engine, source_type=source_type, marker=Marker(agent="scribe"))

    assert fate(message) == ("agent-output", True, "flow")


def test_a_carried_marker_of_somebody_else_is_forged(
    fate: Make, ledger: Make, note: Make, people: SimpleNamespace, flags: Make
) -> None:
    message = note(1, author=people.bot, source_type="slack_message", marker=Marker(agent="scribe"))

    assert fate(message) == ("human-feedback", False, "unverified")
    assert flags(ledger(message)) == ["forged-marker slack_message:1"]


@pytest.mark.parametrize(
    ("body", "prefixes", "kind"),
    [
        ("/fix the cart", (), "command"),
        ("please /fix", (), "human-feedback"),
        ("fix the cart", (), "human-feedback"),
        ("/fix", ("/fix",), "command"),
        ("/FIX", ("/fix",), "command"),
        ("/fixed", ("/fix",), "human-feedback"),
        ("/loom-fix", ("/loom-",), "command"),
        ("/loom", ("/loom-",), "human-feedback"),
        ("/other", ("/fix", "/other"), "command"),
        ("`/fix`", (), "human-feedback"),
        ("> /fix", (), "human-feedback"),
        ("<!-- /fix -->", (), "human-feedback"),
    ],
)
def test_a_command_is_what_the_grammar_finds(
    fate: Make, note: Make, body: str, prefixes: tuple[str, ...], kind: str
) -> None:
    assert fate(note(1, body), command_prefixes=prefixes)[0] == kind


def test_a_mention_of_the_engine_may_stand_before_a_command(fate: Make, note: Make) -> None:
    assert fate(note(1, "@loom-engine /fix"))[0] == "command"
    assert fate(note(1, "@somebody /fix"))[0] == "human-feedback"
