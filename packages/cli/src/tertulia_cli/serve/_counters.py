"""What happened since the start, counted by group and reason."""

from __future__ import annotations

from collections import Counter

__all__ = ["OTHER", "Counters"]

OTHER = "other"
"""Where a group counts what it has no more room to name."""

_MOST = 100


class Counters:
    """Count by group and word: `count("refused", "signature")`.

    Adapters bring words of their own, so a group names a hundred at most and counts the rest as `other`.
    """

    def __init__(self) -> None:
        self._groups: dict[str, Counter[str]] = {}

    def count(self, group: str, word: str, by: int = 1) -> None:
        """Add to a counter."""
        counts = self._groups.setdefault(group, Counter())
        counts[word if word in counts or len(counts) < _MOST else OTHER] += by

    def total(self, group: str, word: str) -> int:
        """Give one counter; what never happened is 0."""
        return self._groups.get(group, Counter())[word]

    def document(self) -> dict[str, dict[str, int]]:
        """Give every group with its counters, in the order of their names."""
        return {group: dict(sorted(counts.items())) for group, counts in sorted(self._groups.items())}
