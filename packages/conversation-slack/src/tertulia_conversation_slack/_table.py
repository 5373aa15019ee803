"""A table as Markdown writes it."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["table"]

_RULES = {"center": ":---:", "right": "---:"}


def table(rows: Sequence[Sequence[str]], aligned: Sequence[str] = ()) -> str:
    """Write rows of cells, the first as the head; a short row is filled up. Nothing for no rows."""
    width = max((len(row) for row in rows), default=0)
    if width == 0:
        return ""
    rules = [_RULES.get(aligned[column] if column < len(aligned) else "", "---") for column in range(width)]
    head, *body = [[_cell(text) for text in row] + [""] * (width - len(row)) for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rules, *body))


def _cell(text: str) -> str:
    """Keep a cell on its line and in its column."""
    return text.strip().replace("|", "\\|").replace("\n", "<br>")
