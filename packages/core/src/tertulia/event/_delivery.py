"""What an adapter's `normalize` takes and gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tertulia.event._model import Event

if TYPE_CHECKING:
    from tertulia.thread import Account

__all__ = ["Delivery", "Ignored", "Normalized"]


def _no_headers() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Delivery:
    """One native event as it arrived: the raw bytes, and what the transport said about them.

    `name` is the native event's name (GitHub's X-GitHub-Event). `headers` are kept with lower-case names. `repo` and
    `actor` are what a runner says (GITHUB_REPOSITORY, GITHUB_ACTOR); `engine` is the account the agent posts as.
    """

    system: str
    name: str
    payload: bytes
    headers: Mapping[str, str] = field(default_factory=_no_headers)
    repo: str | None = None
    actor: str | None = None
    engine: Account | None = None

    def __post_init__(self) -> None:
        """Fold the header names."""
        folded = {name.lower(): value for name, value in self.headers.items()}
        object.__setattr__(self, "headers", MappingProxyType(folded))


@dataclass(frozen=True, slots=True)
class Ignored:
    """Say why a delivery gave no event: `reason` is a stable word, `detail` a sentence for people."""

    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Normalized:
    """What one delivery came to: its events, or the reason why there are none."""

    events: tuple[Event, ...] = ()
    ignored: Ignored | None = None

    def document(self) -> dict[str, Any]:
        """Give the JSON document that `tertulia normalize` prints."""
        ignored = {"reason": self.ignored.reason, "detail": self.ignored.detail} if self.ignored else None
        return {"version": 1, "events": [event.document() for event in self.events], "ignored": ignored}
