"""GitHub's issue, pull request and review events, normalized. Pure: nobody is asked, nothing is kept."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from tertulia.errors import Invalid
from tertulia.event import Delivery, Event, Ignored, Normalized, Source, thread_key
from tertulia.parsing import build, load_object
from tertulia_forge_github import _comments as comments
from tertulia_forge_github._entities import change_proposal, issue_entity, labels_of, pull_entity, with_label
from tertulia_forge_github._keys import comment_mark, entity_mark, review_mark
from tertulia_forge_github._payload import (
    SHAPES,
    Issue,
    Payload,
    PullRequest,
    Review,
    event_name,
    read,
    read_body,
    short,
)
from tertulia_forge_github._people import Person, actor, fold, person

__all__ = ["NAMES", "normalize"]

NAMES = frozenset(SHAPES)
"""The native events that are understood."""

_log = logging.getLogger("tertulia.forge_github")

_ISSUE_KINDS = {"opened": "opened", "reopened": "reopened", "edited": "edited", "closed": "closed"}
_PULL_KINDS = _ISSUE_KINDS | {"synchronize": "synchronized", "ready_for_review": "marked_ready"}
_LABEL_ACTIONS = {"labeled": "added", "unlabeled": "removed"}
_REVIEW_STATES = frozenset({"approved", "changes_requested", "commented", "dismissed"})
_DISCUSSIONS = frozenset({"discussion", "discussion_comment"})
_NO_CONVERSATION = frozenset(
    {
        "create",
        "delete",
        "deployment",
        "merge_group",
        "page_build",
        "push",
        "registry_package",
        "release",
        "repository_dispatch",
        "schedule",
        "workflow_call",
        "workflow_dispatch",
        "workflow_job",
        "workflow_run",
    }
)


class _Native(NamedTuple):
    """One delivery, read."""

    delivery: Delivery
    payload: Payload
    repo: str
    actor: Person

    def thread(self, subject: Issue | PullRequest) -> str:
        return thread_key("github", self.repo, str(subject["number"]))


def normalize(delivery: Delivery) -> Normalized:
    """Turn one GitHub event into the events it means, or say why there are none.

    Reads `issues`, `issue_comment`, `pull_request`, `pull_request_target`, `pull_request_review` and
    `pull_request_review_comment`; every other name is ignored with a reason. The body may come from a hook that sends
    JSON or forms, or from a runner's event file. Offline: the role is none, unverified, and a comment on a pull request
    has no `state.change_proposal`, until somebody looks them up.

    Raises Invalid, and nothing else, when the body is not what GitHub sends under that name.
    """
    name = event_name(delivery)
    raw = read_body(delivery)
    make = _MAKERS.get(name)
    if make is None:
        load_object(raw, "payload")
        return Normalized(ignored=_unsupported(name))
    payload = read(raw, name)
    native = _Native(delivery, payload, _repo(delivery, payload), person(payload.get("sender"), _runner(delivery)))
    made = make(native)
    return Normalized(ignored=made) if isinstance(made, Ignored) else Normalized(events=(made,))


def _event(
    native: _Native,
    subject: Issue | PullRequest,
    entity: dict[str, Any],
    transition: dict[str, Any],
    state: dict[str, Any],
    mark: dict[str, Any],
) -> Event:
    name = native.delivery.name
    document = {
        "repo": native.repo,
        "entity": entity,
        "transition": transition,
        "actor": actor(native.actor, subject.get("user")),
        "state": state,
        "source": _source(name, native.payload["action"]),
        "delivery": mark,
    }
    return build(Event, document, f"github {name}")


@lru_cache(maxsize=256)
def _source(name: str, action: str) -> Source:
    return Source(system="github", raw_type=name, raw_action=action)


def _repo(delivery: Delivery, payload: Payload) -> str:
    """Take what the transport says over what the payload says: a runner knows where it runs."""
    told, own = delivery.repo or None, (payload.get("repository") or {}).get("full_name") or None
    if told is not None and not isinstance(told, str):
        raise Invalid("delivery: repo: must be a string", field="repo")
    if told and own and fold(told) != fold(own):
        _log.warning("the delivery is for %s, its payload names %s", short(told), short(own))
    repo = told or own
    if repo is None:
        raise Invalid(f"github {delivery.name}: repository.full_name: missing", field="repository.full_name")
    return repo


def _runner(delivery: Delivery) -> str | None:
    told = delivery.actor or None
    if told is not None and not isinstance(told, str):
        raise Invalid("delivery: actor: must be a string", field="actor")
    return told


def _issues(native: _Native) -> Event:
    issue = native.payload["issue"]
    transition, labels, mark = _changed(native, "issue", issue, _ISSUE_KINDS)
    return _event(native, issue, issue_entity(issue, native.repo, as_pull=True), transition, {"labels": labels}, mark)


def _pull_request(native: _Native) -> Event:
    pull = native.payload["pull_request"]
    transition, labels, mark = _changed(native, "pull_request", pull, _PULL_KINDS)
    state = {"labels": labels, "change_proposal": change_proposal(pull, native.repo)}
    return _event(native, pull, pull_entity(pull, native.repo), transition, state, mark)


def _changed(
    native: _Native, thing: str, subject: Issue | PullRequest, kinds: Mapping[str, str]
) -> tuple[dict[str, Any], list[str], dict[str, Any]]:
    payload = native.payload
    transition = _label_change(payload) or {"kind": kinds.get(payload["action"], "updated")}
    if transition["kind"] == "closed" and subject.get("merged"):
        transition["kind"] = "merged"
    labels = with_label(labels_of(subject, thing), transition.get("label"))
    mark = entity_mark(native.thread(subject), native.delivery.payload, thing, payload, subject, transition)
    return transition, labels, mark


def _label_change(payload: Payload) -> dict[str, Any] | None:
    """Read labeled and unlabeled; without a label (it was deleted meanwhile) nothing is known but the action."""
    change, label = _LABEL_ACTIONS.get(payload["action"]), payload.get("label")
    if change is None or label is None:
        return None
    name = label.get("name")
    if not name:
        raise Invalid("github: label.name: missing", field="label.name")
    return {"kind": "label_changed", "label": {"name": name, "action": change}}


def _issue_comment(native: _Native) -> Event | Ignored:
    issue = native.payload["issue"]
    if native.payload["action"] not in comments.KINDS:
        return _unsupported_action(native)
    transition, mark = _said(native, "issue_comment", issue)
    return _event(
        native, issue, issue_entity(issue, native.repo), transition, {"labels": labels_of(issue, "issue")}, mark
    )


def _review_comment(native: _Native) -> Event | Ignored:
    pull = native.payload["pull_request"]
    if native.payload["action"] not in comments.KINDS:
        return _unsupported_action(native)
    transition, mark = _said(native, "review_comment", pull)
    return _event(native, pull, pull_entity(pull, native.repo), transition, _pull_state(native), mark)


def _said(native: _Native, thing: str, subject: Issue | PullRequest) -> tuple[dict[str, Any], dict[str, Any]]:
    payload, delivery = native.payload, native.delivery
    comment = payload["comment"]
    transition = comments.transition(payload["action"], comment, payload.get("changes"), delivery.engine)
    mark = comment_mark(native.thread(subject), delivery.payload, thing, comment, transition["kind"], subject)
    return transition, mark


def _review(native: _Native) -> Event | Ignored:
    payload, pull = native.payload, native.payload["pull_request"]
    review, action = payload["review"], payload["action"]
    if action == "submitted":
        transition = _submitted(review, native.actor)
        if transition["review"]["state"] == "commented" and not (review.get("body") or "").strip():
            return Ignored("empty-review", "the review says nothing; its inline comments are events of their own")
        word = transition["kind"]
    elif action in ("edited", "dismissed"):
        transition, word = {"kind": "updated"}, f"updated:{action}"
    else:
        return _unsupported_action(native)
    mark = review_mark(native.thread(pull), native.delivery.payload, review, word, pull)
    return _event(native, pull, pull_entity(pull, native.repo), transition, _pull_state(native), mark)


def _pull_state(native: _Native) -> dict[str, Any]:
    pull = native.payload["pull_request"]
    return {"labels": labels_of(pull, "pull_request"), "change_proposal": change_proposal(pull, native.repo)}


def _submitted(review: Review, sender: Person) -> dict[str, Any]:
    state = (review.get("state") or "").lower()
    if state not in _REVIEW_STATES:
        known = ", ".join(sorted(_REVIEW_STATES))
        raise Invalid(f"github pull_request_review: review.state: must be one of {known}", field="review.state")
    user = review.get("user")
    reviewer = person(user) if user else sender
    return {"kind": "review_submitted", "review": {"state": state, "reviewer_id": reviewer.login}}


def _unsupported_action(native: _Native) -> Ignored:
    name, action = native.delivery.name, short(native.payload["action"])
    return Ignored("unsupported-action", f"{name} {action} changes nothing that an event tells")


def _unsupported(name: str) -> Ignored:
    if name == "ping":
        return Ignored("ping", "the webhook works")
    if name in _DISCUSSIONS:
        return Ignored("other-adapter", f"{name} belongs to tertulia-conversation-github")
    if name in _NO_CONVERSATION:
        return Ignored("unsupported-event", f"{name} has no conversation")
    return Ignored("unsupported-event", f"{short(name)} is not one of {', '.join(sorted(NAMES))}")


_MAKERS: Mapping[str, Callable[[_Native], Event | Ignored]] = {
    "issues": _issues,
    "issue_comment": _issue_comment,
    "pull_request": _pull_request,
    "pull_request_target": _pull_request,
    "pull_request_review": _review,
    "pull_request_review_comment": _review_comment,
}
