"""Reading: the pages of a thread and of a channel, each message once, and honest words when one may be missing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tertulia.errors import Error, NotFound, RateLimited, Unavailable
from tertulia.parsing import as_object
from tertulia_conversation_slack._api import Call
from tertulia_conversation_slack._comments import root_of
from tertulia_conversation_slack._convert import said, unreadable
from tertulia_conversation_slack._fields import Json, number, objects, word
from tertulia_conversation_slack._place import SOURCE_TYPE
from tertulia_conversation_slack._ts import order

__all__ = ["PAGE", "Found", "find", "find_root", "items", "read_channel", "read_thread", "roots", "together"]

T = TypeVar("T")

PAGE = 200
"""How many messages to ask for at once: what Slack recommends at most."""
_LISTINGS = 2


class _Repeated(Unavailable):
    """Say that a cursor came again: what it leads to was read."""


@dataclass(slots=True)
class Found:
    """Hold what was read, by `ts`. `missing` says why something may be missing, `counted` how many replies Slack counts."""

    messages: dict[str, Json] = field(default_factory=dict[str, "Json"])
    missing: Error | None = None
    counted: int | None = None

    @property
    def reported(self) -> dict[str, int] | None:
        """Give how many messages Slack counts, the root among them."""
        return None if self.counted is None else {SOURCE_TYPE: self.counted + 1}

    def add(self, page: Iterable[Json]) -> None:
        """Take the messages of a page; the root comes on every page, or on the first only."""
        self.messages |= {said(one)["ts"]: one for one in page}

    def in_order(self) -> list[Json]:
        """Give the messages of one thread, oldest first: none is older than the root."""
        return [self.messages[ts] for ts in sorted(self.messages, key=order)]


async def items(call: Call, method: str, name: str, **args: str | None) -> AsyncGenerator[list[Json]]:
    """Read a list page by page, to an empty cursor: a page may hold fewer items than were asked for and not be the last."""
    cursor: str | None = None
    seen: set[str] = set()
    while cursor != "":
        answer = await call.ask(method, limit=str(PAGE), cursor=cursor, **args)
        yield _objects(answer, name)
        cursor = _next(answer)
        if cursor in seen:
            raise _Repeated("a cursor comes again", backend="slack", operation=call.operation)
        seen.add(cursor)


def _objects(answer: Json, name: str) -> list[Json]:
    if not isinstance(answer.get(name), list):
        raise unreadable(f"{name}: is no list")
    return list(objects(answer[name]))


def _next(answer: Json) -> str:
    return word(as_object(answer.get("response_metadata")), "next_cursor")


async def find(call: Call, channel: str, ts: str) -> Json:
    """Read one message, a root or a reply. Raises NotFound when it is not there.

    Asked with a reply Slack gives it alone (slackapi/bolt-python#783), or as its documentation says the whole thread.
    """
    narrow = {"oldest": ts, "latest": ts, "inclusive": "true"}
    answer = await call.ask(
        "conversations.replies", channel=channel, ts=ts, limit="2", include_all_metadata="true", **narrow
    )
    found = next((one for one in _objects(answer, "messages") if one.get("ts") == ts), None)
    if found is None:
        raise NotFound("the message is not there", backend="slack", operation=call.operation)
    return found


async def find_root(call: Call, channel: str, ts: str) -> str:
    """Find the root of the thread that a message is in: whoever answers a reply answers its root."""
    return root_of(said(await find(call, channel, ts)))


async def read_thread(call: Call, channel: str, ts: str, *, oldest: str | None = None) -> Found:
    """Read a thread, by its root or by a reply of it; `oldest` leaves out earlier replies.

    When fewer replies were listed than Slack counts, one was deleted meanwhile, which can hide another at the edge of a
    page: then the thread is read once more, and is not complete when that is no better. A count that stays wrong over two
    equal listings hides nothing.
    """
    found = Found()
    for _ in range(_LISTINGS):
        before, found = found, await _read_thread(call, channel, ts, oldest)
        asked = found.messages.get(ts)
        root = root_of(said(asked)) if asked is not None else ts
        if root != ts:
            return await read_thread(call, channel, root, oldest=oldest)
        if oldest is not None or found.missing or found.counted is None or len(found.messages) > found.counted:
            return found
        if found.messages.keys() == before.messages.keys():
            return found
    found.missing = Unavailable("the thread goes on shrinking", backend="slack", operation=call.operation)
    return found


async def _read_thread(call: Call, channel: str, ts: str, oldest: str | None) -> Found:
    found = Found()
    asked = {"channel": channel, "ts": ts, "oldest": oldest, "inclusive": "true", "include_all_metadata": "true"}
    try:
        async for page in items(call, "conversations.replies", "messages", **asked):
            found.add(page)
            counts = (number(one, "reply_count") for one in page if one.get("ts") == ts)
            found.counted = max((count for count in (found.counted, *counts) if count is not None), default=None)
    except (RateLimited, _Repeated) as stopped:
        if not found.messages:
            raise
        found.missing = stopped
    if not found.messages:
        raise NotFound("the thread is not there", backend="slack", operation=call.operation)
    return found


async def roots(call: Call, channel: str, *, oldest: str | None = None) -> AsyncGenerator[Json]:
    """Read the roots of a channel's threads, newest first, each once."""
    seen: set[str] = set()
    asked = {"channel": channel, "oldest": oldest, "inclusive": "true", "include_all_metadata": "true"}
    async for page in items(call, "conversations.history", "messages", **asked):
        for one in page:
            message = said(one)
            if message["ts"] not in seen and root_of(message) == message["ts"]:
                seen.add(message["ts"])
                yield one


async def read_channel(call: Call, channel: str) -> Found:
    """Read every thread of a channel, oldest root first, each with its replies."""
    found, heads = Found(), list[Json]()
    try:
        async for root in roots(call, channel):
            heads.append(root)
    except (RateLimited, _Repeated) as stopped:
        if not heads:
            raise
        found.missing = stopped
    heads.sort(key=lambda root: order(root["ts"]))
    for thread in await together(_below(call, channel, root) for root in heads):
        found.messages |= {one["ts"]: one for one in thread.in_order()}
        found.missing = found.missing or thread.missing
    return found


async def _below(call: Call, channel: str, root: Json) -> Found:
    """Read the thread of a root; one that went away meanwhile, or that a limit keeps, is missing."""
    if not root.get("reply_count"):
        return Found({root["ts"]: root})
    try:
        return await read_thread(call, channel, root["ts"])
    except NotFound:
        return Found()
    except RateLimited as limited:
        return Found({root["ts"]: root}, missing=limited)


async def together(questions: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Ask at the same time; the first failure ends the others."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(question) for question in questions]
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return [task.result() for task in tasks]
