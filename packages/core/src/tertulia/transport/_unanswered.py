"""The error for a request that got no whole answer."""

from __future__ import annotations

from tertulia._line import one_line
from tertulia.errors import Unavailable

__all__ = ["unanswered"]


def unanswered(
    error: Exception, *, host: str, backend: str, operation: str, ambiguous: bool, timeout: float | None = None
) -> Unavailable:
    """Translate what an HTTP library raised instead of a whole answer; it stays the cause.

    `ambiguous` is for a write that may have reached the host, `timeout` the seconds that were waited for one.
    """
    why = ": ".join(part for part in (type(error).__name__, one_line(str(error.__cause__ or error), 200)) if part)
    within = f" within {timeout:g} s" if timeout is not None else ""
    told = Unavailable(
        f"no answer from {host}{within} ({why})", ambiguous=ambiguous, backend=backend, operation=operation
    )
    told.__cause__ = error
    return told
