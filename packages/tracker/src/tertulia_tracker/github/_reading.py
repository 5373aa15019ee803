"""Read a thread whole, and say honestly where something may be missing."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from tertulia.errors import Denied, NotFound
from tertulia.thread import Listing, Message
from tertulia_forge_github import Http
from tertulia_tracker.github._convert import counts, is_pull, message, thing
from tertulia_tracker.github._place import Place

__all__ = ["Opening", "find", "find_seen", "moved", "proof", "read"]

_log = logging.getLogger("tertulia.tracker")


@dataclass(frozen=True, slots=True)
class Opening:
    """Hold an opening post as REST gives it, and where it really is. `ids` are the numbers it goes by."""

    data: Mapping[str, Any]
    place: Place
    ids: frozenset[str]

    @property
    def source_type(self) -> str:
        """Name the kind of message it is."""
        return "pull_request" if is_pull(self.data) else "issue"

    @property
    def route(self) -> str:
        """Give where it is read again."""
        return self.place.pull() if is_pull(self.data) else self.place.issue()

    @property
    def counts(self) -> dict[str, int]:
        """Give how many messages GitHub counts below it."""
        return counts(self.data)

    def message(self) -> Message:
        """Make a message of it."""
        made = message(self.data, self.source_type)
        assert made is not None  # only reviews can be pending
        return made


async def find(http: Http, place: Place, operation: str) -> Opening:
    """Read the opening post, also where the issue has moved to.

    A pull request is read as itself, for only that counts its review comments. Its number as an issue is asked for first,
    because nobody knows yet what it is; a server that keeps issues and pull requests apart says 404 to that.
    """
    try:
        issue = thing((await http.get(place.issue(), operation=operation)).data)
    except NotFound as missing:
        if _is_gone(missing):
            raise
        issue = await _pull(http, place, operation, missing)
    here = place.now(issue)
    pull = issue
    if is_pull(issue) and "head" not in issue:
        pull = thing((await http.get(here.pull(), operation=operation)).data)
    return Opening(pull, here, frozenset(str(data.get("id")) for data in (issue, pull)))


async def _pull(http: Http, place: Place, operation: str, missing: NotFound) -> Mapping[str, Any]:
    try:
        return thing((await http.get(place.pull(), operation=operation)).data)
    except NotFound:
        raise missing from None


def _is_gone(error: NotFound) -> bool:
    """Tell 410, the answer for what was there and was deleted, from the 404 of what is out of sight too."""
    return error.message.startswith("410")


async def moved(http: Http, place: Place, operation: str, missing: NotFound) -> Place:
    """Find out where an issue is after something below its old number was not found; `missing` when it has not moved.

    GitHub follows a transfer for the issue itself and for nothing below it.
    """
    try:
        here = (await find(http, place, operation)).place
    except NotFound as unseen:
        raise unseen from missing
    if here.same(place):
        raise missing
    _log.info("%s has moved to %s", place.conversation, here.conversation)
    return here


async def read(http: Http, place: Place) -> Listing:
    """Read everything of an issue or a pull request.

    When fewer or more messages were listed than GitHub counts, the count is taken again: a message may have come in the
    meantime. When the count has gone down one was deleted, which can hide another at the edge of a page, so the lists are
    read once more; a thread that goes on shrinking is not complete.
    """
    opening = await find(http, place, "read")
    again = True
    while True:
        messages, complete = await _messages(http, opening)
        before, shrunk = opening.counts, False
        if not _agree(before, messages):
            data = thing((await http.get(opening.route, operation="read")).data)
            opening = Opening(data, opening.place, opening.ids)
            shrunk = any(opening.counts.get(kind, count) < count for kind, count in before.items())
        if not (shrunk and again):
            whole = complete and not shrunk
            return Listing(messages=(opening.message(), *messages), complete=whole, reported=opening.counts or None)
        again = False


def _agree(counted: Mapping[str, int], messages: Iterable[Message]) -> bool:
    listed = Counter(one.source_type for one in messages)
    return all(listed[kind] == count for kind, count in counted.items())


async def _messages(http: Http, opening: Opening) -> tuple[list[Message], bool]:
    """Read the lists below an opening post together; each message once, oldest first."""
    place = opening.place
    routes = {"issue_comment": place.issue("comments")}
    if is_pull(opening.data):
        routes |= {"review": place.pull("reviews"), "review_comment": place.pull("comments")}
    found: dict[str, Message] = {}
    complete = True
    for pages in await _together(http, routes):
        complete = complete and pages.complete
        found |= {made.ref: made for made in pages.items if made is not None}
    return sorted(found.values(), key=lambda one: one.created_at), complete


async def _together(http: Http, routes: Mapping[str, str]) -> list[Any]:
    """Read lists of messages at the same time; the first failure ends the others."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(http.pages(route, operation="read", take=partial(_message, kind)))
                for kind, route in routes.items()
            ]
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return [task.result() for task in tasks]


def _message(kind: str, item: object) -> Message | None:
    return message(thing(item), kind)


async def find_seen(http: Http, place: Place, operation: str) -> Opening:
    """Read the opening post; NotFound only when it was deleted.

    GitHub answers 404 as well for a repository that is out of this identity's sight, and that proves nothing: Denied.
    """
    try:
        return await find(http, place, operation)
    except NotFound as unseen:
        if _is_gone(unseen):
            raise
        told = "the thread is not in sight of this identity, which does not prove that anything in it was deleted"
        raise Denied(told, backend="github", operation=operation) from unseen


async def proof(http: Http, place: Place, missing: NotFound, operation: str) -> Place:
    """Find out what a message that was not found proves: raise that, or give the place its thread has moved to."""
    here = (await find_seen(http, place, operation)).place
    if here.same(place):
        raise missing
    return here
