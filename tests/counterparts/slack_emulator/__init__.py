"""A Slack that somebody else wrote, emulate 0.12.2: it keeps what is said, and signs the events that it sends."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

import npm_packages
from emulators import free_port, running

__all__ = ["AGENT", "AGENT_TOKEN", "SECRET", "TEAM", "SlackEmulator", "run"]

HERE = Path(__file__).parent
TEAM, AGENT, AGENT_TOKEN, SECRET = "T000000001", "U0AGENT", "xoxb-agent", "the-signing-secret-of-the-agent"


@dataclass(frozen=True)
class SlackEmulator:
    """Talk to it beside the client under test: people are `anna`, an admin, and `ben`, by their tokens in seed.json."""

    url: str

    @property
    def api_url(self) -> str:
        """Give the address of the Web API."""
        return f"{self.url}/api/"

    def call(self, method: str, by: str = "anna", **arguments: str) -> Any:
        """Call a method as somebody; a refusal fails the test."""
        answer = self._ask(method, by, urlencode(arguments).encode())
        assert answer["ok"], f"{method}: {answer['error']}"
        return answer

    def channel(self, name: str) -> str:
        """Make a channel, and give its id."""
        return str(self.call("conversations.create", name=name)["channel"]["id"])

    def say(self, channel: str, text: str, by: str = "anna", **arguments: str) -> str:
        """Say something as somebody, and give its `ts`."""
        return str(self.call("chat.postMessage", by, channel=channel, text=text, **arguments)["ts"])

    def thread(self, channel: str, root: str) -> list[Any]:
        """List a thread as anna sees it."""
        listed: list[Any] = self.call("conversations.replies", channel=channel, ts=root)["messages"]
        return listed

    def subscribe(self, url: str) -> None:
        """Send events to an address, from now on and nowhere else."""
        self._send(f"{self.url}/subscribe", json.dumps({"url": url}).encode(), {"content-type": "application/json"})

    def is_ready(self) -> bool:
        """Tell whether it answers."""
        return bool(self._ask("auth.test", "anna", b"")["ok"])

    def _ask(self, method: str, by: str, form: bytes) -> Any:
        token = AGENT_TOKEN if by == "agent" else f"xoxp-{by}"
        headers = {"authorization": f"Bearer {token}", "content-type": "application/x-www-form-urlencoded"}
        return self._send(f"{self.api_url}{method}", form, headers)

    def _send(self, url: str, body: bytes, headers: dict[str, str]) -> Any:
        opener = build_opener(ProxyHandler({}))
        try:
            with opener.open(Request(url, body, headers, method="POST"), timeout=10) as response:
                return json.load(response)
        except HTTPError as error:
            error.close()
            raise


@contextmanager
def run(log: Path) -> Generator[SlackEmulator]:
    """Run it on a free port, for as long as the block takes; what it prints goes into a file."""
    port = free_port()
    site = SlackEmulator(f"http://127.0.0.1:{port}")
    emulate = npm_packages.node_modules() / "emulate"
    program = [str(HERE / "launch.mjs"), str(emulate), str(port), str(HERE / "seed.json")]
    with running(program, site.is_ready, log):
        yield site
