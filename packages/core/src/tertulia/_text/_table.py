"""GitHub's tables, so far as they decide which text is read together: a cell is read by itself."""

from __future__ import annotations

import re

__all__ = ["cell_spans", "is_delimiter_row", "same_cells"]

_PIPE = re.compile(r"(?<!\\)\|")
_DELIMITER = re.compile(r":?-+:?")
_BLANKS = " \t\v\f"


def same_cells(header: str, row: str) -> bool:
    """Say whether two lines have as many cells."""
    return len(_cells(header)) == len(_cells(row))


def is_delimiter_row(row: str) -> bool:
    """Say whether a line consists of cells like `---`, `:--` and `:-:`."""
    return "-" in row and all(_DELIMITER.fullmatch(cell.strip(_BLANKS)) for cell in _cells(row))


def cell_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Split `text[start:end]` behind every pipe that no back slash stands before."""
    ends = [pipe.end() for pipe in _PIPE.finditer(text, start, end)]
    return [span for span in zip([start, *ends], [*ends, end], strict=True) if span[0] < span[1]]


def _cells(row: str) -> list[str]:
    cells = _PIPE.split(row.strip(_BLANKS))
    first = 1 if cells[0] == "" and len(cells) > 1 else 0
    last = len(cells) - 1 if cells[-1] == "" and len(cells) > first + 1 else len(cells)
    return cells[first:last]
