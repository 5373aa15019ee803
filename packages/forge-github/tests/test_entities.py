"""Issues, pull requests, and pull requests seen as issues."""

from typing import Any

import pytest


def seen_as_issue(native: Any, url: str, **fields: Any) -> Any:
    return native.issue(html_url=url, pull_request={"url": "https://api.github.com/repos/acme/demo/pulls/7"}, **fields)


def test_a_comment_on_a_pull_request_links_to_it(native: Any, event: Any) -> None:
    issue = seen_as_issue(native, "https://github.com/acme/demo/issues/7")

    made = event("issue_comment", native.payload("issue_comment", "created", issue=issue))

    assert made.entity.kind == "work_item"
    assert made.entity.linked_change_proposal.model_dump() == {"id": 7, "url": "https://github.com/acme/demo/pull/7"}
    assert made.state.change_proposal is None


def test_an_issue_event_about_a_pull_request_is_about_the_change_proposal(native: Any, event: Any) -> None:
    issue = seen_as_issue(native, "https://github.com/acme/demo/issues/7")

    made = event("issues", native.payload("issues", "milestoned", issue=issue))

    assert made.entity.model_dump(exclude_none=True) == {
        "kind": "change_proposal",
        "id": 7,
        "url": "https://github.com/acme/demo/pull/7",
    }
    assert made.state.change_proposal is None


@pytest.mark.parametrize(
    ("url", "linked"),
    [
        ("https://ghe.example.com/o/r/issues/7", "https://ghe.example.com/o/r/pull/7"),
        ("https://github.com/o/r/pull/7", "https://github.com/o/r/pull/7"),
        ("https://github.com/o/issues/issues/7", "https://github.com/o/issues/pull/7"),
        ("https://github.com/o/issues/pull/7", "https://github.com/o/issues/pull/7"),
        ("https://github.com/issues/1/issues/7", "https://github.com/issues/1/pull/7"),
    ],
)
def test_only_the_last_part_of_the_address_becomes_pull(native: Any, event: Any, url: str, linked: str) -> None:
    payload = native.payload("issue_comment", "created", issue=seen_as_issue(native, url))

    assert event("issue_comment", payload).entity.linked_change_proposal.url == linked


def test_pull_request_null_is_no_pull_request(native: Any, event: Any) -> None:
    issue = native.issue(pull_request=None)

    assert (
        event("issue_comment", native.payload("issue_comment", "created", issue=issue)).entity.linked_change_proposal
        is None
    )
    assert event("issues", native.payload("issues", "opened", issue=issue)).entity.kind == "work_item"


def test_an_empty_pull_request_object_is_one(native: Any, event: Any) -> None:
    payload = native.payload("issue_comment", "created", issue=native.issue(pull_request={}))

    assert event("issue_comment", payload).entity.linked_change_proposal.id == 7


@pytest.mark.parametrize("html_url", [None, ""])
def test_without_an_address_it_is_the_one_on_github_com(native: Any, event: Any, html_url: str | None) -> None:
    issue, pull = native.issue(html_url=html_url), native.pull(html_url=html_url)

    first = event("issues", native.payload("issues", "opened", issue=issue))
    second = event("pull_request", native.payload("pull_request", "opened", pull_request=pull), repo="o/r")
    third = event("issue_comment", native.payload("issue_comment", "created", issue=issue | {"pull_request": {}}))

    assert first.entity.url == "https://github.com/acme/demo/issues/7"
    assert second.entity.url == "https://github.com/o/r/pull/8"
    assert third.entity.linked_change_proposal.url == "https://github.com/acme/demo/pull/7"


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/passwd", "github.com/acme/demo/issues/7"])
def test_an_address_that_is_no_web_address_is_refused(native: Any, refused: Any, url: str) -> None:
    assert (
        refused("issues", native.payload("issues", "opened", issue=native.issue(html_url=url))).field
        == "issue.html_url"
    )


def test_a_pull_request_shows_both_sides(native: Any, event: Any) -> None:
    proposal = event("pull_request", native.payload("pull_request", "opened")).state.change_proposal

    assert proposal.model_dump() == {
        "id": 8,
        "head_repo": "acme/demo",
        "base_repo": "acme/demo",
        "head_ref": "feature",
        "base_ref": "main",
        "head_sha": "b" * 40,
        "author_id": "alice",
        "is_fork": False,
    }


@pytest.mark.parametrize(
    ("head", "base", "is_fork"),
    [
        ({"full_name": "acme/demo"}, {"full_name": "Acme/Demo"}, False),
        ({"full_name": "eve/demo"}, {"full_name": "acme/demo"}, True),
        ({"full_name": "acme/other"}, {"full_name": "acme/demo"}, True),
        (None, {"full_name": "acme/demo"}, True),
        ({}, {"full_name": "acme/demo"}, True),
        ({"full_name": ""}, {"full_name": "acme/demo"}, True),
        ({"full_name": "acme/demo"}, None, True),
        (None, None, True),
    ],
)
def test_a_fork_is_whatever_is_not_proved_to_be_one_repository(
    native: Any, event: Any, head: Any, base: Any, is_fork: bool
) -> None:
    pull = native.pull(head={"ref": "f", "repo": head}, base={"ref": "main", "repo": base})

    proposal = event("pull_request", native.payload("pull_request", "opened", pull_request=pull)).state.change_proposal

    assert proposal.is_fork is is_fork
    assert proposal.head_repo == ((head or {}).get("full_name") or None)
    assert proposal.base_repo == ((base or {}).get("full_name") or "acme/demo")


@pytest.mark.parametrize(
    ("sha", "kept"),
    [
        ("a" * 40, True),
        ("F" * 64, True),
        ("a" * 41, False),
        ("g" * 40, False),
        ("", False),
        (None, False),
        ("é" * 40, False),
    ],
)
def test_a_head_sha_is_a_hash_or_absent(native: Any, event: Any, sha: str | None, kept: bool) -> None:
    pull = native.pull(head={"ref": "f", "sha": sha, "repo": None})

    proposal = event("pull_request", native.payload("pull_request", "opened", pull_request=pull)).state.change_proposal

    assert proposal.head_sha == (sha if kept else None)


def test_a_pull_request_of_a_deleted_account_is_the_ghosts(native: Any, event: Any) -> None:
    payload = native.payload("pull_request", "opened", pull_request=native.pull(user=None))

    assert event("pull_request", payload).state.change_proposal.author_id == "ghost"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"head": {"ref": "x" * 256}}, "pull_request.head.ref"),
        ({"base": {"ref": ""}}, "pull_request.base.ref"),
        ({"head": None}, "pull_request.head"),
        ({"base": {}}, "pull_request.base.ref"),
        ({"number": 0}, "pull_request.number"),
        ({"user": {"login": "x" * 256}}, "pull_request.user.login"),
        ({"merged": "yes"}, "pull_request.merged"),
        ({"head": {"ref": "f", "repo": {"full_name": "../.."}}}, "state.change_proposal.head_repo"),
    ],
)
def test_a_wrong_pull_request_is_refused_and_the_field_named(
    native: Any, refused: Any, change: dict[str, Any], field: str
) -> None:
    payload = native.payload("pull_request", "opened", pull_request=native.pull(**change))

    assert refused("pull_request", payload).field == field


def test_what_the_transport_says_about_the_repository_wins_and_the_difference_is_logged(
    native: Any, event: Any, caplog: pytest.LogCaptureFixture
) -> None:
    made = event("issues", native.payload("issues", "opened"), repo="acme/real")

    assert made.repo == "acme/real"
    assert made.thread_key == "github:acme/real#7"
    (record,) = caplog.records
    assert (record.name, record.levelname) == ("tertulia.github", "WARNING")
    assert record.getMessage() == "the delivery is for 'acme/real', its payload names 'acme/demo'"


def test_a_repository_in_another_case_is_the_same(native: Any, event: Any, caplog: pytest.LogCaptureFixture) -> None:
    assert event("issues", native.payload("issues", "opened"), repo="Acme/Demo").repo == "Acme/Demo"
    assert caplog.records == []


def test_a_log_line_stays_one_line(native: Any, event: Any, caplog: pytest.LogCaptureFixture) -> None:
    event("issues", native.payload("issues", "opened", repository={"full_name": "a\nb\x1b" * 100}), repo="o/r")

    assert caplog.messages[0].isprintable()
    assert len(caplog.messages[0]) < 200


@pytest.mark.parametrize("repository", [None, {}, {"full_name": None}, {"full_name": ""}])
def test_an_event_of_no_repository_is_refused(native: Any, refused: Any, repository: Any) -> None:
    assert refused("issues", native.payload("issues", "opened", repository=repository)).field == "repository.full_name"


@pytest.mark.parametrize("repo", ["acme", "../demo", "acme/de mo", "a/b\n"])
def test_a_repository_that_is_none_is_refused(native: Any, refused: Any, repo: str) -> None:
    assert refused("issues", native.payload("issues", "opened"), repo=repo).field == "repo"
