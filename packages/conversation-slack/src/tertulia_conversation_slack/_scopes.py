"""What an app may do, by Slack's scopes (docs.slack.dev, the scopes of each method and event)."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["SCOPES"]

_PLACES = ("channels", "groups", "im", "mpim")
_HISTORY = frozenset(f"{place}:history" for place in _PLACES)
_PLACE = frozenset(f"{place}:read" for place in _PLACES)
_READ = _HISTORY | {"users:read"}

SCOPES: Mapping[str, frozenset[str]] = {
    "whoami": frozenset(),
    "read": _READ,
    "get_message": _READ,
    "get_conversation": _PLACE,
    "post": _READ | {"chat:write"},
    "conversations": frozenset({"channels:history", "channels:read", "groups:history", "groups:read"}),
    "threads": _READ,
    "edit": _READ | {"chat:write"},
    "delete": _READ | {"chat:write"},
    "react": frozenset({"reactions:write"}),
    "enrich": _PLACE | {"usergroups:read"},
    "events": _HISTORY | {"app_mentions:read", "channels:read", "groups:read"},
}
"""The scopes of each operation, of `enrich`, and of the events that are understood.

Each kind of place has its own: an app that is in channels only needs no more than `channels:*`. Without `users:read` a thread is
read all the same, and nobody in it is known; without `usergroups:read` no group gives a role.
"""
