"""GitHub's objects made into models. Pure: nobody is asked."""

from __future__ import annotations

from typing import Any

from tertulia.thread import Account

__all__ = ["account"]


def account(user: Any) -> Account | None:
    """Make an account of a user object; None for a deleted account."""
    if not isinstance(user, dict):
        return None
    login, number, kind = user.get("login"), user.get("id"), str(user.get("type"))
    if not isinstance(login, str) or not login:
        return None
    ident = str(number) if isinstance(number, int) and not isinstance(number, bool) else None
    placeholder = kind == "Mannequin" or login.lower() == "ghost" or (kind == "Organization")
    return Account(id=ident, login=login, kind="bot" if kind == "Bot" else "human", placeholder=placeholder)
