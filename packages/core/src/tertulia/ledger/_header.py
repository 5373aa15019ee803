"""What may stand outside a fence: a closed set of words, numbers, times and links to configured hosts."""

from __future__ import annotations

import re
from datetime import datetime

from tertulia.ledger._edits import edited_at
from tertulia.ledger._models import Run, ThreadRecord
from tertulia.thread import Message

__all__ = ["association", "header", "link", "moment", "who"]

_SECONDS = len("2026-10-01T10:00:00")
_LOGIN = re.compile(r"[A-Za-z0-9-]{1,39}(\[bot\])?")
_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_LINK = re.compile(r"https://([^/]{1,255})/[A-Za-z0-9._~/-]{1,500}(?:#[A-Za-z0-9_-]{1,100})?")
_ASSOCIATIONS = frozenset(
    {
        "OWNER",
        "MEMBER",
        "COLLABORATOR",
        "CONTRIBUTOR",
        "FIRST_TIMER",
        "FIRST_TIME_CONTRIBUTOR",
        "MANNEQUIN",
        "NONE",
        "EXTERNAL",
    }
)


def header(record: ThreadRecord, message: Message, run: Run, *, hidden: bool, here: bool) -> str:
    """Describe a record in the words of the frame: nothing an author chose stands here."""
    words = [f"kind={record.kind}", f"trusted={'yes' if record.trusted else 'no'}", *_author(record)]
    words.append(f"time={moment(record.created_at)}")
    place = link(record.url, run)
    if place is not None:
        words.append(f"url={place}")
    flags = _flags(record, message, hidden=hidden, here=here)
    if flags:
        words.append(f"flags={','.join(flags)}")
    if message.line is not None and message.line >= 0:
        words.append(f"line={message.line}")
    return " ".join(words)


def _author(record: ThreadRecord) -> list[str]:
    words = (
        [f"author={record.user_id}"]
        if record.user_id is not None and _ID.fullmatch(record.user_id)
        else ["author=unknown"]
    )
    if record.user_login is not None and _LOGIN.fullmatch(record.user_login):
        words.append(f"login={record.user_login}")
    return words


def _flags(record: ThreadRecord, message: Message, *, hidden: bool, here: bool) -> list[str]:
    flags = ["this-thread"] if here else []
    if record.kind == "agent-output":
        flags.append("earlier-model-output")
    if edited_at(message) is not None:
        flags.append("edited")
    if record.minimized is not None:
        flags.append("minimized")
    if record.cut:
        flags.append("cut")
    if hidden:
        flags.append("hidden-text-removed")
    return flags


def who(ident: str | None, login: str | None) -> str:
    """Name an author: the login with the id, when it is written as a login is, else the id alone."""
    known = ident if ident is not None and _ID.fullmatch(ident) else None
    if login is not None and _LOGIN.fullmatch(login):
        return f"{login} ({known})" if known else login
    return known or "unknown"


def moment(at: datetime | None) -> str:
    """Write a time in whole seconds, UTC."""
    return f"{at.isoformat()[:_SECONDS]}Z" if at is not None else "unknown"


def association(record: ThreadRecord) -> str:
    """Give the association when it is one the backends document."""
    return record.author_association if record.author_association in _ASSOCIATIONS else "unknown-association"


def link(url: str | None, run: Run) -> str | None:
    """Give the link to a record when it is a configured host, a plain path and a plain fragment; None for any other."""
    found = _LINK.fullmatch(url) if url is not None else None
    return url if found is not None and found[1] in run.hosts else None
