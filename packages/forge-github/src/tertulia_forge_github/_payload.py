"""The payloads of the six events, one shape for each, reduced to the fields that events are made of."""

from __future__ import annotations

from typing import Annotated, Any, Required

from pydantic import StringConstraints
from typing_extensions import TypedDict

from tertulia.parsing import github_events
from tertulia.parsing.github_events import Moment, Nothing, Number, Payload, Repository, Subject, User, Word

__all__ = [
    "Beside",
    "Comment",
    "Issue",
    "IssueComment",
    "Issues",
    "PullRequest",
    "PullRequests",
    "Review",
    "ReviewComment",
    "Reviews",
    "Side",
]


class Named(TypedDict, total=False):
    """A milestone or a team, as it stands beside the thing it was put on."""

    name: Word | None
    number: Number | None
    slug: Word | None


class Side(TypedDict, total=False):
    """One side of a pull request."""

    ref: Required[Annotated[str, StringConstraints(min_length=1, max_length=255)]]
    sha: str | None
    repo: Repository | None


class Issue(Subject, total=False):
    """An issue; `pull_request` is an object when it is a pull request seen as an issue."""

    pull_request: Nothing | None


class PullRequest(Subject, total=False):
    """A pull request."""

    head: Required[Side]
    base: Required[Side]
    merged: bool | None


class Comment(github_events.Comment, total=False):
    """A comment on an issue or a pull request, or a review comment; `in_reply_to_id` is the thread's first comment."""

    in_reply_to_id: Number | None


class Review(TypedDict, total=False):
    """A review; GitHub gives it no `updated_at` of its own in many payloads."""

    id: Number | None
    body: str | None
    state: Word | None
    user: User | None
    submitted_at: Moment | None
    updated_at: Moment | None


class Others(Payload, total=False):
    """A payload without what none of the six events has."""

    thread: Nothing
    discussion: Nothing


class Beside(Others, total=False):
    """A payload with what can be put on an issue or a pull request."""

    comment: Nothing
    review: Nothing
    assignee: User | None
    milestone: Named | None
    requested_reviewer: User | None
    requested_team: Named | None


class Issues(Beside, total=False):
    """What `issues` sends."""

    issue: Required[Issue]
    pull_request: Nothing


class PullRequests(Beside, total=False):
    """What `pull_request` and `pull_request_target` send."""

    pull_request: Required[PullRequest]
    issue: Nothing


class IssueComment(Others, total=False):
    """What `issue_comment` sends."""

    issue: Required[Issue]
    comment: Required[Comment]
    changes: Any
    pull_request: Nothing
    review: Nothing


class ReviewComment(Others, total=False):
    """What `pull_request_review_comment` sends."""

    pull_request: Required[PullRequest]
    comment: Required[Comment]
    changes: Any
    issue: Nothing
    review: Nothing


class Reviews(Others, total=False):
    """What `pull_request_review` sends."""

    pull_request: Required[PullRequest]
    review: Required[Review]
    issue: Nothing
    comment: Nothing
