"""Slack's web addresses: written for events, recognised for people who paste them."""

from __future__ import annotations

import os
import re

from tertulia.thread import ThreadRef

__all__ = ["channel_url", "permalink", "recognise", "workspace_of"]

_CHANNEL = r"(?P<channel>[CDG][A-Z0-9]{1,63})"
_TS = r"[0-9]{1,11}\.[0-9]{6}"
_PERMALINK = re.compile(
    rf"/archives/{_CHANNEL}(?:/p(?P<seconds>[0-9]{{1,11}})(?P<fraction>[0-9]{{6}}))?/?"
    r"(?:\?(?P<query>[^#]*))?(?:#.*)?"
)
_ROOT = re.compile(rf"(?:^|&)thread_ts=({_TS})(?=&|$)")
_WEB = re.compile(
    rf"/client/(?P<team>[TE][A-Z0-9]{{1,63}})/{_CHANNEL}(?:/thread/(?P=channel)-(?P<root>{_TS}))?/?(?:[?#].*)?"
)
_PAGE = re.compile(r"(?P<origin>https?://[A-Za-z0-9.:-]+)(?P<path>/[!-~]*)")
_WORKSPACE = re.compile(r"https://(?P<name>[a-z0-9-]{1,63}(?:\.enterprise)?)\.slack\.com", re.IGNORECASE)
_APP = "https://app.slack.com"


def channel_url(team: str, channel: str) -> str:
    """Give the page of a channel; who opens it need not know the name of the workspace."""
    return f"{_APP}/client/{team}/{channel}"


def permalink(site: str, channel: str, ts: str, root: str) -> str:
    """Give the page of a message, as Slack writes it; `site` is `https://WORKSPACE.slack.com/`."""
    page = f"{site.rstrip('/')}/archives/{channel}/p{ts.replace('.', '')}"
    return page if root == ts else f"{page}?thread_ts={root}&cid={channel}"


def workspace_of(site: str) -> str | None:
    """Give the name of a workspace in its address, `https://WORKSPACE.slack.com/`; None for any other."""
    found = _WORKSPACE.fullmatch(site.rstrip("/"))
    return found["name"].lower() if found is not None else None


def recognise(url: str) -> ThreadRef | None:
    """Address the thread a web address shows; None when it is none of Slack's.

    `https://WORKSPACE.slack.com/archives/CHANNEL/pTIME`, with `?thread_ts=` for an answer, and
    `https://app.slack.com/client/TEAM/CHANNEL/thread/CHANNEL-TIME`. The first names no team: its conversation is the
    channel alone. The handle is the workspace or the team, which the client compares with its own. On the host of
    `SLACK_API_URL` the first form is recognised too. Asks nobody.
    """
    page = _PAGE.fullmatch(url) if isinstance(url, str) and len(url) <= 2048 else None
    if page is None:
        return None
    if page["origin"].lower() == _APP:
        return _in_app(page["path"])
    workspace = workspace_of(page["origin"])
    if workspace is None and page["origin"].lower() != _configured():
        return None
    return _permalink(page["path"], workspace)


def _in_app(path: str) -> ThreadRef | None:
    found = _WEB.fullmatch(path)
    if found is None:
        return None
    team = found["team"]
    return ThreadRef(conversation=f"{team}/{found['channel']}", root=found["root"], handle=team)


def _permalink(path: str, workspace: str | None) -> ThreadRef | None:
    found = _PERMALINK.fullmatch(path)
    if found is None:
        return None
    root = _ROOT.search(found["query"] or "")
    ts = f"{found['seconds']}.{found['fraction']}" if found["seconds"] else None
    return ThreadRef(conversation=found["channel"], root=root[1] if root is not None else ts, handle=workspace)


def _configured() -> str | None:
    page = _PAGE.fullmatch(os.environ.get("SLACK_API_URL", "").strip())
    return page["origin"].lower() if page is not None else None
