"""A receiver with a source: beside the webhooks, across connections, stops and refusals."""

import json
import signal
import socket
import sqlite3
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

LINE = "tertulia serve): check FAKE_TOKEN\n"


class Backend:
    """Listen, and talk to the newest connection; `fake_source.py` says how."""

    def __init__(self, welcome: dict[str, Any] | None = None) -> None:
        self.acknowledged: list[str] = []
        self.connections = 0
        self.welcome = welcome or {}
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.env = {"FAKE_SOURCE": str(self._listening.getsockname()[1]), "FAKE_TOKEN": "a-secret"}
        """The environment that leads here."""
        self._line: socket.socket | None = None
        threading.Thread(target=self._serve, daemon=True).start()

    def bring(self, said: dict[str, Any], ident: str) -> None:
        """Bring a message."""
        self.tell({"id": ident, "payload": {"event": {"type": "message", "thread": "1.1", **said}}})

    def tell(self, line: dict[str, Any]) -> None:
        """Send a line."""
        assert self._line is not None
        self._line.sendall(json.dumps(line).encode() + b"\n")

    def drop(self) -> None:
        """End the newest connection."""
        assert self._line is not None
        self._line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Listen no longer."""
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                line, _ = self._listening.accept()
                self._line = line
                threading.Thread(target=self._hear, args=(line,), daemon=True).start()
                self.tell(self.welcome)
                self.connections += 1

    def _hear(self, line: socket.socket) -> None:
        with suppress(OSError), line, line.makefile("r") as said:
            self.acknowledged.extend(one.strip() for one in said)


@pytest.fixture
def backend() -> Generator[Backend]:
    """Run a backend."""
    made = Backend()
    yield made
    made.close()


@pytest.fixture
def source(receiver: Any, backend: Backend) -> Callable[..., Any]:
    """Start a receiver with the source of the backend."""

    def start(*arguments: str, **env: str) -> Any:
        options = arguments or ("--output", "events.jsonl")
        return receiver("--source", "slack", *options, env=backend.env | env)

    return start


@contextmanager
def held(inbox: Path) -> Generator[None]:
    """Let nobody write in the inbox for the time of the block."""
    with closing(sqlite3.connect(inbox, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        yield


def test_a_source_and_webhooks_are_received_by_one_server(source: Any, backend: Backend) -> None:
    running = source()
    backend.bring({"id": "1.1"}, "one")
    running.github({"thread": "7", "id": "104"})
    running.until(lambda: backend.acknowledged == ["one"])
    stats = running.settled()

    assert {event["source"] for event in running.events()} == {
        "https://github.com/acme/demo/issues/7",
        "https://app.slack.com/client/T1/C1",
    }
    assert stats["sources"] == {"slack": {"accepted": 1, "acknowledged": 1, "connections": 1, "received": 1}}
    assert stats["answered"] == {"accepted": 1}
    assert stats["deliveries"] == {"done": 2, "restored": 0}
    assert running.http.get(f"{running.url}/healthz").json() == {"status": "ok", "sources": {"slack": "connected"}}
    assert "receiving from slack without a webhook" in running.errors.read_text("utf-8")


def test_the_same_fact_over_both_ways_is_handed_on_once(source: Any, backend: Backend) -> None:
    running = source()
    running.slack({"event": {"type": "message", "thread": "1.1", "id": "1.1"}, "sent": "over HTTP"})
    running.settled()
    for ident in ("one", "again"):
        backend.bring({"id": "1.1"}, ident)
        running.until(lambda ident=ident: backend.acknowledged[-1:] == [ident])
    stats = running.settled()

    assert len(running.events()) == 1
    assert stats["dropped"] == {"duplicate-event": 1}
    assert stats["sources"]["slack"] == {
        "accepted": 1,
        "acknowledged": 2,
        "connections": 1,
        "received": 2,
        "repeated": 1,
    }


def test_a_filtered_event_does_not_use_up_the_claim_of_the_other_way(source: Any, backend: Backend) -> None:
    running = source("--output", "events.jsonl", "--only", "app_mention")
    backend.bring({"id": "1.1"}, "one")
    running.until(lambda: backend.acknowledged)
    running.slack({"event": {"type": "app_mention", "thread": "1.1", "id": "1.1"}})
    stats = running.settled()

    assert [event["data"]["source"]["raw_type"] for event in running.events()] == ["app_mention"]
    assert stats["dropped"] == {"filtered": 1}


def test_nothing_is_acknowledged_before_it_is_on_the_disk(source: Any, backend: Backend, tmp_path: Path) -> None:
    running = source()
    with held(tmp_path / "tertulia-inbox.sqlite3"):
        backend.bring({"id": "1.1"}, "one")
        running.until(lambda: running.stats()["sources"]["slack"].get("received"))
        assert backend.acknowledged == []
        running.stop(signal.SIGKILL)
    assert backend.acknowledged == []

    again = source()
    backend.bring({"id": "1.1"}, "one")
    again.until(lambda: backend.acknowledged == ["one"])
    again.settled()
    assert len(again.events()) == 1


def test_what_was_acknowledged_survives_being_killed(source: Any, backend: Backend, tmp_path: Path) -> None:
    running = source("--command", f"'{sys.executable}' -c 'import time; time.sleep(60)'")
    backend.bring({"id": "1.1"}, "one")
    running.until(lambda: backend.acknowledged == ["one"])
    running.stop(signal.SIGKILL)

    again = source()
    again.settled()
    assert len(again.events()) == 1


def test_a_signal_lets_what_is_being_stored_be_acknowledged_and_handed_on(
    source: Any, backend: Backend, tmp_path: Path
) -> None:
    running = source()
    with held(tmp_path / "tertulia-inbox.sqlite3"):
        backend.bring({"id": "1.1"}, "one")
        running.until(lambda: running.stats()["sources"]["slack"].get("received"))
        running.process.send_signal(signal.SIGTERM)
        running.until(lambda: not listens(running))
    assert running.process.wait(30) == 0

    running.until(lambda: backend.acknowledged == ["one"])
    assert len(running.events()) == 1


def listens(running: Any) -> bool:
    """Tell whether somebody listens."""
    host, _, port = running.url.removeprefix("http://").partition(":")
    try:
        socket.create_connection((host, int(port))).close()
    except OSError:
        return False
    return True


def test_it_is_connected_again_after_a_request_and_after_a_loss(source: Any, backend: Backend) -> None:
    running = source()
    for number, end in enumerate([lambda: backend.tell({"end": True}), backend.drop, lambda: None]):
        running.until(lambda number=number: backend.connections == number + 1)
        backend.bring({"id": f"1.{number}"}, str(number))
        running.until(lambda number=number: backend.acknowledged[-1:] == [str(number)])
        end()
    stats = running.settled()

    assert stats["sources"]["slack"]["connections"] == 3
    assert [event["data"]["transition"]["comment"]["id"] for event in running.events()] == ["1.0", "1.1", "1.2"]
    told = running.errors.read_text("utf-8")
    assert told.count("note: slack: not connected, and trying again: slack: the connection was lost") == 1
    assert told.count("note: slack: connected again") == 1


def test_a_backend_that_is_not_there_yet_holds_nothing_up(receiver: Any, backend: Backend) -> None:
    backend.close()
    running = receiver("--source", "slack", "--output", "events.jsonl", env=backend.env)

    assert running.http.get(f"{running.url}/healthz").json() == {"status": "ok", "sources": {"slack": "connecting"}}
    assert running.github({"thread": "7", "id": "104"}).status_code == 200
    assert "nobody is there" in running.errors.read_text("utf-8")
    assert running.stop() == 0


@pytest.mark.parametrize(("kind", "status"), [("Denied", 3), ("Invalid", 2)])
def test_a_refusal_at_the_start_is_one_line(receiver: Any, backend: Backend, kind: str, status: int) -> None:
    backend.welcome = {"raise": kind}

    with pytest.raises(AssertionError) as caught:
        receiver("--source", "slack", env=backend.env)

    assert f"error: slack: no entry with this token ({LINE}" in str(caught.value)
    assert "note:" not in str(caught.value)
    assert "a-secret" not in str(caught.value)


def test_a_refusal_later_drains_and_ends_it(source: Any, backend: Backend) -> None:
    running = source()
    backend.bring({"id": "1.1"}, "one")
    running.until(lambda: backend.acknowledged)
    backend.tell({"raise": "Denied"})

    assert running.process.wait(30) == 3
    assert running.errors.read_text("utf-8").endswith(f"error: slack: no entry with this token ({LINE}")
    assert len(running.events()) == 1


def test_what_holds_no_delivery_is_counted_with_its_reason(source: Any, backend: Backend) -> None:
    running = source()
    backend.tell({"ignored": "hello"})
    backend.tell({"ignored": "interactive", "id": "one"})
    running.until(lambda: backend.acknowledged == ["one"])

    stats = running.stats()
    assert stats["dropped"] == {"ignored: hello": 1, "ignored: interactive": 1}
    assert stats["deliveries"] == {"restored": 0}


def test_a_command_is_told_no_secret_of_a_source(source: Any, backend: Backend, tmp_path: Path) -> None:
    code = "import os; print(*sorted(os.environ))"
    running = source("--command", f"'{sys.executable}' -c '{code}'", OTHER="x")
    backend.bring({"id": "1.1"}, "one")
    running.until(lambda: backend.acknowledged)
    running.settled()
    running.stop()

    names = (tmp_path / "printed").read_text("utf-8").split()
    assert {"OTHER", "FAKE_SOURCE"} <= set(names)
    assert not {"FAKE_TOKEN", "SLACK_SIGNING_SECRET", "GITHUB_WEBHOOK_SECRET"} & set(names)


def test_a_source_needs_no_webhook(receiver: Any, backend: Backend) -> None:
    nothing = {"GITHUB_WEBHOOK_SECRET": "", "SLACK_SIGNING_SECRET": ""}
    running = receiver("--socket-mode", "--source", "slack", "--output", "events.jsonl", env=backend.env | nothing)
    backend.bring({"id": "1.1"}, "one")
    running.until(lambda: backend.acknowledged)

    assert running.settled()["sources"]["slack"]["connections"] == 1
    assert running.slack({}).status_code == 404
