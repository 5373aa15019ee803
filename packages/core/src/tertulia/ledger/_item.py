"""One item of a thread, as GitHub's REST API or our own snapshot writes it, made into a message."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from tertulia._frozen import Id, Instant, checked
from tertulia.errors import Invalid
from tertulia.thread import Account, Attachment, Marker, Message, SourceType

__all__ = ["MAX_BODY", "Item", "account", "cut_body", "to_message"]

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


class _Part(BaseModel):
    """Be one part of an item: what is not known is ignored, what is known must have its type."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class User(_Part):
    """Hold an account as a backend writes it; `type` Bot is the only ground for calling it a bot."""

    login: str | None = None
    id: Id | None = None
    type: str | None = None
    typename: Annotated[str | None, Field(alias="__typename")] = None
    name: str | None = None
    aliases: Annotated[frozenset[str], Field(strict=False)] = frozenset()


class _App(_Part):
    id: Id | None = None


class _File(_Part):
    name: str | None = None
    mimetype: str | None = None
    size: Annotated[int, Field(ge=0)] | None = None


class _Marker(_Part):
    agent: str
    key: str | None = None


class Item(_Part):
    """Hold one item of a saved thread."""

    source_type: SourceType
    id: Id
    title: str | None = None
    user: User | None = None
    author_association: str | None = None
    created_at: Time | None = None
    submitted_at: Time | None = None
    updated_at: Time | None = None
    body: str | None = None
    html_url: str | None = None
    parent_id: Id | None = None
    in_reply_to_id: Id | None = None
    deleted_at: Time | None = None
    tombstone: bool = False
    is_minimized: bool = False
    minimized_reason: str | None = None
    editor: User | None = None
    last_edited_at: Time | None = None
    path: str | None = None
    line: int | None = None
    performed_via_github_app: _App | None = None
    files: Annotated[tuple[_File, ...], Field(strict=False)] = ()
    state: str | None = None
    cut: Annotated[int, Field(ge=0)] = 0
    marker: _Marker | None = None


def account(user: User | None) -> Account | None:
    """Make an account of a user object; a user without a login and an id is nobody."""
    if user is None or (user.login is None and user.id is None):
        return None
    return _account(user.id, user.login or "", user.type, user.typename, user.aliases)


@lru_cache(maxsize=4096)
def _account(ident: str | None, login: str, kind: str | None, typename: str | None, aliases: frozenset[str]) -> Account:
    """Make an account once: a thread has few authors and many messages."""
    kinds = {kind, typename}
    placeholder = "Mannequin" in kinds or ("Organization" in kinds and ident is None)
    return Account(
        id=ident, login=login, kind="bot" if "Bot" in kinds else "human", aliases=aliases, placeholder=placeholder
    )


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
    kind = _source_type(value, at, what)
    item = checked(lambda: Item.model_validate({"source_type": kind, **value}), what, at)
    if item.source_type == "review" and item.state == "PENDING":
        return None
    created = item.created_at or item.submitted_at
    if created is None:
        raise Invalid(f"{what}: {at}.created_at: is missing", field=f"{at}.created_at")
    body, cut = cut_body(item.body or "")
    return checked(lambda: _message(item, created, body, item.cut + cut), what, at)


def _message(item: Item, created: datetime, body: str, cut: int) -> Message:
    return Message(
        id=item.id,
        source_type=item.source_type,
        parent_id=item.parent_id if item.parent_id is not None else item.in_reply_to_id,
        title=item.title,
        author=account(item.user),
        author_name=item.user.name if item.user is not None else None,
        association=item.author_association,
        body=body,
        cut=cut,
        created_at=created,
        updated_at=item.updated_at,
        last_edited_at=item.last_edited_at,
        editor=account(item.editor),
        url=item.html_url,
        deleted=item.tombstone or item.deleted_at is not None,
        minimized=(item.minimized_reason or "minimized") if item.is_minimized else None,
        app_id=item.performed_via_github_app.id if item.performed_via_github_app is not None else None,
        path=item.path,
        line=item.line,
        marker=Marker(agent=item.marker.agent, key=item.marker.key) if item.marker is not None else None,
        attachments=tuple(Attachment(name=f.name or "file", type=f.mimetype, size=f.size) for f in item.files),
    )


def _source_type(value: Mapping[str, Any], at: str, what: str) -> Any:
    """Tell what a REST object is by the fields only its kind has; objects with a `source_type` say it themselves."""
    if "source_type" in value:
        return value["source_type"]
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
