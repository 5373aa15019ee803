"""GitHub's refusals in GraphQL, and httpx's failures, in the one error tree.

GraphQL answers 200 whatever happened. What each type of error is here:

    NOT_FOUND                         NotFound
    FORBIDDEN, INSUFFICIENT_SCOPES    Denied, with the permission or the scopes that are missing
    UNPROCESSABLE, any other type     Invalid; Conflict when it says that the thing is locked
    RATE_LIMITED, RATE_LIMIT          RateLimited, as is whatever says that a secondary limit was exceeded
    RESOURCE_LIMITS_EXCEEDED          TooWide: reading halves its page and goes on; else Unavailable
    MAX_NODE_LIMIT_EXCEEDED           TooManyNodes: the same; else Invalid
    INVALID_CURSOR_ARGUMENTS          StaleCursor: reading begins again, once; else a Conflict
    SERVICE_UNAVAILABLE               Unavailable
    none                              Invalid when it points into the query, else Unavailable
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import httpx

from tertulia.errors import Conflict, Denied, Error, Invalid, NotFound, RateLimited, Unavailable, from_status
from tertulia.parsing import as_list, as_object, load, one_line
from tertulia.transport import unanswered

__all__ = ["StaleCursor", "TooManyNodes", "TooWide", "Told", "limit_of", "no_answer", "refused", "told", "unreadable"]

BACKEND = "github"
_NEVER_LEFT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError, httpx.UnsupportedProtocol)
_LIMITS = frozenset({"RATE_LIMIT", "RATE_LIMITED"})
_MOST = 100
_MOST_TEXT = 64 * 1024
_SCOPES = re.compile(r"requires one of the following scopes: \[([^\]]{1,200})\]")
_INACCESSIBLE = "resource not accessible by"


class TooWide(Unavailable):
    """Say that GitHub would have to work too much for one page."""


class TooManyNodes(Invalid):
    """Say that a query asks for more than GitHub allows."""


class StaleCursor(Conflict):
    """Say that a list changed while its pages were read."""


_CLASSES: dict[str, type[Error]] = {
    "NOT_FOUND": NotFound,
    "FORBIDDEN": Denied,
    "INSUFFICIENT_SCOPES": Denied,
    "RESOURCE_LIMITS_EXCEEDED": TooWide,
    "MAX_NODE_LIMIT_EXCEEDED": TooManyNodes,
    "INVALID_CURSOR_ARGUMENTS": StaleCursor,
    "SERVICE_UNAVAILABLE": Unavailable,
}


class Told(NamedTuple):
    """Hold one error of an answer: its type (empty when it has none), the place in the data, and the words."""

    kind: str
    path: tuple[str | int, ...]
    message: str
    in_query: bool = False
    saml: bool = False

    @property
    def cls(self) -> type[Error]:
        """Give its place in the error tree."""
        if not self.kind:
            return Invalid if self.in_query else Unavailable
        if "is locked" in self.message.lower():
            return Conflict
        return _CLASSES.get(self.kind, Invalid)

    def error(self, *, operation: str, write: bool, request_id: str | None) -> Error:
        """Make the error it is."""
        made = self.cls(self.message, backend=BACKEND, operation=operation, request_id=request_id)
        if isinstance(made, Denied):
            made.permission = self._permission(write)
        if isinstance(made, Unavailable):
            made.ambiguous = write and not isinstance(made, TooWide)
        return made

    def _permission(self, write: bool) -> str | None:
        if self.saml:
            return "an authorization of the token for the organisation's SAML single sign-on"
        scopes = _SCOPES.search(self.message)
        if scopes is not None:
            return " or ".join(scope.strip(" '\"") for scope in scopes[1].split(","))
        if _INACCESSIBLE in self.message.lower():
            return "discussions: write" if write else "discussions: read"
        return None


def told(errors: object) -> tuple[Told, ...]:
    """Read the errors of an answer; what is none of them is left out."""
    return tuple(_told(one) for one in map(as_object, as_list(errors)[:_MOST]) if one)


def limit_of(errors: Sequence[Told], headers: Mapping[str, str], *, operation: str) -> Error | None:
    """Give the rate limit that an answer is about; None when it is about none."""
    text = "; ".join(one.message for one in errors[:5])
    by_words = from_status(403, {}, text, backend=BACKEND, operation=operation)
    if any(one.kind in _LIMITS for one in errors) or isinstance(by_words, RateLimited):
        return from_status(429, headers, text, backend=BACKEND, operation=operation)
    return None


def refused(status: int, headers: Mapping[str, str], body: bytes, *, operation: str, write: bool) -> Error:
    """Translate an error status; one of a write that was answered with 5xx may have landed."""
    error = from_status(status, headers, _text(body), backend=BACKEND, operation=operation)
    if isinstance(error, Denied):
        if status == 401:
            error.message = f"the credentials were refused: {error.message}"
        wanted = headers.get("x-accepted-github-permissions") or headers.get("x-accepted-oauth-scopes") or ""
        error.permission = one_line(wanted, 200) or None
    if isinstance(error, Unavailable):
        error.ambiguous = write
    return error


def no_answer(error: Exception, *, operation: str, host: str, write: bool, timeout: float) -> Unavailable:
    """Translate a failure without a whole answer; a write may have landed unless it never left this machine."""
    return unanswered(
        error,
        host=host,
        backend=BACKEND,
        operation=operation,
        ambiguous=write and not isinstance(error, _NEVER_LEFT),
        timeout=timeout if isinstance(error, httpx.TimeoutException) else None,
    )


def unreadable(reason: str, operation: str | None = None, *, ambiguous: bool = False) -> Unavailable:
    """Make the error for an answer that is not what GitHub documents."""
    told = f"an answer cannot be read: {reason}"
    return Unavailable(told, ambiguous=ambiguous, backend=BACKEND, operation=operation)


def _told(error: Mapping[str, Any]) -> Told:
    path = as_list(error.get("path"))
    return Told(
        kind=str(error.get("type") or ""),
        path=tuple(path),
        message=one_line(str(error.get("message") or error.get("type") or "an error without words")),
        in_query=bool(error.get("locations")) and not path,
        saml=as_object(error.get("extensions")).get("saml_failure") is True,
    )


def _text(body: bytes) -> str:
    """Take GitHub's own words out of an error's body."""
    try:
        document = as_object(load(body[:_MOST_TEXT], "answer"))
    except Invalid:
        return body[:300].decode("utf-8", "replace")
    errors = "; ".join(one.message for one in told(document.get("errors"))[:5])
    return str(document.get("message") or errors)
