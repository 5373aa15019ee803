"""The receiver with the adapters that are installed: what GitHub and Slack send, signed, until a program has it."""

import hashlib
import hmac
import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

SECRET = "secret-of-the-webhook"
WITHIN = 60.0

PERSON = {"login": "maint-a", "id": 1001, "type": "User"}
PAGE = "https://github.com/acme/demo/issues/7"
AT = {"created_at": "2026-10-01T10:00:00Z", "updated_at": "2026-10-01T10:00:00Z"}
COMMENT = {
    "action": "created",
    "issue": {"number": 7, "html_url": PAGE, "user": PERSON, "labels": []},
    "comment": {"id": 104, "body": "@helper /ask why?", "html_url": f"{PAGE}#issuecomment-104", "user": PERSON, **AT},
    "repository": {"id": 1, "full_name": "acme/demo"},
    "sender": PERSON,
}


@dataclass
class Receiver:
    """A receiver, where it listens, and the file it writes events to."""

    url: str
    lines: Path

    def github(self, payload: Any, name: str) -> None:
        """Send what GitHub would."""
        body = json.dumps(payload).encode()
        signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        self._send("github", body, {"X-GitHub-Event": name, "X-Hub-Signature-256": f"sha256={signature}"})

    def slack(self, event: dict[str, Any]) -> None:
        """Send what Slack would: an event, in an envelope that names the app's user."""
        app = [{"team_id": "T1", "user_id": "U99", "is_bot": True}]
        about = {"type": "event_callback", "team_id": "T1", "api_app_id": "A1", "event_id": f"Ev{event['type']}"}
        body = json.dumps(about | {"event_time": 1_700_000_000, "authorizations": app, "event": event}).encode()
        stamp = str(int(time.time()))
        signature = hmac.new(SECRET.encode(), f"v0:{stamp}:".encode() + body, hashlib.sha256).hexdigest()
        self._send("slack", body, {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": f"v0={signature}"})

    def settled(self) -> tuple[list[Any], Any]:
        """Wait until nothing waits, and give what was handed on and the counters."""
        end = time.monotonic() + WITHIN
        while any((stats := self._stats())["waiting"].values()):
            assert time.monotonic() < end, stats
            time.sleep(0.02)
        return [json.loads(line) for line in self.lines.read_text("utf-8").splitlines()], stats

    def _stats(self) -> Any:
        with urllib.request.urlopen(f"{self.url}/stats", timeout=WITHIN) as answer:
            return json.load(answer)

    def _send(self, path: str, body: bytes, headers: dict[str, str]) -> None:
        request = urllib.request.Request(f"{self.url}/{path}", body, headers | {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=WITHIN) as answer:
            assert answer.status == 200


@pytest.fixture
def receiver(tmp_path: Path) -> Generator[Receiver]:
    """Run `tertulia serve`."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "SLACK_", "TERTULIA_"))
    }
    env = kept | {"GITHUB_WEBHOOK_SECRET": SECRET, "SLACK_SIGNING_SECRET": SECRET}
    options = ["--port", "0", "--output", "events.jsonl", "--engine", "helper"]
    command = [sys.executable, "-m", "tertulia_cli", "serve", *options]
    with subprocess.Popen(command, cwd=tmp_path, env=env, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        found = re.search(r"http://[0-9.:]+", said)
        assert found, said
        yield Receiver(found[0], tmp_path / "events.jsonl")
        process.terminate()
        assert process.wait(WITHIN) == 0


def test_a_comment_of_github_becomes_an_event_with_its_command(receiver: Receiver) -> None:
    receiver.github(COMMENT, "issue_comment")
    receiver.github(COMMENT | {"installation": {"id": 1}}, "issue_comment")
    receiver.github({"ref": "refs/heads/main", "repository": COMMENT["repository"], "sender": PERSON}, "push")

    (event,), stats = receiver.settled()

    comment = event["data"]["transition"]["comment"]
    assert (event["type"], event["subject"]) == ("tertulia.comment_added", "github:acme/demo#7")
    assert (comment["command"], comment["addressed"]) == ("/ask", True)
    assert stats["dropped"] == {"duplicate-event": 1, "ignored: unsupported-event": 1}


@pytest.mark.parametrize("kinds", [["message", "app_mention"], ["app_mention", "message"]])
def test_a_mention_on_slack_is_one_event_in_whichever_order_it_arrives(kinds: list[str], receiver: Receiver) -> None:
    ts = "1700000000.000100"
    said = {"channel": "C1", "user": "U1", "text": "<@U99> /ask why?", "ts": ts, "event_ts": ts}
    for kind in kinds:
        receiver.slack({"type": kind} | said)
    receiver.slack(
        {"type": "message", "channel": "C2"} | {name: said[name] for name in ("user", "text", "ts", "event_ts")}
    )

    events, stats = receiver.settled()

    assert {event["subject"] for event in events} == {f"slack:T1/C1/{ts}", f"slack:T1/C2/{ts}"}
    assert {event["data"]["transition"]["comment"]["command"] for event in events} == {"/ask"}
    assert stats["dropped"] == {"duplicate-event": 1}
