"""The payloads of the two events, reduced to the fields that events are made of."""

from __future__ import annotations

from typing import Any, Required

from typing_extensions import TypedDict

from tertulia.parsing import github_events
from tertulia.parsing.github_events import Moment, Nothing, Number, Payload, Repository, Subject, Word

__all__ = ["Category", "Comment", "Discussion", "DiscussionComment", "Discussions"]


class Category(TypedDict, total=False):
    """The category of a discussion; old payloads give it no node id."""

    node_id: Word | None
    name: Required[Word]
    slug: Word | None
    is_answerable: bool | None


class Discussion(Subject, total=False):
    """A discussion; `state` is open, closed, locked, converting or transferring, and more to come."""

    title: str | None
    category: Required[Category]
    state: Word | None
    locked: bool | None
    answer_html_url: str | None
    answer_chosen_at: Moment | None


class Comment(github_events.Comment, total=False):
    """A comment; `parent_id` is the number of the comment it replies to, null for the first of a thread."""

    parent_id: Number | None


class Changes(TypedDict, total=False):
    """What was before an edit, or where a discussion is now."""

    new_discussion: Discussion | None
    new_repository: Repository | None


class Others(Payload, total=False):
    """A payload without what neither event has."""

    issue: Nothing
    pull_request: Nothing
    review: Nothing
    thread: Nothing


class Discussions(Others, total=False):
    """What `discussion` sends."""

    discussion: Required[Discussion]
    changes: Changes | None
    comment: Nothing


class DiscussionComment(Others, total=False):
    """What `discussion_comment` sends."""

    discussion: Required[Discussion]
    comment: Required[Comment]
    changes: Any
