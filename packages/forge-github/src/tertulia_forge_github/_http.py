"""The transport: GitHub's REST API with the retries, the limits and the care that every client of ours wants."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

import httpx
from githubkit import GitHub
from githubkit.cache import MemCacheStrategy

from tertulia.errors import Invalid, NotFound, RateLimited, Unavailable
from tertulia.parsing.github import Api, locate
from tertulia_forge_github._api import check_route, route_of
from tertulia_forge_github._auth import Bound, Token
from tertulia_forge_github._errors import is_secondary, told_wait
from tertulia_forge_github._exchange import Answer, Call, Exchange, Failure, Moved, Rate
from tertulia_forge_github._identity import identify
from tertulia_forge_github._pages import PER_PAGE, Pages, read_pages
from tertulia_forge_github._retry import TRIES, Budget, Clock, backoff

if TYPE_CHECKING:
    import ssl

    from tertulia.thread import Account

__all__ = ["Answer", "Http", "HttpOptions", "Pages", "Rate", "open_http"]

READS = 6
"""Reads in flight per client."""

CAUTION = 300.0
"""Seconds for which a client reads one thing at a time after a secondary limit."""

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
        self._exchange, self._clock, self._max_wait = exchange, clock, max_wait
        self._reading, self._single, self._writing = asyncio.Semaphore(READS), asyncio.Lock(), asyncio.Lock()
        self._limit: RateLimited | None = None
        self._limited_until = self._cautious_until = clock.now()
        self._account: Account | None = None
        self._naming = asyncio.Lock()

    @property
    def rate(self) -> Rate | None:
        """Give what GitHub last said about the hourly limit."""
        return self._exchange.rate

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
        return await self._get(route, operation, params, headers, self._budget())

    async def pages(self, route: str, /, *, operation: str, params: Mapping[str, str | int] | None = None) -> Pages:
        """Read every page of a list. The first says how many there are, and the others are read together.

        Items may come twice when the list changes meanwhile. `complete` is false when some may be missing.
        """
        budget = self._budget()

        async def page(route: str, number: int) -> Answer:
            counted = {**(params or {}), "per_page": PER_PAGE, "page": number}
            return await self._get(route, operation, counted, None, budget)

        return await read_pages(page, route, operation=operation)

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
        return await self._ask(call, self._budget())

    async def ask_graphql(self, query: str, /, *, operation: str) -> Answer:
        """Read with a GraphQL query.

        Errors beside data are in the answer, with type and path. Errors instead of data are raised: NotFound, Denied,
        RateLimited (waited for like any other), Unavailable, else Invalid.
        """
        body = {"query": query}
        call = Call("POST", self.graphql_url, "/graphql", operation, body=body, repeatable=True, graphql=True)
        return await self._ask(call, self._budget())

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

    def _budget(self) -> Budget:
        return Budget(self._max_wait, self._clock)

    async def _ask(self, call: Call, budget: Budget) -> Answer:
        tries = _Tries(budget)
        while True:
            await self._wait_for_limit(call, budget)
            async with self._turn(call):
                if self._clock.now() < self._limited_until:
                    continue
                outcome = await self._exchange.attempt(call)
            if isinstance(outcome, Answer):
                return outcome
            if isinstance(outcome, Moved):
                call = self._follow(call, outcome, tries)
            elif tries.uncertain and call.method == "DELETE" and isinstance(outcome.error, NotFound):
                return Answer(outcome.status or 404, outcome.headers, None, call.route)
            else:
                await self._recover(call, outcome, tries)

    async def _recover(self, call: Call, failure: Failure, tries: _Tries) -> None:
        """Come back when the request may be made again, else raise."""
        error = failure.error
        if isinstance(error, RateLimited):
            self._note_limit(error, failure, tries)
            return
        if failure.status == 401 and self._token.renewable and not tries.renewed:
            tries.renewed = True
            return
        if not isinstance(error, Unavailable):
            raise error
        tries.failures += 1
        tries.uncertain = tries.uncertain or error.ambiguous
        error.ambiguous = tries.uncertain
        if tries.failures >= TRIES or (error.ambiguous and not call.repeatable):
            raise error
        wait = told_wait(failure.headers) or backoff(tries.failures)
        if not tries.budget.take(wait):
            raise error
        await self._clock.sleep(wait)

    def _note_limit(self, error: RateLimited, failure: Failure, tries: _Tries) -> None:
        """Let every task wait for a limit; one that nobody gave a time for grows each time."""
        wait = error.retry_after or 1.0
        if is_secondary(error):
            self._cautious_until = self._clock.now() + CAUTION
            if "retry-after" not in failure.headers:
                wait *= 2**tries.limits
        tries.limits += 1
        self._limit = error
        self._limited_until = max(self._limited_until, self._clock.now() + wait)

    async def _wait_for_limit(self, call: Call, budget: Budget) -> None:
        while (wait := self._limited_until - self._clock.now()) > 0:
            if not budget.take(wait):
                raise self._limit_of(call, wait)
            await self._clock.sleep(wait)

    def _limit_of(self, call: Call, wait: float) -> RateLimited:
        limit = self._limit or RateLimited("limited")
        return RateLimited(
            limit.message,
            retry_after=wait,
            resets_at=limit.resets_at,
            scope=limit.scope,
            backend="github",
            operation=call.operation,
            request_id=limit.request_id,
        )

    def _follow(self, call: Call, moved: Moved, tries: _Tries) -> Call:
        """Ask where the thing is now; a write goes along only when the status says that it has to be made there."""
        route = route_of(self._api, moved.location)
        tries.hops += 1
        if route is None:
            told = "redirects to another scheme, host or port, or out of the API, where the token does not belong"
        elif call.write and moved.status not in _MOVED_WRITE:
            told = f"the thing has moved to {route}, and a write does not follow"
        elif tries.hops > _HOPS:
            told = f"redirects more than {_HOPS} times"
        else:
            return call.to(moved.location, route)
        raise Invalid(f"{moved.status} {told}", backend="github", operation=call.operation)

    @asynccontextmanager
    async def _turn(self, call: Call) -> AsyncGenerator[None]:
        """Wait for a place: one write, or one of six reads, or the only read while we are careful."""
        async with self._writing if call.write else self._reading:
            if call.write or self._clock.now() >= self._cautious_until:
                yield
            else:
                async with self._single:
                    yield


@dataclass(slots=True)
class _Tries:
    """Count what happened to one call; `uncertain` once it may have had its effect."""

    budget: Budget
    failures: int = 0
    limits: int = 0
    hops: int = 0
    renewed: bool = False
    uncertain: bool = False


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
    api, source = locate(api_url, graphql_url), Token(token)
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
