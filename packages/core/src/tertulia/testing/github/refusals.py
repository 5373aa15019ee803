"""How GitHub refuses, in its own words: values and makers of replies for a scripted server, or for `GitHub.refuse`."""

from __future__ import annotations

import time

from tertulia.testing import line
from tertulia.testing.loopback import Reply

__all__ = [
    "BAD_CREDENTIALS",
    "BAD_GATEWAY",
    "DELETED",
    "INTEGRATION",
    "LOCKED",
    "NOT_FOUND",
    "SECONDARY",
    "hour_is_used_up",
    "slow_down",
]

BAD_GATEWAY = line.BAD_GATEWAY
BAD_CREDENTIALS = Reply(401, {"message": "Bad credentials", "status": "401"})
INTEGRATION = Reply(403, {"message": "Resource not accessible by integration", "status": "403"})
"""What the token of an installed app is told about `GET /user`, and about everything it has no permission for."""

NOT_FOUND = Reply(404, {"message": "Not Found", "status": "404"})
DELETED = Reply(410, {"message": "This issue was deleted", "status": "410"})
LOCKED = Reply(403, {"message": "Unable to create comment because issue is locked."})
SECONDARY = Reply(
    403, {"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}
)
"""A limit on behaviour that nothing but the text tells: requests are left, and no header says when to come again."""


def slow_down(retry_after: str | None = None, *, status: int = 429) -> Reply:
    """Refuse because of a limit; Retry-After is in seconds or a date, and may be missing."""
    headers = {} if retry_after is None else {"retry-after": retry_after}
    return Reply(status, {"message": "You have triggered a rate limit. Please slow down."}, headers)


def hour_is_used_up(seconds: float = 1800.0) -> Reply:
    """Refuse because the hour's requests are used up; the next hour begins after so many seconds."""
    told = {"limit": "5000", "remaining": "0", "reset": str(int(time.time() + seconds)), "resource": "core"}
    headers = {f"x-ratelimit-{name}": value for name, value in told.items()}
    return Reply(403, {"message": "API rate limit exceeded for user ID 9001."}, headers)
