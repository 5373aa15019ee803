"""What depends on who asks: whose a post is, and what the viewer may do with it."""

from __future__ import annotations

from typing import Any

from graphql import GraphQLResolveInfo

from github_discussions._models import Comment, Discussion, Post
from github_discussions._queries import field

__all__: list[str] = []

Info = GraphQLResolveInfo[Any]


@field("Discussion.viewerDidAuthor", "DiscussionComment.viewerDidAuthor")
def _did_author(post: Post, info: Info) -> bool:
    return post.author is info.context.viewer


@field("Discussion.viewerCanUpdate", "DiscussionComment.viewerCanUpdate")
def _can_update(post: Post, info: Info) -> bool:
    return not _cannot_update(post, info)


@field("DiscussionComment.viewerCannotUpdateReasons")
def _cannot_update(post: Post, info: Info) -> list[str]:
    reasons = {"INSUFFICIENT_ACCESS": info.context.owns(post), "LOCKED": info.context.may_write_in(_around(post))}
    return [reason for reason, is_allowed in reasons.items() if not is_allowed]


@field("DiscussionComment.viewerCanDelete")
def _can_delete(post: Post, info: Info) -> bool:
    return bool(info.context.owns(post))


@field("DiscussionComment.viewerCanMinimize", "Discussion.viewerCanClose", "Discussion.viewerCanReopen")
def _can_moderate(post: Post, info: Info) -> bool:
    return bool(info.context.owns(post, "TRIAGE"))


@field("Discussion.viewerCanDelete")
def _can_delete_all(talk: Discussion, info: Info) -> bool:
    return bool(info.context.may(talk.repository, "WRITE"))


@field("Discussion.viewerCanLabel")
def _can_label(talk: Discussion, info: Info) -> bool:
    return bool(info.context.may(talk.repository, "TRIAGE"))


@field("Discussion.viewerCanReact", "DiscussionComment.viewerCanReact")
def _can_react(post: Post, info: Info) -> bool:
    return bool(info.context.may_write_in(_around(post)))


@field("DiscussionComment.viewerCanMarkAsAnswer")
def _can_mark(comment: Comment, info: Info) -> bool:
    return _decides(comment, info) and not comment.is_answer


@field("DiscussionComment.viewerCanUnmarkAsAnswer")
def _can_unmark(comment: Comment, info: Info) -> bool:
    return _decides(comment, info) and comment.is_answer


def _decides(comment: Comment, info: Info) -> bool:
    talk = comment.discussion
    return talk.category.is_answerable and bool(info.context.owns(talk, "TRIAGE"))


def _around(post: Post) -> Discussion:
    talk = post.discussion if isinstance(post, Comment) else post
    assert isinstance(talk, Discussion)
    return talk
