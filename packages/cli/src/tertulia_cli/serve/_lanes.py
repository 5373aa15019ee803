"""The order in which events are handed on: one after another in a thread, threads side by side."""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

__all__ = ["Lanes"]

T = TypeVar("T")


class Lanes(Generic[T]):
    """Keep a queue for each thread, of which at most the first item is under way.

    Threads take turns, so that a busy one does not keep the others waiting.
    """

    def __init__(self) -> None:
        self._queues: dict[str, deque[T]] = {}
        self._ready: deque[str] = deque()
        self._size = 0

    def __len__(self) -> int:
        """Count the items that wait, without those under way."""
        return self._size

    @property
    def ready(self) -> bool:
        """Tell whether some thread's turn it is."""
        return bool(self._ready)

    def put(self, thread: str, item: T) -> None:
        """Queue an item behind the others of its thread."""
        if thread not in self._queues:
            self._queues[thread] = deque()
            self._ready.append(thread)
        self._queues[thread].append(item)
        self._size += 1

    def take(self) -> tuple[str, T] | None:
        """Give the next item of the thread whose turn it is; the thread has no other turn until it is freed."""
        if not self._ready:
            return None
        thread = self._ready.popleft()
        self._size -= 1
        return thread, self._queues[thread].popleft()

    def put_back(self, thread: str, item: T) -> None:
        """Put an item that was taken back in front of its thread, which stays without a turn until it is freed."""
        self._queues[thread].appendleft(item)
        self._size += 1

    def free(self, thread: str) -> None:
        """Let a thread whose item is no longer under way have its turn again."""
        if self._queues[thread]:
            self._ready.append(thread)
        else:
            del self._queues[thread]
