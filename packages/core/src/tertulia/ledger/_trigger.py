"""Who a run may trust: derived from the event that started it."""

from __future__ import annotations

from tertulia.event import Event
from tertulia.ledger._models import Finding
from tertulia.thread import Account

__all__ = ["trigger_of"]


def trigger_of(event: Event, engine: Account | None) -> tuple[Account | None, tuple[Finding, ...]]:
    """Derive the trigger author of an event: the sender, or nobody, with a finding when that is surprising."""
    raise AssertionError("being written")
