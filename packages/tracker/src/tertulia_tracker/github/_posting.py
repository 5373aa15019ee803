"""Post an answer at most once: look first, send once, look again when nobody knows what became of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import NamedTuple
from weakref import WeakValueDictionary

from tertulia import outbound
from tertulia.errors import Error, Invalid, NotFound, Unavailable
from tertulia.thread import Account, Draft, Message
from tertulia_forge_github import Http
from tertulia_tracker.github._convert import is_own, items, message, thing
from tertulia_tracker.github._place import Place
from tertulia_tracker.github._reading import moved

__all__ = ["Poster"]

_log = logging.getLogger("tertulia.tracker")
_LOOKS = (1.0, 3.0, 9.0)
"""Seconds after a send of unknown outcome at which it is looked for."""


class _Target(NamedTuple):
    """Hold where an answer goes: the thread, or one review thread in it."""

    place: Place
    root: str | None

    @property
    def kind(self) -> str:
        return "issue_comment" if self.root is None else "review_comment"

    @property
    def listing(self) -> str:
        return self.place.issue("comments") if self.root is None else self.place.pull("comments")


class _Wanted(NamedTuple):
    """Hold what an own answer is known by."""

    me: Account
    digest: str
    since: str | None


class Poster:
    """Post answers. `sleep` and `clock` (seconds) are for tests."""

    def __init__(self, http: Http, *, sleep: Callable[[float], Awaitable[None]], clock: Callable[[], float]) -> None:
        self._http = http
        self._sleep = sleep
        self._clock = clock
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._cancelled: dict[str, float] = {}

    async def post(self, place: Place, root: str | None, draft: Draft, body: str) -> Message:
        """Send a prepared body under a thread's root; with a key at most once."""
        target = _Target(place, root)
        if draft.key is None:
            try:
                return await self._send(target, body)
            except NotFound as missing:
                return await self._send(await self._moved(target, missing), body)
        digest = outbound.key_digest(draft.key)
        async with self._locks.setdefault(digest, asyncio.Lock()):
            wanted = _Wanted(await self._http.whoami(), digest, _since(draft))
            return await self._once(target, wanted, body)

    async def _once(self, target: _Target, wanted: _Wanted, body: str) -> Message:
        try:
            known = await self._look(target, wanted)
        except NotFound as missing:
            target = await self._moved(target, missing)
            known = await self._look(target, wanted)
        if known is None and wanted.digest in self._cancelled:
            known = await self._look_after(self._cancelled[wanted.digest], target, wanted)
        self._cancelled.pop(wanted.digest, None)
        if known is not None:
            _log.info("%s is already answered by %s: nothing was sent", target.place.conversation, known.ref)
            return known
        try:
            return await self._send_or_find(target, wanted, body)
        except asyncio.CancelledError:
            self._remember(wanted.digest)
            raise

    async def _send_or_find(self, target: _Target, wanted: _Wanted, body: str) -> Message:
        try:
            return await self._send(target, body)
        except Unavailable as failure:
            if not failure.ambiguous:
                raise
            _log.info("nobody knows whether the answer to %s landed: looking for it", target.place.conversation)
            known = await self._look_after(self._clock(), target, wanted, patient=True)
            if known is None:
                raise
            return known

    async def _look_after(
        self, sent: float, target: _Target, wanted: _Wanted, *, patient: bool = False
    ) -> Message | None:
        """Look for an answer 1, 3 and 9 seconds after it was sent; `patient` takes a failed look for an absence."""
        for moment in _LOOKS:
            wait = sent + moment - self._clock()
            if wait <= 0 and not patient:
                continue
            await self._sleep(max(wait, 0.0))
            try:
                known = await self._look(target, wanted)
            except Error as error:
                if not patient:
                    raise
                _log.info("could not look whether the answer landed: %s", error)
                continue
            if known is not None:
                return known
        return None

    async def _look(self, target: _Target, wanted: _Wanted) -> Message | None:
        """Find the own answer with this key. Somebody else's comment with the same line is none."""
        params = {"since": wanted.since} if wanted.since is not None else None
        pages = await self._http.pages(target.listing, operation="post", params=params)
        for item in items(pages.items):
            body = item.get("body")
            if not isinstance(body, str) or outbound.find_key(body) != wanted.digest:
                continue
            known = message(item, target.kind)
            if known is not None and is_own(known.author, wanted.me):
                return known
        if not pages.complete:
            raise Unavailable(
                "the thread could not be read whole, and an answer with this key may be there",
                backend="github",
                operation="post",
            )
        return None

    async def _send(self, target: _Target, body: str) -> Message:
        if target.root is None:
            return await self._write(target, target.listing, {"body": body})
        try:
            return await self._write(target, target.place.pull("comments", target.root, "replies"), {"body": body})
        except (NotFound, Invalid) as refusal:
            if isinstance(refusal, Invalid) and not refusal.message.startswith("405"):
                raise
            return await self._reply_without_route(target, body, refusal)

    async def _reply_without_route(self, target: _Target, body: str, refusal: Error) -> Message:
        """Answer on a server that knows no replies below a review comment; `refusal` when the comment itself is gone."""
        assert target.root is not None
        route = target.place.repository("pulls", "comments", target.root)
        try:
            root = thing((await self._http.get(route, operation="post")).data)
        except NotFound:
            raise refusal from None
        number = int(root.get("in_reply_to_id") or target.root)
        where = {name: root[name] for name in ("commit_id", "path", "position") if root.get(name) is not None}
        # GitHub's name for the field is in_reply_to, the other is what it answers with
        reply = {"body": body, "in_reply_to": number, "in_reply_to_id": number, **where}
        return await self._write(target, target.listing, reply)

    async def _write(self, target: _Target, route: str, body: dict[str, str | int]) -> Message:
        answer = await self._http.send("POST", route, operation="post", body=body)
        try:
            made = message(thing(answer.data), target.kind)
        except Unavailable as error:
            raise Unavailable(error.message, ambiguous=True, backend="github", operation="post") from error
        assert made is not None  # only reviews can be pending
        return made

    async def _moved(self, target: _Target, missing: NotFound) -> _Target:
        return target._replace(place=await moved(self._http, target.place, "post", missing))

    def _remember(self, digest: str) -> None:
        """Keep in mind that a send was cancelled, so that a retry soon after does not overtake it."""
        now = self._clock()
        self._cancelled = {key: sent for key, sent in self._cancelled.items() if now - sent < _LOOKS[-1]}
        self._cancelled[digest] = now


def _since(draft: Draft) -> str | None:
    """Write where a look-up starts, in whole seconds: what GitHub counts in."""
    if draft.since is None:
        return None
    return draft.since.isoformat(timespec="seconds").replace("+00:00", "Z")
