"""GitHub's issue, pull request and review events, normalized. Pure: nobody is asked, nothing is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tertulia.errors import Invalid
from tertulia.event import Delivery, DeliveryMark, Event, Ignored, Normalized, State, Transition
from tertulia.parsing import build
from tertulia.parsing.github_events import (
    COMMENT_KINDS,
    Maker,
    Native,
    Person,
    comment_mark,
    comment_transition,
    entity_mark,
    labelled,
    labels_of,
    mark,
    normalized,
    person,
    snapshot,
    with_label,
)
from tertulia_forge_github._entities import change_proposal, issue_entity, pull_entity
from tertulia_forge_github._payload import (
    Beside,
    Comment,
    Issue,
    IssueComment,
    Issues,
    PullRequest,
    PullRequests,
    Review,
    ReviewComment,
    Reviews,
)

__all__ = ["NAMES", "normalize"]

_ISSUE_KINDS = {"opened": "opened", "reopened": "reopened", "edited": "edited", "closed": "closed"}
_PULL_KINDS = _ISSUE_KINDS | {"synchronize": "synchronized", "ready_for_review": "marked_ready"}
_REVIEW_STATES = frozenset({"approved", "changes_requested", "commented", "dismissed"})


def normalize(delivery: Delivery) -> Normalized:
    """Turn one GitHub event into the events it means, or say why there are none.

    Reads `issues`, `issue_comment`, `pull_request`, `pull_request_target`, `pull_request_review` and
    `pull_request_review_comment`; every other name is ignored with a reason. The body may come from a hook that sends
    JSON or forms, or from a runner's event file. Offline: the role is none, unverified, and a comment on a pull request
    has no `state.change_proposal`, until somebody looks them up.

    Raises Invalid, and nothing else, when the body is not what GitHub sends under that name.
    """
    return normalized(delivery, _MAKERS)


def _issues(native: Native[Issues]) -> Event:
    issue = native.payload["issue"]
    transition, labels, marked = _changed(native, "issue", issue, _ISSUE_KINDS)
    return native.event(issue, issue_entity(issue, native.repo, as_pull=True), transition, labelled(labels), marked)


def _pull_request(native: Native[PullRequests]) -> Event:
    pull = native.payload["pull_request"]
    transition, labels, marked = _changed(native, "pull_request", pull, _PULL_KINDS)
    if transition.kind == "closed" and pull.get("merged"):
        transition = Transition(kind="merged")
    state = snapshot(labels, change_proposal=change_proposal(pull, native.repo))
    return native.event(pull, pull_entity(pull, native.repo), transition, state, marked)


def _changed(
    native: Native[Any], thing: str, subject: Issue | PullRequest, kinds: Mapping[str, str]
) -> tuple[Transition, list[str], DeliveryMark]:
    payload: Beside = native.payload
    transition = native.transition(kinds)
    labels = with_label(labels_of(subject, thing), transition.label)
    thread, raw = native.thread(subject), native.delivery.payload
    marked = entity_mark(thread, raw, thing, subject, payload["action"], transition, _beside(payload))
    return transition, labels, marked


def _beside(payload: Beside) -> tuple[str, str] | None:
    """Name what an action puts on a subject or takes off: two of them come with one `updated_at`."""
    action = payload["action"]
    if action in ("assigned", "unassigned"):
        return _thing("assignee", (payload.get("assignee") or {}).get("login"))
    if action in ("milestoned", "demilestoned"):
        return _thing("milestone", (payload.get("milestone") or {}).get("number"))
    if action in ("review_requested", "review_request_removed"):
        team = payload.get("requested_team") or {}
        reviewer = _thing("reviewer", (payload.get("requested_reviewer") or {}).get("login"))
        return reviewer or _thing("team", team.get("slug") or team.get("name"))
    return None


def _thing(kind: str, ident: str | int | None) -> tuple[str, str] | None:
    return (kind, str(ident)) if ident else None


def _issue_comment(native: Native[IssueComment]) -> Event | Ignored:
    payload, issue = native.payload, native.payload["issue"]
    if payload["action"] not in COMMENT_KINDS:
        return native.unsupported_action()
    transition, marked = _said(native, "issue_comment", issue, payload["comment"], payload.get("changes"))
    state = labelled(labels_of(issue, "issue"))
    return native.event(issue, issue_entity(issue, native.repo), transition, state, marked)


def _review_comment(native: Native[ReviewComment]) -> Event | Ignored:
    payload, pull = native.payload, native.payload["pull_request"]
    if payload["action"] not in COMMENT_KINDS:
        return native.unsupported_action()
    transition, marked = _said(native, "review_comment", pull, payload["comment"], payload.get("changes"))
    return native.event(pull, pull_entity(pull, native.repo), transition, _state(pull, native.repo), marked)


def _said(
    native: Native[Any], thing: str, subject: Issue | PullRequest, comment: Comment, changes: object
) -> tuple[Transition, DeliveryMark]:
    delivery, action = native.delivery, native.payload["action"]
    transition = comment_transition(action, comment, comment.get("in_reply_to_id"), changes, delivery.engine)
    thread = native.thread(subject)
    return transition, comment_mark(thread, delivery.payload, thing, comment, transition.kind, subject)


def _review(native: Native[Reviews]) -> Event | Ignored:
    payload, pull = native.payload, native.payload["pull_request"]
    review, action = payload["review"], payload["action"]
    if action == "submitted":
        verdict = _verdict(review)
        if verdict == "commented" and not (review.get("body") or "").strip():
            return Ignored("empty-review", "the review says nothing; its inline comments are events of their own")
        transition, word = _submitted(verdict, _reviewer(review, native.actor)), "review_submitted"
    elif action in ("edited", "dismissed"):
        transition, word = Transition(kind="updated"), f"updated:{action}"
    else:
        return native.unsupported_action()
    state, marked = _state(pull, native.repo), _review_mark(native, review, word)
    return native.event(pull, pull_entity(pull, native.repo), transition, state, marked)


def _review_mark(native: Native[Reviews], review: Review, word: str) -> DeliveryMark:
    """Mark what happened to a review; most payloads give it no `updated_at`."""
    pull = native.payload["pull_request"]
    ident, changed = review.get("id"), review.get("updated_at")
    time = changed or review.get("submitted_at") or pull.get("updated_at")
    thing = ("review", str(ident or ""))
    return mark(native.thread(pull), native.delivery.payload, thing, changed if ident else None, word, time)


def _state(pull: PullRequest, repo: str) -> State:
    return snapshot(labels_of(pull, "pull_request"), change_proposal=change_proposal(pull, repo))


def _verdict(review: Review) -> str:
    state = (review.get("state") or "").lower()
    if state not in _REVIEW_STATES:
        known = ", ".join(sorted(_REVIEW_STATES))
        raise Invalid(f"github pull_request_review: review.state: must be one of {known}", field="review.state")
    return state


def _reviewer(review: Review, sender: Person) -> Person:
    user = review.get("user")
    return person(user) if user else sender


def _submitted(verdict: str, reviewer: Person) -> Transition:
    made = {"kind": "review_submitted", "review": {"state": verdict, "reviewer_id": reviewer.login}}
    return build(Transition, made, "github", "transition")


_PULL_REQUESTS = Maker(PullRequests, {"pull_request"}, _pull_request)

_MAKERS: Mapping[str, Maker[Any]] = {
    "issues": Maker(Issues, {"issue"}, _issues),
    "issue_comment": Maker(IssueComment, {"issue", "comment"}, _issue_comment),
    "pull_request": _PULL_REQUESTS,
    "pull_request_target": _PULL_REQUESTS,
    "pull_request_review": Maker(Reviews, {"pull_request", "review"}, _review),
    "pull_request_review_comment": Maker(ReviewComment, {"pull_request", "comment"}, _review_comment),
}

NAMES = frozenset(_MAKERS)
"""The native events that are understood."""
