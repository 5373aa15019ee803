"""The reader the other tests compare with."""

from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("body", "visible", "comments"),
    [
        ("a <!-- b --> c", ["a", "c"], ["b"]),
        ("<!-- a --!> b", ["b"], ["a"]),
        ("<!--> a", ["a"], []),
        ("<!-- a <!-- b --> z", ["z"], ["a", "b"]),
        ("<div>\n<!-- a\n\nb", [], ["a", "b"]),
        ("<div>\n<?a>b", ["b"], ["a"]),
        ("<div>\n</1a>b", ["b"], ["a"]),
        ("<div>\n<!1a>b", ["b"], ["a"]),
        ("<div>\n<b c='<!-- d -->'>e", ["e"], []),
        ('<div>\n<b c="d>e', [], []),
        ("<div>\n<b c=d>e</b>", ["e"], []),
        ("a `<!-- b -->`", ["a", "b"], []),
        ("a <!-- b", ["a", "b"], []),
    ],
)
def test_it_tells_what_a_reader_sees(
    browse: Callable[[str], Any], body: str, visible: list[str], comments: list[str]
) -> None:
    page = browse(body)

    assert all(word in page.visible for word in visible)
    assert all(word in page.comments for word in comments)
    assert not any(word in page.comments for word in visible)
    assert not any(word in page.visible for word in comments)
