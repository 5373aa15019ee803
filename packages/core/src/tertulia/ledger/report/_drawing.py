"""The two drawings of a report, as inline SVG: how the records divide, and when each was written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from html import escape
from typing import get_args

from tertulia.ledger._models import DecisionName, Kind
from tertulia.ledger.report._rows import Row

__all__ = ["strip", "timeline"]

_WIDTH = 1_000
_LANE = 34
_LEFT = 130
_RIGHT = 985
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
    times = [row.record.created_at for row in rows if row.record.created_at is not None]
    first, last = (min(times), max(times)) if times else (None, None)
    height = _LANE * len(_KINDS)
    lanes = [_lane(place, kind) for place, kind in enumerate(_KINDS)]
    marks = [_mark(row, first, last) for row in rows]
    words = escape(f"{len(rows)} records by time, a lane for each kind")
    return (
        f'<svg class="timeline" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{words}">'
        f"{''.join(lanes)}{''.join(marks)}</svg>"
    )


def _lane(place: int, kind: str) -> str:
    middle = _LANE * place + _LANE // 2
    return (
        f'<line class="lane" x1="{_LEFT}" y1="{middle}" x2="{_WIDTH}" y2="{middle}"/>'
        f'<text class="lane" x="0" y="{middle + 5}">{escape(kind)}</text>'
    )


def _mark(row: Row, first: datetime | None, last: datetime | None) -> str:
    at = row.record.created_at
    span = (last - first).total_seconds() if first is not None and last is not None else 0.0
    share = (at - first).total_seconds() / span if at is not None and first is not None and span else 0.0
    x = _LEFT + 10 + (_RIGHT - _LEFT - 10) * share
    y = _LANE * _KINDS.index(row.record.kind) + _LANE // 2
    told = escape(f"{row.record.ref}, {row.author}, {row.time}: {row.decision}, {row.reason}")
    return f'<circle class="{row.decision}" cx="{x:.1f}" cy="{y}" r="6"><title>{told}</title></circle>'
