"""One request and its answer: no retry, no redirect, and a line in the log."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import httpx

from tertulia.errors import Error, Invalid, Unavailable
from tertulia.parsing import load
from tertulia.parsing.github import IMPLIED, Api
from tertulia.transport import Failure, Rate, granted
from tertulia_forge_github._auth import Bound
from tertulia_forge_github._errors import no_answer, refused, refused_in_graphql

__all__ = ["MAX_ANSWER", "Answer", "Call", "Exchange", "Moved"]

MAX_ANSWER = 64 * 1024 * 1024
"""The most bytes of an answer that are read."""

_log = logging.getLogger("tertulia.forge_github")

_MOVED = frozenset({301, 302, 307, 308})
_VERSION = "2022-11-28"


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold an answer: header names in lower case, `data` parsed (None when empty), and the route it came from."""

    status: int
    headers: Mapping[str, str]
    data: Any
    route: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """Say what to ask. `write` may change something; `repeatable` may be sent again whatever became of it.

    With `graphql` a status of 200 says nothing yet: the answer's own errors are read.
    """

    method: str
    url: str
    route: str
    operation: str
    params: Mapping[str, str | int] | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: Any = None
    write: bool = False
    repeatable: bool = False
    graphql: bool = False

    def to(self, url: str, route: str) -> Call:
        """Ask the same elsewhere; the parameters go along unless the address brings its own."""
        return replace(self, url=url, route=route, params=None if "?" in url else self.params)


@dataclass(frozen=True, slots=True)
class Moved:
    """Say that the thing is elsewhere."""

    status: int
    location: str


class Exchange:
    """Send requests as they are, over connections shared by all tasks."""

    def __init__(self, client: httpx.AsyncClient, auth: Bound, api: Api, timeout: float) -> None:
        self.rate: Rate | None = None
        self.scopes: frozenset[str] | None = None
        self._client = client
        self._auth = auth
        self._api = api
        self._timeout = timeout

    async def attempt(self, call: Call) -> Answer | Moved | Failure:
        """Send a request and read the answer whole. Raises Invalid for what cannot be sent."""
        request = self._request(call)
        await self._auth.authorize(request)
        started = time.perf_counter()
        try:
            response = await self._client.send(request, auth=None, stream=True, follow_redirects=False)
            try:
                self._told(call, response, started)
                body = await _read(response)
            finally:
                await response.aclose()
        except (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, OSError) as error:
            self._log(call, type(error).__name__, started, "")
            host = request.url.netloc.decode("ascii")
            return Failure(
                no_answer(error, operation=call.operation, host=host, write=call.write, timeout=self._timeout)
            )
        return self._outcome(call, response, body)

    def _request(self, call: Call) -> httpx.Request:
        headers = {"X-GitHub-Api-Version": _VERSION, **call.headers}
        try:
            return self._client.build_request(
                call.method, call.url, params=call.params, json=call.body, headers=headers
            )
        except (ValueError, httpx.InvalidURL):
            raise Invalid(
                "the request cannot be written: half of a surrogate pair, or a number that is none, stands in it",
                backend="github",
                operation=call.operation,
            ) from None

    def _outcome(self, call: Call, response: httpx.Response, body: bytes | None) -> Answer | Moved | Failure:
        status, headers = response.status_code, dict(response.headers)
        if status in _MOVED and "location" in headers:
            return Moved(status, _joined(response.url, headers["location"]))
        if body is None:
            return Failure(_too_large(call), status, headers)
        if status >= 300 and status != 304:
            return Failure(refused(status, headers, body, operation=call.operation, write=call.write), status, headers)
        try:
            data = load(body, "answer", limit=MAX_ANSWER) if body.strip() else None
        except Invalid:
            kind = headers.get("content-type", "no type").partition(";")[0]
            error = Unavailable(
                f"{status} with {kind}, which is not JSON",
                ambiguous=call.write,
                backend="github",
                operation=call.operation,
                request_id=headers.get("x-github-request-id"),
            )
            return Failure(error, status, headers)
        told = refused_in_graphql(data, headers, operation=call.operation) if call.graphql else None
        return Answer(status, headers, data, call.route) if told is None else Failure(told, status, headers)

    def _told(self, call: Call, response: httpx.Response, started: float) -> None:
        rate = Rate.of(response.headers)
        self.rate = rate or self.rate
        self.scopes = granted(response.headers, IMPLIED)
        self._log(call, str(response.status_code), started, f", {rate.remaining} left" if rate else "")

    def _log(self, call: Call, outcome: str, started: float, left: str) -> None:
        taken = (time.perf_counter() - started) * 1000
        _log.info("%s %s: %s in %.0f ms%s", call.method, call.route, outcome, taken, left)


def _joined(url: httpx.URL, location: str) -> str:
    """Resolve a Location; "" for what is no address."""
    try:
        return str(url.join(location))
    except (httpx.InvalidURL, ValueError):
        return ""


async def _read(response: httpx.Response) -> bytes | None:
    """Read a body whole; None when it is larger than we take."""
    parts: list[bytes] = []
    size = 0
    async for part in response.aiter_bytes():
        size += len(part)
        if size > MAX_ANSWER:
            return None
        parts.append(part)
    return b"".join(parts)


def _too_large(call: Call) -> Error:
    told = f"the answer is larger than {MAX_ANSWER // 2**20} MiB"
    if call.write:
        return Unavailable(told, ambiguous=True, backend="github", operation=call.operation)
    return Invalid(told, backend="github", operation=call.operation)
