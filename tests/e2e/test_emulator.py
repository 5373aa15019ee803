"""The ground the other end-to-end tests stand on: the emulator and the samples are what we think they are."""

from collections.abc import Callable
from typing import Any

from emulators import node

Call = Callable[..., Any]


def test_an_issue_with_comments_can_be_created_and_read(github: Call) -> None:
    issue = github("POST", "/repos/acme/demo/issues", {"title": "The build fails", "body": "Since Monday."})
    assert issue.status == 201
    path = f"/repos/acme/demo/issues/{issue.body['number']}"

    first = github("POST", f"{path}/comments", {"body": "Which build?"}, token="token-of-member-b")
    second = github("POST", f"{path}/comments", {"body": "+1"}, token="token-of-drive-by")
    comments = github("GET", f"{path}/comments")

    assert (first.status, second.status, comments.status) == (201, 201, 200)
    assert [comment["body"] for comment in comments.body] == ["Which build?", "+1"]
    assert [comment["user"]["login"] for comment in comments.body] == ["member-b", "drive-by"]
    assert [comment["author_association"] for comment in comments.body] == ["MEMBER", "NONE"]
    assert github("GET", path).body["title"] == "The build fails"


def test_comments_come_in_pages(github: Call) -> None:
    issue = github("POST", "/repos/acme/demo/issues", {"title": "Long"}).body["number"]
    for number in range(5):
        github("POST", f"/repos/acme/demo/issues/{issue}/comments", {"body": str(number)})

    page = github("GET", f"/repos/acme/demo/issues/{issue}/comments?per_page=2&page=3")

    assert [comment["body"] for comment in page.body] == ["4"]
    assert 'rel="prev"' in page.headers["link"]


def test_a_request_without_a_token_is_refused(github: Call) -> None:
    assert github("GET", "/user", token=None).status == 401
    assert github("GET", "/user", token="token-of-helper").body["login"] == "helper"


def test_the_emulator_speaks_of_itself_by_its_base_url(github: Call, github_emulator: str) -> None:
    issue = github("POST", "/repos/acme/demo/issues", {"title": "Where am I?"})

    assert issue.body["url"].startswith(f"{github_emulator}/")


def test_the_webhook_examples_are_complete(webhook_examples: dict[str, list[dict[str, Any]]]) -> None:
    github_com = {event["name"]: event["examples"] for event in webhook_examples["api.github.com"]}

    assert len(webhook_examples) == 6
    assert sum(map(len, github_com.values())) == 329
    assert {"issues", "issue_comment", "pull_request", "pull_request_review"} <= github_com.keys()


def test_node_is_the_binary_and_not_a_wrapper() -> None:
    assert node().read_bytes()[:2] != b"#!"
