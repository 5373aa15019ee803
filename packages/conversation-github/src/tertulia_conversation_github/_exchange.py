"""One request and its answer, through gql: no retry, no redirect, and a line in the log."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, cast

import httpx
from gql import GraphQLRequest
from gql.transport.exceptions import TransportError
from gql.transport.httpx import HTTPXAsyncTransport

from tertulia.errors import Error, Invalid, Unavailable
from tertulia.parsing import as_object, load
from tertulia.parsing.github import IMPLIED
from tertulia.transport import Failure, Rate, granted
from tertulia_conversation_github._errors import BACKEND, Told, limit_of, no_answer, refused, told, unreadable

__all__ = ["Answer", "Call", "Exchange", "Transport"]

MAX_ANSWER = 64 * 1024 * 1024
"""The most bytes of an answer that are taken for one."""

_log = logging.getLogger("tertulia.conversation_github")


@dataclass(frozen=True, slots=True)
class Call:
    """Say what to ask. `write` may change something."""

    document: GraphQLRequest
    variables: Mapping[str, Any]
    operation: str
    write: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold what was answered, and the errors beside it: data with errors is neither nothing nor the whole."""

    data: Mapping[str, Any]
    errors: tuple[Told, ...] = ()
    operation: str = ""
    write: bool = False
    request_id: str | None = None

    def at(self, *path: str) -> Mapping[str, Any]:
        """Give the object at a place in the data. Raises the error that stands in its place.

        Null without an error says nothing about why, so that is Unavailable, and for a write ambiguous.
        """
        found = self.data
        for depth, name in enumerate(path, 1):
            below = found.get(name)
            if not isinstance(below, Mapping):
                raise self.error_at(*path[:depth])
            found = cast("Mapping[str, Any]", below)
        return found

    def error_at(self, *path: str) -> Error:
        """Give the error that stands at or above a place, or is about the whole answer."""
        about = [one for one in self.errors if one.path[: len(path)] == path[: len(one.path)]]
        if about:
            return self._error(about[0])
        reason = f"there is nothing at {'.'.join(path)}, and no reason why"
        return unreadable(reason, self.operation, ambiguous=self.write)

    @property
    def failure(self) -> Error | None:
        """Give the failure of an answer that holds nothing, and may hold something when it is asked for again."""
        if any(value is not None for value in self.data.values()) or any(
            one.cls is not Unavailable for one in self.errors
        ):
            return None
        nothing = unreadable("there is nothing in it, and no reason why", self.operation, ambiguous=self.write)
        return self._error(self.errors[0]) if self.errors else nothing

    def raise_for(self, *classes: type[Error]) -> None:
        """Raise the first error of these classes, wherever it stands."""
        for one in self.errors:
            if issubclass(one.cls, classes):
                raise self._error(one)

    def _error(self, one: Told) -> Error:
        return one.error(operation=self.operation, write=self.write, request_id=self.request_id)


@dataclass(slots=True)
class _Seen:
    """Hold what HTTP itself said in answer to one request."""

    response: httpx.Response | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


_seen: ContextVar[_Seen | None] = ContextVar("seen", default=None)


async def _see(response: httpx.Response) -> None:
    """Keep the status and the headers, which gql does not give for each of several requests at a time."""
    seen = _seen.get()
    if seen is not None:
        seen.response, seen.headers = response, dict(response.headers)


def _parsed(document: bytes) -> Any:
    return load(document, "answer", limit=MAX_ANSWER)


class Transport(HTTPXAsyncTransport):
    """Be gql's transport over httpx, which it would leave for another library where that is installed."""

    async def connect(self) -> None:
        """Open the connections; answers are parsed as strictly as everywhere."""
        self.json_deserialize = _parsed
        self.client = httpx.AsyncClient(**self.kwargs, event_hooks={"response": [_see]}, follow_redirects=False)


class Exchange:
    """Send requests as they are, over connections shared by all tasks."""

    def __init__(self, transport: Transport, host: str, timeout: float) -> None:
        self.rate: Rate | None = None
        self.scopes: frozenset[str] | None = None
        self._transport, self._host, self._timeout = transport, host, timeout

    async def attempt(self, call: Call) -> Answer | Failure:
        """Send a request and read the answer. Raises Invalid for what cannot be sent, and what the token's source says."""
        seen, started = _Seen(), time.perf_counter()
        token = _seen.set(seen)
        request = GraphQLRequest(call.document.document, variable_values=dict(call.variables))
        result, failure = None, None
        try:
            result = await self._transport.execute(request)
        except (TransportError, httpx.HTTPError, TypeError, AttributeError) as error:
            failure = error.__cause__ if isinstance(error.__cause__, Exception) else error
        finally:
            _seen.reset(token)
        self._note(call, seen, failure, started)
        if seen.response is None:
            return self._unsent(call, failure)
        if not seen.response.is_success or result is None:
            return self._refused(call, seen, failure)
        return self._outcome(call, seen, result.data, told(result.errors))

    def _unsent(self, call: Call, failure: Exception | None) -> Failure:
        """Say what became of a request that nothing was answered to."""
        if isinstance(failure, Error):
            raise failure
        if isinstance(failure, ValueError | TypeError):
            words = "the request cannot be written: half of a surrogate pair, or a number that is none, stands in it"
            raise Invalid(words, backend=BACKEND, operation=call.operation) from None
        return Failure(self._lost(call, failure or httpx.RemoteProtocolError("nothing was answered")))

    def _lost(self, call: Call, error: Exception) -> Unavailable:
        return no_answer(error, operation=call.operation, host=self._host, write=call.write, timeout=self._timeout)

    def _refused(self, call: Call, seen: _Seen, failure: Exception | None) -> Failure:
        """Say what an answer means that is no answer to the question."""
        response = seen.response
        assert response is not None
        status = response.status_code
        if response.is_redirect:
            words = f"{status} redirects elsewhere, where the token does not belong"
            return Failure(Invalid(words, backend=BACKEND, operation=call.operation), status, seen.headers)
        if isinstance(failure, httpx.HTTPError) and not isinstance(failure, httpx.HTTPStatusError):
            return Failure(self._lost(call, failure), status, seen.headers)
        if not response.is_success:
            error = refused(status, seen.headers, response.content, operation=call.operation, write=call.write)
            return Failure(error, status, seen.headers)
        kind = seen.headers.get("content-type", "no type").partition(";")[0]
        error = unreadable(f"{status} with {kind}, which is no result of GraphQL", call.operation, ambiguous=call.write)
        return Failure(error, status, seen.headers)

    def _outcome(self, call: Call, seen: _Seen, data: Any, errors: tuple[Told, ...]) -> Answer | Failure:
        assert seen.response is not None
        status = seen.response.status_code
        limit = limit_of(errors, seen.headers, operation=call.operation) if errors else None
        if limit is not None:
            return Failure(limit, status, seen.headers)
        held = as_object(data)
        answer = Answer(held, errors, call.operation, call.write, seen.headers.get("x-github-request-id"))
        failure = answer.failure
        return answer if failure is None else Failure(failure, status, seen.headers)

    def _note(self, call: Call, seen: _Seen, failure: Exception | None, started: float) -> None:
        rate = Rate.of(seen.headers)
        self.rate = rate or self.rate
        self.scopes = granted(seen.headers, IMPLIED)
        outcome = str(seen.response.status_code) if seen.response is not None else type(failure).__name__
        left = f", {rate.remaining} left" if rate else ""
        taken = (time.perf_counter() - started) * 1000
        _log.info("POST /graphql (%s): %s in %.0f ms%s", call.operation, outcome, taken, left)
