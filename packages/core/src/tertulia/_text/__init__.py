"""The one scanner: what a reader of a text sees, for the command grammar, the markers and the cleaning alike.

Every name loads on first use: most texts have nothing to scan for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertulia.lazy import lazy

if TYPE_CHECKING:
    from tertulia._text._characters import clean_characters, strip_controls
    from tertulia._text._clean import Cleaned, clean, excerpt
    from tertulia._text._lines import unify_lines
    from tertulia._text._markers import BodyMarker, find_marker, own_lines
    from tertulia._text._reveal import Piece, reveal
    from tertulia._text._scan import Scan, scan

__all__ = [
    "BodyMarker",
    "Cleaned",
    "Piece",
    "Scan",
    "clean",
    "clean_characters",
    "excerpt",
    "find_marker",
    "own_lines",
    "reveal",
    "scan",
    "strip_controls",
    "unify_lines",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "BodyMarker": "_markers",
        "Cleaned": "_clean",
        "Piece": "_reveal",
        "Scan": "_scan",
        "clean": "_clean",
        "clean_characters": "_characters",
        "excerpt": "_clean",
        "find_marker": "_markers",
        "own_lines": "_markers",
        "reveal": "_reveal",
        "scan": "_scan",
        "strip_controls": "_characters",
        "unify_lines": "_lines",
    },
)
