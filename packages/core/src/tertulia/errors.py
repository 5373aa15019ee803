"""Every error this project raises on purpose, one tree. Act on the class, never on the message.

Error
├── NotFound       the thing is not there (or not visible to this identity)
├── Denied         this identity may not; names the permission or scope when the backend does
├── Invalid        the input is wrong: over a limit, malformed, an unsupported event, a foreign host
├── Conflict       already exists, changed meanwhile, locked
├── RateLimited    retry_after (seconds), resets_at, scope when known
├── Unavailable    network, 5xx, timeout: may succeed later; `ambiguous` is true when a write may have landed
└── Unsupported    the backend, as configured, can never do this
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, ClassVar

from tertulia._line import one_line

__all__ = [
    "Conflict",
    "Denied",
    "Error",
    "Invalid",
    "NotFound",
    "RateLimited",
    "Unavailable",
    "Unsupported",
    "from_status",
]

_REQUEST_ID_HEADERS = ("x-github-request-id", "x-slack-req-id", "x-arequestid", "x-request-id")
_LIMIT_TEXT = ("secondary rate limit", "abuse detection", "rate limit exceeded")
_UNTOLD_WAIT = 60.0
_LEAST_WAIT = 1.0


class Error(Exception):
    """Be the base of every error raised on purpose.

    `backend` and `operation` say where it happened when a backend was asked; `request_id` is the backend's own. Every
    class below takes these three as well.
    """

    transient: ClassVar[bool] = False

    def __init__(
        self, message: str, *, backend: str | None = None, operation: str | None = None, request_id: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.backend = backend
        self.operation = operation
        self.request_id = request_id

    def __str__(self) -> str:
        where = " ".join(part for part in (self.backend, self.operation) if part)
        told = f"{where}: {self.message}" if where else self.message
        return f"{told} [request {self.request_id}]" if self.request_id else told


class NotFound(Error):
    """Say that the thing is not there, or not visible to this identity."""


class Denied(Error):
    """Say that this identity may not; `permission` names what is missing when the backend does."""

    def __init__(self, message: str, *, permission: str | None = None, **where: str | None) -> None:
        super().__init__(message, **where)
        self.permission = permission


class Invalid(Error):
    """Say that the input is wrong; `field` is the dotted path of what is wrong (`entity.id`) when there is one."""

    def __init__(self, message: str, *, field: str | None = None, **where: str | None) -> None:
        super().__init__(message, **where)
        self.field = field


class Conflict(Error):
    """Say that the thing already exists, changed meanwhile or is locked."""


class RateLimited(Error):
    """Say that the backend wants us to wait: `retry_after` seconds, until `resets_at` (UTC), for `scope` when known."""

    transient = True

    def __init__(
        self,
        message: str,
        *,
        retry_after: float | None = None,
        resets_at: datetime | None = None,
        scope: str | None = None,
        **where: str | None,
    ) -> None:
        super().__init__(message, **where)
        self.retry_after = retry_after
        self.resets_at = resets_at
        self.scope = scope


class Unavailable(Error):
    """Say that it may succeed later; `ambiguous` is true when a write may have landed all the same."""

    transient = True

    def __init__(self, message: str, *, ambiguous: bool = False, **where: str | None) -> None:
        super().__init__(message, **where)
        self.ambiguous = ambiguous


class Unsupported(Error):
    """Say that the backend, as configured, can never do this; `capability` is the name of what it lacks."""

    def __init__(self, capability: str, backend: str, *, operation: str | None = None) -> None:
        super().__init__(f"does not support {capability}", backend=backend, operation=operation)
        self.args: tuple[Any, ...] = (capability, backend)
        self.capability: str = str(capability)


def from_status(
    status: int, headers: Mapping[str, str], text: str, *, backend: str, operation: str, now: datetime | None = None
) -> Error:
    """Translate an HTTP error status into the tree, so that an adapter needs three lines for it.

    `headers` are taken without case. `text` is the backend's own words: shown shortened, on one line, without tokens.
    A 403 is a rate limit when it carries Retry-After, has no requests left or its text says so (GitHub documents that
    a secondary limit may come as a plain 403). `retry_after` is never under one second, so that whoever sleeps by it
    comes to an end when the clocks differ, and 60 when nothing was told. A write answered with 5xx is for the caller to
    mark as ambiguous. `now` is for tests.
    """
    known = {name.lower(): value for name, value in headers.items()}
    request_id = next((one_line(known[name]) for name in _REQUEST_ID_HEADERS if known.get(name)), None)
    message = f"{status} {one_line(text)}".rstrip()
    if _is_limit(status, known, text):
        return _rate_limited(message, known, now or datetime.now(UTC), backend, operation, request_id)
    cls = _class_of(status, text)
    return cls(message, backend=backend, operation=operation, request_id=request_id)


def _class_of(status: int, text: str) -> type[Error]:
    if status in (404, 410):
        return NotFound
    if status in (401, 403, 407, 451):
        return Denied
    if status in (409, 412, 423) or (status == 422 and _exists(text)):
        return Conflict
    if status in (408, 425) or status >= 500:
        return Unavailable
    return Invalid


def _exists(text: str) -> bool:
    return "already exists" in text or "already_exists" in text


def _is_limit(status: int, headers: Mapping[str, str], text: str) -> bool:
    if status == 429:
        return True
    if status != 403:
        return False
    lowered = text.lower()
    told = any(phrase in lowered for phrase in _LIMIT_TEXT)
    return told or "retry-after" in headers or headers.get("x-ratelimit-remaining", "").strip() == "0"


def _rate_limited(
    message: str, headers: Mapping[str, str], now: datetime, backend: str, operation: str, request_id: str | None
) -> RateLimited:
    spent = headers.get("x-ratelimit-remaining", "").strip() == "0"
    resets_at = _reset(headers.get("x-ratelimit-reset")) if spent else None
    wait = _retry_after(headers.get("retry-after"), now)
    if wait is None and resets_at is not None:
        wait = (resets_at - now).total_seconds()
    resource = headers.get("x-ratelimit-resource")
    return RateLimited(
        message,
        retry_after=_UNTOLD_WAIT if wait is None else max(wait, _LEAST_WAIT),
        resets_at=resets_at,
        scope=one_line(resource) if resource else None,
        backend=backend,
        operation=operation,
        request_id=request_id,
    )


def _retry_after(value: str | None, now: datetime) -> float | None:
    """Read both documented forms of Retry-After (RFC 9110: seconds, or a date)."""
    if value is None:
        return None
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value.lstrip("0")[:9] or "0")
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - now).total_seconds()


def _reset(value: str | None) -> datetime | None:
    if value is None or not value.strip().isascii() or not value.strip().isdigit():
        return None
    try:
        return datetime.fromtimestamp(int(value.strip()[:12]), UTC)
    except (OverflowError, OSError, ValueError):
        return None
