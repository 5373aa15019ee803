"""What a signal does, and what is there after the next start."""

import signal
import sys
from pathlib import Path
from typing import Any

import pytest

HANDLER = """
import json, sys, time
from pathlib import Path
event = json.load(sys.stdin)
Path("started").touch()
while not Path("go").exists():
    time.sleep(0.01)
with open("handled", "a") as file:
    print(event["data"]["transition"]["comment"]["id"], file=file)
"""


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    """Give the options that have events handled by a program that waits for a file."""
    (tmp_path / "handler.py").write_text(HANDLER, "utf-8")
    return ["--command", f"'{sys.executable}' handler.py"]


def handled(folder: Path) -> list[str]:
    """Give what was handled."""
    return (folder / "handled").read_text("utf-8").split() if (folder / "handled").exists() else []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_when_what_waits_is_done(
    number: int, receiver: Any, command: list[str], tmp_path: Path
) -> None:
    running = receiver(*command, "--drain", "60s")
    for ident in range(5):
        running.github({"thread": "7", "id": str(ident)})
    running.until((tmp_path / "started").exists)

    running.process.send_signal(number)
    running.until(lambda: not listens(running))
    (tmp_path / "go").touch()

    assert running.process.wait(30) == 0
    assert handled(tmp_path) == ["0", "1", "2", "3", "4"]


def listens(running: Any) -> bool:
    """Tell whether somebody answers."""
    import httpx

    try:
        return bool(httpx.get(f"{running.url}/healthz", trust_env=False).status_code == 200)
    except httpx.TransportError:
        return False


def test_what_is_not_done_in_time_is_done_after_the_next_start(
    receiver: Any, command: list[str], tmp_path: Path
) -> None:
    running = receiver(*command, "--drain", "0.2s")
    for ident in range(3):
        running.github({"thread": "7", "id": str(ident)})
    running.until((tmp_path / "started").exists)
    status = running.stop()
    said = running.errors.read_text("utf-8")
    left = handled(tmp_path)

    (tmp_path / "go").touch()
    again = receiver(*command)
    stats = again.settled()

    assert (status, left) == (0, [])
    assert "what is left is handed on after the next start" in said
    assert handled(tmp_path) == ["0", "1", "2"]
    assert stats["deliveries"] == {"done": 3, "restored": 3}


def test_what_waits_for_another_try_holds_no_stop_up(receiver: Any, tmp_path: Path) -> None:
    running = receiver("--command", f"'{sys.executable}' -c 'raise SystemExit(1)'", "--drain", "600s")
    running.github({"thread": "7", "id": "1"})
    running.until(lambda: running.stats().get("events", {}).get("retried", 0) >= 2)

    assert running.stop() == 0


def test_a_key_that_is_under_way_elsewhere_is_waited_for(receiver: Any, command: list[str], tmp_path: Path) -> None:
    running = receiver(*command)
    for thread in ("7", "8"):
        running.github({"thread": thread, "id": "1", "key": "github:acme/demo#7/moved@x/updated"})
    running.until((tmp_path / "started").exists)
    running.until(lambda: running.stats()["waiting"] == {"deliveries": 2, "events": 1, "under_way": 1})

    (tmp_path / "go").touch()
    stats = running.settled()

    assert handled(tmp_path) == ["1"]
    assert stats["dropped"] == {"duplicate-event": 1}


def test_one_inbox_has_one_server(receiver: Any, tmp_path: Path) -> None:
    running = receiver("--output", "events.jsonl")

    with pytest.raises(
        AssertionError, match=r"error: another server uses the inbox \(tertulia-inbox.sqlite3\): stop it"
    ):
        receiver("--output", "other.jsonl")

    assert running.github({"thread": "7", "id": "1"}).status_code == 200
