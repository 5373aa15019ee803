"""Who is who: accounts are compared by id, by login only where the run's own id is unknown, and nobody is `ghost`."""

from __future__ import annotations

from tertulia.thread import Account, Message

__all__ = [
    "GITHUB_TYPES",
    "OPENING_TYPES",
    "account_ids",
    "fold",
    "is_engine",
    "is_engine_account",
    "is_nobody",
    "same_account",
]

GITHUB_TYPES = frozenset(
    {"issue", "issue_comment", "pull_request", "review", "review_comment", "discussion", "discussion_comment"}
)
OPENING_TYPES = frozenset({"issue", "pull_request", "discussion", "jira_issue"})
_GHOST_LOGIN = "ghost"
_GHOST_ID = "10137"


def is_nobody(account: Account | None, *, github: bool = True) -> bool:
    """Say whether an account stands for nobody in particular: deleted, GitHub's ghost, a mannequin."""
    if account is None or account.placeholder or account.login.lower() == _GHOST_LOGIN:
        return True
    return github and account.id == _GHOST_ID


def same_account(known: Account | None, other: Account | None) -> bool:
    """Say whether `other` is the account the run knows: by id; by login (ASCII, any case) only when no id is known."""
    if known is None or other is None:
        return False
    ids = account_ids(known)
    same = not ids.isdisjoint((other.id, *other.aliases)) if ids else fold(known.login) == fold(other.login) != ""
    return same and not is_nobody(known) and not is_nobody(other)


def is_engine(message: Message, engine: Account | None) -> bool:
    """Say whether the engine's own account wrote a message."""
    return same_account(engine, message.author)


def is_engine_account(account: Account | None, engine: Account | None) -> bool:
    """Say whether a run's account is the engine's: by login too where either id is unknown, for this only takes trust."""
    return same_account(engine, account) or same_account(account, engine)


def account_ids(account: Account | None) -> frozenset[str]:
    """Give every id an account is known by."""
    if account is None:
        return frozenset()
    return account.aliases | {account.id} if account.id is not None else account.aliases


def fold(login: str) -> str:
    """Lower ASCII letters only: other alphabets have letters that fold into ASCII ones."""
    return login.translate(_LOWER)


_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
