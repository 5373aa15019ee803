"""The token: where it comes from, and that it goes nowhere else."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from typing import TYPE_CHECKING, Any

import httpx
from githubkit import BaseAuthStrategy

from tertulia.errors import Denied, Error, Invalid, Unavailable
from tertulia.parsing.github import Origin

if TYPE_CHECKING:
    from githubkit import GitHubCore

__all__ = ["Bound", "Token"]

_TOKEN = re.compile(r"[!-~]{1,4096}")


class Token:
    """Give the token for one request: a string, or what an async callable says (a cache is the callable's affair)."""

    def __init__(self, source: str | Callable[[], Awaitable[str]] | None) -> None:
        if source is None:
            source = os.environ.get("GITHUB_TOKEN", "").strip() or os.environ.get("GH_TOKEN", "").strip()
        self._ask = None if isinstance(source, str) else source
        self._fixed = _checked(source) if isinstance(source, str) else ""

    @property
    def renewable(self) -> bool:
        """Say whether asking again may give another token."""
        return self._ask is not None

    @property
    def absent(self) -> bool:
        """Say whether requests are made as nobody."""
        return self._ask is None and not self._fixed

    async def get(self) -> str:
        """Give the token, "" for none. Raises Unavailable when the callable fails with anything but an error of ours."""
        if self._ask is None:
            return self._fixed
        try:
            token = await self._ask()
        except Error:
            raise
        except Exception as error:
            raise Unavailable(f"the token callable failed: {type(error).__name__}", backend="github") from error
        return _checked(token)

    def now(self) -> str:
        """Give the token without waiting; Invalid when it is a callable."""
        if self._ask is not None:
            raise Invalid("github: token: a callable works with asynchronous requests only", field="token")
        return self._fixed


def _checked(token: object) -> str:
    """Refuse what cannot be a token here, because HTTP libraries quote a header they refuse."""
    if not isinstance(token, str):
        raise Invalid("github: token: must be a string", field="token")
    token = token.strip()
    if token and _TOKEN.fullmatch(token) is None:
        raise Denied("the token is none: it has characters that no token has", backend="github")
    return token


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
