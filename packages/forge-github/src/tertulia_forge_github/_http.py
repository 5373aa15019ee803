"""The transport: GitHub's REST API with the retries, the limits and the care that every client of ours wants."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypedDict

import httpx
from githubkit import GitHub
from githubkit.cache import MemCacheStrategy

from tertulia.errors import Invalid
from tertulia.parsing.github import TOKENS, Api, locate
from tertulia.transport import Budget, Clock, Failure, Rate, Token, Traffic
from tertulia_forge_github._api import check_route, route_of
from tertulia_forge_github._auth import Bound
from tertulia_forge_github._exchange import Answer, Call, Exchange, Moved
from tertulia_forge_github._identity import identify
from tertulia_forge_github._pages import PER_PAGE, Pages, Take, read_pages

if TYPE_CHECKING:
    import ssl

    from tertulia.thread import Account

__all__ = ["Answer", "Http", "HttpOptions", "Pages", "Rate", "open_http"]

_HOPS = 3
_MOVED_WRITE = frozenset({307, 308})
_REAL = Clock()


class HttpOptions(TypedDict, total=False):
    """Reach the server another way than the environment says: a proxy, certificates, or a whole transport."""

    proxy: str
    verify: ssl.SSLContext | bool
    trust_env: bool
    transport: httpx.AsyncBaseTransport


class Http:
    """Ask GitHub's REST API. One client per token; any number of tasks may use it at the same time.

    Every error is of the tree in `tertulia.errors`, and names the operation given with the call. `native` is the SDK's
    client for what is not here: it uses the same connections and the same token, and knows no retries.
    """

    backend = "github"

    def __init__(
        self,
        native: GitHub[Any],
        exchange: Exchange,
        *,
        api: Api,
        token: Token,
        engine: Account | str | None,
        max_wait: float,
        clock: Clock,
    ) -> None:
        """Be made by `open_http`."""
        self.native = native
        self.api_url, self.graphql_url, self.web_host = api.url, api.graphql_url, api.web_host
        self._api, self._token, self._engine = api, token, engine
        self._exchange = exchange
        self._traffic = Traffic(backend="github", max_wait=max_wait, renewable=token.renewable, clock=clock)
        self._account: Account | None = None
        self._naming = asyncio.Lock()

    @property
    def rate(self) -> Rate | None:
        """Give what GitHub last said about the hourly limit."""
        return self._exchange.rate

    @property
    def scopes(self) -> frozenset[str] | None:
        """Give the scopes that GitHub last said the token has, with those they imply; None where it says nothing of any."""
        return self._exchange.scopes

    async def get(
        self,
        route: str,
        /,
        *,
        operation: str,
        params: Mapping[str, str | int] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Read a route (`path` and `repo_path` write them).

        5xx, timeouts and lost connections are tried again, at most three times; a rate limit is waited for. Both only
        while the sleeping stays within `max_wait`, and then RateLimited or Unavailable. A thing that moved is followed,
        to the same scheme, host and port only; `Answer.route` says where it was. Raises NotFound, Denied, Invalid too.
        """
        return await self._get(route, operation, params, headers, self._traffic.budget())

    async def pages(
        self,
        route: str,
        /,
        *,
        operation: str,
        params: Mapping[str, str | int] | None = None,
        take: Take | None = None,
    ) -> Pages:
        """Read every page of a list. The first says how many there are, and the others are read together.

        Items may come twice when the list changes meanwhile. `complete` is false when some may be missing. What `take` makes
        of an item is kept in its place, so that a long list need not be in memory as GitHub sends it; what it raises ends the
        reading.
        """
        budget = self._traffic.budget()

        async def page(route: str, number: int) -> Answer:
            counted = {**(params or {}), "per_page": PER_PAGE, "page": number}
            return await self._get(route, operation, counted, None, budget)

        return await read_pages(page, route, operation=operation, take=take)

    async def send(
        self, method: str, route: str, /, *, operation: str, body: Any = None, idempotent: bool = False
    ) -> Answer:
        """Write; one write is in flight per client.

        A write whose outcome is not known (5xx, a timeout, a cut connection) is not sent again, and raises Unavailable
        with `ambiguous` true. One that never left, and one refused because of a rate limit, is tried again like a read.
        With `idempotent` every failure is; a DELETE that then finds nothing has succeeded, with the status it found.
        """
        url = self.api_url + check_route(route)
        call = Call(method.upper(), url, route, operation, body=body, write=True, repeatable=idempotent)
        return await self._ask(call, self._traffic.budget())

    async def ask_graphql(self, query: str, /, *, operation: str) -> Answer:
        """Read with a GraphQL query.

        Errors beside data are in the answer, with type and path. Errors instead of data are raised: NotFound, Denied,
        RateLimited (waited for like any other), Unavailable, else Invalid.
        """
        body = {"query": query}
        call = Call("POST", self.graphql_url, "/graphql", operation, body=body, repeatable=True, graphql=True)
        return await self._ask(call, self._traffic.budget())

    async def whoami(self) -> Account:
        """Give the account this client acts as, asked for once.

        The configured engine comes first, then the account of the token; for the token of an installed app, which REST
        does not name, GraphQL's viewer. Raises Denied when the credentials are refused, or name nobody.
        """
        async with self._naming:
            if self._account is None:
                self._account = await identify(self, self._engine, anonymous=self._token.absent)
            return self._account

    async def _get(
        self,
        route: str,
        operation: str,
        params: Mapping[str, str | int] | None,
        headers: Mapping[str, str] | None,
        budget: Budget,
    ) -> Answer:
        url = self.api_url + check_route(route)
        call = Call("GET", url, route, operation, params=params, headers=headers or {}, repeatable=True)
        return await self._ask(call, budget)

    async def _ask(self, call: Call, budget: Budget) -> Answer:
        asked = _Asked(call, self._exchange, self._api)
        return await self._traffic.make(
            asked.attempt,
            operation=call.operation,
            budget=budget,
            write=call.write,
            repeatable=call.repeatable,
            absent=_gone if call.method == "DELETE" else None,
        )


def _gone(failure: Failure) -> Answer:
    return Answer(failure.status or 404, failure.headers, None)


class _Asked:
    """Be a request on its way, which follows a thing that has moved."""

    def __init__(self, call: Call, exchange: Exchange, api: Api) -> None:
        self._call, self._exchange, self._api = call, exchange, api
        self._hops = 0

    async def attempt(self) -> Answer | Failure:
        """Send the request to where the thing is now."""
        while isinstance(outcome := await self._exchange.attempt(self._call), Moved):
            self._call = self._follow(self._call, outcome)
        return outcome

    def _follow(self, call: Call, moved: Moved) -> Call:
        """Ask where the thing is now; a write goes along only when the status says that it has to be made there."""
        route = route_of(self._api, moved.location)
        self._hops += 1
        if route is None:
            told = "redirects to another scheme, host or port, or out of the API, where the token does not belong"
        elif call.write and moved.status not in _MOVED_WRITE:
            told = f"the thing has moved to {route}, and a write does not follow"
        elif self._hops > _HOPS:
            told = f"redirects more than {_HOPS} times"
        else:
            return call.to(moved.location, route)
        raise Invalid(f"{moved.status} {told}", backend="github", operation=call.operation)


class _Native(GitHub[Bound]):
    """Use one HTTP client from every task: githubkit keeps its own in a ContextVar, and opens another elsewhere."""

    shared: httpx.AsyncClient | None = None

    @asynccontextmanager
    async def get_async_client(self) -> AsyncGenerator[httpx.AsyncClient, None]:
        """Give the shared client; the first to ask makes it, and closes it."""
        if self.shared is not None:
            yield self.shared
            return
        async with super().get_async_client() as client:
            yield client


@asynccontextmanager
async def open_http(
    *,
    token: str | Callable[[], Awaitable[str]] | None = None,
    api_url: str | None = None,
    graphql_url: str | None = None,
    engine: Account | str | None = None,
    max_wait: float = 60.0,
    timeout: float = 30.0,  # noqa: ASYNC109 - between two bytes; a deadline is the caller's
    http: HttpOptions | None = None,
    user_agent: str = "tertulia-forge-github/0.1",
    _clock: Clock = _REAL,
) -> AsyncGenerator[Http]:
    """Open a transport, and close its connections at the end.

    `token`: a string (empty for none), or an async callable that is asked for each request, and once more after a 401;
    by default `GITHUB_TOKEN` or `GH_TOKEN`, else requests are made as nobody. `api_url` and `graphql_url`: by default
    `GITHUB_API_URL` and `GITHUB_GRAPHQL_URL`, else github.com's. `engine`: the account the client acts as, an id or a
    login, for tokens that do not tell. `max_wait`: seconds that one call may sleep in all. `timeout`: seconds without
    a byte from the server; a deadline for the whole is the caller's, with `asyncio.timeout`. `http`: another proxy,
    other certificates than the environment names, or a transport.

    Raises Invalid for an address that is none.
    """
    api, source = locate(api_url, graphql_url), Token(token, *TOKENS, backend="github")
    bound, options = Bound(source, api.origin), http or {}
    native = _Native(
        bound,
        base_url=api.url,
        user_agent=user_agent,
        timeout=timeout,
        follow_redirects=False,
        http_cache=False,
        cache_strategy=MemCacheStrategy(),
        auto_retry=False,
        ssl_verify=options.get("verify", True),
        trust_env=options.get("trust_env", True),
        proxy=options.get("proxy"),
        async_transport=options.get("transport"),
    )
    async with native.get_async_client() as client:
        native.shared = client
        exchange = Exchange(client, bound, api, timeout)
        yield Http(native, exchange, api=api, token=source, engine=engine, max_wait=max_wait, clock=_clock)
