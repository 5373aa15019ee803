"""A receiver in a process of its own, and senders that sign what they send to it."""

import hashlib
import hmac
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

SECRET, SIGNING = "secret-of-github", "secret-of-slack"
KEPT = ("PATH", "HOME", "TMPDIR", "LANG")
WITHIN = 30.0

Start = Callable[..., "Receiver"]


@pytest.fixture(scope="session")
def senders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the adapters of fake_senders.py and fake_source.py, as any package would be."""
    folder = tmp_path_factory.mktemp("senders")
    info = folder / "fake_senders-1.0.dist-info"
    info.mkdir()
    for name in ("fake_senders.py", "fake_source.py"):
        (folder / name).write_text(Path(__file__).with_name(name).read_text("utf-8"), "utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fake-senders\nVersion: 1.0\n", "utf-8")
    points = (
        "[tertulia.adapters]\ngithub = fake_senders:github\nslack = fake_senders:slack\nsource = fake_source:adapter\n"
    )
    (info / "entry_points.txt").write_text(points, "utf-8")
    return folder


@dataclass
class Receiver:
    """A running receiver, the folder it works in, and the file with what it says on standard error."""

    process: subprocess.Popen[bytes]
    url: str
    folder: Path
    errors: Path
    http: httpx.Client = field(default_factory=lambda: httpx.Client(trust_env=False, timeout=WITHIN))

    def github(self, payload: Any, *, secret: str = SECRET, name: str = "issue_comment", **more: str) -> httpx.Response:
        """Send what GitHub would."""
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        signed = {"x-hub-signature-256": f"sha256={digest(secret, body)}", "x-github-event": name}
        return self.http.post(f"{self.url}/github", content=body, headers=signed | more)

    def slack(self, payload: Any, *, secret: str = SIGNING, age: float = 0, **more: str) -> httpx.Response:
        """Send what Slack would, some seconds ago."""
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        return self.http.post(f"{self.url}/slack", content=body, headers=signed_by_slack(body, secret, age) | more)

    def stats(self) -> Any:
        """Ask for the counters."""
        return self.http.get(f"{self.url}/stats").json()

    def settled(self) -> Any:
        """Wait until nothing waits any more, and give the counters."""
        return until(lambda: not any((now := self.stats())["waiting"].values()) and ended(now) and now)

    def events(self, name: str = "events.jsonl") -> list[Any]:
        """Give what was handed on."""
        return events(self.folder / name)

    def until(self, holds: Callable[[], Any]) -> Any:
        """Wait until something holds, and give it."""
        return until(holds)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal, and give the status the process ends with."""
        self.process.send_signal(number)
        return self.process.wait(WITHIN)

    def close(self) -> None:
        """End it, whatever it does."""
        self.http.close()
        with suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()


@pytest.fixture
def receiver(tmp_path: Path, senders: Path) -> Generator[Start]:
    """Start a receiver: `receiver("--output", "events.jsonl")`, in a folder of the test; its inbox stays between starts."""
    running: list[Receiver] = []

    def start(*arguments: str, **more: Any) -> Receiver:
        running.append(started(tmp_path, senders, *arguments, **more))
        return running[-1]

    yield start
    for one in running:
        one.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, senders: Path) -> Generator[Receiver]:
    """Run one receiver for the tests of a module, each of which looks at what it sends itself."""
    running = started(tmp_path_factory.mktemp("shared"), senders, "--output", "events.jsonl")
    yield running
    running.close()


def started(
    folder: Path, senders: Path, *arguments: str, env: Mapping[str, str] | None = None, stdout: int | None = None
) -> Receiver:
    """Start a receiver, and wait until it listens. What it prints goes to a file, or where it is told."""
    known = {name: value for name, value in os.environ.items() if name in KEPT}
    path = os.pathsep.join([str(senders), *filter(None, [os.environ.get("PYTHONPATH")])])
    known |= {"PYTHONPATH": path, "GITHUB_WEBHOOK_SECRET": SECRET, "SLACK_SIGNING_SECRET": SIGNING}
    errors = folder / f"errors-{time.monotonic_ns()}"
    command = [sys.executable, "-W", "error", "-m", "tertulia_cli", "serve", "--port", "0", *arguments]
    with errors.open("wb") as stream, (folder / "printed").open("ab") as printed:
        process = subprocess.Popen(
            command, cwd=folder, env=known | dict(env or {}), stdout=stdout or printed, stderr=stream
        )
    found = until(lambda: process.poll() is not None or re.search(r"http://[0-9.:]+", errors.read_text("utf-8")))
    assert isinstance(found, re.Match), errors.read_text("utf-8")
    return Receiver(process, found[0], folder, errors)


def signed_by_slack(body: bytes, secret: str, age: float = 0) -> dict[str, str]:
    """Give the headers of Slack's request."""
    stamp = str(int(time.time() - age))
    return {
        "x-slack-request-timestamp": stamp,
        "x-slack-signature": f"v0={digest(secret, f'v0:{stamp}:'.encode() + body)}",
    }


def digest(secret: str, message: bytes) -> str:
    """Sign a message."""
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()


def until(holds: Callable[[], Any]) -> Any:
    """Wait until something holds, and give it."""
    end = time.monotonic() + WITHIN
    while not (found := holds()):
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.01)
    return found


def ended(stats: Any) -> bool:
    """Tell whether every delivery is counted that waited or was accepted."""
    counts = dict(stats["deliveries"])
    accepted = sum(one.get("accepted", 0) for one in (stats.get("answered", {}), *stats.get("sources", {}).values()))
    return bool(counts.pop("restored") + accepted == sum(counts.values()))


def events(path: Path) -> list[Any]:
    """Read JSON lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
