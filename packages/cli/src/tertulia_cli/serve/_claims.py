"""Who may hand on a fact: the first half of a claim, which a crash forgets on purpose."""

from __future__ import annotations

__all__ = ["Claims"]


class Claims:
    """Let one event of a key be under way at a time.

    A claim has two phases. While an event is under way its key is taken here, in memory: after a crash nobody holds it, and
    the event is handed on again. Once it was handed on its key is kept in the inbox; if it failed, or was filtered before
    it ever claimed anything, nothing is kept and the next delivery of the same fact has its turn.
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, key: str) -> bool:
        """Claim a key; False when another event holds it."""
        if key in self._taken:
            return False
        self._taken.add(key)
        return True

    def release(self, key: str) -> None:
        """Give a key back, whatever became of its event."""
        self._taken.discard(key)
