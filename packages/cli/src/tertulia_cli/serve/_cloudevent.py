"""What outputs are given: a normalized event in the envelope of CloudEvents 1.0, as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC

from tertulia.event import Event
from tertulia_cli._output import safe_json

__all__ = ["CONTENT_TYPE", "CloudEvent"]

CONTENT_TYPE = "application/cloudevents+json; charset=utf-8"
"""The media type of the structured mode (CloudEvents 1.0, HTTP protocol binding, 3.2)."""


@dataclass(frozen=True, slots=True)
class CloudEvent:
    """One event on its way out. `id` is `event.key`: the same for every delivery and every repetition of a fact."""

    id: str
    thread: str
    document: bytes

    @classmethod
    def of(cls, event: Event) -> CloudEvent:
        """Put an event into its envelope."""
        key, thread = event.key, event.thread_key
        envelope = {
            "specversion": "1.0",
            "id": key,
            "source": event.entity.url,
            "type": f"tertulia.{event.transition.kind}",
            "subject": thread,
            "datacontenttype": "application/json",
        }
        if event.time is not None:
            envelope["time"] = event.time.astimezone(UTC).isoformat().replace("+00:00", "Z")
        data = event.model_dump_json(exclude_none=True)
        return cls(key, thread, safe_json(f'{json.dumps(envelope)[:-1]}, "data": {data}}}').encode())
