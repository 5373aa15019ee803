"""A thread saved as JSON: read it, and make everything a ledger needs of it."""

from __future__ import annotations

from typing import Any

from tertulia._frozen import Frozen
from tertulia.ledger._models import Options, Run, ThreadRecord
from tertulia.thread import Listing

__all__ = ["Snapshot", "snapshot_schema"]


class Snapshot(Frozen):
    """Hold a saved thread: the listing, the previous records, the run and the options it was saved with."""

    listing: Listing
    previous: tuple[ThreadRecord, ...] = ()
    run: Run = Run()
    options: Options = Options()

    @classmethod
    def parse(cls, document: bytes | str) -> Snapshot:
        """Read a snapshot file; anything wrong is one `Invalid` that names what and where."""
        raise AssertionError("being written")


def snapshot_schema() -> dict[str, Any]:
    """Give the JSON Schema of a snapshot file."""
    raise AssertionError("being written")
