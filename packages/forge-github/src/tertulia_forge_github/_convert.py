"""GitHub's objects made into models. Pure: nobody is asked.

What GitHub should never answer is `Unavailable` here: the caller did nothing wrong, and nothing is guessed.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, Literal, Required, TypeVar, cast

from pydantic import Field, TypeAdapter
from pydantic_core import SchemaValidator, to_json
from typing_extensions import TypedDict

from tertulia.errors import Invalid, Unavailable
from tertulia.event import ChangeProposal, Role
from tertulia.forge import Change, Permission
from tertulia.parsing import as_object, checked
from tertulia.parsing.github_events import Moment, User, labels_of
from tertulia.thread import Account
from tertulia_forge_github._entities import change_proposal
from tertulia_forge_github._payload import PullRequest

__all__ = ["account", "change", "decoded", "issue_labels", "permission", "understood"]

T = TypeVar("T")

_ROLES: dict[str, Role] = {
    "admin": "admin",
    "maintain": "maintain",
    "write": "write",
    "push": "write",
    "triage": "triage",
    "read": "read",
    "pull": "read",
    "none": "none",
}
_FLAGS = ("admin", "maintain", "push", "triage", "pull")
"""What a custom role comes to, strongest first."""


class _Pull(PullRequest, total=False):
    title: Required[str]
    body: str | None
    state: Required[Literal["open", "closed"]]
    draft: bool | None
    merged_at: Moment | None
    created_at: Required[Moment]


class _Issue(TypedDict, total=False):
    number: Required[int]
    labels: list[Any] | None


class _Flags(TypedDict, total=False):
    admin: bool
    maintain: bool
    push: bool
    triage: bool
    pull: bool


class _Holder(User, total=False):
    permissions: _Flags | None


class _Permission(TypedDict, total=False):
    permission: Required[Annotated[str, Field(max_length=255)]]
    role_name: Annotated[str, Field(max_length=255)] | None
    user: _Holder | None


@cache
def _reader(shape: Any) -> SchemaValidator:
    return cast(SchemaValidator, TypeAdapter(shape).validator)


def _read(shape: Any, data: Any) -> Any:
    return checked(lambda: _reader(shape).validate_json(to_json(data), strict=True), "answer")


def understood(make: Callable[[], T], operation: str) -> T:
    """Convert an answer; one that cannot be converted is Unavailable."""
    try:
        return make()
    except Invalid as error:
        raise Unavailable(
            f"cannot read what was answered: {error.message}", backend="github", operation=operation
        ) from None


def account(user: object) -> Account | None:
    """Make an account of a user object; None for a deleted account."""
    told = as_object(user)
    login, number, kind = told.get("login"), told.get("id"), told.get("type")
    if not isinstance(login, str) or not login:
        return None
    ident = str(number) if isinstance(number, int) and not isinstance(number, bool) else None
    placeholder = kind == "Mannequin" or login.lower() == "ghost" or (kind == "Organization" and ident is None)
    return Account(id=ident, login=login, kind="bot" if kind == "Bot" else "human", placeholder=placeholder)


def change(data: Any, repo: str) -> Change:
    """Make a change proposal of a pull request; Invalid when it is none. The repository's own spelling is taken."""
    pull = cast(_Pull, _read(_Pull, data))
    merged = pull.get("merged") or pull.get("merged_at") is not None
    proposal = change_proposal(pull, repo)
    made = {
        "repo": proposal["base_repo"],
        "number": pull["number"],
        "title": pull["title"],
        "body": pull.get("body") or "",
        "author": account(pull.get("user")),
        "state": "merged" if merged else pull["state"],
        "draft": bool(pull.get("draft")),
        "labels": tuple(labels_of(pull, "pull_request")),
        "proposal": checked(lambda: ChangeProposal.model_validate(proposal), "answer"),
        "created_at": pull["created_at"],
        "updated_at": pull.get("updated_at"),
        "url": pull.get("html_url"),
    }
    return checked(lambda: Change.model_validate(made), "answer")


def issue_labels(data: Any) -> tuple[str, ...]:
    """Take the labels of an issue."""
    return tuple(labels_of(_read(_Issue, data), "issue"))


def permission(data: Any) -> tuple[Permission, str | None]:
    """Make a permission of GitHub's answer, and give the id of the account it is about.

    `role_name` decides when it is one of GitHub's own. A custom role is what its permission flags come to, and without
    them what the old `permission` says, which knows maintain as write and triage as read.
    """
    found = cast(_Permission, _read(_Permission, data))
    name, holder = found.get("role_name"), found.get("user") or _Holder()
    role = _ROLES.get(name or "")
    if role is None:
        flags = holder.get("permissions")
        role = _strongest(flags) if flags else _ROLES.get(found["permission"], "none")
    ident = holder.get("id")
    return Permission(role=role, role_name=name or found["permission"]), None if ident is None else str(ident)


def _strongest(flags: _Flags) -> Role:
    held = cast(dict[str, bool], flags)
    return _ROLES[next((flag for flag in _FLAGS if held.get(flag)), "none")]


def decoded(data: Mapping[str, object]) -> bytes | None:
    """Decode the content of a file or a blob; None when it is left out because of its size."""
    content, size = data.get("content"), data.get("size")
    if data.get("encoding") != "base64" or not isinstance(content, str):
        return None
    try:
        raw = b64decode("".join(content.split()), validate=True)
    except ValueError:
        raise Invalid("answer: content: is not base64", field="content") from None
    if isinstance(size, int) and len(raw) != size:
        if not raw:
            return None
        raise Invalid(f"answer: content: has {len(raw)} bytes, not {size}", field="content")
    return raw
