"""Being written."""

from __future__ import annotations

from tertulia.ledger._models import Ledger, Options, Run, ThreadRecord
from tertulia.thread import Listing

__all__ = ["reconcile"]


def reconcile(
    listing: Listing,
    previous: tuple[ThreadRecord, ...],
    run: Run,
    options: Options,
    *,
    gone: frozenset[str] = frozenset(),
) -> Ledger:
    """Decide what every message of a thread is; `gone` are refs a direct look-up answered with NotFound."""
    raise AssertionError("being written")
