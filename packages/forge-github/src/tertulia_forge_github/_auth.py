"""The token goes to the API, and nowhere else."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from typing import TYPE_CHECKING, Any

import httpx
from githubkit import BaseAuthStrategy

from tertulia.parsing.github import Origin
from tertulia.transport import Token

if TYPE_CHECKING:
    from githubkit import GitHubCore

__all__ = ["Bound"]


class Bound(BaseAuthStrategy, httpx.Auth):
    """Add the token to requests for one scheme, host and port, and to no other."""

    def __init__(self, token: Token, origin: Origin) -> None:
        self._token = token
        self._origin = origin

    def get_auth_flow(self, github: GitHubCore[Any]) -> httpx.Auth:
        """Be what githubkit gives its client."""
        return self

    def sync_auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Authorize a request of the synchronous client."""
        self._authorize(request, self._token.now() if self._fits(request) else "")
        yield request

    async def async_auth_flow(self, request: httpx.Request) -> AsyncGenerator[httpx.Request, httpx.Response]:
        """Authorize a request, with a token asked for now."""
        self._authorize(request, await self._token.get() if self._fits(request) else "")
        yield request

    async def authorize(self, request: httpx.Request) -> None:
        """Authorize a request that is sent without a flow."""
        self._authorize(request, await self._token.get() if self._fits(request) else "")

    def _authorize(self, request: httpx.Request, token: str) -> None:
        request.headers.pop("authorization", None)
        if token:
            request.headers["Authorization"] = f"Bearer {token}"

    def _fits(self, request: httpx.Request) -> bool:
        url = request.url
        port = url.port or {"https": 443, "http": 80}.get(url.scheme)
        return (url.scheme, url.host, port) == self._origin
