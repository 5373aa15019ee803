"""GitHub's web addresses: written for events, recognised for people who paste them."""

from __future__ import annotations

import re

from tertulia.parsing.github import page_of
from tertulia.thread import MessageRef, ThreadRef

__all__ = ["pull_url", "recognise"]

_SECTIONS = ("issues", "pull")
_MESSAGE = re.compile(r"(?P<kind>issuecomment-|discussion_r|pullrequestreview-)(?P<id>[1-9][0-9]{0,18})")
_SOURCE_TYPES = {
    "issuecomment-": "issue_comment",
    "discussion_r": "review_comment",
    "pullrequestreview-": "review",
}
_ISSUE_PATH = re.compile(r"/issues/([0-9]+)/?$")


def pull_url(url: str) -> str:
    """Point from a pull request seen as an issue to the pull request itself, on the same host."""
    return _ISSUE_PATH.sub(r"/pull/\1", url)


def recognise(url: str) -> ThreadRef | MessageRef | None:
    """Address the thread or the message a web address shows; None when it is none of ours.

    `https://HOST/OWNER/REPO/issues/N` or `pull/N`, with `#issuecomment-ID`, `#discussion_rID` or
    `#pullrequestreview-ID` for one message. HOST is the one whose API `GITHUB_API_URL` names, github.com without it.
    """
    page = page_of(url)
    if page is None or page.section not in _SECTIONS:
        return None
    message = _MESSAGE.fullmatch(page.fragment)
    if message is None:
        broken = page.fragment.startswith(tuple(_SOURCE_TYPES))
        return None if broken else ThreadRef(conversation=page.conversation)
    return MessageRef(conversation=page.conversation, source_type=_SOURCE_TYPES[message["kind"]], id=message["id"])
