"""Objects of GitHub's GraphQL API made into the models of the core. Pure."""

from __future__ import annotations

from typing import Any, TypeVar

from tertulia import ledger
from tertulia.category import format_of
from tertulia.conversation import Conversation, Thread
from tertulia.errors import Invalid
from tertulia.event import Role
from tertulia.parsing import as_list, as_object, build
from tertulia.parsing.github import Place
from tertulia.thread import Account, Message, ThreadRef
from tertulia_conversation_github._errors import unreadable
from tertulia_conversation_github._nodes import Node, id_of, items, number_of, time_of

__all__ = [
    "COMMENT",
    "OPENING",
    "account",
    "comment",
    "conversation",
    "opening",
    "place_of",
    "role",
    "thread",
]

M = TypeVar("M", Conversation, Thread)

COMMENT, OPENING = "discussion_comment", "discussion"
"""What the messages of a discussion are, in the words of the webhooks."""

_BOT = "[bot]"
_ROLES: dict[Any, Role] = {
    "ADMIN": "admin",
    "MAINTAIN": "maintain",
    "WRITE": "write",
    "TRIAGE": "triage",
    "READ": "read",
}


def account(actor: Any) -> Account | None:
    """Make an account of an actor; None for a deleted one. GraphQL prints an app's login without `[bot]`."""
    user = _user(actor)
    if user is None:
        return None
    number = user["id"]
    placeholder = user["__typename"] == "Mannequin" or (user["__typename"] == "Organization" and number is None)
    return Account(
        id=None if number is None else str(number),
        login=user["login"],
        kind="bot" if user["__typename"] == "Bot" else "human",
        placeholder=placeholder,
    )


def opening(node: Node) -> Message:
    """Make a message of the post that a discussion begins with."""
    return _message(node, OPENING, None, title=node.get("title"))


def comment(node: Node, root: str | None = None) -> Message:
    """Make a message of a comment; `root` is the id of the thread's root, which without one it is itself."""
    replied = as_object(node.get("replyTo"))
    if root is None and replied:
        root = number_of(replied)
    return _message(node, COMMENT, root or number_of(node))


def thread(node: Node, conversation: str, discussion_id: str) -> Thread:
    """Make a thread of a root and its last reply."""
    root, replies = comment(node), as_object(node.get("replies"))
    said = [root.created_at, *(time_of(reply) for reply in items(replies))]
    handle = f"{discussion_id} {id_of(node)}"
    fields = {
        "ref": ThreadRef(conversation=conversation, root=root.id, handle=handle),
        "root": root,
        "replies": replies.get("totalCount"),
        "last_activity": max(said),
    }
    return _built(Thread, fields, "thread")


def role(collaborators: Node, login: str) -> tuple[Role, str | None]:
    """Give the role of the collaborator with a login, and the account's id; none for who is no collaborator."""
    for edge in map(as_object, as_list(collaborators.get("edges"))):
        user = as_object(edge.get("node"))
        if str(user.get("login")).lower() == login.lower():
            number = user.get("databaseId")
            return _ROLES.get(edge.get("permission"), "none"), None if number is None else str(number)
    return "none", None


def place_of(node: Node) -> str:
    """Give the address of a discussion, as GitHub itself writes it."""
    repository = as_object(node.get("repository"))
    try:
        return Place.of(f"{repository.get('nameWithOwner')}#{node.get('number')}").conversation
    except Invalid:
        raise unreadable("a discussion has no address") from None


def conversation(node: Node) -> Conversation:
    """Make a conversation of a discussion."""
    category, answer = as_object(node.get("category")), as_object(node.get("answer"))
    reason = node.get("stateReason")
    fields = {
        "conversation": place_of(node),
        "id": number_of(node),
        "title": node.get("title"),
        "category": {
            "id": category.get("id"),
            "name": category.get("name"),
            "slug": category.get("slug"),
            "format": format_of(answerable=category.get("isAnswerable")),
        },
        "labels": tuple(label.get("name") for label in items(node.get("labels"))),
        "author": account(node.get("author")),
        "association": node.get("authorAssociation"),
        "closed": node.get("closed"),
        "state_reason": reason.lower() if isinstance(reason, str) else None,
        "locked": node.get("locked"),
        "answered": node.get("isAnswered"),
        "answer": number_of(answer) if answer else None,
        "created_at": node.get("createdAt"),
        "updated_at": node.get("updatedAt"),
        "url": node.get("url"),
        "handle": id_of(node),
    }
    return _built(Conversation, fields, "discussion")


def _built(model: type[M], fields: dict[str, Any], at: str) -> M:
    try:
        return build(model, fields, "github", at)
    except Invalid as error:
        raise unreadable(error.message) from error


def _user(actor: object) -> dict[str, Any] | None:
    told = as_object(actor)
    login, kind = told.get("login"), told.get("__typename")
    if not isinstance(login, str):
        return None
    if kind == "Bot" and not login.lower().endswith(_BOT):
        login = f"{login}{_BOT}"
    return {"login": login, "id": told.get("databaseId"), "__typename": kind}


def _message(node: Node, source_type: str, parent: str | None, *, title: Any = None) -> Message:
    number = number_of(node)
    item = {
        "source_type": source_type,
        "id": number,
        "parent_id": parent,
        "title": title,
        "user": _user(node.get("author")),
        "author_association": node.get("authorAssociation"),
        "created_at": node.get("createdAt"),
        "updated_at": node.get("updatedAt"),
        "body": node.get("body"),
        "html_url": node.get("url"),
        "deleted_at": node.get("deletedAt"),
        "is_minimized": node.get("isMinimized") is True,
        "minimized_reason": node.get("minimizedReason"),
        "editor": _user(node.get("editor")),
        "last_edited_at": node.get("lastEditedAt"),
    }
    try:
        made = ledger.to_message(item, f"{source_type}:{number}", what="github")
    except Invalid as error:
        raise unreadable(error.message) from error
    assert made is not None  # only reviews can be pending
    return made.model_copy(update={"handle": id_of(node)})
