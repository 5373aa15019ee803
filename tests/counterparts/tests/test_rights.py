"""Who may do what: own things and others', roles, locks, tokens."""

import json
from typing import Any

import pytest

from github_discussions import Comment, Discussion, Discussions

MUTATIONS = {
    "addDiscussionComment": 'discussionId: "{talk}", body: "So."',
    "updateDiscussionComment": 'commentId: "{comment}", body: "So."',
    "deleteDiscussionComment": 'id: "{comment}"',
    "updateDiscussion": 'discussionId: "{talk}", title: "New"',
    "deleteDiscussion": 'id: "{talk}"',
    "closeDiscussion": 'discussionId: "{talk}"',
    "reopenDiscussion": 'discussionId: "{talk}"',
    "lockLockable": 'lockableId: "{talk}"',
    "unlockLockable": 'lockableId: "{talk}"',
    "addLabelsToLabelable": 'labelableId: "{talk}", labelIds: []',
    "removeLabelsFromLabelable": 'labelableId: "{talk}", labelIds: []',
    "markDiscussionCommentAsAnswer": 'id: "{comment}"',
    "unmarkDiscussionCommentAsAnswer": 'id: "{comment}"',
    "minimizeComment": 'subjectId: "{comment}", classifier: SPAM',
    "unminimizeComment": 'subjectId: "{comment}"',
    "addReaction": 'subjectId: "{talk}", content: EYES',
}


def mutation(name: str, comment: Comment) -> str:
    """Write a mutation about a comment or its discussion, which asks for nothing back."""
    given = MUTATIONS[name].format(talk=comment.discussion.id, comment=comment.id)
    return f"mutation {{ {name}(input: {{{given}}}) {{ clientMutationId }} }}"


@pytest.fixture
def talk(site: Discussions) -> Discussion:
    """A question by alice."""
    return site.open(number=7, category="Q&A")


@pytest.mark.parametrize(
    ("role", "names"),
    [
        (None, ["addDiscussionComment", "addReaction"]),
        ("TRIAGE", ["addLabelsToLabelable", "removeLabelsFromLabelable", "lockLockable", "unlockLockable"]),
        ("TRIAGE", ["closeDiscussion", "reopenDiscussion", "minimizeComment", "unminimizeComment"]),
        ("TRIAGE", ["markDiscussionCommentAsAnswer", "unmarkDiscussionCommentAsAnswer"]),
        ("WRITE", ["updateDiscussionComment", "deleteDiscussionComment", "updateDiscussion", "deleteDiscussion"]),
    ],
)
def test_what_is_others_takes_a_role(
    site: Discussions, talk: Discussion, ask: Any, role: str | None, names: list[str]
) -> None:
    queries = [mutation(name, site.say(talk)) for name in names]
    roles = [None, "TRIAGE", "WRITE"]

    for below in roles[: roles.index(role)]:
        site.repo.roles["helper"] = below or "READ"
        for query in queries:
            (error,) = ask(query)["errors"]
            assert error["type"] == "FORBIDDEN"
            assert error["message"].startswith("helper does not have the correct permissions to execute `")
    site.repo.roles["helper"] = role or "READ"
    assert [answer for answer in map(ask, queries) if "errors" in answer] == []


@pytest.mark.parametrize(
    "name",
    [
        "updateDiscussionComment",
        "deleteDiscussionComment",
        "updateDiscussion",
        "closeDiscussion",
        "reopenDiscussion",
        "markDiscussionCommentAsAnswer",
        "unmarkDiscussionCommentAsAnswer",
        "minimizeComment",
    ],
)
def test_what_is_own_takes_no_role(site: Discussions, ask: Any, name: str) -> None:
    talk = site.open(by="helper", category="Q&A")

    assert "errors" not in ask(mutation(name, site.say(talk, by="helper")))


@pytest.mark.parametrize("name", ["addDiscussionComment", "updateDiscussionComment", "addReaction"])
def test_a_lock_shuts_out_all_who_may_not_push(site: Discussions, talk: Discussion, ask: Any, name: str) -> None:
    query = mutation(name, site.say(talk, by="helper"))
    site.lock(talk, "TOO_HEATED")

    shut = ask(query)
    site.repo.roles["helper"] = "TRIAGE"
    still = ask(query)
    site.repo.roles["helper"] = "WRITE"
    pushing = ask(query)

    assert [answer["errors"][0]["type"] for answer in (shut, still)] == ["FORBIDDEN", "FORBIDDEN"]
    assert "errors" not in pushing


def test_only_categories_for_answers_have_answers(site: Discussions, ask: Any) -> None:
    talk = site.open(by="helper")

    assert ask(mutation("markDiscussionCommentAsAnswer", site.say(talk)))["errors"][0]["type"] == "UNPROCESSABLE"


def test_a_token_without_the_scope_may_read_and_not_write(site: Discussions, talk: Discussion, ask: Any) -> None:
    site.token("ghp_read", scopes=("read:org",))
    query = mutation("addDiscussionComment", site.say(talk))

    told = ask(query, token="ghp_read")

    assert "data" not in told
    (error,) = told["errors"]
    assert error["type"] == "INSUFFICIENT_SCOPES"
    assert "The 'addDiscussionComment' field requires one of the following scopes" in error["message"]
    assert ask("{ viewer { login } }", token="ghp_read")["data"] == {"viewer": {"login": "helper"}}


def test_an_app_without_the_permission_may_not_write(site: Discussions, talk: Discussion, ask: Any) -> None:
    site.person("helper-app", kind="Bot")
    site.token("ghs_none", "helper-app", scopes=(), is_app=True)
    site.token("ghs_some", "helper-app", scopes=("write:discussion",), is_app=True)
    query = mutation("addDiscussionComment", site.say(talk))

    (error,) = ask(query, token="ghs_none")["errors"]

    assert (error["type"], error["message"]) == ("FORBIDDEN", "Resource not accessible by integration")
    assert "errors" not in ask(query, token="ghs_some")
    assert talk.comments[-1].author is site.people["helper-app"]


@pytest.mark.parametrize("token", ["nobody-issued-it", None])
def test_a_token_that_nobody_issued_is_401(talk: Discussion, send: Any, token: str | None) -> None:
    status, _, raw = send("{ viewer { login } }", token=token)

    assert (status, json.loads(raw)["message"]) == (401, "Bad credentials")
