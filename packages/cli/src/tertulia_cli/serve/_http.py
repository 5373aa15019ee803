"""The HTTP side: who may send what, and what the answer is. Nothing here waits for what happens to an event."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tertulia.event import Delivery
from tertulia_cli._failure import of_bug
from tertulia_cli._input import MAX_PAYLOAD
from tertulia_cli._output import note
from tertulia_cli.serve._budget import Budget
from tertulia_cli.serve._counters import Counters
from tertulia_cli.serve._hooks import Answer, Hook, Refused
from tertulia_cli.serve._storing import Accept, stored

__all__ = ["application"]

Ask = Callable[[], Awaitable[dict[str, Any]]]

BODY_WITHIN = 10.0
"""Seconds that a sender may take for a body."""
IN_MEMORY = 256 * 1024 * 1024
"""Bytes of bodies that are being received or stored at once."""

_HEARD_OUT = 2 * MAX_PAYLOAD
_REFUSED_BY_ROUTER = {404: "path", 405: "method"}
_HANGS_UP = frozenset({400, 408, 413, 503})


def application(hooks: Sequence[Hook], accept: Accept, counters: Counters, stats: Ask, health: Ask) -> Starlette:
    """Build the application: `POST` to each hook, `GET /healthz` and `GET /stats`."""
    receiver = _Receiver(accept, counters)
    routes = [Route(hook.path, receiver.endpoint(hook), methods=["POST"]) for hook in hooks]
    routes += [Route("/healthz", _asked(health), methods=["GET"]), Route("/stats", _asked(stats), methods=["GET"])]

    def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException), "the router raises nothing else"
        counters.count("refused", _REFUSED_BY_ROUTER[error.status_code])
        return PlainTextResponse(f"{error.detail}\n", error.status_code, headers=error.headers)

    app = Starlette(routes=routes, exception_handlers=dict.fromkeys(_REFUSED_BY_ROUTER, refused))
    app.router.redirect_slashes = False
    return app


class _Receiver:
    """Answer deliveries: proven, stored, and only then 200."""

    def __init__(self, accept: Accept, counters: Counters) -> None:
        self._accept = accept
        self._counters = counters
        self._budget = Budget(IN_MEMORY)

    def endpoint(self, hook: Hook) -> Callable[[Request], Awaitable[Response]]:
        """Give the endpoint of one sender."""

        async def receive(request: Request) -> Response:
            self._counters.count("requests", hook.system)
            try:
                return await self._answer(hook, request)
            except Refused as refused:
                return self._refuse(refused)
            except Exception as error:  # a bug: the sender comes again, and whoever looks at the counters sees it
                bug = of_bug(error)
                note(f"a request of {hook.system} failed: {bug.what} at {bug.where}")
                return self._refuse(Refused(500, "failed"))

        return receive

    def _refuse(self, refused: Refused) -> Response:
        self._counters.count("refused", refused.word)
        headers = {"connection": "close"} if refused.status in _HANGS_UP else None
        return PlainTextResponse(f"{refused.word}\n", refused.status, headers=headers)

    async def _answer(self, hook: Hook, request: Request) -> Response:
        body = _Body(self._budget)
        try:
            received = hook.receive(request.headers.raw, await body.read(request))
            if isinstance(received, Delivery):
                new = await stored(self._accept, received)
                received = Answer("accepted" if new else "duplicate", "")
        finally:
            body.give_back()
        self._counters.count("answered", received.word)
        return PlainTextResponse(received.text)


class _Body:
    """The body of one request, read within every bound; its bytes are borrowed until they are given back."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._borrowed = 0
        self._refused: Refused | None = None

    async def read(self, request: Request) -> bytes:
        """Read it to its end, or refuse it.

        One that goes too far is heard out, up to twice the limit, and forgotten at once: few senders listen before they have
        said everything, and whom we hang up on does not learn why.
        """
        self._check_told(request)
        chunks: list[bytes] = []
        heard = 0
        try:
            async with asyncio.timeout(BODY_WITHIN):
                async for chunk in request.stream():
                    heard += len(chunk)
                    if self._takes(len(chunk), heard):
                        chunks.append(chunk)
                    elif heard > _HEARD_OUT:
                        break
                    else:
                        chunks.clear()
        except TimeoutError as error:
            raise self._refused or Refused(408, "too-slow") from error
        except ClientDisconnect as error:
            raise self._refused or Refused(400, "disconnected") from error
        if self._refused is not None:
            raise self._refused
        return b"".join(chunks)

    def give_back(self) -> None:
        """Return what was borrowed."""
        self._budget.give_back(self._borrowed)
        self._borrowed = 0

    def _check_told(self, request: Request) -> None:
        told = _told_length(request)
        if told > MAX_PAYLOAD:
            self._refused = Refused(413, "too-large")
            if told > _HEARD_OUT or "expect" in request.headers:
                raise self._refused

    def _takes(self, size: int, heard: int) -> bool:
        """Borrow room for some bytes; without any nothing more is taken, and what was is let go of."""
        if self._refused is None and heard > MAX_PAYLOAD:
            self._refused = Refused(413, "too-large")
        if self._refused is None and not self._budget.take(size):
            self._refused = Refused(503, "busy")
        if self._refused is not None:
            self.give_back()
            return False
        self._borrowed += size
        return True


def _told_length(request: Request) -> int:
    told = request.headers.get("content-length", "")
    return int(told) if told.isascii() and told.isdigit() else 0


def _asked(ask: Ask) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        document = await ask()
        return JSONResponse(document, status_code=200 if document.get("status", "ok") == "ok" else 503)

    return answer
