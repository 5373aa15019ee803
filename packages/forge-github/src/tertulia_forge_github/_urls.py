"""GitHub's web addresses: written for events, recognised for people who paste them."""

from __future__ import annotations

import os
import re

from tertulia.errors import Invalid
from tertulia.thread import MessageRef, ThreadRef

__all__ = ["Origin", "is_shown_by", "pull_url", "recognise", "web_url"]

_NAME = r"(?!\.{1,2}/)[A-Za-z0-9._-]{1,100}"
_PAGE = re.compile(
    rf"(?P<scheme>https?)://(?P<host>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{{1,5}}))?"
    rf"/(?P<repo>{_NAME}/{_NAME})/(?:issues|pull)/(?P<number>[1-9][0-9]{{0,17}})/?"
    r"(?:\?[!-\"$-~]*)?(?:#(?P<fragment>[!-~]*))?"
)
_API = re.compile(
    r"(?P<scheme>https?)://(?P<host>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{1,5}))?(?:/[!-~]*)?",
    re.IGNORECASE,
)
_MESSAGE = re.compile(r"(?P<kind>issuecomment-|discussion_r|pullrequestreview-)(?P<id>[1-9][0-9]{0,18})")
_SOURCE_TYPES = {
    "issuecomment-": "issue_comment",
    "discussion_r": "review_comment",
    "pullrequestreview-": "review",
}
_LOOPBACK = re.compile(r"localhost|127(?:\.[0-9]{1,3}){3}|\[::1\]", re.IGNORECASE)
_ISSUE_PATH = re.compile(r"/issues/([0-9]+)/?$")
_DEFAULT_API = "https://api.github.com"

Origin = tuple[str, str, int]
"""Scheme, host and port of a web server."""


def web_url(url: str | None, field: str) -> str | None:
    """Give a page's address as it is; none when there is none, and `Invalid` when it is no web address."""
    if not url:
        return None
    if not url.startswith(("https://", "http://")):
        raise Invalid(f"github: {field}: must be a web address", field=field)
    return url


def pull_url(url: str) -> str:
    """Point from a pull request seen as an issue to the pull request itself, on the same host."""
    return _ISSUE_PATH.sub(r"/pull/\1", url)


def recognise(url: str) -> ThreadRef | MessageRef | None:
    """Address the thread or the message a web address shows; None when it is none of ours.

    `https://HOST/OWNER/REPO/issues/N` or `pull/N`, with `#issuecomment-ID`, `#discussion_rID` or
    `#pullrequestreview-ID` for one message. HOST is the one whose API `GITHUB_API_URL` names, github.com without it;
    plain http is for a server on this machine. Asks nobody.
    """
    page = _PAGE.fullmatch(url) if isinstance(url, str) and len(url) <= 2048 else None
    if page is None or _origin(page) not in _origins(_configured()):
        return None
    conversation = f"{page['repo']}#{page['number']}"
    message = _MESSAGE.fullmatch(page["fragment"] or "")
    if message is None:
        broken = (page["fragment"] or "").startswith(tuple(_SOURCE_TYPES))
        return None if broken else ThreadRef(conversation=conversation)
    return MessageRef(conversation=conversation, source_type=_SOURCE_TYPES[message["kind"]], id=message["id"])


def _origin(match: re.Match[str]) -> Origin:
    scheme = match["scheme"].lower()
    return scheme, match["host"].lower(), int(match["port"] or (443 if scheme == "https" else 80))


def is_shown_by(url: str, api_url: str) -> bool:
    """Say whether a page is on the web server that belongs to an API."""
    page = _API.fullmatch(url)
    return page is not None and _origin(page) in _origins(api_url)


def _configured() -> str:
    return os.environ.get("GITHUB_API_URL", "").strip() or _DEFAULT_API


def _origins(api_url: str) -> set[Origin]:
    """Name the web servers that belong to an API.

    `https://api.github.com` is github.com, `https://api.SUB.ghe.com` is SUB.ghe.com, and Enterprise Server's
    `https://HOST/api/v3` is HOST. Plain http is for a server on this machine.
    """
    configured = _API.fullmatch(api_url)
    if configured is None:
        return set()
    scheme, host, port = _origin(configured)
    if scheme != "https" and not _LOOPBACK.fullmatch(host):
        return set()
    if host == "api.github.com" or (host.startswith("api.") and host.endswith(".ghe.com")):
        host = host.removeprefix("api.")
    return {(scheme, host, port)}
