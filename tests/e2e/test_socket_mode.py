"""Slack's Socket Mode the whole way: a Slack on loopback, the installed receiver in a process of its own, what it hands on."""

import hashlib
import hmac
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import waiting

from tertulia.testing.loopback import Reply, serve
from tertulia.testing.slack import CHANNEL, ME, TEAM, Slack

TOKEN, SIGNING = "xapp-a-token-of-the-app", "secret-of-slack"
WITHIN = 30.0
until = partial(waiting.until, within=WITHIN)
KEPT = ("PATH", "HOME", "TMPDIR", "LANG", "PYTHONPATH")

Start = Callable[..., "Receiver"]


class Receiver:
    """A receiver that runs, where it listens, and what it said and handed on."""

    def __init__(self, folder: Path, env: dict[str, str], *options: str) -> None:
        known = {name: value for name, value in os.environ.items() if name in KEPT}
        self.folder, self.errors = folder, folder / f"errors-{time.monotonic_ns()}"
        command = [str(Path(sys.executable).with_name("tertulia")), "serve", "--socket-mode", "--port", "0", *options]
        with self.errors.open("wb") as stream:
            self.process = subprocess.Popen(command, cwd=folder, env=known | env, stderr=stream)
        told = until(lambda: self.process.poll() is not None or re.search(r"http://[0-9.:]+", self.said()))
        assert isinstance(told, re.Match), self.said()
        self.url = told[0]

    def said(self) -> str:
        """Give what it said to people."""
        return self.errors.read_text("utf-8")

    def ask(self, path: str) -> Any:
        """Ask it how it goes."""
        with urllib.request.urlopen(self.url + path, timeout=WITHIN) as answer:
            return json.load(answer)

    def settled(self, *, received: int) -> Any:
        """Wait until so many envelopes have come and nothing waits, and give the counters."""

        def holds() -> Any:
            stats = self.ask("/stats")
            came = stats["sources"]["slack"].get("received", 0) >= received
            return came and not any(stats["waiting"].values()) and stats

        return until(holds)

    def events(self, name: str = "events.jsonl") -> list[Any]:
        """Give the events that were handed on."""
        path = self.folder / name
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []

    def post(self, payload: Any) -> int:
        """Send a payload as Slack does over HTTP, with its way to write JSON."""
        body, stamp = json.dumps(payload, separators=(",", ":")).replace("/", "\\/").encode(), str(int(time.time()))
        signature = hmac.new(SIGNING.encode(), f"v0:{stamp}:".encode() + body, hashlib.sha256).hexdigest()
        headers = {"x-slack-request-timestamp": stamp, "x-slack-signature": f"v0={signature}"}
        request = urllib.request.Request(f"{self.url}/slack", body, headers)
        with urllib.request.urlopen(request, timeout=WITHIN) as answer:
            return int(answer.status)


@pytest.fixture
def slack() -> Iterator[Slack]:
    """Run a Slack on loopback, which knows one token."""
    with serve() as server:
        site = Slack(server)
        site.app_token = TOKEN
        yield site


@pytest.fixture
def start(slack: Slack, tmp_path: Path) -> Iterator[Start]:
    """Start a receiver in the folder of the test; its inbox stays between starts."""
    running: list[Receiver] = []

    def run(*options: str, **env: str) -> Receiver:
        about = {"SLACK_API_URL": slack.url, "SLACK_APP_TOKEN": TOKEN, "PYTHONWARNINGS": "error"}
        running.append(Receiver(tmp_path, about | env, *(options or ("--output", "events.jsonl"))))
        return running[-1]

    yield run
    for one in running:
        one.process.kill()
        one.process.wait()


def message(slack: Slack, text: str) -> dict[str, Any]:
    """Say something in the workspace, and give the event of it."""
    said = slack.say(text)
    return said | {"channel": CHANNEL, "channel_type": "channel", "event_ts": said["ts"]}


def texts(events: list[Any]) -> list[str]:
    """Give what was said in each event."""
    return [event["data"]["transition"]["comment"]["body"] for event in events]


def test_a_message_and_its_mention_are_one_event_and_two_acknowledged_envelopes(slack: Slack, start: Start) -> None:
    running = start()
    said = message(slack, f"<@{ME}> /ask why?")
    sent = [slack.socket_mode.deliver(one) for one in (said, said | {"type": "app_mention"})]
    stats = running.settled(received=3)
    until(lambda: not slack.socket_mode.unacknowledged)

    (event,) = running.events()
    assert event["data"]["transition"]["comment"]["command"] == "/ask"
    assert event["subject"] == f"slack:{TEAM}/{CHANNEL}/{said['ts']}"
    assert slack.socket_mode.acknowledged == sent
    assert stats["sources"]["slack"] == {"accepted": 2, "acknowledged": 2, "connections": 1, "received": 3}
    assert stats["dropped"] == {"duplicate-event": 1, "ignored: hello": 1}
    assert running.ask("/healthz")["sources"] == {"slack": "connected"}


def test_one_envelope_again_and_the_same_event_over_http_are_handed_on_once(slack: Slack, start: Start) -> None:
    running = start(SLACK_SIGNING_SECRET=SIGNING)
    said = message(slack, "It fails, see https://ci.example/7")
    slack.socket_mode.deliver(said, ident="one", event_id="Ev1", event_time=1_759_300_000)
    running.settled(received=2)
    slack.socket_mode.deliver(said, ident="one", event_id="Ev1", event_time=1_759_300_000)
    slack.socket_mode.deliver(said, ident="two", event_id="Ev2", event_time=1_759_300_000)
    running.settled(received=4)
    (payload, *_) = [one["payload"] for one in slack.socket_mode.sent if one["type"] == "events_api"]
    assert running.post(payload) == 200
    stats = until(lambda: (now := running.settled(received=4))["dropped"].get("duplicate-event") == 2 and now)

    assert texts(running.events()) == ["It fails, see https://ci.example/7"]
    assert slack.socket_mode.acknowledged == ["one", "one", "two"]
    assert stats["sources"]["slack"]["repeated"] == 1
    assert stats["answered"] == {"accepted": 1}


def test_what_is_no_event_is_acknowledged_counted_and_never_handed_on(slack: Slack, start: Start) -> None:
    running = start()
    until(lambda: slack.socket_mode.open)
    for kind in ("interactive", "slash_commands"):
        slack.socket_mode.envelope(kind, {"token": "x"}, ident=kind)
    slack.socket_mode.envelope("events_api", {"type": "event_callback", "event": {"type": "team_join"}}, ident="other")
    slack.socket_mode.envelope("events_api", "nothing", ident="wrong")
    slack.socket_mode.send("no JSON")
    slack.socket_mode.disconnect()
    stats = running.settled(received=8)

    assert slack.socket_mode.acknowledged == ["interactive", "slash_commands", "other", "wrong"]
    assert stats["dropped"] == {
        "ignored: disconnect": 1,
        "ignored: hello": 2,
        "ignored: interactive": 1,
        "ignored: malformed": 1,
        "ignored: slash_commands": 1,
        "ignored: unsupported-event": 1,
        "invalid": 1,
    }
    assert running.events() == []


def test_nothing_is_lost_or_handed_on_twice_over_disconnects_and_losses(slack: Slack, start: Start) -> None:
    running = start()
    said = []
    for number, end in enumerate(("disconnect", "abort", "close", "")):
        until(lambda number=number: slack.socket_mode.connections == number + 1)
        for part in range(25):
            said.append(f"{number}.{part}")
            slack.socket_mode.deliver(message(slack, said[-1]))
        if end:
            getattr(slack.socket_mode, end)()
    until(lambda: not slack.socket_mode.unacknowledged)
    stats = running.settled(received=100)

    assert sorted(texts(running.events())) == sorted(said)
    assert stats["sources"]["slack"]["connections"] == 4
    assert stats["sources"]["slack"]["accepted"] == 100
    told = [line for line in running.said().splitlines() if "slack:" in line]
    assert len(told) == 4, "a disconnect that Slack asks for is no news; two losses are, each with its end"


def test_killed_at_any_point_it_hands_on_all_that_it_acknowledged(slack: Slack, start: Start) -> None:
    chance, said, emitted = random.Random(7), [f"message {number}" for number in range(400)], []
    running = start("--output", "0.jsonl")
    for number, text in enumerate(said):
        slack.socket_mode.deliver(message(slack, text))
        if number in (60, 180, 300):
            until(lambda: slack.socket_mode.acknowledged)
            time.sleep(chance.random() / 20)
            running.process.send_signal(signal.SIGKILL)
            running.process.wait()
            emitted.append(complete(running))
            running = start("--output", f"{len(emitted)}.jsonl")
    until(lambda: not slack.socket_mode.unacknowledged)
    running.settled(received=1)
    emitted.append(texts(running.events(f"{len(emitted)}.jsonl")))

    counts = Counter(text for part in emitted for text in part)
    assert set(counts) == set(said)
    assert all(len(part) == len(set(part)) for part in emitted)
    assert len(set(slack.socket_mode.acknowledged)) == len(said)


def complete(running: Receiver) -> list[str]:
    """Give what a killed receiver had handed on; its last line may be cut off."""
    path = running.folder / running.process.args[-1]  # type: ignore[index]
    lines = path.read_text("utf-8").splitlines(keepends=True) if path.exists() else []
    return texts([json.loads(line) for line in lines if line.endswith("\n")])


def test_a_signal_ends_it_with_everything_acknowledged_handed_on(slack: Slack, start: Start) -> None:
    running = start()
    for number in range(50):
        slack.socket_mode.deliver(message(slack, str(number)))
    until(lambda: slack.socket_mode.acknowledged)
    running.process.send_signal(signal.SIGTERM)

    assert running.process.wait(WITHIN) == 0
    until(lambda: slack.socket_mode.open == 0)
    assert len(texts(running.events())) == len(slack.socket_mode.acknowledged)
    assert len(running.said().splitlines()) == 1, "nothing is left open, and nothing destroyed"
    left = len(slack.socket_mode.unacknowledged)

    again = start()
    until(lambda: not slack.socket_mode.unacknowledged)
    again.settled(received=1 + left)
    assert sorted(texts(again.events()), key=int) == [str(number) for number in range(50)]


@pytest.mark.parametrize(
    ("env", "status", "told"),
    [
        ({"SLACK_APP_TOKEN": "xapp-of-another-app"}, 3, "invalid_auth"),
        ({"SLACK_APP_TOKEN": "xoxb-of-a-bot"}, 3, "invalid_auth"),
        ({"SLACK_APP_TOKEN": ""}, 2, "SLACK_APP_TOKEN is not set"),
    ],
)
def test_a_token_that_is_refused_is_one_error(
    start: Start, env: dict[str, str], status: int, told: str, tmp_path: Path
) -> None:
    with pytest.raises(AssertionError) as caught:
        start(**env)

    (line,) = [one for one in str(caught.value).splitlines() if one.strip()][:1]
    assert line.startswith("error: ")
    assert told in line
    assert "SLACK_APP_TOKEN" in line
    assert env["SLACK_APP_TOKEN"] == "" or env["SLACK_APP_TOKEN"] not in line


def test_a_missing_scope_is_named(slack: Slack, start: Start) -> None:
    slack.app_scopes = set()

    with pytest.raises(AssertionError, match=r"the scope connections:write is needed"):
        start()


def test_a_token_that_is_revoked_meanwhile_ends_it_once_everything_is_handed_on(slack: Slack, start: Start) -> None:
    running = start()
    slack.socket_mode.deliver(message(slack, "hello"))
    until(lambda: slack.socket_mode.acknowledged)
    slack.app_token = "xapp-another"
    slack.socket_mode.abort()

    assert running.process.wait(WITHIN) == 3
    assert "error: slack Socket Mode: invalid_auth" in running.said()
    assert texts(running.events()) == ["hello"]


def test_a_slack_that_is_away_is_connected_to_when_it_is_back(slack: Slack, start: Start) -> None:
    down = Reply(503, {"ok": False, "error": "service_unavailable"})
    slack.refuse("apps.connections.open", down, down, down)
    running = start()
    slack.socket_mode.deliver(message(slack, "hello"))
    until(lambda: not slack.socket_mode.unacknowledged)
    stats = running.settled(received=2)

    assert stats["sources"]["slack"]["connections"] == 1
    assert slack.asked("apps.connections.open") == 4
    assert running.said().count("note: slack: not connected, and trying again: slack Socket Mode: 503") == 1
    assert running.said().count("note: slack: connected\n") == 1
