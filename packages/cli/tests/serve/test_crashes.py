"""Ten thousand deliveries, and twenty times the receiver is killed among them: nothing that was answered is lost."""

import asyncio
import hashlib
import hmac
import json
import random
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from tertulia_cli.serve._lines import Lines

DELIVERIES, KILLS, SENDERS, THREADS = 10_000, 20, 16, 200
SECRET = b"secret-of-github"
UNDER_WAY = Lines.concurrency * Lines.together


def request(number: int) -> bytes:
    """Write the request of a delivery: a comment on one of some issues."""
    body = json.dumps({"thread": str(1 + number % THREADS), "id": str(number), "text": "x" * 500}).encode()
    signature = hmac.new(SECRET, body, hashlib.sha256).hexdigest()
    head = f"POST /github HTTP/1.1\r\nHost: x\r\nX-GitHub-Event: issue_comment\r\nX-Hub-Signature-256: sha256={signature}\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


class Burst:
    """Send deliveries over some connections, and kill the receiver when so many of them are answered."""

    def __init__(self, running: Any, numbers: list[int], kill_after: int | None) -> None:
        self.answered: set[int] = set()
        self._running = running
        self._numbers = numbers
        self._kill_after = kill_after

    async def send(self) -> None:
        """Send one after another over each connection, until nothing is left or nobody answers."""
        await asyncio.gather(*(self._connection() for _ in range(SENDERS)))

    async def _connection(self) -> None:
        host, _, port = self._running.url.removeprefix("http://").partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        with closing(writer):
            while self._numbers and await self._is_answered(number := self._numbers.pop(), reader, writer):
                self.answered.add(number)
                if len(self.answered) == self._kill_after:
                    self._running.process.kill()

    async def _is_answered(self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Send one; who gets no answer sends it again, later."""
        try:
            writer.write(request(number))
            head = await reader.readuntil(b"\r\n\r\n")
        except (ConnectionError, asyncio.IncompleteReadError):
            self._numbers.append(number)
            return False
        assert head.startswith(b"HTTP/1.1 200 "), head
        return True


def burst(running: Any, numbers: list[int], kill_after: int | None = None) -> set[int]:
    """Send, and give what was answered."""
    one = Burst(running, numbers, kill_after)
    asyncio.run(one.send())
    return one.answered


def ids(path: Path) -> list[int]:
    """Give the comments that were handed on, also from a file whose last line was cut off."""
    found = []
    for line in path.read_bytes().splitlines(keepends=True):
        if line.endswith(b"\n"):
            event = json.loads(line)
            number = int(event["data"]["transition"]["comment"]["id"])
            assert event["id"] == f"github:acme/demo#{1 + number % THREADS}/issue_comment:{number}@x/comment_added"
            found.append(number)
    return found


def settled(folder: Path) -> set[int]:
    """Give the comments of which the inbox knows that they were handed on."""
    with closing(sqlite3.connect(folder / "tertulia-inbox.sqlite3")) as db:
        return {int(key.split("issue_comment:")[1].split("@")[0]) for (key,) in db.execute("SELECT key FROM emitted")}


def test_what_was_answered_is_handed_on_and_only_what_was_under_way_is_repeated(receiver: Any, tmp_path: Path) -> None:
    chance = random.Random(7)
    numbers, answered = list(range(DELIVERIES)), set[int]()
    known: set[int] = set()
    emitted: list[list[int]] = []
    share = DELIVERIES // (KILLS + 1)

    for at in range(KILLS):
        running = receiver("--output", f"{at}.jsonl")
        answered |= burst(running, numbers, kill_after=chance.randint(1, 2 * share))
        running.process.wait()
        emitted.append(ids(tmp_path / f"{at}.jsonl"))
        assert not known & set(emitted[-1]), "what was settled before a crash is never repeated"
        known = settled(tmp_path)
        assert known <= set(flat(emitted))
        assert len(set(emitted[-1]) - known) <= UNDER_WAY, "what is handed on is settled soon"
    last = receiver("--output", "last.jsonl")
    answered |= burst(last, numbers)
    stats = last.settled()
    emitted.append(ids(tmp_path / "last.jsonl"))

    assert answered == set(flat(emitted)) == set(range(DELIVERIES))
    assert stats["waiting"] == {"deliveries": 0, "events": 0, "under_way": 0}
    assert all(len(one) == len(set(one)) for one in emitted), "nothing is repeated without a crash"


def flat(lists: Iterable[Iterable[int]]) -> list[int]:
    """Put lists behind one another."""
    return [number for numbers in lists for number in numbers]
