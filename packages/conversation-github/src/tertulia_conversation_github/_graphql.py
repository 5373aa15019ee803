"""The transport: GitHub's GraphQL API with the retries, the limits and the care that every client of ours wants."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypedDict
from urllib.parse import urlsplit

from gql import Client as GqlClient
from gql import GraphQLRequest
from gql.client import AsyncClientSession

from tertulia.parsing.github import TOKENS, locate_graphql, origin_of
from tertulia.transport import Clock, Failure, Rate, Token, Traffic
from tertulia_conversation_github._auth import Bound
from tertulia_conversation_github._exchange import Answer, Call, Exchange, Transport

if TYPE_CHECKING:
    import ssl

    import httpx

__all__ = ["GraphQL", "HttpOptions", "Operation", "open_graphql"]

_USER_AGENT = "tertulia-conversation-github/0.1"
_REAL = Clock()


class HttpOptions(TypedDict, total=False):
    """Reach the server another way than the environment says: a proxy, certificates, or a whole transport."""

    proxy: str
    verify: ssl.SSLContext | bool
    trust_env: bool
    transport: httpx.AsyncBaseTransport


class GraphQL:
    """Ask GitHub's GraphQL API. One per token; any number of tasks may use it at the same time.

    Every error is of the tree in `tertulia.errors`, and names the operation given with the call. `native` is gql's
    session for what is not here: it uses the same connections and the same token, and knows no retries.
    """

    def __init__(
        self, native: AsyncClientSession, exchange: Exchange, traffic: Traffic, *, url: str, anonymous: bool
    ) -> None:
        """Be made by `open_graphql`."""
        self.native = native
        self.url = url
        self.anonymous = anonymous
        self._exchange, self._traffic = exchange, traffic

    @property
    def rate(self) -> Rate | None:
        """Give what GitHub last said about the points of an hour."""
        return self._exchange.rate

    @property
    def scopes(self) -> frozenset[str] | None:
        """Give the scopes that GitHub last said the token has, with those they imply; None where it says nothing of any."""
        return self._exchange.scopes

    def operation(self, name: str) -> Operation:
        """Begin an operation of the client: all its requests together may sleep for `max_wait`."""
        return Operation(name, self._exchange, self._traffic)


class Operation:
    """Be one operation of the client, whose requests share a name and the sleeping they are allowed."""

    def __init__(self, name: str, exchange: Exchange, traffic: Traffic) -> None:
        self.name = name
        self._exchange, self._traffic = exchange, traffic
        self._budget = traffic.budget()

    async def ask(self, document: GraphQLRequest, **variables: Any) -> Answer:
        """Read. Failures are tried again and limits waited for, while the sleeping stays within bounds."""
        return await self._make(Call(document, variables, self.name), repeatable=True)

    async def change(self, document: GraphQLRequest, given: Mapping[str, Any], *, repeatable: bool = True) -> Answer:
        """Write, one mutation at a time; `given` is its input.

        Unless it is `repeatable`, one whose outcome is not known is not sent again, and raises Unavailable with
        `ambiguous` true.
        """
        return await self._make(Call(document, {"input": dict(given)}, self.name, write=True), repeatable=repeatable)

    async def _make(self, call: Call, *, repeatable: bool) -> Answer:
        def attempt() -> Awaitable[Answer | Failure]:
            return self._exchange.attempt(call)

        return await self._traffic.make(
            attempt, operation=self.name, budget=self._budget, write=call.write, repeatable=repeatable
        )


@asynccontextmanager
async def open_graphql(
    *,
    token: str | Callable[[], Awaitable[str]] | None = None,
    api_url: str | None = None,
    graphql_url: str | None = None,
    max_wait: float = 60.0,
    timeout: float = 30.0,  # noqa: ASYNC109 - between two bytes; a deadline is the caller's
    http: HttpOptions | None = None,
    clock: Clock = _REAL,
) -> AsyncGenerator[GraphQL]:
    """Open a transport, and close its connections at the end; `connect` says what the arguments mean."""
    url = locate_graphql(api_url, graphql_url)
    source = Token(token, *TOKENS, backend="github")
    transport = Transport(
        url, auth=Bound(source, origin_of(url)), headers={"User-Agent": _USER_AGENT}, timeout=timeout, **(http or {})
    )
    traffic = Traffic(backend="github", max_wait=max_wait, renewable=source.renewable, clock=clock)
    async with GqlClient(transport=transport, execute_timeout=None) as session:
        exchange = Exchange(transport, urlsplit(url).netloc, timeout)
        yield GraphQL(session, exchange, traffic, url=url, anonymous=source.absent)
