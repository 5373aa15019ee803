"""The web addresses of discussions."""

from __future__ import annotations

import re

from tertulia.parsing.github import page_of
from tertulia.thread import MessageRef, ThreadRef

__all__ = ["recognise"]

_COMMENT = "discussioncomment-"
_ORGANISATION = "orgs/"
"""Begins the address of an organisation's discussion, which does not say in which repository it is."""
_MESSAGE = re.compile(rf"{_COMMENT}(?P<id>[1-9][0-9]{{0,18}})")


def recognise(url: str) -> ThreadRef | MessageRef | None:
    """Address the discussion or the comment a web address shows; None when it is none of ours.

    `https://HOST/OWNER/REPO/discussions/N`, with `#discussioncomment-ID` for one comment. HOST is the one whose API
    `GITHUB_API_URL` names, github.com without it.
    """
    page = page_of(url)
    if page is None or page.section != "discussions" or page.conversation.startswith(_ORGANISATION):
        return None
    comment = _MESSAGE.fullmatch(page.fragment)
    if comment is not None:
        return MessageRef(conversation=page.conversation, source_type="discussion_comment", id=comment["id"])
    return None if page.fragment.startswith(_COMMENT) else ThreadRef(conversation=page.conversation)
