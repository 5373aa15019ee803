"""Limits: of points, of nodes, of work, and those that nobody can see beforehand."""

import json
from typing import Any

import pytest

from github_discussions import Discussion, Discussions, secondary
from tertulia.testing.wire import Fault

NESTED = """
query ($first: Int = 10, $below: Int!) {
  rateLimit { cost limit nodeCount remaining used resetAt }
  repository(owner: "acme", name: "demo") { ...Threads }
}
fragment Threads on Repository {
  discussion(number: 7) {
    comments(first: $first) { nodes { ... on DiscussionComment { replies(first: $below) { nodes { id } } } } }
  }
}
"""
MANY = """query ($a: Int!, $b: Int!, $c: Int!) { repository(owner: "acme", name: "demo") { discussions(first: $a) {
  nodes { comments(first: $b) { nodes { replies(first: $c) { nodes { id } } } } } } } }"""


def test_what_a_query_may_give_is_counted(talk: Discussion, ask: Any) -> None:
    rate = ask(NESTED, below=20)["data"]["rateLimit"]

    del rate["resetAt"]
    assert rate == {"cost": 1, "limit": 5000, "nodeCount": 210, "remaining": 4999, "used": 1}


def test_pages_below_each_of_many_things_cost_more(talk: Discussion, ask: Any, send: Any) -> None:
    _, headers, _ = send(MANY, a=50, b=20, c=1)

    assert (headers["x-ratelimit-used"], headers["x-ratelimit-remaining"]) == ("11", "4989")
    assert headers["x-ratelimit-resource"] == "graphql"


def test_points_come_to_an_end(site: Discussions, talk: Discussion, send: Any) -> None:
    site.points = 1
    send("{ viewer { login } }")

    status, headers, raw = send("{ viewer { login } }")

    assert status == 200
    assert json.loads(raw) == {
        "errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded for user ID 9001."}]
    }
    assert headers["x-ratelimit-remaining"] == "0"


def test_more_nodes_than_half_a_million_are_refused_before_anything_is_done(talk: Discussion, ask: Any) -> None:
    told = ask(MANY, a=100, b=100, c=50)

    message = "This query requests up to 510,100 possible nodes which exceeds the maximum limit of 500,000."
    assert told == {"errors": [{"type": "MAX_NODE_LIMIT_EXCEEDED", "message": message}]}


def test_half_a_page_is_less_work(site: Discussions, talk: Discussion, ask: Any) -> None:
    site.widest = 50

    told = ask(NESTED, first=100, below=1)

    assert told["data"]["repository"] == {"discussion": None}
    (error,) = told["errors"]
    assert (error["type"], error["path"]) == ("RESOURCE_LIMITS_EXCEEDED", ["repository", "discussion", "comments"])
    assert error["message"] == "Resource limits for this query exceeded."
    assert "errors" not in ask(NESTED, first=50, below=1)


def test_a_whole_request_can_be_too_much_work(site: Discussions, talk: Discussion, ask: Any) -> None:
    site.costliest = 210

    told = ask(NESTED, first=10, below=21)

    assert told["data"] == {"rateLimit": None, "repository": None}
    assert [(error["type"], error["path"]) for error in told["errors"]] == [
        ("RESOURCE_LIMITS_EXCEEDED", ["rateLimit"]),
        ("RESOURCE_LIMITS_EXCEEDED", ["repository"]),
    ]
    assert "errors" not in ask(NESTED, first=10, below=20)


@pytest.mark.parametrize(("status", "after"), [(403, None), (403, 7), (429, None), (429, 7)])
def test_a_secondary_limit_may_say_how_long_to_wait(
    site: Discussions, talk: Discussion, send: Any, status: int, after: int | None
) -> None:
    site.refuse(secondary(status, after))

    told, headers, raw = send("{ viewer { login } }")

    assert told == status
    assert headers["retry-after"] == (None if after is None else "7")
    assert headers["x-ratelimit-remaining"] != "0"
    assert "secondary rate limit" in json.loads(raw)["message"]
    assert send("{ viewer { login } }")[0] == 200


def test_a_line_with_a_limit_refuses_until_it_is_mended(site: Discussions, talk: Discussion, ask: Any) -> None:
    site.break_with(Fault.LIMIT)

    assert ask("{ viewer { login } }")["errors"][0]["type"] == "RATE_LIMITED"
    site.mend()
    assert "errors" not in ask("{ viewer { login } }")
