"""How many bytes of bodies may be in memory at once."""

from __future__ import annotations

__all__ = ["Budget"]


class Budget:
    """Lend bytes while there are some, so that nobody can fill the memory with bodies that are not signed."""

    def __init__(self, size: int) -> None:
        self._left = size

    @property
    def left(self) -> int:
        """Give the bytes that can still be lent."""
        return self._left

    def take(self, size: int) -> bool:
        """Borrow bytes; False when there are not enough."""
        if size > self._left:
            return False
        self._left -= size
        return True

    def give_back(self, size: int) -> None:
        """Return what was borrowed."""
        self._left += size
