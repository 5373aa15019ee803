"""How requests are answered, and what a broken wire makes of the answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from urllib.parse import parse_qsl

from tertulia.testing.line import BAD_GATEWAY, Line
from tertulia.testing.loopback import Reply, Request, Server
from tertulia.testing.slack._methods import METHODS, WRITES, Refused, Workspace
from tertulia.testing.slack._socket_mode import SocketMode
from tertulia.testing.slack._state import Json
from tertulia.testing.wire import Fault

__all__ = ["Slack"]

_API = "/api/"
_NAMING = "auth.test"
_CONNECTING, _CONNECTS = "apps.connections.open", "connections:write"
_HIDDEN = "channel_not_found"


class Slack(Workspace, Line):
    """Answer on a server. `break_with` breaks the wire, and `refuse` answers the next calls of one method in another way.

    `token` is the one that is taken, `scopes` are granted to it, and `left` counts down the calls of a method until it is
    limited; without an entry it is not. `socket_mode` sends events to whom `app_token` belongs, if it has the `app_scopes`.
    """

    def __init__(self, server: Server) -> None:
        Workspace.__init__(self)
        Line.__init__(self)
        self.server = server
        self.token: str | None = None
        self.scopes: set[str] = {scope for _, scope in METHODS.values() if scope}
        self.app_token: str | None = None
        self.app_scopes: set[str] = {_CONNECTS}
        self.socket_mode: SocketMode = SocketMode(server)
        self.left: dict[str, int] = {}
        for method in ("GET", "POST"):
            server.route(method, f"{_API}.*", self.answer)

    @property
    def url(self) -> str:
        """Give the address of the API."""
        return f"{self.server.url}{_API}"

    @property
    def writes(self) -> int:
        """Count the writes that have arrived."""
        return sum(self.asked(method) for method in WRITES)

    def asked(self, method: str) -> int:
        """Count the calls of a method."""
        return len([one for one in self.server.requests if one.path == f"{_API}{method}"])

    def refuse(self, method: str, *replies: Reply) -> None:
        """Answer the next calls of a method in this way, one after the other; those after them as always."""
        self.server.route("POST", f"{_API}{method}", *replies, self.answer)
        self.server.route("GET", f"{_API}{method}", *replies, self.answer)

    def answer(self, request: Request) -> Reply:
        """Give the reply to a request."""
        method = request.path.removeprefix(_API)
        with self._lock:
            reply = self._broken(method) or self._outcome(method, request)
            held = self.holds(method in WRITES)
        return self.send(reply, held=held)

    def _outcome(self, method: str, request: Request) -> Reply:
        if method not in WRITES:
            return self._called(method, request)
        if self.fault is Fault.LOSE:
            self.mend()
            self.lose()
        return self.write(lambda: self._called(method, request))

    def _broken(self, method: str) -> Reply | None:
        self.repeats: bool = self.fault is Fault.REPEAT
        match self.fault:
            case Fault.DENY:
                return _refusal("invalid_auth")
            case Fault.NAMELESS if method == _NAMING:
                return _refusal("not_allowed_token_type")
            case Fault.HIDE if method != _NAMING:
                return _refusal(_HIDDEN)
            case Fault.LIMIT:
                return _limited("3600")
            case Fault.CUT:
                return Reply(200, {"ok": True, "message": "never read whole"}, cut=4)
            case Fault.DROP if method in WRITES:
                self.mend()
                return BAD_GATEWAY
            case Fault.MOVE:
                return Reply(307, {}, {"location": f"{self.elsewhere}{_API}{method}"})
            case _:
                return None

    def _called(self, method: str, request: Request) -> Reply:
        if self.left.get(method) == 0:
            return _limited("60")
        if method in self.left:
            self.left[method] -= 1
        granted = ",".join(sorted(self.app_scopes if method == _CONNECTING else self.scopes))
        headers = {"x-oauth-scopes": granted, "x-slack-req-id": f"req-{len(self.server.requests)}"}
        try:
            return Reply(200, {"ok": True, **self._done(method, request)}, headers)
        except Refused as refused:
            told = {"needed": refused.needed, "provided": granted} if refused.needed else {}
            return Reply(200, {"ok": False, "error": refused.error, **told}, headers)

    def _done(self, method: str, request: Request) -> Json:
        if method == _CONNECTING:
            self._admit_app(request)
            return {"url": self.socket_mode.address()}
        known = METHODS.get(method)
        if known is None:
            raise Refused("unknown_method")
        self._admit(request, known[1])
        return known[0](self, _arguments(request))

    def _admit_app(self, request: Request) -> None:
        """Take an app-level token only, which has scopes of its own."""
        if not _token(request, self.app_token).startswith("xapp-"):
            raise Refused("not_allowed_token_type")
        if _CONNECTS not in self.app_scopes:
            raise Refused("missing_scope", _CONNECTS)

    def _admit(self, request: Request, scope: str) -> None:
        _token(request, self.token)
        if scope and scope not in self.scopes:
            raise Refused("missing_scope", scope)


def _token(request: Request, known: str | None) -> str:
    """Give the token of a request, which must be the one that is known when one is."""
    token = request.headers.get("authorization", "").removeprefix("Bearer ")
    if not token:
        raise Refused("not_authed")
    if known is not None and token != known:
        raise Refused("invalid_auth")
    return token


def _arguments(request: Request) -> Mapping[str, str]:
    """Read arguments wherever Slack takes them: in the address, a form or JSON."""
    if "json" in request.headers.get("content-type", ""):
        sent: Json = request.json()
        return {
            **request.query,
            **{name: value if isinstance(value, str) else json.dumps(value) for name, value in sent.items()},
        }
    return {**request.query, **dict(parse_qsl(request.body.decode(), keep_blank_values=True))}


def _refusal(error: str) -> Reply:
    return Reply(200, {"ok": False, "error": error})


def _limited(seconds: str) -> Reply:
    return Reply(429, {"ok": False, "error": "ratelimited"}, {"retry-after": seconds})
