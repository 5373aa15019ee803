"""Deliveries into events, through whichever adapters are installed."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from tertulia import registry
from tertulia.errors import Invalid
from tertulia.event import Delivery, Event, Normalized
from tertulia.registry import Adapter
from tertulia.thread import Account
from tertulia_cli._failure import of_bug
from tertulia_cli._output import note
from tertulia_cli.serve._cloudevent import CloudEvent

__all__ = ["Reader", "Understood"]

_log = logging.getLogger("tertulia.serve")


class Understood(NamedTuple):
    """What a delivery came to: its events, and a reason for each thing that was dropped."""

    events: tuple[CloudEvent, ...] = ()
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reader:
    """Read deliveries, and keep the events that are wanted: of a transition or a native type in `only`, or all.

    `engines` are the accounts the agent posts as, by system, where the system does not tell them.
    """

    only: Collection[str] = ()
    engines: Mapping[str, Account] = field(default_factory=dict[str, Account])

    def read(self, delivery: Delivery) -> Understood:
        """Understand a delivery. Never raises: what cannot be read is dropped, and the reason says why."""
        engine = self.engines.get(delivery.system)
        try:
            return self._understood(_normalized(delivery if engine is None else replace(delivery, engine=engine)))
        except Invalid as error:
            _log.warning("a delivery of %s is dropped: %s", delivery.system, error)
            return Understood(dropped=("invalid",))
        except Exception as error:  # an adapter's bug must stop nothing but its own delivery
            bug = of_bug(error)
            note(
                f"a delivery of {delivery.system} is dropped, its adapter failed: {type(error).__name__} at {bug.where}"
            )
            return Understood(dropped=("adapter-failed",))

    def _understood(self, normalized: Normalized) -> Understood:
        if normalized.ignored is not None:
            return Understood(dropped=(f"ignored: {normalized.ignored.reason}",))
        wanted = [event for event in normalized.events if self._is_wanted(event)]
        filtered = len(normalized.events) - len(wanted)
        return Understood(tuple(CloudEvent.of(event) for event in wanted), ("filtered",) * filtered)

    def _is_wanted(self, event: Event) -> bool:
        return not self.only or event.transition.kind in self.only or event.source.raw_type in self.only


def _normalized(delivery: Delivery) -> Normalized:
    normalize = _adapter(delivery.system, delivery.name).normalize
    assert normalize is not None, "the registry finds adapters that normalize"
    return normalize(delivery)


@lru_cache(maxsize=256)
def _adapter(system: str, name: str) -> Adapter:
    """Find an adapter once: looking for entry points takes longer than normalizing."""
    return registry.normalizer(system, name)
