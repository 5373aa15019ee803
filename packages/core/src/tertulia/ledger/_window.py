"""Which of the relevant records are shown: the window, the pins, and the total size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tertulia.ledger._models import Options, Run

__all__ = ["fit", "in_window"]


def in_window(flow: Sequence[str], options: Options) -> list[str]:
    """Keep the last N relevant refs and the pinned ones on top of that; everything when no positive window is set."""
    if options.window is None or options.window <= 0:
        return list(flow)
    kept = set(flow[-options.window :]) | set(options.pinned)
    return [ref for ref in flow if ref in kept]


def fit(flow: Sequence[str], sizes: Mapping[str, int], room: int, run: Run, options: Options) -> list[str]:
    """Drop the oldest refs until the rest fits into `room` characters; pinned ones and the trigger comment stay."""
    protected = {*options.pinned, run.trigger_comment}
    excess = sum(sizes[ref] for ref in flow) - room
    dropped: set[str] = set()
    for ref in flow:
        if excess <= 0:
            break
        if ref not in protected:
            dropped.add(ref)
            excess -= sizes[ref]
    return [ref for ref in flow if ref not in dropped]
