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


ISSUE, CHANGE = _at("work_item", 7, "issues"), _at("change_proposal", 12, "pull")
DISCUSSION = _at("conversation", 5, "discussions")
LINKED = _at("work_item", 12, "issues") | {"linked_change_proposal": {"id": 12, "url": CHANGE["url"]}}
TICKET = {"kind": "work_item", "id": 10042, "key": "SHOP-3", "url": "https://acme.atlassian.net/browse/SHOP-3"}
CHANNEL = {"kind": "conversation", "key": "T1/C1", "url": "https://acme.slack.com/archives/C1"}
OPENED = {"kind": "opened"}
COMMAND = {"command": "/fix", "body": "/fix the cart", "instruction": "the cart"}
COMMENTED = {"kind": "comment_added", "comment": COMMAND}
WITH_PROPOSAL = {"labels": ["kind/bug"], "change_proposal": PROPOSAL}


def _work() -> dict[str, Document]:
    fork = PROPOSAL | {"head_repo": "bob/shop", "is_fork": True}
    merged = {key: value for key, value in PROPOSAL.items() if key != "head_sha"}
    review = {"kind": "review_submitted", "review": {"state": "approved", "reviewer_id": "ana"}}
    labelled = {"kind": "label_changed", "label": {"name": "ready", "action": "added"}}
    forked, closed = ({"labels": [], "change_proposal": proposal} for proposal in (fork, merged))
    target, pull = "pull_request_target", "pull_request"
    synchronized, merge = {"kind": "synchronized"}, {"kind": "merged"}
    return {
        "issue opened": _event("github", "issues", ISSUE, OPENED),
        "issue labelled": _event("github", "issues", ISSUE, labelled, actor=BOT, state={"labels": ["ready"]}),
        "issue commented": _event("github", "issue_comment", ISSUE, COMMENTED),
        "pull request commented": _event("github", "issue_comment", LINKED, COMMENTED, state=WITH_PROPOSAL),
        "pull request opened": _event("github", target, CHANGE, OPENED, state=WITH_PROPOSAL),
        "fork opened": _event("github", pull, CHANGE, OPENED, state=forked),
        "pull request synchronized": _event("github", pull, CHANGE, synchronized, state=WITH_PROPOSAL),
        "pull request reviewed": _event("github", "pull_request_review", CHANGE, review, state=WITH_PROPOSAL),
        "merge request merged": _event("gitlab", "merge_request", CHANGE, merge, repo="acme/web/shop", state=closed),
        "ticket commented": _event("jira", "comment", TICKET, COMMENTED),
        "timer": _event("schedule", "cron", ISSUE, {"kind": "updated"}),
        "by hand": _event("manual", "dispatch", ISSUE, {"kind": "updated"}),
    }


def _talk() -> dict[str, Document]:
    ts = "1700000000.000100"
    category = {"id": "C9", "name": "Ideas", "slug": "ideas", "format": "discussion"}
    ideas = {"labels": ["idea"], "conversation": {"category": category}}
    channel = {"labels": [], "conversation": {"category": {"name": "channel"}}}
    reply = {"kind": "comment_added", "comment": {"id": "900", "parent_id": "880", "body": "thanks"}}
    author = {"id": "U1", "login": "ana", "kind": "human"}
    message = {"kind": "comment_added", "comment": {"id": ts, "parent_id": ts, "body": "hi", "author": author}}
    mark = {"key": f"slack:T1/C1/{ts}/x", "time": "2026-10-01T10:00:00Z"}
    posted = _event("slack", "message", CHANNEL, message, state=channel, delivery=mark)
    del posted["repo"]
    return {
        "discussion opened": _event("github", "discussion", DISCUSSION, OPENED, state=ideas),
        "discussion commented": _event("github", "discussion_comment", DISCUSSION, reply, state=ideas),
        "message posted": posted,
    }


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
    return _work() | _talk()


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
