"""The line between a client and the server, broken in each way."""

import http.client
import json
import threading
from typing import Any

import pytest

from github_discussions import Discussion, Discussions
from tertulia.testing.loopback import Reply
from tertulia.testing.wire import Fault

ADD = 'mutation ($id: ID!) { addDiscussionComment(input: {discussionId: $id, body: "So."}) { comment { id } } }'
WHO = "{ viewer { login } }"


def test_what_is_lost_has_landed(site: Discussions, talk: Discussion, send: Any) -> None:
    site.break_with(Fault.LOSE)

    assert send(WHO)[0] == 200
    assert send(ADD, id=talk.id)[0] == 502
    assert send(WHO)[0] == 200
    assert len(talk.comments) == site.writes == 1


def test_what_is_dropped_has_not_landed(site: Discussions, talk: Discussion, send: Any) -> None:
    site.break_with(Fault.DROP)

    assert send(ADD, id=talk.id)[0] == 502
    assert send(ADD, id=talk.id)[0] == 200
    assert (len(talk.comments), site.writes) == (1, 2)


def test_a_lost_answer_may_look_like_an_answer(site: Discussions, talk: Discussion, send: Any) -> None:
    site.lost = Reply(502, {"data": None, "errors": [{"message": "Something went wrong while executing your query."}]})
    site.break_with(Fault.LOSE)

    status, _, raw = send(ADD, id=talk.id)

    assert (status, list(json.loads(raw))) == (502, ["data", "errors"])


def test_a_cut_answer_ends_early_and_nothing_is_done(site: Discussions, talk: Discussion, send: Any) -> None:
    site.break_with(Fault.CUT)

    with pytest.raises(http.client.IncompleteRead):
        send(ADD, id=talk.id)

    assert talk.comments == []


def test_answers_are_held_until_the_line_is_mended(site: Discussions, talk: Discussion, send: Any) -> None:
    site.break_with(Fault.HOLD_WRITES)
    answers: list[Any] = []
    writing = threading.Thread(target=lambda: answers.append(send(ADD, id=talk.id)))

    writing.start()
    while not site.held:
        assert send(WHO)[0] == 200
    assert (len(talk.comments), answers) == (1, [])
    site.mend()
    writing.join()

    assert answers[0][0] == 200


def test_a_moved_line_names_another_host(site: Discussions, talk: Discussion) -> None:
    site.break_with(Fault.MOVE)
    host = site.server.url.removeprefix("http://")
    connection = http.client.HTTPConnection(host)

    connection.request("POST", "/graphql", json.dumps({"query": WHO}))
    answer = connection.getresponse()
    connection.close()

    assert (answer.status, answer.headers["location"]) == (307, f"{site.elsewhere}/graphql")


def test_denied_credentials_are_401(site: Discussions, send: Any) -> None:
    site.break_with(Fault.DENY)

    assert send(WHO)[0] == 401


def test_a_nameless_viewer_is_forbidden(site: Discussions, ask: Any) -> None:
    site.break_with(Fault.NAMELESS)

    told = ask(WHO)

    assert told["data"] is None
    (error,) = told["errors"]
    assert (error["type"], error["message"]) == ("FORBIDDEN", "Resource not accessible by integration")


def test_hidden_repositories_are_not_found_and_the_viewer_is(site: Discussions, talk: Discussion, ask: Any) -> None:
    site.break_with(Fault.HIDE)

    told = ask('query ($id: ID!) { node(id: $id) { id } repository(owner: "acme", name: "demo") { id } }', id=talk.id)

    assert told["data"] == {"node": None, "repository": None}
    assert {error["type"] for error in told["errors"]} == {"NOT_FOUND"}
    assert ask(WHO)["data"] == {"viewer": {"login": "helper"}}


def test_enterprise_server_has_the_same_below_another_path(site: Discussions, talk: Discussion, send: Any) -> None:
    site.url = f"{site.server.url}/api/graphql"
    assert send(WHO)[0] == 200

    site.url = f"{site.server.url}/api/v3/graphql"
    assert send(WHO)[0] == 404


@pytest.mark.parametrize("query", ["{ viewer {", "{ viewer { nothing } }", "query ($n: Nothing!) { viewer { login } }"])
def test_what_the_schema_does_not_have_is_refused_with_status_200(ask: Any, query: str) -> None:
    told = ask(query)

    assert list(told) == ["errors"]
