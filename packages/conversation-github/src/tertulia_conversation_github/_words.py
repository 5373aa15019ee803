"""GitHub's own words for reasons and reactions: as its API takes them, as its webhooks write them, as its site shows them."""

from __future__ import annotations

from tertulia.errors import Invalid

__all__ = ["close_reason", "hide_reason", "lock_reason", "reaction"]

_CLOSE = frozenset({"DUPLICATE", "OUTDATED", "RESOLVED"})
_LOCK = frozenset({"OFF_TOPIC", "RESOLVED", "SPAM", "TOO_HEATED"})
_HIDE = frozenset({"ABUSE", "DUPLICATE", "OFF_TOPIC", "OUTDATED", "RESOLVED", "SPAM"})
_REACTIONS = frozenset({"CONFUSED", "EYES", "HEART", "HOORAY", "LAUGH", "ROCKET", "THUMBS_DOWN", "THUMBS_UP"})
_SIGNS = {"+1": "THUMBS_UP", "-1": "THUMBS_DOWN"}


def close_reason(word: str) -> str:
    """Say why a discussion is closed: `resolved`, `outdated`, `duplicate`."""
    return _word(word, _CLOSE, "reason")


def lock_reason(word: str) -> str:
    """Say why a discussion is locked: `resolved`, `off-topic`, `too heated`, `spam`."""
    return _word(word, _LOCK, "reason")


def hide_reason(word: str) -> str:
    """Say why a comment is hidden: `abuse`, `duplicate`, `off-topic`, `outdated`, `resolved`, `spam`."""
    return _word(word, _HIDE, "reason")


def reaction(word: str) -> str:
    """Name a reaction: `+1`, `-1`, `laugh`, `confused`, `heart`, `hooray`, `rocket`, `eyes`."""
    return _SIGNS.get(word) or _word(word, _REACTIONS, "reaction")


def _word(word: str, known: frozenset[str], field: str) -> str:
    written = word.strip().upper().replace("-", "_").replace(" ", "_")
    if written not in known:
        listed = ", ".join(sorted(one.lower().replace("_", "-") for one in known))
        raise Invalid(f"github: {field}: must be one of {listed}", field=field)
    return written
