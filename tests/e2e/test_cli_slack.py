"""The command on a Slack on loopback: from an event to an answer that the next run recognises."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tertulia.testing.loopback import Reply, serve
from tertulia.testing.slack import CHANNEL, TEAM, Slack, event_callback
from tertulia_conversation_slack import config_schema

Call = Callable[..., Any]

ASKED = "<@U0BOT> /ask why does it *fail*?"


@pytest.fixture
def slack(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slack]:
    """Run a Slack on loopback, which the environment names."""
    with serve() as server:
        running = Slack(server)
        monkeypatch.setenv("SLACK_API_URL", running.url)
        monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-a-token-of-the-agent")
        yield running


@pytest.fixture
def tertulia(elsewhere: Call) -> Call:
    """Run the installed command in a new process."""
    return partial(elsewhere, "http://127.0.0.1:9", by=None)


def delivered(said: dict[str, Any], folder: Path) -> str:
    """Save a message as the Events API would deliver it."""
    event = {**said, "channel": CHANNEL, "channel_type": "channel"}
    path = folder / "event.json"
    path.write_text(json.dumps(event_callback(event)), "utf-8")
    return str(path)


def permalink(slack: Slack, said: dict[str, Any]) -> str:
    """Give the address of a message, on the server that is configured."""
    return f"{slack.server.url}/archives/{CHANNEL}/p{said['ts'].replace('.', '')}"


def test_an_event_is_normalized_through_the_registry(tertulia: Call, slack: Slack, tmp_path: Path) -> None:
    said = slack.say(ASKED)

    (event,) = tertulia("normalize", delivered(said, tmp_path), "--system", "slack").json()["events"]

    comment = event["transition"]["comment"]
    assert (comment["command"], comment["instruction"]) == ("/ask", "why does it **fail**?")
    assert event["entity"]["key"] == f"{TEAM}/{CHANNEL}"
    assert slack.server.requests == []


def test_a_group_of_the_operator_s_file_is_asked_for(
    tertulia: Call, slack: Slack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "slack.toml"
    config.write_text("[sections]\nC0GENERAL = 'Help desk'\n[roles]\nS0TRIAGE = 'triage'\n", "utf-8")
    monkeypatch.setenv("TERTULIA_SLACK_CONFIG", str(config))

    done = tertulia("normalize", delivered(slack.say(ASKED), tmp_path), "--system", "slack", "--enrich")

    (event,) = done.json()["events"]
    assert (event["actor"]["role"], event["actor"]["role_verified"]) == ("triage", True)
    assert event["state"]["conversation"]["category"]["id"] == "help-desk"


def test_the_operator_s_file_has_a_schema(tertulia: Call) -> None:
    assert tertulia("schema", "slack-config").json() == config_schema()


def test_a_thread_is_read_answered_once_and_read_again(tertulia: Call, slack: Slack) -> None:
    said = slack.say(ASKED)
    slack.say("No idea.", "U0GUEST", thread_ts=said["ts"])
    url = permalink(slack, said)
    answer = ("reply", "--url", url, "--body", "-", "--agent", "helper")

    before = tertulia("context", url, "--trigger-author", "U0ANNA", "--json").json()
    posted = [tertulia(*answer, stdin="**Because.**").json()["messages"][0]["ref"] for _ in range(2)]
    after = tertulia("context", url, "--trigger-author", "U0ANNA", "--json").json()

    root, guest = f"slack_message:{TEAM}/{CHANNEL}/{said['ts']}", before["unverified"]
    assert (before["flow"], len(guest)) == ([root], 1)
    assert posted == [f"slack_message:{TEAM}/{CHANNEL}/{slack.landed[0]['ts']}"] * 2
    assert (after["flow"], after["unverified"]) == ([root, posted[0]], guest)
    assert "**Because.**" in after["text"]


def test_a_long_answer_comes_in_parts_that_stay_markdown(tertulia: Call, slack: Slack) -> None:
    url = permalink(slack, slack.say(ASKED))
    body = "\n\n".join(f"| a{n} | b |\n|---|---|\n| c & d | {'word ' * 80}|" for n in range(40))

    done = tertulia("reply", "--url", url, "--body", "-", "--agent", "helper", stdin=body)

    assert done.json()["parts"] == len(slack.landed) == 2
    assert [said["blocks"][0]["type"] for said in slack.landed] == ["markdown", "markdown"]


def test_an_event_leads_to_its_thread(tertulia: Call, slack: Slack, tmp_path: Path) -> None:
    root = slack.say("It fails.", "U0OWNER")
    said = slack.say(ASKED, thread_ts=root["ts"])
    event = tmp_path / "normalized.json"
    event.write_text(tertulia("normalize", delivered(said, tmp_path), "--system", "slack").out, "utf-8")
    answer = ("reply", "--event", str(event), "--body", "-", "--agent", "helper")

    context = tertulia("context", "--event", str(event), "--json").json()
    posted = [tertulia(*answer, stdin="Because.").json()["messages"][0]["ref"] for _ in range(2)]

    assert context["thread"] == f"slack:{TEAM}/{CHANNEL}/{root['ts']}"
    assert context["trigger_author"]["id"] == "U0ANNA"
    assert context["flow"] == [f"slack_message:{TEAM}/{CHANNEL}/{said['ts']}"]
    (landed,) = slack.landed
    assert posted == [f"slack_message:{TEAM}/{CHANNEL}/{landed['ts']}"] * 2
    assert landed["thread_ts"] == root["ts"]


def test_a_permalink_of_another_workspace_is_bad_input(tertulia: Call, slack: Slack) -> None:
    said = slack.say(ASKED)
    url = f"https://other.slack.com/archives/{CHANNEL}/p{said['ts'].replace('.', '')}"

    for command in (("context", url), ("reply", "--url", url, "--body", "-", "--agent", "helper")):
        done = tertulia(*command, stdin="Because.")
        assert (done.status, done.out) == (2, "")
        assert "error: slack: url: the address is in the workspace other, and the token in acme" in done.err

    assert slack.landed == []


def test_a_refusal_with_status_200_fails_and_says_so(tertulia: Call, slack: Slack) -> None:
    url = permalink(slack, slack.say(ASKED))
    slack.refuse("chat.postMessage", Reply(200, {"ok": False, "error": "message_not_found"}))

    done = tertulia("reply", "--url", url, "--body", "-", "--agent", "helper", stdin="Because.")

    assert done.status == 3
    assert "message_not_found" in done.err
    assert done.out == ""
