"""The two drawings of a report, as inline SVG: how the records divide, and when each was written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from html import escape
from typing import get_args

from tertulia.ledger._models import DecisionName, Kind
from tertulia.ledger.report._rows import Row

__all__ = ["strip", "timeline"]

_WIDTH = 1_000
_LANE = 34
_LANES_FROM = 130
_MARKS = (140, 985)
"""Where the first mark stands, and the last."""

_KINDS: tuple[Kind, ...] = get_args(Kind)


def strip(counts: Mapping[DecisionName, int]) -> str:
    """Draw a bar whose parts are as long as their share of the records."""
    total = sum(counts.values())
    parts: list[str] = []
    place = 0.0
    for name, count in counts.items():
        if count:
            width = _WIDTH * count / total
            told = escape(f"{name}: {count} of {total}")
            parts.append(
                f'<rect class="{name}" x="{place:.1f}" y="0" width="{width:.1f}" height="28"><title>{told}</title></rect>'
            )
            place += width
    words = escape(", ".join(f"{count} {name}" for name, count in counts.items()))
    return (
        f'<svg class="strip" viewBox="0 0 {_WIDTH} 28" preserveAspectRatio="none" role="img" '
        f'aria-label="{words}">{"".join(parts)}</svg>'
    )


def timeline(rows: Sequence[Row]) -> str:
    """Draw a mark for every record, at its time, in the lane of its kind."""
    times = [row.record.created_at for row in rows if row.record.created_at is not None] or [datetime.min]
    start = min(times)
    span = max(times) - start
    lanes = [_lane(kind) for kind in _KINDS]
    marks = [_mark(row, start, span) for row in rows]
    words = escape(f"{len(rows)} records by time, a lane for each kind")
    return (
        f'<svg class="timeline" viewBox="0 0 {_WIDTH} {_LANE * len(_KINDS)}" role="img" aria-label="{words}">'
        f"{''.join(lanes)}{''.join(marks)}</svg>"
    )


def _lane(kind: Kind) -> str:
    middle = _middle(kind)
    return (
        f'<line class="lane" x1="{_LANES_FROM}" y1="{middle}" x2="{_WIDTH}" y2="{middle}"/>'
        f'<text class="lane" x="0" y="{middle}">{escape(kind)}</text>'
    )


def _mark(row: Row, start: datetime, span: timedelta) -> str:
    """Draw a record; one without a time stands where the first one does."""
    share = ((row.record.created_at or start) - start) / span if span else 0.0
    first, last = _MARKS
    x, y = first + (last - first) * share, _middle(row.record.kind)
    told = escape(f"{row.record.ref}, {row.author}, {row.time}: {row.decision}, {row.reason}")
    return f'<circle class="{row.decision}" cx="{x:.1f}" cy="{y}" r="6"><title>{told}</title></circle>'


def _middle(kind: Kind) -> float:
    return _LANE * (_KINDS.index(kind) + 0.5)
