"""What the mutations do, and whom they refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphql import GraphQLResolveInfo

from github_discussions._models import Category, Comment, Discussion, Label, Post, Repository
from github_discussions._queries import field
from github_discussions._refusals import forbidden, unprocessable
from github_discussions._session import Session

__all__: list[str] = []

Info = GraphQLResolveInfo[Any]
Json = dict[str, Any]
Mutation = Callable[[Session, Json], Json]
_LONGEST = 65_536
_LONGEST_TITLE = 256


def _mutation(function: Mutation) -> Mutation:
    """Make a function the mutation that its name says in snake case; what it gives is the payload."""
    first, *rest = function.__name__.strip("_").split("_")
    name = first + "".join(word.capitalize() for word in rest)

    @field(f"Mutation.{name}")
    def resolver(_: Any, info: Info, input: Json) -> Json:
        return {"clientMutationId": input.get("clientMutationId"), **function(info.context, input)}

    return function


def _demand(allowed: bool, session: Session, mutation: str) -> None:
    if not allowed:
        raise forbidden(session.viewer.login, mutation)


def _checked(body: str, what: str = "Body", longest: int = _LONGEST) -> str:
    """Check a text that is to be kept."""
    if not body.strip():
        raise unprocessable(f"{what} can't be blank")
    if len(body) > longest:
        raise unprocessable(f"{what} is too long (maximum is {longest} characters)")
    return body


@_mutation
def _add_discussion_comment(session: Session, given: Json) -> Json:
    talk = session.get(Discussion, given["discussionId"])
    root = session.get(Comment, given["replyToId"]) if given.get("replyToId") is not None else None
    body = _checked(given["body"])
    _demand(session.may_write_in(talk), session, "addDiscussionComment")
    if root is None:
        return {"comment": session.store.say(talk, body, session.viewer)}
    if root.discussion is not talk:
        raise unprocessable("Parent comment is not in this discussion")
    if root.reply_to is not None:
        raise unprocessable("Parent comment is already in a thread, cannot reply to it")
    return {"comment": session.store.reply(root, body, session.viewer)}


@_mutation
def _update_discussion_comment(session: Session, given: Json) -> Json:
    comment = session.get(Comment, given["commentId"])
    _demand(session.owns(comment) and session.may_write_in(comment.discussion), session, "updateDiscussionComment")
    session.store.alter(comment, _checked(given["body"]), session.viewer)
    return {"comment": comment}


@_mutation
def _delete_discussion_comment(session: Session, given: Json) -> Json:
    comment = session.get(Comment, given["id"])
    _demand(session.owns(comment), session, "deleteDiscussionComment")
    session.store.remove(comment)
    return {"comment": comment}


@_mutation
def _create_discussion(session: Session, given: Json) -> Json:
    repo, category = session.get(Repository, given["repositoryId"]), session.get(Category, given["categoryId"])
    if category.repository is not repo:
        raise unprocessable("Category is not in this repository")
    title, body = _checked(given["title"], "Title", _LONGEST_TITLE), _checked(given["body"])
    _demand(not category.announcement or session.may(repo, "MAINTAIN"), session, "createDiscussion")
    return {"discussion": session.store.open(title, body, session.viewer, category=category, repo=repo)}


@_mutation
def _update_discussion(session: Session, given: Json) -> Json:
    talk = session.get(Discussion, given["discussionId"])
    _demand(session.owns(talk), session, "updateDiscussion")
    if given.get("title") is not None:
        talk.title = _checked(given["title"], "Title", _LONGEST_TITLE)
    if given.get("categoryId") is not None:
        talk.category = session.get(Category, given["categoryId"])
    session.store.alter(talk, talk.body if given.get("body") is None else _checked(given["body"]), session.viewer)
    return {"discussion": talk}


@_mutation
def _delete_discussion(session: Session, given: Json) -> Json:
    talk = session.get(Discussion, given["id"])
    _demand(session.may(talk.repository, "WRITE"), session, "deleteDiscussion")
    session.store.remove(talk)
    return {"discussion": talk}


@_mutation
def _close_discussion(session: Session, given: Json) -> Json:
    talk = session.get(Discussion, given["discussionId"])
    _demand(session.owns(talk, "TRIAGE"), session, "closeDiscussion")
    session.store.close(talk, given["reason"])
    return {"discussion": talk}


@_mutation
def _reopen_discussion(session: Session, given: Json) -> Json:
    talk = session.get(Discussion, given["discussionId"])
    _demand(session.owns(talk, "TRIAGE"), session, "reopenDiscussion")
    session.store.reopen(talk)
    return {"discussion": talk}


@_mutation
def _mark_discussion_comment_as_answer(session: Session, given: Json) -> Json:
    return _answered(session, session.get(Comment, given["id"]), "markDiscussionCommentAsAnswer", is_answer=True)


@_mutation
def _unmark_discussion_comment_as_answer(session: Session, given: Json) -> Json:
    return _answered(session, session.get(Comment, given["id"]), "unmarkDiscussionCommentAsAnswer", is_answer=False)


def _answered(session: Session, comment: Comment, mutation: str, *, is_answer: bool) -> Json:
    talk = comment.discussion
    _demand(session.owns(talk, "TRIAGE"), session, mutation)
    if not talk.category.is_answerable:
        raise unprocessable("Discussion category does not support answers")
    if is_answer is not comment.is_answer:
        session.store.mark(comment if is_answer else None, talk, session.viewer)
    return {"discussion": talk}


def _triaged(session: Session, ident: str, mutation: str) -> Discussion:
    talk = session.get(Discussion, ident)
    _demand(session.may(talk.repository, "TRIAGE"), session, mutation)
    return talk


@_mutation
def _add_labels_to_labelable(session: Session, given: Json) -> Json:
    talk = _triaged(session, given["labelableId"], "addLabelsToLabelable")
    labels = [session.get(Label, ident) for ident in given["labelIds"]]
    talk.labels += [label for label in dict.fromkeys(labels) if label not in talk.labels]
    return {"labelable": talk}


@_mutation
def _remove_labels_from_labelable(session: Session, given: Json) -> Json:
    talk = _triaged(session, given["labelableId"], "removeLabelsFromLabelable")
    labels = [session.get(Label, ident) for ident in given["labelIds"]]
    talk.labels = [label for label in talk.labels if label not in labels]
    return {"labelable": talk}


@_mutation
def _lock_lockable(session: Session, given: Json) -> Json:
    talk = _triaged(session, given["lockableId"], "lockLockable")
    session.store.lock(talk, given.get("lockReason"))
    return {"lockedRecord": talk, "actor": session.viewer}


@_mutation
def _unlock_lockable(session: Session, given: Json) -> Json:
    talk = _triaged(session, given["lockableId"], "unlockLockable")
    session.store.unlock(talk)
    return {"unlockedRecord": talk, "actor": session.viewer}


@_mutation
def _minimize_comment(session: Session, given: Json) -> Json:
    comment = _moderated(session, given["subjectId"], "minimizeComment")
    comment.minimized_reason = given["classifier"].lower().replace("_", "-")
    return {"minimizedComment": comment}


@_mutation
def _unminimize_comment(session: Session, given: Json) -> Json:
    comment = _moderated(session, given["subjectId"], "unminimizeComment")
    comment.minimized_reason = None
    return {"unminimizedComment": comment}


def _moderated(session: Session, ident: str, mutation: str) -> Comment:
    comment = session.get(Comment, ident)
    _demand(session.owns(comment, "TRIAGE"), session, mutation)
    return comment


@_mutation
def _add_reaction(session: Session, given: Json) -> Json:
    post = session.get(Post, given["subjectId"])
    talk = post.discussion if isinstance(post, Comment) else session.get(Discussion, post.id)
    _demand(session.may_write_in(talk), session, "addReaction")
    return {"subject": post, "reaction": session.store.react(post, given["content"], session.viewer)}


@_mutation
def _remove_reaction(session: Session, given: Json) -> Json:
    post = session.get(Post, given["subjectId"])
    own = [one for one in post.reactions if (one.content, one.user) == (given["content"], session.viewer)]
    if not own:
        raise unprocessable("Reaction does not exist")
    post.reactions.remove(own[0])
    return {"subject": post, "reaction": own[0]}
