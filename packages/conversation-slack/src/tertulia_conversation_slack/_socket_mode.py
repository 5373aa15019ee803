"""Socket Mode: what Slack sends over a connection that the app opened (docs.slack.dev, "Using Socket Mode")."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from tertulia.errors import Denied, Invalid, Unavailable
from tertulia.event import Delivery, Ignored
from tertulia.parsing import MAX_BYTES, load_object
from tertulia.registry import Envelope
from tertulia.transport import unanswered
from tertulia_conversation_slack._adapter import APP_TOKEN
from tertulia_conversation_slack._api import Api, open_api
from tertulia_conversation_slack._errors import BACKEND
from tertulia_conversation_slack._fields import number, word

__all__ = ["subscribe"]

_OPERATION = "Socket Mode"
_HEARTBEAT = 10.0
"""Seconds of silence after which Slack is asked whether it is there; half as many more, and the connection is lost."""
_GOODBYE = 1.0
"""Seconds that Slack has to close a connection with us."""


@asynccontextmanager
async def subscribe() -> AsyncGenerator[AsyncIterator[Envelope]]:
    """Connect once, with the app-level token in `SLACK_APP_TOKEN`; `tertulia.registry.Subscribe` says what is promised."""
    token = os.environ.get(APP_TOKEN, "").strip()
    if not token:
        raise Invalid(f"{APP_TOKEN} is not set", field=APP_TOKEN)
    async with open_api(token=token, max_wait=0) as api:
        address = await _address(api)
        async with _connected(api, address) as socket, aclosing(_envelopes(socket)) as envelopes:
            yield envelopes


async def _address(api: Api) -> str:
    """Ask for the address of one connection. It holds a secret, and leads nowhere but to the host that gave it."""
    try:
        answer = await api.begin(_OPERATION).ask("apps.connections.open")
    except Denied as error:
        told = f"{error.message} ({APP_TOKEN} must be an app-level token, xapp-, with the scope connections:write)"
        where = {"backend": BACKEND, "operation": _OPERATION, "request_id": error.request_id}
        raise Denied(told, permission=error.permission, **where) from error
    address = word(answer, "url")
    if not _is_at_home(address, api.native.base_url):
        raise Invalid("the address to connect to is on another host", backend=BACKEND, operation=_OPERATION)
    return address


def _is_at_home(address: str, api_url: str) -> bool:
    """Tell whether an address is as safe as the API's, and on its host or one below it."""
    try:
        home, away = urlsplit(api_url), urlsplit(address)
    except ValueError:
        return False
    host = away.hostname or ""
    is_near = host == home.hostname or host.endswith(f".{home.hostname}")
    return is_near and away.scheme == ("wss" if home.scheme == "https" else "ws")


@asynccontextmanager
async def _connected(api: Api, address: str) -> AsyncGenerator[aiohttp.ClientWebSocketResponse]:
    session, times = api.native.session, _untyped(aiohttp.ClientWSTimeout)(ws_close=_GOODBYE)
    assert session is not None, "open_api brings one"
    try:
        socket = await session.ws_connect(
            address, heartbeat=_HEARTBEAT, timeout=times, proxy=api.native.proxy, max_msg_size=MAX_BYTES
        )
    except aiohttp.ClientResponseError as error:  # which quotes the address
        raise _unavailable(f"the address is not taken (status {error.status})") from None
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise unanswered(error, host=api.host, backend=BACKEND, operation=_OPERATION, ambiguous=False) from error
    async with socket:
        yield socket


async def _envelopes(socket: aiohttp.ClientWebSocketResponse) -> AsyncGenerator[Envelope]:
    """Give what arrives. A `disconnect` ends it: what Slack sends behind one is not read, and comes again."""
    async for message in socket:
        if message.type is aiohttp.WSMsgType.ERROR:
            break
        envelope = _envelope(message, socket)
        yield envelope
        if isinstance(envelope.content, Ignored) and envelope.content.reason == "disconnect":
            return
    raise _unavailable(f"the connection was lost (code {socket.close_code})")


def _envelope(message: aiohttp.WSMessage, socket: aiohttp.ClientWebSocketResponse) -> Envelope:
    """Read a frame. One without an id cannot be acknowledged."""
    try:
        frame = load_object(message.data, "frame") if message.type is aiohttp.WSMsgType.TEXT else {}
    except Invalid as error:
        return Envelope(Ignored("malformed", str(error)))
    kind, ident = word(frame, "type"), word(frame, "envelope_id")

    async def acknowledge() -> None:
        try:
            await socket.send_json({"envelope_id": ident})
        except (aiohttp.ClientError, OSError) as error:
            raise _unavailable("the connection is gone") from error

    return Envelope(_content(kind, frame), acknowledge if ident else None)


def _content(kind: str, frame: dict[str, Any]) -> Delivery | Ignored:
    """Make a delivery as it would be over HTTP: without what differs from one attempt to the next, but as headers."""
    if kind != "events_api":
        return Ignored(kind[:64] or "malformed", "only events are handed on")
    attempt, reason = number(frame, "retry_attempt"), word(frame, "retry_reason")
    headers = {"x-slack-retry-num": str(attempt), "x-slack-retry-reason": reason} if attempt else {}
    return Delivery(BACKEND, "", json.dumps(frame.get("payload")).encode(), headers=headers)


def _untyped(cls: Any) -> Any:
    """Call aiohttp's class, whose fields a type checker does not see."""
    return cls


def _unavailable(message: str) -> Unavailable:
    return Unavailable(message, backend=BACKEND, operation=_OPERATION)
