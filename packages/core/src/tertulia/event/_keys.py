"""Keys: the thread an event belongs to, and the fact it reports, the same for every delivery of it."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tertulia.event._model import Event

__all__ = ["CHAT_SYSTEMS", "delivery_key", "encode_part", "fallback_key", "revision", "thread_key", "thread_key_of"]

CHAT_SYSTEMS: frozenset[str] = frozenset({"slack"})
"""The systems whose conversations have a key (`T1/C1`), and need neither a number nor a repository."""

_SECONDS = len("2026-10-01T10:00:00")
_PLAIN_PATH = re.compile(r"[A-Za-z0-9_.\-/]+")
_PLAIN = re.compile(r"[A-Za-z0-9_.\-]+")
_ESCAPES = str.maketrans({char: f"%{ord(char):02X}" for char in "%/:#@"})


def encode_part(part: str) -> str:
    """Percent-encode `/ : # @ %` (and white space and control characters) inside one part of a key."""
    if part.isalnum() or _PLAIN.fullmatch(part):
        return part
    encoded = part.translate(_ESCAPES)
    if encoded.isprintable() and " " not in encoded:
        return encoded
    return "".join(c if c.isprintable() and c != " " else _percent(c) for c in encoded)


def _percent(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogatepass"))


def thread_key(system: str, place: str, entity: str | None = None, root: str | None = None) -> str:
    """Name a thread; no two different threads of a system have one name.

    `place` is a path of parts (`acme/demo`, `T1/C1`, a Jira host and issue key); `entity` is the number on a forge
    (`#7`), None elsewhere. `root` is one thread of a conversation. Without a number a place has two parts; one that has
    not ends in `@`, which keeps its last part and a root apart.
    """
    path = place if _PLAIN_PATH.fullmatch(place) else "/".join(map(encode_part, place.split("/")))
    number = f"#{encode_part(entity)}" if entity is not None else "" if place.count("/") == 1 else "@"
    tail = f"/{encode_part(root)}" if root is not None else ""
    return f"{system}:{path}{number}{tail}"


def revision(updated_at: datetime | None, raw: bytes) -> str:
    """Give a thing's `updated_at` in whole seconds, or without one the first 16 hex digits of the raw body's SHA-256."""
    if updated_at is not None:
        return f"{updated_at.astimezone(UTC).isoformat()[:_SECONDS]}Z"
    return hashlib.sha256(raw).hexdigest()[:16]


def delivery_key(thread: str, thing: tuple[str, str], at: str, transition: str) -> str:
    """Join thread key, thing (`("issue_comment", "104")`), revision and transition into `event.key`."""
    kind, ident = thing
    ident = ident if ident.isalnum() else encode_part(ident)
    kind = kind if kind.isidentifier() else encode_part(kind)
    return f"{thread}/{kind}:{ident}@{at}/{transition}"


def thread_key_of(event: Event) -> str:
    """Name the thread an event belongs to."""
    entity, system = event.entity, event.source.system
    comment = event.transition.comment
    root = comment.parent_id if comment is not None and entity.kind == "conversation" else None
    if system == "jira":
        host = entity.url.partition("://")[2].partition("/")[0].rpartition("@")[2]
        return thread_key(system, f"{host}/{entity.key}")
    if event.repo is None or system in CHAT_SYSTEMS:
        return thread_key(system, entity.key or "", root=root)
    return thread_key(system, event.repo, str(entity.id), root)


def fallback_key(event: Event) -> str:
    """Identify an event whose source set no delivery key by the SHA-256 of its own document."""
    digest = hashlib.sha256(event.model_dump_json(exclude_none=True, exclude={"delivery"}).encode()).hexdigest()
    return f"{thread_key_of(event)}/event@{digest[:16]}/{event.transition.kind}"
