"""The token: where it comes from."""

from __future__ import annotations

import os
import re
from collections.abc import Awaitable, Callable

from tertulia.errors import Denied, Error, Invalid, Unavailable

__all__ = ["Token"]

_TOKEN = re.compile(r"[!-~]{1,4096}")


class Token:
    """Give the token for one request: a string, or what an async callable says (a cache is the callable's affair)."""

    def __init__(self, source: str | Callable[[], Awaitable[str]] | None, *variables: str, backend: str) -> None:
        """Take a source; without one the first environment variable of those named that is set, else no token."""
        self._backend = backend
        if source is None:
            source = next((told for name in variables if (told := os.environ.get(name, "").strip())), "")
        self._ask = None if isinstance(source, str) else source
        self._fixed = self._checked(source) if isinstance(source, str) else ""

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
            raise Unavailable(f"the token callable failed: {type(error).__name__}", backend=self._backend) from error
        return self._checked(token)

    def now(self) -> str:
        """Give the token without waiting; Invalid when it is a callable."""
        if self._ask is not None:
            told = f"{self._backend}: token: a callable works with asynchronous requests only"
            raise Invalid(told, field="token")
        return self._fixed

    def _checked(self, token: object) -> str:
        """Refuse what cannot be a token here, because HTTP libraries quote a header they refuse."""
        if not isinstance(token, str):
            raise Invalid(f"{self._backend}: token: must be a string", field="token")
        token = token.strip()
        if token and _TOKEN.fullmatch(token) is None:
            raise Denied("the token is none: it has characters that no token has", backend=self._backend)
        return token
