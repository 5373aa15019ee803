"""What a backend last said about a limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

__all__ = ["Rate"]


@dataclass(frozen=True, slots=True)
class Rate:
    """Hold what was last said about a limit: how much an hour, how much is left, when it starts again, and for what."""

    limit: int
    remaining: int
    resets_at: datetime | None = None
    resource: str | None = None

    @classmethod
    def of(cls, headers: Mapping[str, str]) -> Rate | None:
        """Read the `x-ratelimit` headers of an answer (names in lower case); None when they do not tell."""
        told = (_number(headers.get(f"x-ratelimit-{name}")) for name in ("limit", "remaining", "reset"))
        limit, remaining, reset = told
        if limit is None or remaining is None:
            return None
        resets_at = datetime.fromtimestamp(reset, UTC) if reset is not None else None
        return cls(limit, remaining, resets_at, headers.get("x-ratelimit-resource"))


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 12 else None
