"""From a delivery to its event: what is the same for every event of GitHub's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Any, Generic, NamedTuple, TypeVar, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_core import SchemaValidator

from tertulia._frozen import assembled
from tertulia.errors import Invalid
from tertulia.event import (
    Delivery,
    DeliveryMark,
    Entity,
    Event,
    Ignored,
    Normalized,
    Source,
    State,
    Transition,
    thread_key,
)
from tertulia.parsing import build, invalid, load_object
from tertulia.parsing.github_events._delivery import event_name, read_body, repo_of, runner_of, short
from tertulia.parsing.github_events._people import Person, actor, person
from tertulia.parsing.github_events._shapes import Payload, Subject
from tertulia.parsing.github_events._unsupported import unsupported

__all__ = ["Maker", "Native", "normalized"]

P = TypeVar("P", bound=Payload)

_TELLING = frozenset({"issue", "pull_request", "comment", "review", "thread", "discussion"})
_LABEL_ACTIONS = {"labeled": "added", "unlabeled": "removed"}


class Native(NamedTuple, Generic[P]):
    """One delivery, read: its payload, the repository it is for, and who acted."""

    delivery: Delivery
    payload: P
    repo: str
    actor: Person

    def thread(self, subject: Subject, root: str | None = None) -> str:
        """Name the thread of a subject, or one thread of a discussion."""
        return _thread(self.repo, subject["number"], root)

    def transition(self, kinds: Mapping[str, str]) -> Transition:
        """Make the transition of an action on a subject: a label of its own, what `kinds` names, or that it was updated."""
        change = self._label_change()
        kind = "label_changed" if change else kinds.get(self.payload["action"], "updated")
        return build(Transition, {"kind": kind, "label": change}, "github", "transition")

    def _label_change(self) -> dict[str, str] | None:
        """Read labeled and unlabeled; without a label (it was deleted meanwhile) nothing is known but the action."""
        payload: Payload = self.payload
        change, label = _LABEL_ACTIONS.get(payload["action"]), payload.get("label")
        if change is None or label is None:
            return None
        name = label.get("name")
        if not name:
            raise Invalid("github: label.name: missing", field="label.name")
        return {"name": name, "action": change}

    def event(
        self,
        subject: Subject,
        entity: Entity,
        transition: Transition,
        state: State,
        delivery: DeliveryMark,
    ) -> Event:
        """Make the event out of its parts, each of which was checked when it was read or made."""
        made = {
            "repo": self.repo,
            "entity": entity,
            "transition": transition,
            "actor": actor(self.actor, person(subject.get("user"))),
            "state": state,
            "source": _source(self.delivery.name, self.payload["action"]),
            "delivery": delivery,
        }
        return assembled(Event, made)

    def unsupported_action(self) -> Ignored:
        """Say why an action gives no event."""
        name, action = self.delivery.name, short(self.payload["action"])
        return Ignored("unsupported-action", f"{name} {action} changes nothing that an event tells")


class Maker(Generic[P]):
    """Make the event of one name: read the payload strictly and once, then write the event or say why there is none.

    `shape` declares every key that tells GitHub's events apart (issue, pull_request, comment, review, thread, discussion) as
    an object that is never null, and requires `parts`. No other of them may be there: GitHub signs the body, and not the
    event's name.
    """

    def __init__(self, shape: type[P], parts: set[str], make: Callable[[Native[P]], Event | Ignored]) -> None:
        self._shape = shape
        self._foreign = _TELLING - parts
        self._make = make

    def event(self, delivery: Delivery, raw: bytes) -> Event | Ignored:
        """Make it; anything wrong is an `Invalid` that names the field."""
        try:
            payload: P = self._validator.validate_json(raw, strict=True)
        except ValidationError as error:
            raise invalid(error, f"github {delivery.name}") from None
        if not self._foreign.isdisjoint(payload):
            key = min(self._foreign.intersection(payload))
            raise Invalid(f"github {delivery.name}: {key}: unexpected in {delivery.name}", field=key)
        common: Payload = payload
        sender = person(common.get("sender"), runner_of(delivery))
        return self._make(Native(delivery, payload, repo_of(delivery, common), sender))

    @cached_property
    def _validator(self) -> SchemaValidator:
        return cast(SchemaValidator, TypeAdapter(self._shape).validator)


@lru_cache(maxsize=1024)
def _thread(repo: str, number: int, root: str | None) -> str:
    return thread_key("github", repo, str(number), root)


@lru_cache(maxsize=256)
def _source(name: str, action: str) -> Source:
    return Source(system="github", raw_type=name, raw_action=action)


def normalized(delivery: Delivery, makers: Mapping[str, Maker[Any]]) -> Normalized:
    """Turn one delivery into the event it means, with the maker of its name, or say why there is none.

    The body may come from a hook that sends JSON or forms, or from a runner's event file. Raises Invalid, and nothing else,
    when it is not what GitHub sends under that name.
    """
    name, raw = event_name(delivery), read_body(delivery)
    maker = makers.get(name)
    if maker is None:
        load_object(raw, "payload")
        return Normalized(ignored=unsupported(name))
    made = maker.event(delivery, raw)
    return Normalized(ignored=made) if isinstance(made, Ignored) else Normalized(events=(made,))
