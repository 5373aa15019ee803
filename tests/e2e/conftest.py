"""Servers and samples for the end-to-end tests. Everything listens on 127.0.0.1 and ends with the run."""

import io
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import npm_packages
from emulators import free_port, running
from slack_emulator import SlackEmulator
from slack_emulator import run as run_slack
from tertulia.testing.loopback import Reply, Server, serve
from tertulia_cli.main import main

HERE = Path(__file__).parent
HOOK_SECRET = "it-is-a-secret"


@dataclass(frozen=True)
class Answer:
    """What a server answered: an error status is an answer too."""

    status: int
    headers: dict[str, str]
    body: Any


Call = Callable[..., Answer]
"""`call(method, path, body=None, token="token-of-maint-a")`; the tokens are in seed.json."""


@dataclass(frozen=True)
class Done:
    """How a run of the command ended."""

    status: int
    out: str
    err: str

    def json(self) -> Any:
        """Read what a run printed that ended well."""
        assert self.status == 0, self.err
        return json.loads(self.out)


def environment(url: str, by: str | None) -> dict[str, str]:
    """Give our own environment, with a GitHub at a URL and the token of somebody in seed.json, or none."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "GH_", "HISTORY_"))}
    return kept | {"GITHUB_API_URL": url} | ({"GITHUB_TOKEN": f"token-of-{by}"} if by else {})


@pytest.fixture
def here() -> Callable[..., Done]:
    """Run the command in this process: `here(api_url, "context", URL, by="helper", stdin="")`."""

    def run(url: str, *arguments: str, by: str | None = "helper", stdin: str = "") -> Done:
        out, err, given = (io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8") for text in ("", "", stdin))
        with (
            patch.multiple(sys, stdout=out, stderr=err, stdin=given),
            patch.dict(os.environ, environment(url, by), clear=True),
        ):
            status = main(arguments)
            out.flush()
            err.flush()
        printed, complained = (stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]
        return Done(status, printed, complained)

    return run


@pytest.fixture
def elsewhere(tmp_path: Path) -> Callable[..., Done]:
    """Run the installed command in a process of its own, with the same arguments."""

    def run(url: str, *arguments: str, by: str | None = "helper", stdin: str = "") -> Done:
        command = [str(Path(sys.executable).with_name("tertulia")), *arguments]
        streams: dict[str, Any] = {"input": stdin, "capture_output": True, "text": True, "encoding": "utf-8"}
        done = subprocess.run(command, env=environment(url, by), cwd=tmp_path, timeout=60, check=False, **streams)
        return Done(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture(scope="session")
def node_modules() -> Path:
    """Find what `npm ci` installed."""
    return npm_packages.node_modules()


@pytest.fixture(scope="session")
def webhook_examples(node_modules: Path) -> dict[str, list[dict[str, Any]]]:
    """Read GitHub's own webhook examples, for github.com (`api.github.com`) and each Enterprise release (`ghes-31`).

    Each list holds `{"name": "issues", "actions": [...], "examples": [payload, ...], ...}`.
    """
    folder = node_modules / "@octokit" / "webhooks-examples"
    return {file.parent.name: json.loads(file.read_text("utf-8")) for file in sorted(folder.glob("*/index.json"))}


@pytest.fixture(scope="session")
def github_emulator(node_modules: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a GitHub that is seeded with seed.json, and yield its base URL."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    program = [str(node_modules / "emulate" / "dist" / "index.js"), "start", "--service", "github"]
    options = ["--port", str(port), "--base-url", url, "--seed", str(HERE / "seed.json")]

    def is_ready() -> bool:
        return request("GET", f"{url}/rate_limit", token="token-of-maint-a").status == 200

    with running([*program, *options], is_ready, tmp_path_factory.mktemp("emulator") / "log.txt"):
        yield url


@pytest.fixture(scope="session")
def slack_emulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackEmulator]:
    """Run a Slack that sends signed events to whoever subscribed last."""
    with run_slack(tmp_path_factory.mktemp("slack") / "log.txt") as site:
        yield site


@pytest.fixture(scope="session")
def github(github_emulator: str) -> Call:
    """Call the emulator: `github("POST", "/repos/acme/demo/issues", {"title": "Hello"})`."""

    def call(method: str, path: str, body: Any = None, token: str | None = "token-of-maint-a") -> Answer:
        assert path.startswith("/")
        return request(method, github_emulator + path, body, token)

    return call


@pytest.fixture
def deliveries(github: Call) -> Iterator[Server]:
    """Receive the emulator's own webhooks, signed with `HOOK_SECRET`."""
    with serve() as receiver:
        receiver.route("POST", "/hook", Reply(204))
        config = {"url": f"{receiver.url}/hook", "content_type": "json", "secret": HOOK_SECRET}
        hooks = "/repos/acme/demo/hooks"
        hook = github("POST", hooks, {"name": "web", "active": True, "events": ["*"], "config": config})
        yield receiver
        github("DELETE", f"{hooks}/{hook.body['id']}")


def request(method: str, url: str, body: Any = None, token: str | None = None) -> Answer:
    """Send one request, past any proxy, and read the JSON answer (None when it is empty)."""
    headers = {"Accept": "application/json", "Content-Type": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(urllib.request.Request(url, data, headers, method=method), timeout=10) as response:
            return answer(response.status, dict(response.headers), response.read())
    except urllib.error.HTTPError as error:
        with error:
            return answer(error.code, dict(error.headers), error.read())


def answer(status: int, headers: dict[str, str], raw: bytes) -> Answer:
    """Parse what came back; header names become lower case."""
    return Answer(status, {name.lower(): value for name, value in headers.items()}, json.loads(raw) if raw else None)
