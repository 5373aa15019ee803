"""The token goes to the API, and nowhere else."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import httpx

from tertulia.parsing.github import Origin, origin_of
from tertulia.transport import Token

__all__ = ["Bound"]


class Bound(httpx.Auth):
    """Add the token, asked for now, to requests for one scheme, host and port, and to no other."""

    def __init__(self, token: Token, origin: Origin) -> None:
        self._token = token
        self._origin = origin

    async def async_auth_flow(self, request: httpx.Request) -> AsyncGenerator[httpx.Request, httpx.Response]:
        """Authorize a request."""
        token = await self._token.get() if origin_of(str(request.url)) == self._origin else ""
        if token:
            request.headers["Authorization"] = f"Bearer {token}"
        yield request
