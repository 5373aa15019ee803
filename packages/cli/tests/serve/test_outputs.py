"""Where events go: a command, an address, lines; what fails there is tried again and delays nobody else."""

import json
import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tertulia.testing.loopback import Reply, Server, serve

HANDLER = """
import json, os, sys, time
from pathlib import Path
event = json.load(sys.stdin)
thread, ident = event["subject"].rpartition("#")[2], event["data"]["transition"]["comment"]["id"]
if Path(f"fails-{thread}").exists():
    sys.exit(3)
if Path(f"hangs-{thread}").exists():
    Path("pid").write_text(str(os.getpid()))
    time.sleep(600)
with open("handled", "a") as file:
    print(json.dumps([thread, ident, event["id"], sorted(os.environ)]), file=file)
"""


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    """Give the options that have events handled by a program, which fails or hangs for the threads it finds files of."""
    (tmp_path / "handler.py").write_text(HANDLER, "utf-8")
    return ["--command", f"'{sys.executable}' handler.py"]


@pytest.fixture
def server() -> Generator[Server]:
    """Run a server that events can be posted to."""
    with serve() as server:
        yield server


def comment(thread: int, ident: int, **more: Any) -> dict[str, Any]:
    """Write a payload."""
    return {"thread": str(thread), "id": str(ident)} | more


def ids(thread: int, comments: int) -> set[str]:
    """Give the ids of the events of some comments."""
    return {f"github:acme/demo#{thread}/issue_comment:{ident}@x/comment_added" for ident in range(comments)}


def handled(folder: Path) -> list[list[str]]:
    """Give the threads and comments that the command handled."""
    path = folder / "handled"
    return [json.loads(line)[:2] for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def test_a_command_reads_the_event_and_knows_no_webhook_secret(
    receiver: Any, command: list[str], tmp_path: Path
) -> None:
    running = receiver(*command, env={"GITHUB_TOKEN": "x"})

    running.github(comment(7, 104))
    running.settled()

    thread, ident, key, environment = json.loads((tmp_path / "handled").read_text("utf-8"))
    assert (thread, ident, key) == ("7", "104", "github:acme/demo#7/issue_comment:104@x/comment_added")
    assert "GITHUB_TOKEN" in environment
    assert not {"GITHUB_WEBHOOK_SECRET", "SLACK_SIGNING_SECRET"} & set(environment)


def test_a_command_that_fails_is_tried_again_and_only_its_thread_waits(
    receiver: Any, command: list[str], tmp_path: Path
) -> None:
    (tmp_path / "fails-7").touch()
    running = receiver(*command)
    for thread, ident in [(7, 1), (7, 2), (8, 1), (8, 2)]:
        running.github(comment(thread, ident))
    running.until(lambda: len(handled(tmp_path)) == 2 and running.stats()["events"].get("retried"))
    others = handled(tmp_path)

    (tmp_path / "fails-7").unlink()
    stats = running.settled()

    assert others == [["8", "1"], ["8", "2"]]
    assert handled(tmp_path)[2:] == [["7", "1"], ["7", "2"]]
    assert stats["events"]["emitted"] == 4
    assert "is tried again" in running.errors.read_text("utf-8")


def test_what_was_given_up_is_counted_and_a_redelivery_is_let_through(
    receiver: Any, command: list[str], tmp_path: Path
) -> None:
    (tmp_path / "fails-7").touch()
    running = receiver(*command, "--retry-for", "0s")
    running.github(comment(7, 1))
    running.github(comment(7, 2))
    failed = running.settled()

    (tmp_path / "fails-7").unlink()
    running.github(comment(7, 1))
    stats = running.settled()

    assert failed["dropped"] == {"given-up": 2}
    assert failed["deliveries"] == {"failed": 2, "restored": 0}
    assert handled(tmp_path) == [["7", "1"]]
    assert stats["answered"] == {"accepted": 3}
    assert "is given up after 1 failures: the command ended with status 3" in running.errors.read_text("utf-8")


def test_a_command_that_takes_too_long_is_ended(receiver: Any, command: list[str], tmp_path: Path) -> None:
    (tmp_path / "hangs-7").touch()
    running = receiver(*command, "--timeout", "2s", "--retry-for", "0s")

    running.github(comment(7, 1))
    stats = running.settled()

    assert stats["dropped"] == {"given-up": 1}
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_a_slow_command_delays_no_answer(receiver: Any, command: list[str], tmp_path: Path) -> None:
    for thread in range(1, 5):
        (tmp_path / f"hangs-{thread}").touch()
    running = receiver(*command, "--concurrency", "2")

    answers = {running.github(comment(1 + n % 4, n)).status_code for n in range(100)}

    assert answers == {200}
    assert running.stats()["waiting"]["deliveries"] == 100
    running.until(lambda: running.stats()["waiting"]["under_way"] == 2)
    assert handled(tmp_path) == []


def test_an_event_is_posted_as_a_cloud_event_until_it_is_taken(receiver: Any, server: Server) -> None:
    told = Reply(429, headers={"retry-after": "2"})
    server.route("POST", "/events", Reply(503), told, Reply(307, headers={"location": "/elsewhere"}), Reply(202))
    running = receiver("--post", f"{server.url}/events", env={"TERTULIA_OUTPUT_TOKEN": "a-token"})

    running.github(comment(7, 104))
    stats = running.settled()

    requests = server.requests
    assert stats["events"] == {"emitted": 1, "retried": 3}
    assert {request.path for request in requests} == {"/events"}
    assert {request.headers["content-type"] for request in requests} == {"application/cloudevents+json; charset=utf-8"}
    assert {request.headers["authorization"] for request in requests} == {"Bearer a-token"}
    assert len({request.body for request in requests}) == 1
    assert requests[0].json()["id"] == "github:acme/demo#7/issue_comment:104@x/comment_added"


def test_an_address_that_cannot_be_reached_loses_nothing(receiver: Any, server: Server) -> None:
    running = receiver("--post", "http://127.0.0.1:9/events")
    running.github(comment(7, 104))
    running.until(lambda: running.stats().get("events", {}).get("retried"))
    running.stop()

    server.route("POST", "/events", Reply(200))
    again = receiver("--post", f"{server.url}/events")
    stats = again.settled()

    assert stats["deliveries"] == {"done": 1, "restored": 1}
    assert len(server.requests) == 1


def test_a_thread_is_posted_in_order_and_threads_side_by_side(receiver: Any, server: Server) -> None:
    server.route("POST", "/events", Reply(200, delay=0.02))
    running = receiver("--post", f"{server.url}/events")

    for number in range(60):
        running.github(comment(1 + number % 3, number))
    running.settled()

    posted = [request.json() for request in server.requests]
    for thread in range(3):
        subject = f"github:acme/demo#{1 + thread}"
        idents = [int(one["data"]["transition"]["comment"]["id"]) for one in posted if one["subject"] == subject]
        assert idents == list(range(thread, 60, 3))


def test_lines_are_printed_where_nothing_else_is_said(receiver: Any, tmp_path: Path) -> None:
    running = receiver()

    running.github(comment(7, 104, text="a\x1b[2J\u009b"))
    running.settled()

    (line,) = (tmp_path / "printed").read_text("utf-8").splitlines()
    assert json.loads(line)["data"]["transition"]["comment"]["body"] == "a\x1b[2J\u009b"
    assert not {"\x1b", "\u009b"} & set(line)


def test_a_line_that_a_crash_cut_off_spoils_no_other(receiver: Any, tmp_path: Path) -> None:
    (tmp_path / "events.jsonl").write_bytes(b'{"id": "whole"}\n{"id": "cut o')
    running = receiver("--output", "events.jsonl")

    running.github(comment(7, 104))
    running.settled()

    lines = (tmp_path / "events.jsonl").read_text("utf-8").splitlines()
    assert lines[:2] == ['{"id": "whole"}', '{"id": "cut o']
    assert json.loads(lines[2])["type"] == "tertulia.comment_added"


def test_when_nobody_reads_any_more_it_ends_and_keeps_what_it_has(receiver: Any, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    running = receiver(stdout=writing)
    os.close(writing)
    os.close(reading)

    running.github(comment(7, 104))

    assert running.process.wait(30) == 4
    assert "nobody reads standard output any more" in running.errors.read_text("utf-8")
    again = receiver("--output", "events.jsonl")
    assert again.settled()["deliveries"] == {"done": 1, "restored": 1}


def test_a_reader_that_takes_nothing_delays_neither_answers_nor_the_end(receiver: Any) -> None:
    reading, writing = os.pipe()
    running = receiver("--drain", "0.2s", stdout=writing)
    os.close(writing)

    answers = {running.github(comment(7, n, text="x" * 4_000)).status_code for n in range(40)}
    running.until(lambda: running.stats()["waiting"]["under_way"])
    status = running.stop()
    with open(reading, "rb") as printed:
        taken = [json.loads(line) for line in printed if line.endswith(b"\n")]

    assert (answers, status) == ({200}, 0)
    again = receiver("--output", "events.jsonl")
    assert again.settled()["deliveries"]["restored"] > 0
    assert {event["id"] for event in taken + again.events()} == ids(7, 40)
