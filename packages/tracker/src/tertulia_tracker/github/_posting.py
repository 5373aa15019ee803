"""Post an answer at most once: look first, send once, look again when nobody knows what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tertulia import outbound
from tertulia.errors import Error, Invalid, NotFound, Unavailable
from tertulia.thread import Account, Draft, Message
from tertulia.transport import Once
from tertulia_forge_github import Http
from tertulia_tracker.github._convert import is_own, items, message, thing
from tertulia_tracker.github._place import Place
from tertulia_tracker.github._reading import moved

__all__ = ["Poster"]


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


class Poster:
    """Post answers; `once` is what makes a keyed one happen once."""

    def __init__(self, http: Http, once: Once) -> None:
        self._http = http
        self._once = once

    async def post(self, place: Place, root: str | None, draft: Draft, body: str) -> Message:
        """Send a prepared body under a thread's root; with a key at most once."""
        posting = _Posting(self._http, _Target(place, root), body)
        if draft.key is None:
            return await posting.send()
        wanted = _Wanted(await self._http.whoami(), outbound.key_digest(draft.key), _since(draft))
        return await self._once.post(
            draft.key, where=place.conversation, look=lambda: posting.look(wanted), send=posting.send
        )


class _Wanted(NamedTuple):
    """Hold what an own answer is known by."""

    me: Account
    digest: str
    since: str | None


class _Posting:
    """Be one answer on its way to a thread, which may turn out to have moved."""

    def __init__(self, http: Http, target: _Target, body: str) -> None:
        self._http, self._target, self._body = http, target, body

    async def look(self, wanted: _Wanted) -> Message | None:
        """Find the own answer that is there already."""
        try:
            return await self._look(self._target, wanted)
        except NotFound as missing:
            return await self._look(await self._moved(missing), wanted)

    async def send(self) -> Message:
        """Send it."""
        try:
            return await self._send(self._target)
        except NotFound as missing:
            return await self._send(await self._moved(missing))

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

    async def _send(self, target: _Target) -> Message:
        body = {"body": self._body}
        if target.root is None:
            return await self._write(target, target.listing, body)
        try:
            return await self._write(target, target.place.pull("comments", target.root, "replies"), body)
        except (NotFound, Invalid) as refusal:
            if isinstance(refusal, Invalid) and not refusal.message.startswith("405"):
                raise
            return await self._reply_without_route(target, refusal)

    async def _reply_without_route(self, target: _Target, refusal: Error) -> Message:
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
        reply = {"body": self._body, "in_reply_to": number, "in_reply_to_id": number, **where}
        return await self._write(target, target.listing, reply)

    async def _write(self, target: _Target, route: str, body: Mapping[str, str | int]) -> Message:
        answer = await self._http.send("POST", route, operation="post", body=body)
        try:
            made = message(thing(answer.data), target.kind)
        except Unavailable as error:
            raise Unavailable(error.message, ambiguous=True, backend="github", operation="post") from error
        assert made is not None  # only reviews can be pending
        return made

    async def _moved(self, missing: NotFound) -> _Target:
        self._target = self._target._replace(place=await moved(self._http, self._target.place, "post", missing))
        return self._target


def _since(draft: Draft) -> str | None:
    """Write where a look-up starts, in whole seconds: what GitHub counts in."""
    if draft.since is None:
        return None
    return draft.since.isoformat(timespec="seconds").replace("+00:00", "Z")
