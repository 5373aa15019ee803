"""Reconcile and render in one step."""

from __future__ import annotations

from typing import Any

from tertulia.ledger._models import Context, Options, Run, ThreadRecord
from tertulia.ledger._reconcile import reconcile
from tertulia.ledger._render import render
from tertulia.thread import Listing

__all__ = ["build_context", "context_schema"]


def build_context(
    listing: Listing, previous: tuple[ThreadRecord, ...] = (), run: Run = Run(), options: Options = Options()
) -> Context:
    """Decide what an agent may read of a thread and write it out: pure, nothing is fetched."""
    return render(reconcile(listing, previous, run, options), listing.messages, run, options)


def context_schema() -> dict[str, Any]:
    """Give the JSON Schema of what `tertulia context --json` prints."""
    raise AssertionError("being written")
