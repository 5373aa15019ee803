"""Whether a person's words are trusted: their association with the place, and whether they started this run."""

from __future__ import annotations

from typing import NamedTuple

from tertulia.ledger._accounts import GITHUB_TYPES, is_nobody, same_account
from tertulia.ledger._models import Options, Run
from tertulia.thread import Message

__all__ = ["Trust", "judge"]

_ASSOCIATED = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})
_WRITERS = frozenset({"write", "maintain", "admin"})


class Trust(NamedTuple):
    """Say whether a message is trusted and why; `by_trigger`: the trigger author wrote it."""

    trusted: bool
    reason: str
    by_trigger: bool = False


def judge(message: Message, run: Run, options: Options) -> Trust:
    """Judge a message on the human path: both halves, association and author, are needed."""
    author = message.author
    if author is None or is_nobody(author, github=message.source_type in GITHUB_TYPES):
        return Trust(False, "the author is nobody in particular")
    by_trigger = same_account(run.trigger_author, author)
    listed = author.id is not None and author.id in options.trusted_user_ids
    if not by_trigger and not listed:
        return Trust(False, _not_the_author(run))
    who = "the trigger author" if by_trigger else "an account of trusted_user_ids"
    if options.permissions is not None:
        role = options.permissions.get(author.id) if author.id is not None else None
        if role not in _WRITERS:
            return Trust(False, f"{who}, but the permission is {_role(role)}, not write or above", by_trigger)
        return Trust(True, f"{who}, with permission {role}", by_trigger)
    if message.association not in _ASSOCIATED:
        return Trust(False, f"{who}, but not an owner, member or collaborator", by_trigger)
    return Trust(True, f"{who}, associated as {message.association}", by_trigger)


def _not_the_author(run: Run) -> str:
    return "the run has no trigger author" if run.trigger_author is None else "not the trigger author"


def _role(role: str | None) -> str:
    return role if role in ("triage", "read", "none", "external") else "unknown"
