"""The command where GitHub refuses, is slow, is not there, or has more or less to tell than usual."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tertulia.testing.github import GitHub, refusals
from tertulia.testing.loopback import Reply, serve

Call = Callable[..., Any]

ISSUE = "/repos/acme/demo/issues/7"
LINE = re.compile(r"error: .+ \(.+\): .+\n")


@pytest.fixture
def github() -> Iterator[GitHub]:
    """Run a GitHub with an issue 7 by alice."""
    with serve() as server:
        made = GitHub(server)
        made.issue(7)
        yield made


@pytest.fixture
def tertulia(here: Call, github: GitHub) -> Call:
    """Run the command against the server, in this process."""
    return partial(here, github.url)


def page(github: GitHub) -> str:
    """Give the issue's web address."""
    return f"{github.url}/acme/demo/issues/7"


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
    command: str, reply: Reply, told: str, tertulia: Call, github: GitHub
) -> None:
    github.server.route("GET", ".*" if reply.status == 401 else "/repos/.*", reply)
    url = ["--url", page(github), "--agent", "helper", "--body", "-"] if command == "reply" else [page(github)]

    done = tertulia(command, *url, stdin="Hello.")

    assert (done.status, done.out) == (3, "")
    assert LINE.fullmatch(done.err), done.err
    assert f"(github:acme/demo#7): {told}" in done.err
    assert "token-of-helper" not in done.err


def test_the_token_is_in_no_log_either(tertulia: Call, github: GitHub) -> None:
    github.server.route("GET", ".*", Reply(401, {"message": "Bad credentials: token-of-helper"}))

    done = tertulia("context", page(github), "--debug")

    assert "GET /repos/acme/demo/issues/7: 401" in done.err
    assert "Bearer" not in done.err


def test_a_limit_beyond_patience_says_how_long_to_wait(tertulia: Call, github: GitHub) -> None:
    github.server.route("GET", ISSUE, replace(refusals.SECONDARY, headers={"retry-after": "300"}))

    done = tertulia("context", page(github))

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


def test_a_slow_server_is_waited_for_and_can_be_left(github: GitHub, elsewhere: Call, tmp_path: Path) -> None:
    github.latency = 0.5
    slow = elsewhere(github.url, "context", page(github), "--json")
    github.latency, answered = 30.0, len(github.server.requests)

    env = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    env |= {"GITHUB_API_URL": github.url, "GITHUB_TOKEN": "token-of-helper"}
    command = [str(Path(sys.executable).with_name("tertulia")), "context", page(github), "--output", "context.md"]
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=env, cwd=tmp_path, **streams) as child:
        while len(github.server.requests) == answered:
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
def test_what_is_no_thread_here_is_refused_before_any_request(url: str, tertulia: Call, github: GitHub) -> None:
    given = url.replace("{server}", github.url)

    shown = tertulia("context", given)
    posted = tertulia("reply", "--url", given, "--agent", "helper", "--body", "-", stdin="Hello.")

    assert (shown.status, posted.status) == (2, 2)
    assert LINE.fullmatch(shown.err), shown.err
    assert "GITHUB_API_URL" in shown.err
    assert github.server.requests == []


def test_an_event_of_another_host_is_refused_before_any_request(tertulia: Call, github: GitHub, tmp_path: Path) -> None:
    event = tmp_path / "event.json"
    event.write_text(json.dumps(asked("https://evil.example/acme/demo/issues/7")))

    done = [
        tertulia("context", "--event", str(event)),
        tertulia("reply", "--event", str(event), "--agent", "helper", "--body", "-", stdin="Hello."),
        tertulia("normalize", "--system", "json", str(event), "--enrich"),
    ]

    assert [one.status for one in done] == [2, 2, 2]
    assert all(LINE.fullmatch(one.err) for one in done)
    assert github.server.requests == []


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
    tertulia: Call, github: GitHub, tmp_path: Path
) -> None:
    event = tmp_path / "event.json"
    event.write_text(json.dumps(asked(page(github))))
    github.server.route("GET", "/repos/acme/demo/.*", Reply(403, {"message": "Must have push access"}))

    done = tertulia("normalize", "--system", "json", str(event), "--enrich")

    (enriched,) = done.json()["events"]
    assert (enriched["actor"]["role"], enriched["actor"]["role_verified"]) == ("none", False)
    assert enriched["state"]["labels"] == ["bug"]
    assert done.err.startswith("note: less is trusted: ")
    assert len(done.err.splitlines()) == 1


def test_2500_comments_are_read_whole(tertulia: Call, github: GitHub) -> None:
    github.associations["alice"] = "MEMBER"
    said = [github.say(f"note {number}") for number in range(2_500)]

    context = tertulia("context", page(github), "--trigger-author", "1001", "--json").json()

    assert context["flow"] == [f"issue_comment:{one['id']}" for one in said]
    assert github.count("GET", f"{ISSUE}/comments") == 25


def test_an_author_who_is_gone_is_nobody(tertulia: Call, github: GitHub) -> None:
    github.associations["alice"] = "MEMBER"
    for author in ("bob", "alice"):
        github.say("/ask why?", by=author)
    github.issues["acme/demo", 7]["user"] = None
    github.depart("bob")

    context = tertulia("context", page(github), "--trigger-author", "1001", "--json").json()

    first, second, third = context["records"]
    assert [record["decision"] for record in (first, second, third)] == ["body", "unverified", "flow"]
    assert "user_login" not in first
    assert "user_login" not in second


def test_an_answer_that_landed_unseen_is_found_and_not_sent_again(tertulia: Call, github: GitHub) -> None:
    github.lose(Reply(201, cut=0))
    reply = ("reply", "--url", page(github), "--agent", "helper", "--body", "-")

    first, second = tertulia(*reply, stdin="Hello.").json(), tertulia(*reply, stdin="Hello.").json()

    assert first == second
    assert [message["ref"] for message in first["messages"]] == [f"issue_comment:{one['id']}" for one in github.landed]
