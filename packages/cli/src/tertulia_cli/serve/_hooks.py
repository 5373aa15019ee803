"""The senders whose webhooks are taken: how each proves who it is, and what it may ask for beside taking an event."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tertulia.errors import Denied, Invalid
from tertulia.event import Delivery
from tertulia.parsing import load_object
from tertulia.webhook import SLACK_WINDOW, verify_github, verify_slack
from tertulia_cli._input import variable

__all__ = ["SECRETS", "Answer", "GitHub", "Hook", "Pairs", "Refused", "Slack", "configured"]

SECRETS = ("GITHUB_WEBHOOK_SECRET", "SLACK_SIGNING_SECRET")
"""The variables with the secrets of senders: one, or while one replaces another several, with white space between."""

Pairs = Iterable[tuple[bytes, bytes]]
"""The headers of a request, names in lower case."""

_KEPT = frozenset(
    {
        b"content-type",
        b"x-github-event",
        b"x-github-delivery",
        b"x-github-hook-id",
        b"x-slack-retry-num",
        b"x-slack-retry-reason",
    }
)
_LONGEST_VALUE = 256
_EVENT = re.compile(r"[a-z0-9_]{1,64}")
_TIMESTAMP = re.compile(r"[0-9]{1,12}")
_CHALLENGE = re.compile(r"[!-~]{1,1024}")


class Refused(Exception):
    """Say no to a request: the HTTP status, and the word it is counted by."""

    def __init__(self, status: int, word: str) -> None:
        super().__init__(word)
        self.status = status
        self.word = word


@dataclass(frozen=True, slots=True)
class Answer:
    """What a sender gets at once, because nothing happened that is an event; `word` is what it is counted by."""

    word: str
    text: str


class Hook(Protocol):
    """One sender: `POST path` is its address, and `system` the name its adapters go by."""

    @property
    def system(self) -> str:
        """Name the system."""
        ...

    @property
    def path(self) -> str:
        """Give the path of its webhooks."""
        ...

    def receive(self, headers: Pairs, body: bytes, /) -> Delivery | Answer:
        """Take a request whose signature holds; raises Refused, and then has parsed nothing of the body."""
        ...


@dataclass(frozen=True, slots=True)
class GitHub:
    """Take what GitHub sends, as JSON or as forms."""

    secrets: Sequence[str]
    system: str = "github"
    path: str = "/github"

    def receive(self, headers: Pairs, body: bytes, /) -> Delivery | Answer:
        """Take a request whose signature holds. The event's name is not signed: adapters compare it with the payload."""
        try:
            verify_github(headers, body, self.secrets)
        except Denied as error:
            raise Refused(401, "signature") from error
        kept = _kept(headers)
        name = kept.get("x-github-event", "")
        if not _EVENT.fullmatch(name):
            raise Refused(400, "malformed")
        if name == "ping":
            return Answer("ping", "pong")
        return Delivery(self.system, name, body, headers=kept)


@dataclass(frozen=True, slots=True)
class Slack:
    """Take what Slack's Events API sends, and prove to it that the address is ours."""

    secrets: Sequence[str]
    system: str = "slack"
    path: str = "/slack"

    def receive(self, headers: Pairs, body: bytes, /) -> Delivery | Answer:
        """Take a request whose signature holds and is at most 300 seconds old."""
        try:
            verify_slack(headers, body, self.secrets)
        except Denied as error:
            raise Refused(401, self._why(headers, body)) from error
        if b"url_verification" in body[:4_096]:
            challenge = _challenge(body)
            if challenge is not None:
                return Answer("challenge", challenge)
        return Delivery(self.system, "", body, headers=_kept(headers))

    def _why(self, headers: Pairs, body: bytes) -> str:
        """Tell a request that was right once from one that never was."""
        stamp = next((value.decode("latin-1") for name, value in headers if name == b"x-slack-request-timestamp"), "")
        if not _TIMESTAMP.fullmatch(stamp) or abs(time.time() - int(stamp)) <= SLACK_WINDOW:
            return "signature"
        try:
            verify_slack(headers, body, self.secrets, now=int(stamp))
        except Denied:
            return "signature"
        return "replay"


def configured() -> list[Hook]:
    """Give the hooks whose secrets the environment has."""
    github, slack = ((variable(name) or "").split() for name in SECRETS)
    hooks: list[Hook] = []
    if github:
        hooks.append(GitHub(github))
    if slack:
        hooks.append(Slack(slack))
    return hooks


def _kept(headers: Pairs) -> Mapping[str, str]:
    """Keep the headers that say something about an event, none of which proves or opens anything."""
    return {
        name.decode("ascii"): value.decode("latin-1")
        for name, value in headers
        if name in _KEPT and len(value) <= _LONGEST_VALUE
    }


def _challenge(body: bytes) -> str | None:
    try:
        document = load_object(body, "payload")
    except Invalid:
        return None
    challenge = document.get("challenge")
    if document.get("type") != "url_verification" or not isinstance(challenge, str):
        return None
    return challenge if _CHALLENGE.fullmatch(challenge) else None
