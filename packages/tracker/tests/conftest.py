"""A small GitHub on loopback that keeps what is written, and clients that act on it."""

import json
import re
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from tertulia.testing.loopback import Reply, Request, Server, serve
from tertulia_tracker import github as tracker_github

Json = dict[str, Any]
REPO = "acme/demo"
PEOPLE = {"helper": 9001, "alice": 1001, "bob": 1002, "carol": 1003}
DEMO = "/repos/acme/demo"


class GitHub:
    """Keep issues, comments, reviews and review comments by id, and answer as GitHub documents it."""

    def __init__(self, server: Server) -> None:
        self.server, self.url = server, server.url
        self.issues: dict[tuple[str, int], Json] = {}
        self.things: dict[str, dict[int, Json]] = {"issue_comment": {}, "review": {}, "review_comment": {}}
        self.labels: dict[int, list[str]] = {}
        self.landed: list[Json] = []
        self.outcome: Callable[[Callable[[], Reply]], Reply] | None = None
        self.me = "helper"
        self._id, self._lock = 100, threading.RLock()
        for method in ("GET", "POST", "PATCH", "PUT", "DELETE"):
            server.route(method, "/.*", self._answer)

    def issue(self, number: int = 7, repo: str = REPO, **fields: Any) -> Json:
        """Open an issue."""
        url = f"{self.url}/repos/{repo}/issues/{number}"
        self.issues[repo, number] = {
            **self._said("alice", "Since Monday."),
            "url": url,
            "html_url": f"https://github.com/{repo}/issues/{number}",
            "number": number,
            "title": "It fails",
            "state": "open",
            "locked": False,
            **fields,
        }
        return self.issues[repo, number]

    def pull(self, number: int = 8, **fields: Any) -> Json:
        """Open a pull request; seen as an issue it has another id."""
        pull = self.issue(number, head={"ref": "fix"}, ident_as_issue=self._next(), **fields)
        return pull | {"html_url": f"https://github.com/{REPO}/pull/{number}"}

    def say(self, body: str, by: str | None = "alice", number: int = 7, repo: str = REPO) -> Json:
        """Comment on an issue or a pull request."""
        said = self._said(by, body) | {"issue_url": f"{self.url}/repos/{repo}/issues/{number}"}
        said["html_url"] = f"https://github.com/{repo}/issues/{number}#issuecomment-{said['id']}"
        return self._keep("issue_comment", said, number, repo)

    def review(self, body: str, by: str = "alice", state: str = "COMMENTED", number: int = 8) -> Json:
        """Review a pull request; REST gives a review no `created_at`."""
        said = self._said(by, body)
        said |= {"submitted_at": None if state == "PENDING" else said.pop("created_at"), "state": state}
        said["pull_request_url"] = f"{self.url}{DEMO}/pulls/{number}"
        del said["updated_at"]
        return self._keep("review", said, number)

    def remark(self, body: str, by: str = "alice", root: int | None = None, number: int = 8) -> Json:
        """Comment on a line of a pull request."""
        reply = {} if root is None else {"in_reply_to_id": root}
        said = self._said(by, body) | {"path": "a.py", "line": 3, "diff_hunk": "@@", "commit_id": "c0ffee"} | reply
        said |= {"pull_request_url": f"{self.url}{DEMO}/pulls/{number}", "pull_request_review_id": 5}
        return self._keep("review_comment", said, number)

    def listed(self, kind: str, number: int, repo: str = REPO) -> list[Json]:
        """Give what is listed below an issue, without our own notes."""
        kept = [one for one in self.things[kind].values() if one["_at"] == (repo, number)]
        return [{name: value for name, value in one.items() if name != "_at"} for one in kept]

    def count(self, method: str, path: str) -> int:
        """Count the requests a route has had."""
        return len(self.server.asked(method, path))

    def _next(self) -> int:
        self._id += 1
        return self._id

    def _said(self, by: str | None, body: str) -> Json:
        ident = self._next()
        user = None if by is None else {"login": by, "id": PEOPLE[by], "type": "User"}
        time = f"2026-10-01T{ident // 3600 % 24:02}:{ident // 60 % 60:02}:{ident % 60:02}Z"
        return {"id": ident, "user": user, "body": body, "created_at": time, "updated_at": time} | {
            "author_association": "NONE"
        }

    def _keep(self, kind: str, said: Json, number: int, repo: str = REPO) -> Json:
        self.things[kind][said["id"]] = said | {"_at": (repo, number)}
        return said

    def _answer(self, request: Request) -> Reply:
        with self._lock:
            if request.path == "/user":
                return Reply(200, {"login": self.me, "id": PEOPLE[self.me], "type": "User"})
            for pattern, handle in ROUTES:
                if found := re.fullmatch(pattern, request.path):
                    return handle(self, request, **found.groupdict())
        return MISSING

    def _opening(self, request: Request, repo: str, number: str, place: str) -> Reply:
        issue = self.issues.get((repo, int(number)))
        if issue is None or (place == "pulls" and "head" not in issue):
            return MISSING
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
            return MISSING
        kind = {"reviews": "review", "comments": "issue_comment" if place == "issues" else "review_comment"}[what]
        if request.method == "POST":
            return self._post(request, kind, repo, int(number))
        since = request.query.get("since", "")
        found = [one for one in self.listed(kind, int(number), repo) if one.get("updated_at", since) >= since]
        return paged(request, found)

    def _reply(self, request: Request, repo: str, number: str, root: str) -> Reply:
        if int(root) not in self.things["review_comment"]:
            return MISSING
        return self._post(request, "review_comment", repo, int(number), int(root))

    def _post(self, request: Request, kind: str, repo: str, number: int, root: int | None = None) -> Reply:
        def land() -> Reply:
            body = request.json()["body"]
            if kind == "issue_comment":
                said = self.say(body, self.me, number, repo)
            else:
                said = self.remark(body, self.me, root or request.json().get("in_reply_to"), number)
            self.landed.append(said)
            return Reply(201, said)

        outcome, self.outcome = self.outcome, None
        return land() if outcome is None else outcome(land)

    def _one(self, request: Request, repo: str, ident: str, place: str, number: str | None = None) -> Reply:
        kind = "review" if number else {"issues": "issue_comment", "pulls": "review_comment"}[place]
        one = self.things[kind].get(int(ident))
        if one is None or one["_at"][0] != repo or (number and one["_at"][1] != int(number)):
            return MISSING
        if request.method == "DELETE":
            del self.things[kind][int(ident)]
            return Reply(204)
        if request.method in ("PATCH", "PUT"):
            one |= request.json()
        return Reply(200, {name: value for name, value in one.items() if name != "_at"})

    def _labels(self, request: Request, repo: str, number: str, name: str | None = None) -> Reply:
        if (repo, int(number)) not in self.issues:
            return MISSING
        names = self.labels.setdefault(int(number), [])
        if request.method == "POST":
            names += [one for one in request.json()["labels"] if one not in names]
        if request.method == "DELETE":
            if name not in names:
                return MISSING
            names.remove(name)
        return Reply(200, [{"name": one} for one in names])


MISSING = Reply(404, {"message": "Not Found", "status": "404"})
AT = r"/repos/(?P<repo>[^/]+/[^/]+)/(?P<place>issues|pulls)"
ISSUE = r"/repos/(?P<repo>[^/]+/[^/]+)/issues/(?P<number>\d+)"
PULL = r"/repos/(?P<repo>[^/]+/[^/]+)/pulls/(?P<number>\d+)"
ROUTES: list[tuple[str, Callable[..., Reply]]] = [
    (rf"{AT}/(?P<number>\d+)", GitHub._opening),
    (rf"{AT}/(?P<number>\d+)/(?P<what>comments|reviews)", GitHub._list),
    (rf"{AT}/comments/(?P<ident>\d+)", GitHub._one),
    (rf"{AT}/(?P<number>\d+)/reviews/(?P<ident>\d+)", GitHub._one),
    (rf"{PULL}/comments/(?P<root>\d+)/replies", GitHub._reply),
    (rf"{ISSUE}/labels(?:/(?P<name>[^/]+))?", GitHub._labels),
]


def paged(request: Request, found: list[Json]) -> Reply:
    """Give one page of a list, with GitHub's links."""
    size, page = int(request.query.get("per_page", 30)), int(request.query.get("page", 1))
    last = max(1, -(-len(found) // size))
    links = [("next", page + 1), ("last", last)] if page < last else []
    told = ", ".join(f'<https://api.invalid{request.path}?page={at}>; rel="{name}"' for name, at in links)
    return Reply(200, found[(page - 1) * size : page * size], {"link": told} if told else {})


class Time:
    """Let seconds pass without waiting for them."""

    def __init__(self) -> None:
        self.at, self.slept = 0.0, list[float]()

    async def sleep(self, seconds: float) -> None:
        """Pass the time."""
        self.slept.append(seconds)
        self.at += seconds

    def now(self) -> float:
        """Give the time."""
        return self.at


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
def github() -> Iterator[GitHub]:
    """A GitHub with an issue 7 by alice."""
    with serve() as server:
        made = GitHub(server)
        made.issue(7)
        yield made


@pytest.fixture
def time() -> Time:
    """The clock of the client."""
    return Time()


@pytest.fixture
async def client(github: GitHub, time: Time) -> AsyncIterator[tracker_github.Client]:
    """A client that acts as helper, and fails at once where another would wait."""
    options: Any = {
        "token": "token-of-helper",
        "api_url": github.url,
        "max_wait": 0,
        "http": {"trust_env": False, "verify": False},
    }
    async with tracker_github.connect(**options) as made:
        yield tracker_github.Client(made.http, sleep=time.sleep, clock=time.now)


def sent(request: Request) -> str:
    """Give the body of a message that was sent."""
    return str(json.loads(request.body)["body"])
