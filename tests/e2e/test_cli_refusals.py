"""The command where GitHub refuses, is slow, is not there, or has more or less to tell than usual: a scripted server."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tertulia.testing.github import refusals
from tertulia.testing.loopback import Reply, Request, Server, serve

Call = Callable[..., Any]

ISSUE = "/repos/acme/demo/issues/7"
AT = "2026-10-01T10:00:00Z"
LINE = re.compile(r"error: .+ \(.+\): .+\n")


@pytest.fixture
def server() -> Iterator[Server]:
    """Run a GitHub that knows who `helper` is, and nothing else."""
    with serve() as running:
        running.route("GET", "/user", Reply(body=person(500, "helper")))
        yield running


@pytest.fixture
def tertulia(here: Call, server: Server) -> Call:
    """Run the command against the server, in this process."""
    return partial(here, server.url)


def person(ident: int, login: str) -> dict[str, Any]:
    """Write an account."""
    return {"id": ident, "login": login, "type": "User"}


def opening(server: Server, comments: int = 0, user: Any = None) -> dict[str, Any]:
    """Write the issue."""
    return {
        "id": 70,
        "number": 7,
        "title": "It fails",
        "body": "Please look.",
        "user": user,
        "author_association": "NONE",
        "created_at": AT,
        "updated_at": AT,
        "state": "open",
        "labels": [],
        "comments": comments,
        "url": server.url + ISSUE,
        "html_url": page(server),
    }


def comment(server: Server, number: int, body: str, user: Any = None) -> dict[str, Any]:
    """Write a comment."""
    return {
        "id": number,
        "body": body,
        "user": user,
        "author_association": "MEMBER" if user else "NONE",
        "created_at": AT,
        "updated_at": AT,
        "issue_url": server.url + ISSUE,
        "html_url": f"{page(server)}#issuecomment-{number}",
    }


def page(server: Server) -> str:
    """Give the issue's web address."""
    return f"{server.url}/acme/demo/issues/7"


def hold(server: Server, comments: list[dict[str, Any]], user: Any = None) -> None:
    """Let the server have the issue with these comments, in pages."""

    def listed(request: Request) -> Reply:
        size, number = int(request.query.get("per_page", 30)), int(request.query.get("page", 1))
        last = max(1, -(-len(comments) // size))
        link = f'<{server.url}{ISSUE}/comments?per_page={size}&page={last}>; rel="last"'
        found = comments[size * (number - 1) : size * number]
        return Reply(body=found, headers={"link": link} if number < last else {})

    server.route("GET", ISSUE, lambda request: Reply(body=opening(server, len(comments), user)))
    server.route("GET", f"{ISSUE}/comments", listed)


REFUSALS = [
    (refusals.BAD_CREDENTIALS, "check that GITHUB_TOKEN still holds"),
    (
        Reply(403, {"message": "Resource not accessible by personal access token"}),
        "check that GITHUB_TOKEN still holds",
    ),
    (
        Reply(403, {"message": "Not accessible"}, headers={"x-accepted-github-permissions": "issues=read"}),
        "give the token in GITHUB_TOKEN what it needs: issues=read",
    ),
    (refusals.NOT_FOUND, "check the address, and that the account of GITHUB_TOKEN may see it"),
    (refusals.DELETED, "check the address"),
]


@pytest.mark.parametrize(("reply", "told"), REFUSALS, ids=["401", "403", "403-permission", "404", "410"])
@pytest.mark.parametrize("command", ["context", "reply", "demo"])
def test_a_refusal_is_one_line_that_says_what_to_do(
    command: str, reply: Reply, told: str, tertulia: Call, server: Server
) -> None:
    server.route("GET", ".*", reply)
    if reply.status != 401:
        server.route("GET", "/user", Reply(body=person(500, "helper")))
    url = ["--url", page(server), "--agent", "helper", "--body", "-"] if command == "reply" else [page(server)]

    done = tertulia(command, *url, stdin="Hello.")

    assert (done.status, done.out) == (3, "")
    assert LINE.fullmatch(done.err), done.err
    assert f"(github:acme/demo#7): {told}" in done.err
    assert "token-of-helper" not in done.err


def test_the_token_is_in_no_log_either(tertulia: Call, server: Server) -> None:
    server.route("GET", ".*", Reply(401, {"message": "Bad credentials: token-of-helper"}))

    done = tertulia("context", page(server), "--debug")

    assert "GET /repos/acme/demo/issues/7: 401" in done.err
    assert "Bearer" not in done.err


def test_a_limit_beyond_patience_says_how_long_to_wait(tertulia: Call, server: Server) -> None:
    told = {"message": "You have exceeded a secondary rate limit."}
    server.route("GET", ISSUE, Reply(403, told, headers={"retry-after": "300"}))

    done = tertulia("context", page(server))

    assert (done.status, done.out) == (4, "")
    assert re.search(r"\(github:acme/demo#7\): wait (300|299) s, then try again\n$", done.err)


@pytest.mark.parametrize("command", ["context", "doctor"])
def test_no_network_is_one_line_that_names_the_host(command: str, here: Call) -> None:
    with serve() as gone:
        url = gone.url
    host = url.removeprefix("http://")

    done = here(url, command, *([f"{url}/acme/demo/issues/7"] if command == "context" else []))

    assert done.status == 4
    assert f"no answer from {host}" in done.out + done.err
    assert command == "doctor" or LINE.fullmatch(done.err)


def test_a_slow_server_is_waited_for_and_can_be_left(server: Server, elsewhere: Call, tmp_path: Path) -> None:
    hold(server, [])
    server.route("GET", ISSUE, Reply(body=opening(server), delay=1.0), Reply(body=opening(server), delay=30.0))
    slow = elsewhere(server.url, "context", page(server), "--json")

    env = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    env |= {"GITHUB_API_URL": server.url, "GITHUB_TOKEN": "token-of-helper"}
    command = [str(Path(sys.executable).with_name("tertulia")), "context", page(server), "--output", "context.md"]
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=env, cwd=tmp_path, **streams) as child:
        while len(server.asked("GET", ISSUE)) < 2:
            time.sleep(0.02)
        child.send_signal(signal.SIGINT)
        ended = child.communicate(timeout=20)

    assert slow.json()["counts"]["body"] == 1
    assert (child.returncode, *ended) == (130, b"", b"")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/acme/demo/issues/7",
        "https://github.com.evil.example/acme/demo/issues/7",
        "https://github.com@evil.example/acme/demo/issues/7",
        "{server}/acme/demo",
        "{server}/acme/demo/issues",
        "{server}/acme/demo/issues/new",
        "{server}/acme/demo/blob/main/README.md",
        "{server}/repos/acme/demo/issues/7",
        "{server}/acme/../demo/issues/7",
        "acme/demo#7",
        "7",
    ],
)
def test_what_is_no_thread_here_is_refused_before_any_request(url: str, tertulia: Call, server: Server) -> None:
    given = url.replace("{server}", server.url)

    shown = tertulia("context", given)
    posted = tertulia("reply", "--url", given, "--agent", "helper", "--body", "-", stdin="Hello.")

    assert (shown.status, posted.status) == (2, 2)
    assert LINE.fullmatch(shown.err), shown.err
    assert "GITHUB_API_URL" in shown.err
    assert server.requests == []


def test_an_event_of_another_host_is_refused_before_any_request(tertulia: Call, server: Server, tmp_path: Path) -> None:
    event = tmp_path / "event.json"
    event.write_text(json.dumps(asked("https://evil.example/acme/demo/issues/7")))

    done = [
        tertulia("context", "--event", str(event)),
        tertulia("reply", "--event", str(event), "--agent", "helper", "--body", "-", stdin="Hello."),
        tertulia("normalize", "--system", "json", str(event), "--enrich"),
    ]

    assert [one.status for one in done] == [2, 2, 2]
    assert all(LINE.fullmatch(one.err) for one in done)
    assert server.requests == []


def asked(url: str) -> dict[str, Any]:
    """Write the event of a question."""
    author = {"id": "1001", "login": "maint-a", "kind": "human"}
    return {
        "repo": "acme/demo",
        "entity": {"kind": "work_item", "id": 7, "url": url},
        "transition": {
            "kind": "comment_added",
            "comment": {"id": "101", "parent_id": "101", "body": "/ask", "command": "/ask", "author": author},
        },
        "actor": {"id": "maint-a", "kind": "human", "role": "none", "is_entity_author": False, "account_id": "1001"},
        "state": {"labels": ["bug"]},
        "source": {"system": "github", "raw_type": "issue_comment", "raw_action": "created"},
    }


def test_what_enriching_may_not_look_up_is_less_trust_and_one_line(
    tertulia: Call, server: Server, tmp_path: Path
) -> None:
    event = tmp_path / "event.json"
    event.write_text(json.dumps(asked(page(server))))
    server.route("GET", "/repos/acme/demo/.*", Reply(403, {"message": "Must have push access"}))

    done = tertulia("normalize", "--system", "json", str(event), "--enrich")

    (enriched,) = done.json()["events"]
    assert (enriched["actor"]["role"], enriched["actor"]["role_verified"]) == ("none", False)
    assert enriched["state"]["labels"] == ["bug"]
    assert done.err.startswith("note: less is trusted: ")
    assert len(done.err.splitlines()) == 1


def test_2500_comments_are_read_whole(tertulia: Call, server: Server) -> None:
    maintainer = person(1001, "maint-a")
    hold(server, [comment(server, number, f"note {number}", maintainer) for number in range(1, 2_501)])

    context = tertulia("context", page(server), "--trigger-author", "1001", "--json").json()

    assert context["counts"]["flow"] == 2_500
    assert context["flow"] == [f"issue_comment:{number}" for number in range(1, 2_501)]
    assert len(server.asked("GET", f"{ISSUE}/comments")) == 25


def test_an_author_who_is_gone_is_nobody(tertulia: Call, server: Server) -> None:
    hold(server, [comment(server, 101, "/ask why?"), comment(server, 102, "Mine.", person(1001, "maint-a"))])

    context = tertulia("context", page(server), "--trigger-author", "1001", "--json").json()

    first, second, third = context["records"]
    assert [record["decision"] for record in (first, second, third)] == ["body", "unverified", "flow"]
    assert "user_login" not in first
    assert "user_login" not in second


def test_an_answer_that_landed_unseen_is_found_and_not_sent_again(tertulia: Call, server: Server) -> None:
    said: list[dict[str, Any]] = []
    hold(server, said)

    def land(request: Request) -> Reply:
        said.append(comment(server, 900 + len(said), request.json()["body"], person(500, "helper")))
        return Reply(201, cut=0)

    server.route("POST", f"{ISSUE}/comments", land)
    reply = ("reply", "--url", page(server), "--agent", "helper", "--body", "-")

    first, second = tertulia(*reply, stdin="Hello.").json(), tertulia(*reply, stdin="Hello.").json()

    assert first == second
    assert first["messages"][0]["ref"] == "issue_comment:900"
    assert len(server.asked("POST", ".*")) == 1
