"""Being written."""

from __future__ import annotations

from tertulia.ledger._models import Context, Ledger, Options, Run
from tertulia.thread import Message

__all__ = ["render"]


def render(ledger: Ledger, messages: tuple[Message, ...], run: Run, options: Options) -> Context:
    """Write out what an agent gets."""
    raise AssertionError("being written")
