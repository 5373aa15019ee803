"""Node ids that were seen, by what people and events call things: a discussion's address, a comment's number."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import NamedTuple

from tertulia.parsing.github import Place

__all__ = ["Known", "Spot"]

_MOST = 64
"""Discussions that are remembered."""


class Spot(NamedTuple):
    """Hold where a comment is: its node id, and that of its thread's root, which may be itself."""

    id: str
    root: str


class Known:
    """Remember the node ids of the discussions that were read last. Nothing here is proof that a thing is still there."""

    def __init__(self) -> None:
        self._places: OrderedDict[str, tuple[str, dict[str, Spot]]] = OrderedDict()

    def discussion(self, place: Place) -> str | None:
        """Give the node id of a discussion."""
        known = self._places.get(place.conversation.lower())
        return known[0] if known is not None else None

    def spot(self, place: Place, number: str) -> Spot | None:
        """Give where a comment is."""
        known = self._places.get(place.conversation.lower())
        return known[1].get(number) if known is not None else None

    def learn(self, place: Place, discussion: str, spots: Mapping[str, Spot] | None = None) -> None:
        """Remember a discussion, and comments of it."""
        key = place.conversation.lower()
        known = self._places.get(key)
        before = known[1] if known is not None and known[0] == discussion else {}
        self._places[key] = discussion, {**before, **(spots or {})}
        self._places.move_to_end(key)
        if len(self._places) > _MOST:
            self._places.popitem(last=False)

    def forget(self, place: Place) -> None:
        """Forget a discussion that is not where it was."""
        self._places.pop(place.conversation.lower(), None)
