"""How requests are answered, and what a broken wire makes of the answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from urllib.parse import unquote

from tertulia.testing.github import refusals
from tertulia.testing.github._state import APPS, PEOPLE, Json, State, user
from tertulia.testing.line import Line
from tertulia.testing.loopback import Reply, Request, Server
from tertulia.testing.wire import Fault

__all__ = ["GitHub"]

_BROKEN = {
    Fault.DENY: refusals.BAD_CREDENTIALS,
    Fault.LIMIT: refusals.slow_down("3600"),
    Fault.CUT: Reply(200, {"message": "never read whole"}, cut=4),
}
_WRITES = frozenset({"POST", "PATCH", "PUT", "DELETE"})
_NAMING = frozenset({"/user", "/graphql"})


class GitHub(State, Line):
    """Answer on a server. `break_with` breaks the wire, `refuse` and `cut` break one route, `lose` and `drop` the next post.

    `remaining` are the requests that are left of the hour, and `tells_last` says whether a page links to the last one.
    """

    def __init__(self, server: Server) -> None:
        State.__init__(self, server.url)
        Line.__init__(self)
        self.server = server
        self.remaining: int = 5000
        self.tells_last: bool = True
        for method in ("GET", *_WRITES):
            server.route(method, "/.*", self.answer)

    @property
    def writes(self) -> int:
        """Count the writes that have arrived."""
        return sum(r.method in _WRITES and r.path != "/graphql" for r in self.server.requests)

    def count(self, method: str, path: str) -> int:
        """Count the requests a route has had."""
        return len(self.server.asked(method, path))

    def refuse(self, *replies: Reply, path: str = "/.*", method: str = "GET") -> None:
        """Answer the next requests of a route in this way, one after the other; those after them as always."""
        self.server.route(method, path, *replies, self.answer)

    def cut(self, path: str, *, method: str = "GET") -> None:
        """Cut the connection in the middle of the next answer of a route."""

        def half(request: Request) -> Reply:
            reply = self.answer(request)
            return replace(reply, cut=len(json.dumps(reply.body)) // 2)

        self.server.route(method, path, half, self.answer)

    def answer(self, request: Request) -> Reply:
        """Give the reply to a request."""
        with self._lock:
            reply = self._broken(request) or self._metered(request)
            writes = request.method in _WRITES
            if self.fault is Fault.LOSE and writes:
                self.mend()
                return refusals.BAD_GATEWAY
            held = self.holds(writes)
        return self.send(reply, held=held)

    def _broken(self, request: Request) -> Reply | None:
        match self.fault:
            case Fault.DENY | Fault.LIMIT | Fault.CUT as fault:
                return _BROKEN[fault]
            case Fault.NAMELESS if request.path in _NAMING:
                return refusals.INTEGRATION
            case Fault.HIDE if request.path != "/user":
                return refusals.NOT_FOUND
            case Fault.DROP if request.method in _WRITES:
                self.mend()
                return refusals.BAD_GATEWAY
            case Fault.MOVE:
                return Reply(307, {}, {"location": f"{self.elsewhere}{request.path}"})
            case _:
                return None

    def _metered(self, request: Request) -> Reply:
        """Count a request against the hour, and say so."""
        if self.remaining == 0:
            return refusals.hour_is_used_up()
        self.remaining -= 1
        reply = self._routed(request)
        told = {"x-ratelimit-limit": "5000", "x-ratelimit-remaining": str(self.remaining)}
        return replace(reply, headers={**told, **reply.headers})

    def _routed(self, request: Request) -> Reply:
        path = re.sub(r"/repositories/\d+", lambda found: f"/repos/{self.repository_at(found[0])}", request.path)
        for pattern, handle in _ROUTES:
            if found := re.fullmatch(pattern, path):
                return handle(self, request, **found.groupdict())
        return refusals.NOT_FOUND

    def _me(self, request: Request) -> Reply:
        """Name the token's account; REST does not name that of an installed app, and GraphQL does."""
        if request.path == "/graphql":
            account = user(self.me)
            viewer = {"__typename": account["type"], "login": self.me, "databaseId": account["id"]}
            return Reply(200, {"data": {"viewer": viewer}})
        return refusals.INTEGRATION if self.me in APPS else Reply(200, user(self.me))

    def _account(self, request: Request, wanted: str) -> Reply:
        """Find an account by its login or its id."""
        known = [login for login, number in (PEOPLE | APPS).items() if unquote(wanted) in (login, str(number))]
        return Reply(200, user(known[0])) if known else refusals.NOT_FOUND

    def _opening(self, request: Request, repo: str, number: str, place: str) -> Reply:
        at = (repo, int(number))
        if at in self.moved:
            there, now = self.moved[at]
            return Reply(301, {}, {"location": f"{self.url}{self.repository(there)}/{place}/{now}"})
        issue = self.issues.get(at)
        if issue is None or (place == "pulls" and "head" not in issue):
            return refusals.DELETED if at in self.erased else refusals.NOT_FOUND
        if request.method == "PATCH":
            issue |= request.json()
        comments = len(self.listed("issue_comment", int(number), repo))
        names = [{"name": name} for name in self.labels.get(int(number), [])]
        shown = {"comments": comments, "labels": names, **issue}
        as_issue = shown.pop("ident_as_issue", None)
        if place == "pulls":
            return Reply(200, {"review_comments": len(self.listed("review_comment", int(number))), **shown})
        if as_issue is not None:
            shown |= {"id": as_issue, "pull_request": {"url": "..."}}
            del shown["head"]
        return Reply(200, shown)

    def _list(self, request: Request, repo: str, number: str, place: str, what: str) -> Reply:
        if (repo, int(number)) not in self.issues:
            return refusals.NOT_FOUND
        kind = {"reviews": "review", "comments": "issue_comment" if place == "issues" else "review_comment"}[what]
        if request.method == "POST":
            return self._post(request, kind, repo, int(number))
        since = request.query.get("since", "")
        found = [one for one in self.listed(kind, int(number), repo) if one.get("updated_at", since) >= since]
        reply = self._paged(request, found)
        if kind == "issue_comment" and request.query.get("page", "1") == "1":
            self._shifted(int(number), repo)
        return reply

    def _paged(self, request: Request, found: list[Json]) -> Reply:
        """Give one page of a list, with GitHub's links."""
        size, page = int(request.query.get("per_page", 30)), int(request.query.get("page", 1))
        last = max(1, -(-len(found) // size))
        links = [("next", page + 1)] if page < last else []
        if links and self.tells_last:
            links.append(("last", last))
        told = ", ".join(f'<https://api.invalid{request.path}?page={at}>; rel="{name}"' for name, at in links)
        start = (page - 1) * size - (self.fault is Fault.REPEAT and page > 1)
        return Reply(200, [_shown(one) for one in found[start : page * size]], {"link": told} if told else {})

    def _reply(self, request: Request, repo: str, number: str, root: str) -> Reply:
        if int(root) not in self.things["review_comment"]:
            return refusals.NOT_FOUND
        return self._post(request, "review_comment", repo, int(number), int(root))

    def _post(self, request: Request, kind: str, repo: str, number: int, root: int | None = None) -> Reply:
        if self.issues[repo, number]["locked"]:
            return refusals.LOCKED

        def land() -> Reply:
            body = request.json()["body"]
            if kind == "issue_comment":
                said = self.say(body, self.me, number, repo)
            else:
                said = self.remark(body, self.me, root or request.json().get("in_reply_to"), number)
            self.landed.append(said)
            return Reply(201, said)

        return self.write(land)

    def _one(self, request: Request, repo: str, ident: str, place: str, number: str | None = None) -> Reply:
        kind = "review" if number else {"issues": "issue_comment", "pulls": "review_comment"}[place]
        one = self.things[kind].get(int(ident))
        if one is None or one["_at"][0] != repo or (number and one["_at"][1] != int(number)):
            return refusals.NOT_FOUND
        if request.method == "DELETE":
            self.remove(kind, int(ident))
            return Reply(204)
        if request.method in ("PATCH", "PUT"):
            self.alter(kind, int(ident), request.json()["body"])
        return Reply(200, _shown(one))

    def _labels(self, request: Request, repo: str, number: str, name: str | None = None) -> Reply:
        if (repo, int(number)) not in self.issues:
            return refusals.NOT_FOUND
        names = self.labels.setdefault(int(number), [])
        if request.method == "POST":
            for one in request.json()["labels"]:
                if one.lower() not in {known.lower() for known in names}:
                    names.append(one)
        if request.method == "DELETE":
            if unquote(name or "") not in names:
                return refusals.NOT_FOUND
            names.remove(unquote(name or ""))
        return Reply(200, [{"name": one} for one in names])


def _shown(one: Mapping[str, object]) -> Json:
    """Leave out our own notes."""
    return {name: value for name, value in one.items() if name != "_at"}


_AT = r"/repos/(?P<repo>[^/]+/[^/]+)/(?P<place>issues|pulls)"
_ISSUE = r"/repos/(?P<repo>[^/]+/[^/]+)/issues/(?P<number>\d+)"
_PULL = r"/repos/(?P<repo>[^/]+/[^/]+)/pulls/(?P<number>\d+)"
_ROUTES: list[tuple[str, Callable[..., Reply]]] = [
    ("/user|/graphql", GitHub._me),
    (r"/users?/(?P<wanted>[^/]+)", GitHub._account),
    (rf"{_AT}/(?P<number>\d+)", GitHub._opening),
    (rf"{_AT}/(?P<number>\d+)/(?P<what>comments|reviews)", GitHub._list),
    (rf"{_AT}/comments/(?P<ident>\d+)", GitHub._one),
    (rf"{_AT}/(?P<number>\d+)/reviews/(?P<ident>\d+)", GitHub._one),
    (rf"{_PULL}/comments/(?P<root>\d+)/replies", GitHub._reply),
    (rf"{_ISSUE}/labels(?:/(?P<name>[^/]+))?", GitHub._labels),
]
