"""One item of a thread, as GitHub's REST API or our own snapshot writes it, made into a message."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Any, Literal, Required

from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, with_config
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from tertulia._frozen import Id, Instant, assembled, checked
from tertulia.errors import Invalid
from tertulia.thread import Account, Attachment, Marker, Message, MessageId, SourceType

__all__ = ["ITEM", "MAX_BODY", "account_of", "cut_body", "to_message"]

MAX_BODY = 256 * 1024
"""One body is bounded at 256 KiB of UTF-8 on reading."""


def _time(value: Any) -> Any:
    if isinstance(value, datetime):
        return value
    if not isinstance(value, str):
        raise PydanticCustomError("tertulia", "must be a string with a time like 2026-10-01T09:00:00Z")
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        raise PydanticCustomError("tertulia", "must be a time like 2026-10-01T09:00:00Z") from None


Time = Annotated[Instant, BeforeValidator(_time, json_schema_input_type=str)]


_part = with_config(ConfigDict(extra="ignore", strict=True))
"""What is not known of a part of an item is ignored, what is known must have its type."""


@_part
class User(TypedDict, total=False):
    """Hold an account as a backend writes it; `type` Bot is the only ground for calling it a bot."""

    login: str | None
    id: Id | None
    type: str | None
    typename: Annotated[str | None, Field(alias="__typename")]
    name: str | None
    aliases: Annotated[frozenset[str], Field(strict=False)]


@_part
class _App(TypedDict, total=False):
    id: Id | None


@_part
class _File(TypedDict, total=False):
    name: str | None
    mimetype: str | None
    size: Annotated[int, Field(ge=0)] | None


@_part
class _Marker(TypedDict, total=False):
    agent: Required[str]
    key: str | None


@_part
class Item(TypedDict, total=False):
    """Hold one item of a saved thread."""

    source_type: Required[SourceType]
    id: Required[MessageId]
    title: str | None
    user: User | None
    author_association: str | None
    created_at: Time | None
    submitted_at: Time | None
    updated_at: Time | None
    body: str | None
    html_url: str | None
    parent_id: Id | None
    in_reply_to_id: Id | None
    deleted_at: Time | None
    tombstone: bool
    is_minimized: bool
    minimized_reason: str | None
    editor: User | None
    last_edited_at: Time | None
    path: str | None
    line: int | None
    performed_via_github_app: _App | None
    files: Annotated[tuple[_File, ...], Field(strict=False)]
    state: str | None
    cut: Annotated[int, Field(ge=0)]
    marker: _Marker | None


ITEM = TypeAdapter(Item)


def account(user: User | None) -> Account | None:
    """Make an account of a user object; a user without a login and an id is nobody."""
    if user is None:
        return None
    kinds = (user.get("type"), user.get("typename"))
    return account_of(user.get("id"), user.get("login"), kinds, user.get("aliases", frozenset()))


@lru_cache(maxsize=4096)
def account_of(
    ident: str | None, login: str | None, kinds: tuple[str | None, ...], aliases: frozenset[str]
) -> Account | None:
    """Make an account once: a thread has few authors and many messages."""
    if ident is None and login is None:
        return None
    placeholder = "Mannequin" in kinds or ("Organization" in kinds and ident is None)
    kind: Literal["bot", "human"] = "bot" if "Bot" in kinds else "human"
    return Account(id=ident, login=login or "", kind=kind, aliases=aliases, placeholder=placeholder)


def cut_body(body: str) -> tuple[str, int]:
    """Bound a body at 256 KiB of UTF-8, never inside a code point; give it and how many characters were left out."""
    if len(body) * 4 <= MAX_BODY:
        return body, 0
    encoded = body.encode("utf-8", "replace")
    if len(encoded) <= MAX_BODY:
        return body, 0
    kept = encoded[:MAX_BODY].decode("utf-8", "ignore")
    return kept, len(body) - len(kept)


def to_message(value: Mapping[str, Any], at: str, *, what: str = "snapshot") -> Message | None:
    """Make a message of an item, an object of GitHub's REST API or one in our own form.

    None for a review nobody has submitted yet. An item that has a `source_type` says itself what it is; unknown fields
    are left out, and a long body is cut and says so. Raises Invalid, which names `what` and with `at` the place in it.
    """
    known = value if "source_type" in value else {**value, "source_type": _source_type(value, at, what)}
    item = checked(lambda: ITEM.validate_python(known), what, at)
    if item["source_type"] == "review" and item.get("state") == "PENDING":
        return None
    created = item.get("created_at") or item.get("submitted_at")
    if created is None:
        raise Invalid(f"{what}: {at}.created_at: is missing", field=f"{at}.created_at")
    return _message(item, created)


def _message(item: Item, created: datetime) -> Message:
    """Make the message of an item: what was checked there is not checked again."""
    body, cut = cut_body(item.get("body") or "")
    user, app, marker = item.get("user"), item.get("performed_via_github_app"), item.get("marker")
    parent = item.get("parent_id")
    made = {
        "id": item["id"],
        "source_type": item["source_type"],
        "parent_id": parent if parent is not None else item.get("in_reply_to_id"),
        "title": item.get("title"),
        "author": account(user),
        "author_name": user.get("name") if user is not None else None,
        "association": item.get("author_association"),
        "body": body,
        "cut": cut + item.get("cut", 0),
        "created_at": created,
        "updated_at": item.get("updated_at"),
        "last_edited_at": item.get("last_edited_at"),
        "editor": account(item.get("editor")),
        "url": item.get("html_url"),
        "deleted": item.get("tombstone", False) or item.get("deleted_at") is not None,
        "minimized": (item.get("minimized_reason") or "minimized") if item.get("is_minimized") else None,
        "marker": Marker(agent=marker["agent"], key=marker.get("key")) if marker is not None else None,
        "app_id": app.get("id") if app is not None else None,
        "path": item.get("path"),
        "line": item.get("line"),
        "attachments": tuple(map(_attachment, item.get("files", ()))),
        "handle": None,
    }
    return assembled(Message, made)


def _attachment(file: _File) -> Attachment:
    return Attachment(name=file.get("name") or "file", type=file.get("mimetype"), size=file.get("size"))


def _source_type(value: Mapping[str, Any], at: str, what: str) -> str:
    """Tell what a REST object is by the fields only its kind has."""
    if "number" in value and "title" in value:
        pull = isinstance(value.get("pull_request"), Mapping) or "head" in value
        return "pull_request" if pull else "issue"
    if "issue_url" in value:
        return "issue_comment"
    if "pull_request_review_id" in value or "diff_hunk" in value:
        return "review_comment"
    if "submitted_at" in value or "pull_request_url" in value:
        return "review"
    raise Invalid(f"{what}: {at}.source_type: is missing, and the fields do not tell it", field=f"{at}.source_type")
