"""What is kept, and what people do on the site."""

from __future__ import annotations

import threading
from typing import Any

__all__ = ["APPS", "DEMO", "KINDS", "PEOPLE", "REPO", "Json", "State", "user"]

Json = dict[str, Any]
REPO = "acme/demo"
DEMO = "/repos/acme/demo"
PEOPLE = {"helper": 9001, "alice": 1001, "bob": 1002, "carol": 1003}
APPS = {"helper[bot]": 9002}
"""The accounts of installed apps; `me` may be one."""
KINDS = ("issue_comment", "review", "review_comment")


class State:
    """Keep issues, comments, reviews and review comments by id.

    `url` is where the API is, `me` whose token is used, and `associations` what people are to the repository: NONE unless said.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.issues: dict[tuple[str, int], Json] = {}
        self.moved: dict[tuple[str, int], tuple[str, int]] = {}
        self.erased: set[tuple[str, int]] = set()
        self.things: dict[str, dict[int, Json]] = {kind: {} for kind in KINDS}
        self.labels: dict[int, list[str]] = {}
        self.landed: list[Json] = []
        self.me = "helper"
        self.associations: dict[str, str] = {}
        self._id, self._lock = 100, threading.RLock()
        self._shifts: dict[tuple[str, int], list[int]] = {}
        self._repositories: dict[str, int] = {}

    def issue(self, number: int = 7, repo: str = REPO, **fields: Any) -> Json:
        """Open an issue."""
        self.issues[repo, number] = {
            **self._said("alice", "Since Monday."),
            **self._addresses(repo, number),
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
        said = self._said(by, body)
        return self._keep("issue_comment", said | self._below(said["id"], repo, number), number, repo)

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

    def alter(self, kind: str, ident: int, body: str) -> Json:
        """Edit a message."""
        one = self.things[kind][ident]
        one["body"] = body
        if "updated_at" in one:
            one["updated_at"] = _time(self._next())
        return one

    def remove(self, kind: str, ident: int) -> None:
        """Delete a message."""
        del self.things[kind][ident]

    def transfer(self, number: int, repo: str, repo_before: str = REPO) -> Json:
        """Move an issue to another repository; everything below its old number is gone."""
        issue = self.issues.pop((repo_before, number))
        at = (repo, number + 1000)
        self.moved[repo_before, number] = at
        self.issues[at] = issue | self._addresses(*at) | {"number": at[1]}
        for one in self.listed("issue_comment", number, repo_before):
            one |= {"_at": at, **self._below(one["id"], *at)}
        return self.issues[at]

    def erase(self, number: int, repo: str = REPO) -> None:
        """Delete an issue with all that is below it."""
        del self.issues[repo, number]
        self.erased.add((repo, number))
        for kind in self.things.values():
            for ident in [ident for ident, one in kind.items() if one["_at"] == (repo, number)]:
                del kind[ident]

    def depart(self, login: str) -> None:
        """Delete somebody's account: what they wrote stays, and is nobody's."""
        for one in [*self.issues.values(), *(one for kind in self.things.values() for one in kind.values())]:
            if one["user"] is not None and one["user"]["login"] == login:
                one["user"] = None

    def shift(self, number: int, ident: int, repo: str = REPO) -> None:
        """Delete a comment as soon as the first page of its issue's comments was given once more; of several, one each time."""
        self._shifts.setdefault((repo, number), []).append(ident)

    def listed(self, kind: str, number: int, repo: str = REPO) -> list[Json]:
        """Give what is listed below an issue, as it is kept."""
        return [one for one in self.things[kind].values() if one["_at"] == (repo, number)]

    def repository(self, repo: str) -> str:
        """Give the route that a repository keeps when it is renamed."""
        return f"/repositories/{self._repositories.setdefault(repo, 700 + len(self._repositories))}"

    def repository_at(self, route: str) -> str:
        """Give the name of the repository with that route; an empty one when there is none."""
        return next((repo for repo in self._repositories if self.repository(repo) == route), "")

    def _shifted(self, number: int, repo: str) -> None:
        pending = self._shifts.get((repo, number))
        if pending:
            self.remove("issue_comment", pending.pop(0))

    def _next(self) -> int:
        self._id += 1
        return self._id

    def _said(self, by: str | None, body: str) -> Json:
        ident = self._next()
        times = {"created_at": _time(ident), "updated_at": _time(ident)}
        association = self.associations.get(by or "", "NONE")
        return {"id": ident, "user": by and user(by), "body": body, **times, "author_association": association}

    def _addresses(self, repo: str, number: int) -> Json:
        below, page = f"{self.url}/repos/{repo}", f"https://github.com/{repo}/issues/{number}"
        return {"url": f"{below}/issues/{number}", "repository_url": below, "html_url": page}

    def _below(self, ident: int, repo: str, number: int) -> Json:
        issue = self._addresses(repo, number)
        return {"issue_url": issue["url"], "html_url": f"{issue['html_url']}#issuecomment-{ident}"}

    def _keep(self, kind: str, said: Json, number: int, repo: str = REPO) -> Json:
        self.things[kind][said["id"]] = said | {"_at": (repo, number)}
        return said


def user(login: str) -> Json:
    """Write an account."""
    kind = "Bot" if login in APPS else "User"
    return {"login": login, "id": (PEOPLE | APPS)[login], "type": kind}


def _time(ident: int) -> str:
    return f"2026-10-01T{ident // 3600 % 24:02}:{ident // 60 % 60:02}:{ident % 60:02}Z"
