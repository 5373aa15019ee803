"""Who may do what: own things and others', roles, locks, tokens."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from github_discussions import Comment, Discussion, Discussions


def mutation(name: str, **given: str) -> str:
    """Write a mutation that asks for nothing back."""
    fields = ", ".join(f"{key}: {value}" for key, value in given.items())
    return f"mutation {{ {name}(input: {{{fields}}}) {{ clientMutationId }} }}"


def quoted(text: str) -> str:
    """Write a string."""
    return json.dumps(text)


def comment_on(talk: Discussion, _: Comment) -> str:
    return mutation("addDiscussionComment", discussionId=quoted(talk.id), body='"So."')


def edit(_: Discussion, comment: Comment) -> str:
    return mutation("updateDiscussionComment", commentId=quoted(comment.id), body='"So."')


def delete(_: Discussion, comment: Comment) -> str:
    return mutation("deleteDiscussionComment", id=quoted(comment.id))


def retitle(talk: Discussion, _: Comment) -> str:
    return mutation("updateDiscussion", discussionId=quoted(talk.id), title='"New"')


def delete_all(talk: Discussion, _: Comment) -> str:
    return mutation("deleteDiscussion", id=quoted(talk.id))


def close(talk: Discussion, _: Comment) -> str:
    return mutation("closeDiscussion", discussionId=quoted(talk.id))


def reopen(talk: Discussion, _: Comment) -> str:
    return mutation("reopenDiscussion", discussionId=quoted(talk.id))


def lock(talk: Discussion, _: Comment) -> str:
    return mutation("lockLockable", lockableId=quoted(talk.id))


def unlock(talk: Discussion, _: Comment) -> str:
    return mutation("unlockLockable", lockableId=quoted(talk.id))


def label(talk: Discussion, _: Comment) -> str:
    return mutation("addLabelsToLabelable", labelableId=quoted(talk.id), labelIds="[]")


def unlabel(talk: Discussion, _: Comment) -> str:
    return mutation("removeLabelsFromLabelable", labelableId=quoted(talk.id), labelIds="[]")


def mark(_: Discussion, comment: Comment) -> str:
    return mutation("markDiscussionCommentAsAnswer", id=quoted(comment.id))


def unmark(_: Discussion, comment: Comment) -> str:
    return mutation("unmarkDiscussionCommentAsAnswer", id=quoted(comment.id))


def minimize(_: Discussion, comment: Comment) -> str:
    return mutation("minimizeComment", subjectId=quoted(comment.id), classifier="SPAM")


def react(talk: Discussion, _: Comment) -> str:
    return mutation("addReaction", subjectId=quoted(talk.id), content="EYES")


@pytest.fixture
def talk(site: Discussions) -> Discussion:
    """A question by alice."""
    return site.open(number=7, category="Q&A")


@pytest.mark.parametrize(
    ("write", "role"),
    [
        (comment_on, None),
        (react, None),
        (label, "TRIAGE"),
        (unlabel, "TRIAGE"),
        (lock, "TRIAGE"),
        (unlock, "TRIAGE"),
        (close, "TRIAGE"),
        (reopen, "TRIAGE"),
        (mark, "TRIAGE"),
        (unmark, "TRIAGE"),
        (minimize, "TRIAGE"),
        (edit, "WRITE"),
        (delete, "WRITE"),
        (retitle, "WRITE"),
        (delete_all, "WRITE"),
    ],
)
def test_what_is_others_takes_a_role(
    site: Discussions, talk: Discussion, ask: Any, write: Callable[..., str], role: str | None
) -> None:
    query = write(talk, site.say(talk))
    roles = (None, "TRIAGE", "WRITE")

    for own in roles:
        if own is not None:
            site.repo.roles["helper"] = own
        answer = ask(query)
        if roles.index(own) >= roles.index(role):
            assert "errors" not in answer
            return
        assert answer["errors"][0]["type"] == "FORBIDDEN"
        assert answer["errors"][0]["message"].startswith("helper does not have the correct permissions to execute `")


@pytest.mark.parametrize("write", [edit, delete, retitle, close, reopen, mark, unmark, minimize])
def test_what_is_own_takes_no_role(site: Discussions, ask: Any, write: Callable[..., str]) -> None:
    talk = site.open(by="helper", category="Q&A")

    assert "errors" not in ask(write(talk, site.say(talk, by="helper")))


@pytest.mark.parametrize("write", [comment_on, edit, react])
def test_a_lock_shuts_out_all_who_may_not_push(
    site: Discussions, talk: Discussion, ask: Any, write: Callable[..., str]
) -> None:
    query = write(talk, site.say(talk, by="helper"))
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

    assert ask(mark(talk, site.say(talk)))["errors"][0]["type"] == "UNPROCESSABLE"


def test_a_token_without_the_scope_may_read_and_not_write(site: Discussions, talk: Discussion, ask: Any) -> None:
    site.token("ghp_read", scopes=("read:org",))
    query = comment_on(talk, site.say(talk))

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
    query = comment_on(talk, site.say(talk))

    (error,) = ask(query, token="ghs_none")["errors"]

    assert (error["type"], error["message"]) == ("FORBIDDEN", "Resource not accessible by integration")
    assert "errors" not in ask(query, token="ghs_some")
    assert talk.comments[-1].author is site.people["helper-app"]


@pytest.mark.parametrize("token", ["nobody-issued-it", None])
def test_a_token_that_nobody_issued_is_401(talk: Discussion, send: Any, token: str | None) -> None:
    status, _, raw = send("{ viewer { login } }", token=token)

    assert (status, json.loads(raw)["message"]) == (401, "Bad credentials")
