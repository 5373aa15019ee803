"""What an issue, a pull request and a discussion have in common: a page and labels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tertulia.errors import Invalid
from tertulia.event import Entity, EntityKind, Label, State
from tertulia.event._model import MAX_NAME
from tertulia.parsing import build

if TYPE_CHECKING:
    from tertulia.parsing.github_events._shapes import Subject

__all__ = ["entity", "labelled", "labels_of", "snapshot", "with_label"]

_MAX_KEPT = 16
"""States are kept for the next event when they have few labels: whoever sends a payload decides how many there are."""


@lru_cache(maxsize=1024)
def entity(kind: EntityKind, number: int, url: str, pull: str | None = None) -> Entity:
    """Make the entity of an event; `pull` is the address of the pull request that a work item also is."""
    linked = {"linked_change_proposal": {"id": number, "url": pull}} if pull else {}
    return build(Entity, {"kind": kind, "id": number, "url": url} | linked, "github", "entity")


def labelled(labels: list[str]) -> State:
    """Make the state of what has labels, and nothing else to tell."""
    return _labelled(*labels) if len(labels) <= _MAX_KEPT else snapshot(labels)


@lru_cache(maxsize=1024)
def _labelled(*labels: str) -> State:
    return snapshot(labels)


def snapshot(labels: Sequence[str], **parts: dict[str, Any]) -> State:
    """Make a state of labels, and of whatever else there is to tell."""
    return build(State, {"labels": labels, **parts}, "github", "state")


def labels_of(subject: Subject, where: str) -> list[str]:
    """List label names; what has no name is skipped, a name longer than an event can carry is `Invalid`."""
    found: list[str] = []
    for at, label in enumerate(subject.get("labels") or ()):
        name = label.get("name") if isinstance(label, dict) else None
        if not isinstance(name, str) or not name:
            continue
        if len(name) > MAX_NAME:
            field = f"{where}.labels[{at}].name"
            raise Invalid(f"github: {field}: {len(name)} characters are more than {MAX_NAME}", field=field)
        found.append(name)
    return found


def with_label(labels: list[str], change: Label | None) -> list[str]:
    """Apply the event's own label, because the payload may be older. GitHub's labels are one whatever their case."""
    if change is None:
        return labels
    name = change.name.lower()
    if change.action == "removed":
        return [label for label in labels if label.lower() != name]
    known = any(label.lower() == name for label in labels)
    return labels if known else [*labels, change.name]
