"""The transport: calls of the Web API over slack-sdk's client, each made as often as it may be and no oftener."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypedDict
from urllib.parse import urlsplit

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tertulia.errors import Invalid, Unavailable
from tertulia.parsing import as_object
from tertulia.transport import Budget, Clock, Failure, Token, Traffic, granted, unanswered
from tertulia_conversation_slack._errors import BACKEND, is_about_token, refusal
from tertulia_conversation_slack._fields import Json

__all__ = ["API_URL", "Api", "Call", "HttpOptions", "open_api"]

API_URL = "https://slack.com/api/"
USER_AGENT = "tertulia-conversation-slack/0.1"

_log = logging.getLogger("tertulia.conversation_slack")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_NEVER_SENT = (aiohttp.ClientConnectorError, aiohttp.InvalidURL)


class HttpOptions(TypedDict, total=False):
    """Say what the environment should not decide: `proxy`, and whether it is asked for one at all (`trust_env`)."""

    proxy: str | None
    trust_env: bool


class Api:
    """Make calls. `native` is slack-sdk's client, over the same connections. Any number of tasks may call at once.

    Slack limits each method by itself: one that may not be called for a while keeps no other from it.
    """

    def __init__(self, native: AsyncWebClient, token: Token, *, max_wait: float, clock: Clock) -> None:
        """Take the client with its token apart, so that each request asks for the token anew."""
        self.native = native
        self.clock = clock
        self.host = urlsplit(native.base_url).netloc
        self.scopes: frozenset[str] | None = None
        self._token = token
        self._traffic = Traffic(backend=BACKEND, max_wait=max_wait, renewable=token.renewable, clock=clock)

    def begin(self, operation: str) -> Call:
        """Begin one call of the client's: its requests share one allowance of sleep."""
        return Call(self, operation, self._traffic.budget())

    async def make(
        self,
        method: str,
        args: Mapping[str, str],
        *,
        operation: str,
        budget: Budget,
        write: bool,
        repeatable: bool,
        absent: Callable[[Failure], Json] | None,
    ) -> Json:
        """Make one request until it has an answer, or raise the error of the tree that says why there is none."""

        async def attempt() -> Json | Failure:
            return await self._attempt(method, args, operation, write)

        return await self._traffic.make(
            attempt,
            operation=operation,
            budget=budget,
            scope=method,
            write=write,
            repeatable=repeatable,
            absent=absent,
        )

    async def _attempt(self, method: str, args: Mapping[str, str], operation: str, write: bool) -> Json | Failure:
        token = await self._token.get()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        began, status = time.monotonic(), 0
        try:
            answer = await _untyped(self.native).api_call(method, data=dict(args), headers=headers)
            status = int(answer.status_code)
            self.scopes = granted(answer.headers)
            return as_object(answer.data)
        except SlackApiError as error:
            failure = _refused(error, operation, write)
            status = failure.status or 0
            return failure
        except (
            AttributeError,
            ValueError,
            RecursionError,
        ):  # slack-sdk's, for an answer of status 200 that is not JSON
            return Failure(Unavailable("the answer is not JSON", ambiguous=write, **_where(operation)), 200, {})
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            ambiguous = write and not isinstance(error, _NEVER_SENT)
            told = unanswered(error, host=self.host, backend=BACKEND, operation=operation, ambiguous=ambiguous)
            return Failure(told)
        finally:
            _log.info("%s %s %s %.0f ms", operation, method, status or "-", (time.monotonic() - began) * 1000)


def _untyped(native: Any) -> Any:
    """Call slack-sdk, whose annotations leave dictionaries open."""
    return native


def _where(operation: str) -> dict[str, str | None]:
    return {"backend": BACKEND, "operation": operation}


def _refused(error: SlackApiError, operation: str, write: bool) -> Failure:
    """Read a refusal; an answer that is not JSON leaves the HTTP library's own object in the error."""
    response: Any = error.response
    if isinstance(response, aiohttp.ClientResponse):
        status, data = response.status, None
    else:
        status, data = response.status_code, response.data
    headers = {str(name).lower(): str(value) for name, value in response.headers.items()}
    told = refusal(status, headers, data, operation=operation, write=write)
    return Failure(told, 401 if is_about_token(data) else status, headers)


class Call:
    """Make the requests of one call of the client's."""

    def __init__(self, api: Api, operation: str, budget: Budget) -> None:
        self._api, self.operation, self._budget = api, operation, budget

    async def ask(self, method: str, **args: str | None) -> Json:
        """Make a request that reads."""
        return await self._make(method, args, write=False, repeatable=True)

    async def send(
        self, method: str, *, repeatable: bool, absent: Callable[[Failure], Json] | None = None, **args: str | None
    ) -> Json:
        """Make a request that writes; one that is not `repeatable` is made once, unless it certainly was not carried out."""
        return await self._make(method, args, write=True, repeatable=repeatable, absent=absent)

    async def _make(
        self,
        method: str,
        args: Mapping[str, str | None],
        *,
        write: bool,
        repeatable: bool,
        absent: Callable[[Failure], Json] | None = None,
    ) -> Json:
        told = {name: value for name, value in args.items() if value is not None}
        return await self._api.make(
            method,
            told,
            operation=self.operation,
            budget=self._budget,
            write=write,
            repeatable=repeatable,
            absent=absent,
        )


async def _stay(request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    """Follow no redirect: neither a token nor what an agent wrote goes anywhere but where it was sent."""
    response = await handler(request)
    if 300 <= response.status < 400:
        response.close()
        raise Invalid(f"{BACKEND}: the answer leads to another address", backend=BACKEND)
    return response


@asynccontextmanager
async def open_api(
    *,
    token: str | Callable[[], Awaitable[str]] | None = None,
    api_url: str | None = None,
    max_wait: float = 60.0,
    timeout: float = 30.0,  # noqa: ASYNC109 - between two bytes; a deadline is the caller's
    http: HttpOptions | None = None,
    _clock: Clock | None = None,
) -> AsyncGenerator[Api]:
    """Open the transport; without arguments `SLACK_BOT_TOKEN` and `SLACK_API_URL` say how. `timeout` is between two bytes."""
    options = http or HttpOptions()
    url = _checked_url(api_url or _variable("SLACK_API_URL") or API_URL)
    source = Token(token, "SLACK_BOT_TOKEN", backend=BACKEND)
    limits = aiohttp.ClientTimeout(total=None, sock_connect=timeout, sock_read=timeout)
    async with aiohttp.ClientSession(timeout=limits, middlewares=(_stay,)) as session:
        native = AsyncWebClient(
            base_url=url, session=session, retry_handlers=[], user_agent_prefix=USER_AGENT, proxy=options.get("proxy")
        )
        if not options.get("trust_env", True):
            native.proxy = options.get("proxy")
        yield Api(native, source, max_wait=max_wait, clock=_clock or Clock())


def _variable(name: str) -> str:
    import os

    return os.environ.get(name, "").strip()


def _checked_url(url: str) -> str:
    parts = urlsplit(url)
    secure = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
    if not secure or not parts.hostname or parts.query or parts.fragment or parts.username is not None:
        raise Invalid(f"{BACKEND}: api_url: must be https://HOST/api/", field="api_url")
    return url if url.endswith("/") else f"{url}/"
