"""Ask the backend for what an event does not carry; what cannot be looked up is told in one line, and no error."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from tertulia import registry
from tertulia_cli import _live as live
from tertulia_cli._failure import blame
from tertulia_cli._output import note

if TYPE_CHECKING:
    from tertulia.event import Event, Normalized

__all__ = ["enriched"]

_WHERE = "--enrich"


class _Warnings(logging.Handler):
    """Keep what is warned about."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one warning."""
        self.told.append(record.getMessage())


def enriched(normalized: Normalized) -> Normalized:
    """Fill in every event."""
    if not normalized.events:
        return normalized
    with blame(_WHERE), _told_in_one_line():
        made = live.run(lambda: _enrich(normalized.events), "asking for roles and labels")
    return replace(normalized, events=made)


async def _enrich(events: tuple[Event, ...]) -> tuple[Event, ...]:
    return tuple([await _one(event) for event in events])


async def _one(event: Event) -> Event:
    adapter = registry.enricher(event.source.system, conversation=event.entity.kind == "conversation")
    assert adapter.enrich is not None, "the registry finds adapters that enrich"
    async with live.connect(adapter) as client:
        return await adapter.enrich(event, client)


@contextmanager
def _told_in_one_line() -> Generator[None]:
    log, kept = logging.getLogger("tertulia"), _Warnings()
    log.addHandler(kept)
    try:
        yield
    finally:
        log.removeHandler(kept)
    if kept.told:
        note(f"less is trusted: {'; '.join(kept.told)}")
