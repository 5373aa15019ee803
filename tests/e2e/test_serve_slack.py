"""The whole way on a Slack that somebody else wrote: a mention, its signed event, the receiver, an answer, and again."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

import pytest
from waiting import until

from slack_emulator import AGENT, AGENT_TOKEN, SECRET, TEAM, SlackEmulator

Call = Callable[..., Any]

ASKED = f"<@{AGENT}> /ask why does it *fail*?"
ANSWER = "**Because** of the cache."


@pytest.fixture
def slack(slack_emulator: SlackEmulator, monkeypatch: pytest.MonkeyPatch) -> SlackEmulator:
    """Name the emulator in the environment, and the token that the agent has."""
    monkeypatch.setenv("SLACK_API_URL", slack_emulator.api_url)
    monkeypatch.setenv("SLACK_BOT_TOKEN", AGENT_TOKEN)
    monkeypatch.setenv("SLACK_SIGNING_SECRET", SECRET)
    return slack_emulator


@pytest.fixture
def tertulia(elsewhere: Call) -> Call:
    """Run the installed command in a new process."""
    return partial(elsewhere, "http://127.0.0.1:9", by=None)


class Receiver:
    """A receiver that runs in a folder, and what it has handed on to a file there."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self._file = url, folder / "events.jsonl"

    def stats(self) -> Any:
        """Ask for the counters, once nothing waits any more."""
        return until(lambda: not any((now := self._ask("/stats"))["waiting"].values()) and now)

    def events(self) -> list[Any]:
        """Give what was handed on, once nothing waits any more."""
        self.stats()
        return [json.loads(line) for line in self._file.read_text("utf-8").splitlines()]

    def _ask(self, path: str) -> Any:
        with build_opener(ProxyHandler({})).open(self.url + path, timeout=10) as response:
            return json.load(response)


@contextmanager
def receiving(slack: SlackEmulator, folder: Path, *options: str) -> Iterator[Receiver]:
    """Run `tertulia serve` as Slack's receiver; it ends well when it is told to stop."""
    command = [str(Path(sys.executable).with_name("tertulia")), "serve", "--port", "0", *options]
    errors = folder / "errors.txt"
    with errors.open("wb") as stream:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream)
    try:
        told = until(lambda: process.poll() is not None or re.search(r"http://[0-9.:]+", errors.read_text("utf-8")))
        assert isinstance(told, re.Match), errors.read_text("utf-8")
        slack.subscribe(f"{told[0]}/slack")
        yield Receiver(told[0], folder)
        process.terminate()
        assert process.wait(timeout=20) == 0, errors.read_text("utf-8")
    finally:
        process.kill()
        process.wait()


def ref(channel: str, ts: str) -> str:
    """Name a message as the ledger does."""
    return f"slack_message:{TEAM}/{channel}/{ts}"


def test_a_mention_is_received_answered_once_and_known_to_the_next_run(
    slack: SlackEmulator, tertulia: Call, tmp_path: Path
) -> None:
    channel = slack.channel("the-whole-way")
    with receiving(slack, tmp_path, "--output", "events.jsonl", "--only", "comment_added") as receiver:
        root = slack.say(channel, "It fails since Monday.")
        guest = slack.say(channel, "No idea.", "ben", thread_ts=root)
        asked = slack.say(channel, ASKED, thread_ts=root)
        opened, aside, event = receiver.events()
        saved = tmp_path / "event.json"
        saved.write_text(json.dumps(event), "utf-8")

        before = tertulia("context", "--event", str(saved), "--json").json()
        reply = ("reply", "--event", str(saved), "--agent", "helper", "--body", "-")
        answer, again = (tertulia(*reply, stdin=text).json() for text in (ANSWER, "In other words."))
        after = tertulia("context", "--event", str(saved), "--json").json()
        echo = receiver.events()[-1]
        stats = receiver.stats()

    comment = event["data"]["transition"]["comment"]
    assert (comment["command"], comment["instruction"]) == ("/ask", "why does it **fail**?")
    assert comment["addressed"] is True
    assert before["thread"] == after["thread"] == event["subject"]
    assert {one["subject"] for one in (opened, aside, event, echo)} == {f"slack:{TEAM}/{channel}/{root}"}
    assert stats["answered"] == {"accepted": 5}, "a mention arrives as a message and as a mention"
    assert stats["dropped"] == {"duplicate-event": 1}

    (message,) = answer["messages"]
    assert answer == again
    assert (before["flow"], before["unverified"]) == ([ref(channel, root), ref(channel, asked)], [ref(channel, guest)])
    assert after["flow"] == [*before["flow"], message["ref"]]
    assert ANSWER in after["text"]
    *_, posted = slack.thread(channel, root)
    assert (posted["user"], posted["thread_ts"], ref(channel, posted["ts"])) == (AGENT, root, message["ref"])
    assert len(slack.thread(channel, root)) == 4
    assert echo["data"]["transition"]["comment"]["id"] == posted["ts"]


def test_whoever_mentions_the_agent_is_answered_with_nobody_at_the_keyboard(
    slack: SlackEmulator, tmp_path: Path
) -> None:
    channel = slack.channel("unattended")
    (tmp_path / "answer.md").write_text(ANSWER, "utf-8")
    handler = f"{Path(sys.executable).with_name('tertulia')} reply --event - --agent helper --body answer.md"
    with receiving(slack, tmp_path, "--command", handler, "--only", "app_mention") as receiver:
        root = slack.say(channel, ASKED)
        stats = receiver.stats()

    said = slack.thread(channel, root)
    assert [one["user"] == AGENT for one in said] == [False, True]
    assert stats["events"] == {"emitted": 1}


@pytest.mark.parametrize("what", ["root", "reply", "reply that does not say in which thread"])
def test_a_permalink_as_slack_writes_it_leads_to_the_thread(slack: SlackEmulator, tertulia: Call, what: str) -> None:
    channel = slack.channel(what.replace(" ", "-"))
    root = slack.say(channel, "It fails since Monday.")
    reply = slack.say(channel, "Which build?", "ben", thread_ts=root)
    ts, query = (root, "") if what == "root" else (reply, f"?thread_ts={root}&cid={channel}" if what == "reply" else "")
    url = f"https://acme.slack.com/archives/{channel}/p{ts.replace('.', '')}{query}"
    answer = ("reply", "--url", url, "--agent", "helper", "--body", "-")

    document = tertulia("context", url, "--trigger-author", "U0NOBODY", "--json").json()
    first, again = (tertulia(*answer, stdin=ANSWER).json() for _ in range(2))

    assert document["thread"] == f"slack:{TEAM}/{channel}/{root}"
    assert [record["ref"] for record in document["records"]] == [ref(channel, root), ref(channel, reply)]
    assert first == again
    assert [one["user"] == AGENT for one in slack.thread(channel, root)] == [False, False, True]
    assert first["messages"][0]["url"].startswith(f"https://acme.slack.com/archives/{channel}/p")
