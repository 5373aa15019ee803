"""Where an issue is, and the routes below it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from tertulia.errors import Invalid
from tertulia.parsing import github
from tertulia.parsing.github import checked_id
from tertulia.thread import MessageRef
from tertulia_forge_github import path

__all__ = ["Place", "message_route"]

_API_URL = re.compile(r".*/repos/(?P<repo>[^/#]+/[^/#]+)/(?:issues|pulls)/(?P<number>[0-9]+)")


class Place(github.Place):
    """Hold owner, repository and number of an issue or a pull request."""

    __slots__ = ()

    def now(self, thing: Mapping[str, Any]) -> Place:
        """Give the place that an issue or a pull request itself names: another one after a transfer or a renaming."""
        below = f"{thing.get('repository_url')}/issues/{thing.get('number')}"
        for url in (thing.get("url"), below):
            if isinstance(url, str) and (found := _API_URL.fullmatch(url)) is not None:
                with suppress(Invalid):
                    return Place.of(f"{found['repo']}#{found['number']}")
        return self

    def holds(self, message: Mapping[str, Any]) -> bool:
        """Say whether a message is one of this thread, so far as the message says where it is."""
        url = message.get("issue_url") or message.get("pull_request_url")
        found = _API_URL.fullmatch(url) if isinstance(url, str) else None
        return found is None or found["number"] == self.number

    def repository(self, *parts: str) -> str:
        """Write a route below the repository."""
        return path("repos", self.owner, self.repo, *parts)

    def issue(self, *parts: str) -> str:
        """Write a route below the issue; a pull request has one too."""
        return self.repository("issues", self.number, *parts)

    def pull(self, *parts: str) -> str:
        """Write a route below the pull request."""
        return self.repository("pulls", self.number, *parts)


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
