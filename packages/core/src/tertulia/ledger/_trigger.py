"""Who a run may trust, derived from the event that started it: its sender, who must have written what it is about."""

from __future__ import annotations

from tertulia.event import Event
from tertulia.ledger._accounts import is_engine_account, is_nobody, same_account
from tertulia.ledger._models import Finding
from tertulia.thread import Account

__all__ = ["derive", "given", "trigger_of"]

_AUTHORED = frozenset({"opened", "edited", "created", "comment_added", "comment_edited"})
_UNATTENDED = frozenset({"schedule", "manual", "dispatch", "workflow_dispatch", "repository_dispatch"})

Derived = tuple[Account | None, tuple[Finding, ...]]


def given(account: Account | None) -> Derived:
    """Take a trigger author that somebody named: it stands as it is."""
    return account, ()


def trigger_of(event: Event, engine: Account | None) -> Derived:
    """Derive the trigger author of an event: the sender, or nobody, with a finding when that is surprising.

    On created and edited events the sender must also be the author. A bot, the engine, a schedule and a dispatch give
    nobody.
    """
    actor, comment = event.actor, event.transition.comment
    sender = Account(id=actor.account_id, login=actor.id, kind=actor.kind)
    if event.source.system in _UNATTENDED:
        return None, ()
    author = None
    if comment is not None:
        if comment.author is not None:
            author = Account(id=comment.author.id, login=comment.author.login)
    elif actor.is_entity_author:
        author = sender
    return derive(event.transition.kind, sender, author, engine)


def derive(kind: str, sender: Account | None, author: Account | None, engine: Account | None) -> Derived:
    """Derive the trigger author from an event's kind, its sender and the author of what it is about."""
    word = kind.rpartition(".")[2]
    if word in _UNATTENDED or sender is None or is_nobody(sender):
        return None, ()
    if sender.kind == "bot" or sender.login.lower().endswith("[bot]") or is_engine_account(sender, engine):
        return None, ()
    if word in _AUTHORED and not same_account(sender, author):
        detail = f"the sender of the {word} event is not known to be the author of what it is about: nobody is trusted"
        return None, (Finding(flag="trigger-author-ambiguous", detail=detail),)
    return sender, ()
