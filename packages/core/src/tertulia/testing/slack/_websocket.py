"""The server's end of a WebSocket (RFC 6455), as far as a test needs it: whole texts, pings, and every way to end."""

from __future__ import annotations

import base64
import hashlib
import io
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress

from tertulia.testing.loopback import Reply, Request

__all__ = ["WebSocket", "upgrade"]

_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_CONTINUED, _TEXT, _CLOSE, _PING, _PONG = 0x0, 0x1, 0x8, 0x9, 0xA
_FINAL, _MASKED = 0x80, 0x80
_SHORT, _LONG = 126, 127


class WebSocket:
    """Send and receive texts. Any thread may send; one receives. `is_alive` is false where nobody answers a ping."""

    def __init__(self, connection: socket.socket, arriving: io.BufferedIOBase) -> None:
        self.is_alive: bool = True
        self._connection, self._arriving = connection, arriving
        self._lock = threading.Lock()

    def send(self, text: str) -> None:
        """Send a text; one that nobody can receive any more is lost, as on a real line."""
        self._frame(_TEXT, text.encode())

    def receive(self) -> str | None:
        """Wait for a text; None when the connection has ended. Pings are answered."""
        parts: list[bytes] = []
        while (frame := self._next()) is not None:
            kind, final, data = frame
            if kind == _PING and self.is_alive:
                self._frame(_PONG, data)
            elif kind == _CLOSE:
                self._frame(_CLOSE, data)
                return None
            elif kind in (_TEXT, _CONTINUED):
                parts.append(data)
                if final:
                    return b"".join(parts).decode()
        return None

    def close(self, code: int = 1000) -> None:
        """Ask the other side to close, which ends `receive`."""
        self._frame(_CLOSE, struct.pack("!H", code))

    def abort(self) -> None:
        """End the connection without a word."""
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    def _frame(self, kind: int, data: bytes) -> None:
        size = len(data)
        if size < _SHORT:
            head = struct.pack("!BB", _FINAL | kind, size)
        elif size < 1 << 16:
            head = struct.pack("!BBH", _FINAL | kind, _SHORT, size)
        else:
            head = struct.pack("!BBQ", _FINAL | kind, _LONG, size)
        with self._lock, suppress(OSError):
            self._connection.sendall(head + data)

    def _next(self) -> tuple[int, bool, bytes] | None:
        try:
            first, second = self._read(2)
            size = second & ~_MASKED
            if size >= _SHORT:
                size = int.from_bytes(self._read(2 if size == _SHORT else 8))
            mask = self._read(4)
            data = self._read(size)
        except (OSError, EOFError):
            return None
        plain = bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))
        return first & 0x0F, bool(first & _FINAL), plain

    def _read(self, size: int) -> bytes:
        data = self._arriving.read(size)
        if len(data) < size:
            raise EOFError
        return data


def upgrade(request: Request, speak: Callable[[WebSocket], None]) -> Reply:
    """Answer a client that asks for a WebSocket, and speak with it until `speak` returns."""
    key = request.headers.get("sec-websocket-key", "")
    if request.headers.get("upgrade", "").lower() != "websocket" or not key:
        return Reply(426, {"error": "this is a WebSocket"}, {"upgrade": "websocket"})
    accepted = base64.b64encode(hashlib.sha1((key + _GUID).encode()).digest()).decode()
    headers: Mapping[str, str] = {"upgrade": "websocket", "connection": "upgrade", "sec-websocket-accept": accepted}
    return Reply(101, headers=headers, take_over=lambda connection, file: speak(WebSocket(connection, file)))
