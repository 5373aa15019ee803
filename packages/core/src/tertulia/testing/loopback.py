"""A scripted HTTP server on 127.0.0.1, for tests that should talk to a server and not to a patched function."""

from __future__ import annotations

import io
import json
import re
import socket
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

__all__ = ["Handler", "Reply", "Request", "Server", "TakeOver", "serve"]

TakeOver = Callable[[socket.socket, io.BufferedIOBase], None]
"""Speak another protocol over a connection, whose bytes come out of the file, until it has ended."""


@dataclass(frozen=True, slots=True)
class Request:
    """Hold one request as it arrived; header names are lower case."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """Parse the body."""
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Reply:
    """Say what to answer: `body` is sent as JSON unless it is bytes.

    `delay` are seconds to wait first. `cut` sends that many bytes of the answer and closes the connection; 0 sends none.
    `take_over` has the connection after the headers: then there is no body.
    """

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    delay: float = 0.0
    cut: int | None = None
    take_over: TakeOver | None = None


Handler = Callable[[Request], Reply]


class Server:
    """Answer requests by route and remember them; a route nobody named answers 404 with a GitHub-like message."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.requests: list[Request] = []
        self._routes: list[tuple[str, re.Pattern[str], Handler]] = []
        self._lock = threading.Lock()

    def route(self, method: str, path: str, *replies: Reply | Handler) -> None:
        """Answer a route (`path` is a regular expression for the whole path); several replies come in turn, the last stays.

        A later route for the same path goes before an earlier one.
        """
        pending = list(replies)

        def handle(request: Request) -> Reply:
            with self._lock:
                reply = pending.pop(0) if len(pending) > 1 else pending[0]
            return reply if isinstance(reply, Reply) else reply(request)

        self._routes.insert(0, (method, re.compile(path), handle))

    def answer(self, request: Request) -> Reply:
        """Give the reply to a request, and remember it."""
        with self._lock:
            self.requests.append(request)
        for method, pattern, handle in self._routes:
            if method == request.method and pattern.fullmatch(request.path):
                return handle(request)
        return Reply(404, {"message": "Not Found", "status": "404"})

    def asked(self, method: str, path: str) -> list[Request]:
        """Give the requests a route has had (`path` is a regular expression)."""
        return [r for r in self.requests if r.method == method and re.fullmatch(path, r.path)]


@contextmanager
def serve() -> Generator[Server]:
    """Run a server on a free port of 127.0.0.1 for the time of the block."""
    with _Listener(("127.0.0.1", 0), _Handler) as listener:
        listener.daemon_threads = True
        server = Server(f"http://127.0.0.1:{listener.server_address[1]}")
        listener.script = server
        thread = threading.Thread(target=listener.listen, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            listener.hang_up()
            thread.join()


class _Listener(ThreadingHTTPServer):
    script: Server
    _ends = False

    def listen(self) -> None:
        """Take connections until `hang_up`, which is one more of them: so nobody waits for a loop to look again."""
        while not self._ends:
            self.handle_request()

    def hang_up(self) -> None:
        """End `listen` at once."""
        self._ends = True
        with socket.socket() as line:
            line.connect(self.server_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Keep quiet about clients that have left; what goes wrong in a script is shown."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def _serve(self) -> None:
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.command, parts.path, dict(parse_qsl(parts.query)), headers, body)
        self._send(cast("_Listener", self.server).script.answer(request))

    def _send(self, reply: Reply) -> None:
        if reply.delay:
            time.sleep(reply.delay)
        raw = (
            reply.body
            if isinstance(reply.body, bytes)
            else b""
            if reply.body is None
            else json.dumps(reply.body).encode()
        )
        kind = "application/octet-stream" if isinstance(reply.body, bytes) else "application/json; charset=utf-8"
        if reply.cut == 0:
            self.close_connection = True
            return
        if reply.take_over is not None:
            self._hand_over(reply, reply.take_over)
            return
        self.send_response(reply.status)
        for name, value in {"content-type": kind, **reply.headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        if reply.cut is not None:
            self.close_connection = True
        self.wfile.write(raw if reply.cut is None else raw[: reply.cut])

    def _hand_over(self, reply: Reply, take_over: TakeOver) -> None:
        self.close_connection = True
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        take_over(self.connection, self.rfile)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _serve

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the test reads `requests`."""
