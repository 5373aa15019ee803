"""Event documents to start from, and a way to change one place in them."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

Document = dict[str, Any]

GONE = object()

HUMAN = {"id": "ana", "kind": "human", "role": "write", "is_entity_author": False}
BOT = {"id": "helper[bot]", "kind": "bot", "role": "write", "is_entity_author": False}
PROPOSAL = {
    "id": 12,
    "head_repo": "acme/shop",
    "base_repo": "acme/shop",
    "head_ref": "topic/cart",
    "base_ref": "main",
    "head_sha": "0123456789abcdef0123456789abcdef01234567",
    "author_id": "helper[bot]",
    "is_fork": False,
}


def _event(system: str, raw: str, entity: Document, transition: Document, **rest: Any) -> Document:
    source = {"system": system, "raw_type": raw, "raw_action": "acted"}
    start = {"repo": "acme/shop", "actor": HUMAN, "state": {"labels": []}, "source": source}
    return copy.deepcopy(start | {"entity": entity, "transition": transition} | rest)


def _at(kind: str, number: int, path: str) -> Document:
    return {"kind": kind, "id": number, "url": f"https://github.com/acme/shop/{path}/{number}"}


def _documents() -> dict[str, Document]:
    issue, change = _at("work_item", 7, "issues"), _at("change_proposal", 12, "pull")
    linked = _at("work_item", 12, "issues") | {"linked_change_proposal": {"id": 12, "url": change["url"]}}
    fork = PROPOSAL | {"head_repo": "bob/shop", "is_fork": True}
    command = {"command": "/fix", "body": "/fix the cart", "instruction": "the cart"}
    message = {"id": "900", "parent_id": "880", "body": "thanks"}
    talk = {"category": {"id": "C9", "name": "Ideas", "slug": "ideas", "format": "discussion"}}
    channel = {"kind": "conversation", "key": "T1/C1", "url": "https://acme.slack.com/archives/C1"}
    comment = {"kind": "comment_added", "comment": command}
    review = {"kind": "review_submitted", "review": {"state": "approved", "reviewer_id": "ana"}}
    labelled = {"kind": "label_changed", "label": {"name": "ready", "action": "added"}}
    merged = {key: value for key, value in PROPOSAL.items() if key != "head_sha"}
    with_proposal = {"labels": ["kind/bug"], "change_proposal": PROPOSAL}
    ticket = {"kind": "work_item", "id": 10042, "key": "SHOP-3", "url": "https://acme.atlassian.net/browse/SHOP-3"}
    ts = "1700000000.000100"
    slack = {"id": ts, "parent_id": ts, "body": "hi", "author": {"id": "U1", "login": "ana", "kind": "human"}}
    made = {
        "issue opened": _event("github", "issues", issue, {"kind": "opened"}),
        "issue labelled": _event("github", "issues", issue, labelled, actor=BOT, state={"labels": ["ready"]}),
        "issue commented": _event("github", "issue_comment", issue, comment),
        "pull request commented": _event("github", "issue_comment", linked, comment, state=with_proposal),
        "pull request opened": _event("github", "pull_request_target", change, {"kind": "opened"}, state=with_proposal),
        "fork opened": _event(
            "github", "pull_request", change, {"kind": "opened"}, state={"labels": [], "change_proposal": fork}
        ),
        "pull request synchronized": _event(
            "github", "pull_request", change, {"kind": "synchronized"}, state=with_proposal
        ),
        "pull request reviewed": _event("github", "pull_request_review", change, review, state=with_proposal),
        "merge request merged": _event(
            "gitlab",
            "merge_request",
            change,
            {"kind": "merged"},
            repo="acme/web/shop",
            state={"labels": [], "change_proposal": merged},
        ),
        "ticket commented": _event("jira", "comment", ticket, comment),
        "discussion opened": _event(
            "github",
            "discussion",
            _at("conversation", 5, "discussions"),
            {"kind": "opened"},
            state={"labels": [], "conversation": talk},
        ),
        "discussion commented": _event(
            "github",
            "discussion_comment",
            _at("conversation", 5, "discussions"),
            {"kind": "comment_added", "comment": message},
            state={"labels": ["idea"], "conversation": talk},
        ),
        "message posted": _event(
            "slack",
            "message",
            channel,
            {"kind": "comment_added", "comment": slack},
            state={"labels": [], "conversation": {"category": {"name": "channel"}}},
            delivery={"key": "slack:T1/C1/1700000000.000100/x", "time": "2026-10-01T10:00:00Z"},
        ),
        "timer": _event("schedule", "cron", issue, {"kind": "updated"}),
        "by hand": _event("manual", "dispatch", issue, {"kind": "updated"}),
    }
    del made["message posted"]["repo"]
    return made


def change(document: Document, path: str, value: Any) -> Document:
    """Copy a document with one place set, or taken out when the value is `GONE`."""
    made = copy.deepcopy(document)
    *steps, last = path.split(".")
    place = made
    for step in steps:
        place = place.setdefault(step, {})
    if value is GONE:
        place.pop(last, None)
    else:
        place[last] = copy.deepcopy(value)
    return made


@pytest.fixture(scope="session")
def documents() -> dict[str, Document]:
    """Give valid documents by what happened."""
    return _documents()


@pytest.fixture(scope="session")
def changed(documents: dict[str, Document]) -> Callable[..., Document]:
    """Give a function that copies a named document and changes places in it: pairs of dotted path and value."""

    def make(name: str, *changes: tuple[str, Any]) -> Document:
        made = documents[name]
        for path, value in changes:
            made = change(made, path, value)
        return copy.deepcopy(made)

    return make


@pytest.fixture(scope="session")
def gone() -> object:
    """Give the value that takes a place out."""
    return GONE
