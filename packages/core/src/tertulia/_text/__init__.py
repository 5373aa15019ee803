"""The one scanner: what a reader of a text sees, for the command grammar, the markers and the cleaning alike."""

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
