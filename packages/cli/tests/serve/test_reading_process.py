"""Who reads deliveries: a process of its own, which is there for as long as the receiver is."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest

PAYLOAD = {"thread": "7", "id": "1", "text": "pid"}


def reads(running: Any) -> int:
    """Give the number of the process that reads."""
    running.github(PAYLOAD)
    running.settled()
    return int(running.events()[-1]["data"]["transition"]["comment"]["body"])


def is_there(process: int) -> bool:
    """Tell whether a process runs."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text("utf-8")
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_deliveries_are_read_elsewhere_until_the_receiver_ends(number: int, receiver: Any) -> None:
    running = receiver("--output", "events.jsonl")
    reading = reads(running)

    running.stop(number)

    assert reading != running.process.pid
    running.until(lambda: not is_there(reading))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_the_whole_group_leaves_it_to_the_receiver_to_end(number: int, receiver: Any) -> None:
    running = receiver("--output", "events.jsonl")
    reading = reads(running)

    os.kill(reading, number)
    running.github(PAYLOAD | {"id": "2"})
    running.settled()

    assert len(running.events()) == 2


def test_without_it_the_receiver_ends_and_what_was_accepted_is_handed_on_after_the_next_start(receiver: Any) -> None:
    running = receiver("--output", "events.jsonl")
    os.kill(reads(running), signal.SIGKILL)

    running.github(PAYLOAD | {"id": "2"})

    assert running.process.wait(30) == 4
    assert "the process that reads deliveries has ended" in running.errors.read_text("utf-8")
    again = receiver("--output", "events.jsonl")
    assert again.settled()["deliveries"] == {"done": 1, "restored": 1}
