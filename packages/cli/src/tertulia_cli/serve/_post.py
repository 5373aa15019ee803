"""HTTP as an output: each event is posted as a CloudEvent in structured mode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

import httpx

from tertulia.errors import RateLimited, from_status
from tertulia_cli._failure import Failure
from tertulia_cli._input import variable
from tertulia_cli.serve._cloudevent import CONTENT_TYPE, CloudEvent
from tertulia_cli.serve._outputs import Failed

__all__ = ["TOKEN", "Post"]

TOKEN = "TERTULIA_OUTPUT_TOKEN"
"""The variable whose value is sent as a bearer token, when it is set."""


class Post:
    """Post events to one address. Any 2xx is success; a redirect is not followed, and is a failure like the rest."""

    together = 1

    def __init__(self, url: str, *, timeout: float, concurrency: int) -> None:
        token = variable(TOKEN)
        headers = {"content-type": CONTENT_TYPE, "user-agent": "tertulia-serve/0.1"}
        self._url = _checked(url)
        self._client = httpx.AsyncClient(
            headers=headers | ({"authorization": f"Bearer {token}"} if token else {}),
            timeout=timeout,
            limits=httpx.Limits(max_connections=concurrency),
        )
        self.concurrency = concurrency

    async def emit(self, events: Sequence[CloudEvent], /) -> None:
        """Post one event."""
        (event,) = events
        try:
            response = await self._client.post(self._url, content=event.document)
        except httpx.HTTPError as error:
            raise Failed(f"{type(error).__name__} at the address events are posted to") from error
        if not response.is_success:
            told = f"the address events are posted to answered {response.status_code}"
            raise Failed(told, retry_after=_asked(response.headers))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


def _asked(headers: Mapping[str, str]) -> float | None:
    """Read Retry-After, with whichever status it came; the library reads it for rate limits."""
    if "retry-after" not in headers:
        return None
    limited = from_status(429, headers, "", backend="output", operation="post")
    return limited.retry_after if isinstance(limited, RateLimited) else None


def _checked(url: str) -> str:
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits, parts = False, urlsplit("")
    if not fits:
        raise Failure("this is not a web address", "--post", "give https://HOST/PATH")
    if parts.username is not None:
        raise Failure("a password in an address is seen by everybody on this machine", "--post", f"set {TOKEN} instead")
    return url
