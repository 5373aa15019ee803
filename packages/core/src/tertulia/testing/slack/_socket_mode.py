"""Socket Mode: connections that an app opens, envelopes that come over them, and what the app acknowledges."""

from __future__ import annotations

import itertools
import json
import threading
from typing import Any

from tertulia.testing.loopback import Reply, Request, Server
from tertulia.testing.slack._state import APP, ME, TEAM, Json
from tertulia.testing.slack._websocket import WebSocket, upgrade

__all__ = ["SocketMode"]

_LINK = "/link/"
_FIRST = 1_759_300_000


class SocketMode:
    """Send envelopes to the app. What it has not acknowledged is sent again over the next connection.

    `acknowledged` lists every acknowledgement in its order, also a second one of the same envelope, and `sent` every frame.
    `said` are frames of the app's that acknowledge nothing.
    """

    def __init__(self, server: Server) -> None:
        self.acknowledged: list[str] = []
        self.sent: list[Json] = []
        self.said: list[Json] = []
        self.connections: int = 0
        """How many connections there have been."""
        self._server = server
        self._tickets: set[str] = set()
        self._waiting: dict[str, Json] = {}
        self._open: list[WebSocket] = []
        self._numbers = itertools.count(1)
        self._lock = threading.RLock()
        server.route("GET", _LINK, self._answer)

    @property
    def open(self) -> int:
        """Count the connections that are open."""
        return len(self._open)

    @property
    def unacknowledged(self) -> list[str]:
        """Name the envelopes that wait to be acknowledged."""
        return list(self._waiting)

    def address(self) -> str:
        """Give an address for one connection, as apps.connections.open does; it serves once."""
        with self._lock:
            ticket = f"ticket-{next(self._numbers)}"
            self._tickets.add(ticket)
        return f"{self._server.url.replace('http', 'ws', 1)}{_LINK}?ticket={ticket}&app_id={APP}"

    def deliver(self, event: Json, *, ident: str | None = None, **fields: Any) -> str:
        """Send an event, or keep it for the next connection; gives the id of its envelope. `fields` are of the payload."""
        return self.envelope("events_api", event_callback(event, next(self._numbers), **fields), ident=ident)

    def envelope(self, kind: str, payload: Any, *, ident: str | None = None) -> str:
        """Send a payload of another kind in an envelope: `interactive`, `slash_commands`."""
        with self._lock:
            ident = ident or f"e-{next(self._numbers)}"
            frame = {"envelope_id": ident, "type": kind, "payload": payload, "accepts_response_payload": False}
            if kind == "events_api":
                frame |= {"retry_attempt": 0, "retry_reason": ""}
            self._waiting[ident] = frame
            self.send(frame)
        return ident

    def send(self, frame: Json | str) -> None:
        """Send a frame over the newest connection, if there is one; a string as it is."""
        with self._lock:
            if self._open:
                self._send(self._open[-1], frame)

    def disconnect(self, reason: str = "refresh_requested") -> None:
        """Ask the app to connect anew, over every connection."""
        with self._lock:
            for one in self._open:
                self._send(one, {"type": "disconnect", "reason": reason, "debug_info": {"host": "applink-1"}})

    def close(self) -> None:
        """Close every connection without asking."""
        for one in list(self._open):
            one.close()

    def abort(self) -> None:
        """End every connection without a word."""
        for one in list(self._open):
            one.abort()

    def hang(self) -> None:
        """Leave every connection open, and answer nothing over it any more."""
        for one in list(self._open):
            one.is_alive = False

    def _answer(self, request: Request) -> Reply:
        with self._lock:
            ticket = request.query.get("ticket", "")
            if ticket not in self._tickets:
                return Reply(403, {"ok": False, "error": "expired_ticket"})
            self._tickets.remove(ticket)
        return upgrade(request, self._speak)

    def _speak(self, line: WebSocket) -> None:
        with self._lock:
            self.connections += 1
            self._open.append(line)
            info = {"connection_info": {"app_id": APP}, "num_connections": len(self._open)}
            self._send(line, {"type": "hello", **info, "debug_info": {"host": "applink-1"}})
            for frame in self._waiting.values():
                frame.update(_again(frame))
                self._send(line, frame)
        try:
            while (text := line.receive()) is not None:
                self._hear(json.loads(text))
        finally:
            with self._lock:
                self._open.remove(line)

    def _hear(self, frame: Json) -> None:
        with self._lock:
            ident = frame.get("envelope_id")
            if isinstance(ident, str):
                self.acknowledged.append(ident)
                self._waiting.pop(ident, None)
            else:
                self.said.append(frame)

    def _send(self, line: WebSocket, frame: Json | str) -> None:
        if not isinstance(frame, str):
            self.sent.append(dict(frame))
        line.send(frame if isinstance(frame, str) else json.dumps(frame))


def event_callback(event: Json, number: int = 1, **fields: Any) -> Json:
    """Put an event into what stands around it, as the Events API does."""
    app = {"enterprise_id": None, "team_id": TEAM, "user_id": ME, "is_bot": True, "is_enterprise_install": False}
    about = {"team_id": TEAM, "api_app_id": APP, "event_id": f"Ev{number:08}", "event_time": _FIRST + number}
    return {"type": "event_callback", **about, "authorizations": [app], "event": event, **fields}


def _again(frame: Json) -> Json:
    """Say that a frame is sent once more."""
    return {"retry_attempt": frame["retry_attempt"] + 1, "retry_reason": "timeout"} if "retry_attempt" in frame else {}
