"""Where an issue is, and the routes below it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from tertulia.errors import Invalid
from tertulia.thread import MessageRef
from tertulia_forge_github import path

__all__ = ["Place", "checked_id", "message_route"]

_NAME = r"(?!\.{1,2}[/#])[A-Za-z0-9._-]{1,100}"
_NUMBER = r"[1-9][0-9]{0,17}"
_CONVERSATION = re.compile(rf"(?P<owner>{_NAME})/(?P<repo>{_NAME})#(?P<number>{_NUMBER})")
_API_URL = re.compile(rf".*/repos/(?P<owner>{_NAME})/(?P<repo>{_NAME})/(?:issues|pulls)/(?P<number>{_NUMBER})")
_ID = re.compile(r"[1-9][0-9]{0,18}")


class Place(NamedTuple):
    """Hold owner, repository and number of an issue or a pull request."""

    owner: str
    repo: str
    number: str

    @classmethod
    def of(cls, conversation: str) -> Place:
        """Read `acme/demo#7`."""
        found = _CONVERSATION.fullmatch(conversation)
        if found is None:
            raise Invalid("github: conversation: must look like acme/demo#7", field="conversation")
        return cls(*found.groups())

    def now(self, thing: Mapping[str, Any]) -> Place:
        """Give the place that an issue or a pull request itself names: another one after a transfer or a renaming."""
        below = f"{thing.get('repository_url')}/issues/{thing.get('number')}"
        for url in (thing.get("url"), below):
            if isinstance(url, str) and (found := _API_URL.fullmatch(url)) is not None:
                return Place(*found.groups())
        return self

    def holds(self, message: Mapping[str, Any]) -> bool:
        """Say whether a message is one of this thread, so far as the message says where it is."""
        url = message.get("issue_url") or message.get("pull_request_url")
        found = _API_URL.fullmatch(url) if isinstance(url, str) else None
        return found is None or found["number"] == self.number

    @property
    def conversation(self) -> str:
        """Write `acme/demo#7`."""
        return f"{self.owner}/{self.repo}#{self.number}"

    def same(self, other: Place) -> bool:
        """Compare places as GitHub does, ignoring case."""
        return self.conversation.lower() == other.conversation.lower()

    def repository(self, *parts: str) -> str:
        """Write a route below the repository."""
        return path("repos", self.owner, self.repo, *parts)

    def issue(self, *parts: str) -> str:
        """Write a route below the issue; a pull request has one too."""
        return self.repository("issues", self.number, *parts)

    def pull(self, *parts: str) -> str:
        """Write a route below the pull request."""
        return self.repository("pulls", self.number, *parts)


def checked_id(ident: str, field: str) -> str:
    """Give an id back when it is one of GitHub's numbers."""
    if _ID.fullmatch(ident) is None:
        raise Invalid(f"github: {field}: must be a number", field=field)
    return ident


def message_route(place: Place, message: MessageRef) -> str:
    """Write the route of one message. Raises Invalid for a kind of message GitHub's issues do not have."""
    match message.source_type:
        case "issue":
            return place.issue()
        case "pull_request":
            return place.pull()
        case "issue_comment":
            return place.repository("issues", "comments", checked_id(message.id, "id"))
        case "review_comment":
            return place.repository("pulls", "comments", checked_id(message.id, "id"))
        case "review":
            return place.pull("reviews", checked_id(message.id, "id"))
        case _:
            raise Invalid("github: source_type: is no message of an issue or a pull request", field="source_type")
