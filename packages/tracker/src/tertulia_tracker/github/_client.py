"""The client: issues and pull requests on GitHub, read whole, answered once."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from tertulia import outbound, tracker
from tertulia.errors import Conflict, Denied, Invalid, NotFound, Unsupported
from tertulia.parsing.github import checked_id
from tertulia.thread import Account, Draft, Listing, Message, MessageRef, ThreadRef
from tertulia.tracker import Capability, Issue
from tertulia.transport import Once
from tertulia_forge_github import Http, HttpOptions, Rate, open_http
from tertulia_tracker.github import _reading as reading
from tertulia_tracker.github._adapter import CAPABILITIES, LIMITS
from tertulia_tracker.github._convert import is_own, issue, label_names, message, thing
from tertulia_tracker.github._place import Place, message_route
from tertulia_tracker.github._posting import Poster

__all__ = ["Client", "connect"]

_log = logging.getLogger("tertulia.tracker")

USER_AGENT = "tertulia-tracker/0.1"
_OPENING = ("issue", "pull_request")
_COMMENTS = ("issue_comment", "review_comment")


class Client(tracker.Unimplemented):
    """Work with GitHub's issues and pull requests; `tertulia.tracker.Client` says what each method promises.

    A thread is addressed as `acme/demo#7`. `native` is githubkit's client, `http` the transport below this one.
    A post that is cancelled may have landed: CancelledError passes through at once, and posting again with the same key
    finds the answer. In this client such a retry waits until nine seconds have passed before it sends.
    """

    backend = "github"
    capabilities = CAPABILITIES
    limits = LIMITS

    def __init__(
        self,
        http: Http,
        *,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Work over a transport that is open; `sleep` and `clock`, in seconds, are for tests."""
        self.http = http
        self.native = http.native
        self._poster = Poster(http, Once(_log, sleep=sleep, clock=clock))

    @property
    def rate(self) -> Rate | None:
        """Give what GitHub last said about the limit: requests an hour, those left, and when it starts again."""
        return self.http.rate

    @property
    def scopes(self) -> frozenset[str] | None:
        """Give the scopes of the token as GitHub last said; None for one that has permissions instead."""
        return self.http.scopes

    async def whoami(self) -> Account:
        """Give the account this client acts as."""
        return await self.http.whoami()

    async def read(self, thread: ThreadRef, /) -> Listing:
        """Read an issue or a pull request whole, reviews and review comments included, whatever the root.

        GitHub gives no count of reviews, and does not say through REST what is minimized.
        """
        return await reading.read(self.http, Place.of(thread.conversation))

    async def get_issue(self, thread: ThreadRef, /) -> Issue:
        """Read an issue, or a pull request as one; after a transfer it is the one at the new address."""
        opening = await reading.find(self.http, Place.of(thread.conversation), "get_issue")
        return issue(opening.data, opening.place)

    async def get_message(self, message: MessageRef, /) -> Message:
        """Read one message as it is now.

        NotFound proves that it was deleted. When its thread cannot be seen either it is Denied, and when the issue was
        transferred and the message has another id there, Conflict: neither proves anything.
        """
        found, _ = await self._find(message, "get_message")
        return found

    async def post(self, thread: ThreadRef, draft: Draft, /) -> Message:
        """Post a comment, or with a root an answer in that review thread; at most once for a key."""
        body = outbound.prepare(draft, carrier="markdown", limit=LIMITS.body_chars)
        place = Place.of(thread.conversation)
        root = checked_id(thread.root, "root") if thread.root is not None else None
        return await self._poster.post(place, root, draft, body)

    async def edit(self, message: MessageRef, draft: Draft, /) -> Message:
        """Replace the body of an own message; its agent and key lines are kept."""
        outbound.prepare(draft, carrier="markdown", limit=LIMITS.body_chars)
        known, place = await self._own(message, "edit")
        body = outbound.prepare(draft, carrier="markdown", limit=LIMITS.body_chars, replacing=known.body)
        method = "PUT" if message.source_type == "review" else "PATCH"
        route = message_route(place, message)
        answer = await self.http.send(method, route, operation="edit", body={"body": body}, idempotent=True)
        return _made(answer.data, message)

    async def delete(self, message: MessageRef, /) -> None:
        """Delete an own comment. GitHub's REST API deletes no issue, no pull request and no review that was submitted."""
        if message.source_type not in _COMMENTS:
            raise Unsupported(f"{Capability.DELETE} of {message.source_type}", self.backend, operation="delete")
        _, place = await self._own(message, "delete")
        await self.http.send("DELETE", message_route(place, message), operation="delete", idempotent=True)

    async def label(
        self, thread: ThreadRef, /, *, add: Collection[str] = (), remove: Collection[str] = ()
    ) -> tuple[str, ...]:
        """Add and remove labels by name, ignoring case; one in both is removed. Give the labels afterwards."""
        wanted, unwanted = _names(add, "add"), {name.lower() for name in _names(remove, "remove")}
        place = Place.of(thread.conversation)
        try:
            labels = await self._labelled(place, wanted)
        except NotFound as missing:
            place = await reading.moved(self.http, place, "label", missing)
            labels = await self._labelled(place, wanted)
        for name in [label for label in labels if label.lower() in unwanted]:
            labels = await self._unlabelled(place, name, labels)
        return labels

    async def _labelled(self, place: Place, names: list[str]) -> tuple[str, ...]:
        route = place.issue("labels")
        if not names:
            return label_names((await self.http.pages(route, operation="label")).items)
        body = {"labels": names}
        return label_names((await self.http.send("POST", route, operation="label", body=body, idempotent=True)).data)

    async def _unlabelled(self, place: Place, name: str, labels: tuple[str, ...]) -> tuple[str, ...]:
        with suppress(NotFound):  # somebody else may be faster
            await self.http.send("DELETE", place.issue("labels", name), operation="label", idempotent=True)
        return tuple(label for label in labels if label != name)

    async def _own(self, message: MessageRef, operation: str) -> tuple[Message, Place]:
        """Find a message that this account wrote. GitHub lets maintainers change what others wrote; an agent may not."""
        me = await self.whoami()
        known, place = await self._find(message, operation)
        if not is_own(known.author, me):
            raise Denied("the message is somebody else's", backend=self.backend, operation=operation)
        return known, place

    async def _find(self, message: MessageRef, operation: str) -> tuple[Message, Place]:
        place = Place.of(message.conversation)
        if message.source_type in _OPENING:
            return await self._find_opening(place, message, operation)
        try:
            return await self._find_at(place, message, operation), place
        except NotFound as missing:
            here = await reading.proof(self.http, place, missing, operation)
        try:
            return await self._find_at(here, message, operation), here
        except NotFound as missing:
            raise self._lost(here, operation) from missing

    async def _find_at(self, place: Place, message: MessageRef, operation: str) -> Message:
        data = thing((await self.http.get(message_route(place, message), operation=operation)).data)
        if not place.holds(data):
            raise NotFound("the message is in another thread", backend=self.backend, operation=operation)
        return _made(data, message)

    async def _find_opening(self, place: Place, message: MessageRef, operation: str) -> tuple[Message, Place]:
        opening = await reading.find_seen(self.http, place, operation)
        if message.id in opening.ids and message.source_type == opening.source_type:
            return opening.message(), opening.place
        if not opening.place.same(place):
            raise self._lost(opening.place, operation)
        raise NotFound("the opening post is another one", backend=self.backend, operation=operation)

    def _lost(self, here: Place, operation: str) -> Conflict:
        told = f"the thread has moved to {here.conversation}, and the message cannot be found there by its id"
        return Conflict(told, backend=self.backend, operation=operation)


def _made(data: Any, ref: MessageRef) -> Message:
    made = message(thing(data), ref.source_type)
    if made is None:
        raise NotFound("the review is not submitted", backend="github", operation="get_message")
    return made


def _names(names: Collection[str], field: str) -> list[str]:
    if isinstance(names, str) or not all(isinstance(name, str) and name.strip() for name in names):
        raise Invalid(f"github: {field}: must be a collection of names", field=field)
    return list(names)


@asynccontextmanager
async def connect(
    *,
    token: str | Callable[[], Awaitable[str]] | None = None,
    api_url: str | None = None,
    graphql_url: str | None = None,
    engine: Account | str | None = None,
    max_wait: float = 60.0,
    timeout: float = 30.0,  # noqa: ASYNC109 - between two bytes; a deadline is the caller's
    http: HttpOptions | None = None,
) -> AsyncGenerator[Client]:
    """Open a client; the arguments are those of `tertulia_forge_github.open_http`, and defaults come from the environment."""
    async with open_http(
        token=token,
        api_url=api_url,
        graphql_url=graphql_url,
        engine=engine,
        max_wait=max_wait,
        timeout=timeout,
        http=http,
        user_agent=USER_AGENT,
    ) as transport:
        yield Client(transport)


if TYPE_CHECKING:
    _TRACKER: type[tracker.Client] = Client
