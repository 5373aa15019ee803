"""Measure what it costs `tertulia serve` to store before it answers: `python benchmarks/serve.py [REQUESTS]`.

Signed bodies of 14 kB over 200 connections, the server on one core and the load on another. The same server runs with the
inbox off, with it (synchronous=FULL, commits in groups), and as a whole, when its two processes share the core and it reads,
orders and writes events beside: then the time counts until the last event is written. The rounds alternate, and the best of
each counts. The exit status is 1 when the inbox leaves less than half of the rate.
"""

import asyncio
import hashlib
import hmac
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from tertulia.event import Delivery
from tertulia_cli.serve._backoff import Backoff
from tertulia_cli.serve._counters import Counters
from tertulia_cli.serve._dispatch import Dispatcher
from tertulia_cli.serve._hooks import GitHub
from tertulia_cli.serve._http import application
from tertulia_cli.serve._inbox import Inbox
from tertulia_cli.serve._lines import Lines
from tertulia_cli.serve._reading import Reader
from tertulia_cli.serve._reading_process import ReadingProcess
from tertulia_cli.serve._server import Receiver, listen, server_of

REQUESTS, CONNECTIONS, ROUNDS, SIZE = 10_000, 200, 3, 14_000
GOAL = 0.5
SECRET = "secret-of-the-benchmark"
THREADS = 100
MODES = {"off": "inbox off", "inbox": "with the inbox", "whole": "with the inbox, and events written to a file"}


class Measured(NamedTuple):
    """Requests a second, answered and done with, and what 99 of 100 answers took at the most in milliseconds.

    `own` are the requests a second that a core of its own would give: what was done for each second the server computed.
    `apart` are those for each second of the process that answers, when the one that reads has another core.
    """

    answered: float
    rate: float
    own: float
    apart: float
    p99: float


def payload(number: int) -> bytes:
    """Write a comment, with what GitHub sends beside it."""
    user = {"login": "maint-a", "id": 1001, "type": "User"}
    page = f"https://github.com/acme/demo/issues/{1 + number % THREADS}"
    at = {"created_at": "2026-10-01T10:00:00Z", "updated_at": "2026-10-01T10:00:00Z"}
    comment = {"id": 1 + number, "body": "/ask why?", "html_url": page, "user": user, **at}
    issue = {"number": 1 + number % THREADS, "html_url": page, "user": user, "labels": [], "title": "It fails"}
    repository = {"id": 1, "full_name": "acme/demo"}
    event = {
        "action": "created",
        "issue": issue,
        "comment": comment,
        "repository": repository,
        "sender": user,
        "more": "",
    }
    return json.dumps(event | {"more": "x" * (SIZE - len(json.dumps(event)))}).encode()


def request(number: int) -> bytes:
    """Write and sign a request."""
    body = payload(number)
    signature = hmac.digest(SECRET.encode(), body, hashlib.sha256).hex()
    lines = ["POST /github HTTP/1.1", "Host: x", "Content-Type: application/json", "X-GitHub-Event: issue_comment"]
    lines += [f"X-Hub-Signature-256: sha256={signature}", f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode() + body


class Sender(asyncio.Protocol):
    """Send requests over one connection, each when the one before is answered."""

    def __init__(self, requests: list[bytes], times: list[float]) -> None:
        self.done = asyncio.get_running_loop().create_future()
        self._requests = requests
        self._times = times

    def connection_made(self, transport: Any) -> None:
        """Begin."""
        self._transport = transport
        self._next()

    def data_received(self, data: bytes) -> None:
        """Take an answer, which has no body."""
        assert data.startswith(b"HTTP/1.1 200 ") and data.endswith(b"\r\n\r\n"), data
        self._times.append(time.perf_counter() - self._sent)
        self._next()

    def connection_lost(self, error: Exception | None) -> None:
        """End."""
        if not self.done.done():
            self.done.set_exception(error or ConnectionError("the server hung up"))

    def _next(self) -> None:
        self._sent = time.perf_counter()
        if self._requests:
            self._transport.write(self._requests.pop())
        else:
            self.done.set_result(None)
            self._transport.close()


async def load(server: int, port: int, requests: list[bytes], events: int) -> Measured:
    """Send everything to a server, of which the process is known, and wait for as many events."""
    loop, times = asyncio.get_running_loop(), list[float]()
    left, (own, others), started = list(requests), seconds_of(server), time.perf_counter()
    made = [await loop.create_connection(lambda: Sender(left, times), "127.0.0.1", port) for _ in range(CONNECTIONS)]
    await asyncio.gather(*(sender.done for _, sender in made))
    answered = time.perf_counter() - started
    while await handed_on(port) < events:  # noqa: ASYNC110 - what is asked is another process
        await asyncio.sleep(0.02)
    took, (own_now, others_now) = time.perf_counter() - started, seconds_of(server)
    computed = own_now - own, own_now - own + others_now - others
    p99 = sorted(times)[int(len(times) * 0.99)] * 1000
    return Measured(len(times) / answered, len(times) / took, len(times) / computed[1], len(times) / computed[0], p99)


def seconds_of(process: int) -> tuple[float, float]:
    """Give the processor time that a process has taken and those it started have, their system calls included."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    started = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own, sum(sum(seconds_of(int(one))) for one in started)


async def handed_on(port: int) -> int:
    """Ask how many events have been handed on."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /stats HTTP/1.0\r\n\r\n")
    answer = (await reader.read()).partition(b"\r\n\r\n")[2]
    writer.close()
    return int(json.loads(answer).get("events", {}).get("emitted", 0))


async def serve(mode: str, folder: Path) -> None:
    """Be the server, until a signal."""
    counters, output, file = Counters(), Lines(folder / "events.jsonl"), folder / "inbox.sqlite3"
    async with Inbox(file) as inbox, ReadingProcess(file, Reader()) as reading:
        await reading.after(0)
        dispatcher = Dispatcher(inbox, reading.after, output, counters, Backoff())
        receiver = Receiver(inbox, dispatcher, counters)
        accept = {"off": forget, "inbox": inbox.store, "whole": receiver.accept}[mode]
        app = application([GitHub([SECRET])], accept, counters, receiver.stats, receiver.health)
        handing_on = asyncio.create_task(dispatcher.run())
        with listen("127.0.0.1", 0) as listening:
            print(listening.getsockname()[1], flush=True)
            await server_of(app).serve(sockets=[listening])
        handing_on.cancel()


async def forget(delivery: Delivery) -> bool:
    """Take a delivery, and keep nothing of it."""
    return True


def measure(mode: str, requests: list[bytes]) -> Measured:
    """Run a server on the last core, with an inbox of its own, and the load on the first."""
    cores = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--serve", mode, folder]
        os.sched_setaffinity(0, {cores[-1]})
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            os.sched_setaffinity(0, {cores[0]})
            assert process.stdout is not None
            events = len(requests) if mode == "whole" else 0
            measured = asyncio.run(load(process.pid, int(process.stdout.readline()), requests, events))
            process.kill()
            os.sched_setaffinity(0, cores)
    return measured


def main() -> int:
    """Print the figures; say whether they are over the limits."""
    if sys.argv[1:2] == ["--serve"]:
        asyncio.run(serve(sys.argv[2], Path(sys.argv[3])))
        return 0
    requests = [request(number) for number in range(int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS)]
    rounds = [{mode: measure(mode, requests) for mode in MODES} for _ in range(ROUNDS)]
    best = {mode: Measured(*map(max, zip(*(one[mode] for one in rounds), strict=True))) for mode in MODES}
    for mode, what in MODES.items():
        answered, rate, own, apart, _ = best[mode]
        p99 = min(one[mode].p99 for one in rounds)
        print(f"{what}: {answered:,.0f} requests answered a second, {rate:,.0f} done with, p99 {p99:.0f} ms")
        print(
            f"    {rate / best['off'].rate:.2f} of the rate; on a core of its own {own:,.0f}, {own / best['off'].own:.2f}"
        )
        print(f"    reading on another core: {apart:,.0f}, {apart / best['off'].apart:.2f}")
    ratio = min(best["inbox"].rate / best["off"].rate, best["inbox"].own / best["off"].own)
    print(f"the goal is {GOAL}")
    return 1 if ratio < GOAL else 0


if __name__ == "__main__":
    sys.exit(main())
