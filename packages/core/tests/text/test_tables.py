"""Rows and cells of a table: what decides which text is read together."""

import pytest

from tertulia._text._table import cell_spans, is_delimiter_row, same_cells


@pytest.mark.parametrize("row", ["-", "|-|", "---|:--|--:|:-:", " | - |\t-- | ", "|-", "-|"])
def test_a_delimiter_row_has_dashes_with_colons_at_their_ends(row: str) -> None:
    assert is_delimiter_row(row)


@pytest.mark.parametrize("row", ["", "|", "|a|", ":", "- -", "-:-", "|-|a|", "|-||", "\u00a0-", "|\u2003-|-|"])
def test_anything_else_is_no_delimiter_row(row: str) -> None:
    assert not is_delimiter_row(row)


@pytest.mark.parametrize(
    "header", ["a|b", "|a|b|", "|a|b", "a|b|", " | a | b | ", "a\\|x|b", "||b", "|a||", "\u00a0|b"]
)
def test_a_pipe_at_either_end_makes_no_cell(header: str) -> None:
    assert same_cells(header, "-|-")
    assert not same_cells(header, "-")
    assert not same_cells(header, "-|-|-")


@pytest.mark.parametrize("header", ["a", "|a", "a|", "|a|", "|", ""])
def test_a_row_has_one_cell_at_least(header: str) -> None:
    assert same_cells(header, "-")


def test_a_cell_ends_behind_its_pipe() -> None:
    assert cell_spans("x|a|b", 2, 5) == [(2, 4), (4, 5)]
    assert cell_spans("|a|", 0, 3) == [(0, 1), (1, 3)]
    assert cell_spans("a\\|b", 0, 4) == [(0, 4)]
