"""GitHub's refusals and httpx's failures in the one error tree."""

from __future__ import annotations

from collections.abc import Mapping

import httpx

from tertulia.errors import Conflict, Denied, Error, Invalid, NotFound, RateLimited, Unavailable, from_status
from tertulia.parsing import as_list, as_object, load, one_line
from tertulia.transport import unanswered

__all__ = ["never_left", "no_answer", "refused", "refused_in_graphql"]

_NEVER_LEFT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError, httpx.UnsupportedProtocol)
_MOST_TEXT = 64 * 1024
_GRAPHQL: dict[str, type[Error]] = {
    "NOT_FOUND": NotFound,
    "FORBIDDEN": Denied,
    "INSUFFICIENT_SCOPES": Denied,
    "SERVICE_UNAVAILABLE": Unavailable,
}
_GRAPHQL_LIMITS = frozenset({"RATE_LIMIT", "RATE_LIMITED"})


def refused(status: int, headers: Mapping[str, str], body: bytes, *, operation: str, write: bool) -> Error:
    """Translate an error status; one of a write that was answered with 5xx may have landed.

    The message keeps the status, which tells a thing that was deleted (410) from one that was never seen (404). GitHub
    says 403 to a locked thread too, which is a Conflict, and to a blob that is too large for its API, which is Invalid.
    """
    text = _text(body)
    error = from_status(status, headers, text, backend="github", operation=operation)
    if isinstance(error, Denied):
        if status == 401:
            error.message = f"the credentials were refused: {error.message}"
        other = _really(status, text)
        if other is not None:
            return other(error.message, backend="github", operation=operation, request_id=error.request_id)
        error.permission = _permission(headers)
    if isinstance(error, Unavailable):
        error.ambiguous = write
    return error


def refused_in_graphql(data: object, headers: Mapping[str, str], *, operation: str) -> Error | None:
    """Translate the errors of a GraphQL answer, whose status is 200 whatever happened; None when it holds data.

    Data beside errors is an answer: whoever asked reads both. A limit never is one. An error without a type is GitHub's
    own failure or a wrong query: it is Unavailable when there is no place in the query that it is about.
    """
    answer = as_object(data)
    told = [one for one in map(as_object, as_list(answer.get("errors"))) if one]
    if not told:
        return None
    kinds = [str(one.get("type") or "") for one in told]
    text = "; ".join(str(one.get("message") or kind)[:200] for one, kind in zip(told[:5], kinds, strict=False))
    by_words = from_status(403, {}, text, backend="github", operation=operation)
    if _GRAPHQL_LIMITS.intersection(kinds) or isinstance(by_words, RateLimited):
        return from_status(429, headers, text, backend="github", operation=operation)
    if any(value is not None for value in as_object(answer.get("data")).values()):
        return None
    unplaced = Invalid if told[0].get("locations") else Unavailable
    cls = _GRAPHQL.get(kinds[0], Invalid) if kinds[0] else unplaced
    error = from_status(200, headers, text, backend="github", operation=operation)
    return cls(error.message, backend="github", operation=operation, request_id=error.request_id)


def _really(status: int, text: str) -> type[Conflict] | type[Invalid] | None:
    """Tell a 403 that is about the thing, not about who asks."""
    if status != 403:
        return None
    if "is locked" in text:
        return Conflict
    return Invalid if "too_large" in text else None


def no_answer(error: Exception, *, operation: str, host: str, write: bool, timeout: float) -> Unavailable:
    """Translate a failure without a whole answer of a host; a write may have landed unless it never left this machine."""
    return unanswered(
        error,
        host=host,
        backend="github",
        operation=operation,
        ambiguous=write and not never_left(error),
        timeout=timeout if isinstance(error, httpx.TimeoutException) else None,
    )


def never_left(error: Exception) -> bool:
    """Say whether the request surely never reached the server: no connection came about."""
    return isinstance(error, _NEVER_LEFT)


def _permission(headers: Mapping[str, str]) -> str | None:
    told = headers.get("x-accepted-github-permissions") or headers.get("x-accepted-oauth-scopes")
    return one_line(told, 200) if told and told.strip() else None


def _text(body: bytes) -> str:
    """Take GitHub's own words out of an error's body, with what it says about each field."""
    try:
        document = as_object(load(body[:_MOST_TEXT], "answer"))
    except Invalid:
        return body[:300].decode("utf-8", "replace")
    message = document.get("message")
    told = [message] if isinstance(message, str) else []
    return "; ".join([*told, *(_detail(one) for one in as_list(document.get("errors"))[:5])])


def _detail(error: object) -> str:
    told = as_object(error)
    words = [str(told[name])[:200] for name in ("resource", "field", "code", "message") if told.get(name)]
    return " ".join(words) if isinstance(error, dict) else str(error)[:200]
