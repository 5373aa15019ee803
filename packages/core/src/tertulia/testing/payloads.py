"""Native payloads made wrong, for tests of `normalize`: any node replaced or gone, and what may come of it.

The functions draw nothing themselves, so that any tool can: hypothesis draws a path of `paths(payload)` and a value, and
`check` says whether the adapter kept its promise.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

from tertulia.errors import Invalid
from tertulia.event import Delivery, Event, Normalized
from tertulia.parsing import as_list, as_object

__all__ = ["Path", "check", "paths", "removed", "replaced"]

Path = tuple[str | int, ...]
"""Where a node stands in parsed JSON: the keys and places that lead to it."""


def paths(payload: object) -> Iterator[Path]:
    """Give the path of every node of parsed JSON, without its top."""
    children: list[tuple[str | int, Any]] = [*as_object(payload).items(), *enumerate(as_list(payload))]
    for key, child in children:
        yield (key,)
        yield from ((key, *path) for path in paths(child))


def replaced(payload: Any, path: Path, value: object) -> Any:
    """Copy a payload with another value for one node."""
    made, parent, last = _opened(payload, path)
    parent[last] = value
    return made


def removed(payload: Any, path: Path) -> Any:
    """Copy a payload without one node."""
    made, parent, last = _opened(payload, path)
    del parent[last]
    return made


def _opened(payload: Any, path: Path) -> tuple[Any, Any, str | int]:
    """Copy a payload; give the copy, the node above the one that is meant, and where that stands in it."""
    *above, last = path
    made = parent = copy.deepcopy(payload)
    for key in above:
        parent = parent[key]
    return made, parent, last


def check(normalize: Callable[[Delivery], Normalized], delivery: Delivery) -> None:
    """Normalize a delivery that may hold anything.

    Nothing but `Invalid` is raised, with one line; what comes out is either events, each valid and with a key, or the reason
    why there is none. An AssertionError says what does not hold.
    """
    outcome = _outcome(normalize, delivery)
    if isinstance(outcome, str):
        assert "\n" not in outcome, "a refusal is one line"
        return
    assert bool(outcome.events) is (outcome.ignored is None), "there are events, or a reason why there is none"
    for event in outcome.events:
        assert Event.check(event.document()) == event, "an event is what its document says"
        assert event.key, "an event has a key"


def _outcome(normalize: Callable[[Delivery], Normalized], delivery: Delivery) -> Normalized | str:
    try:
        return normalize(delivery)
    except Invalid as refusal:
        return str(refusal)
