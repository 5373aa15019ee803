"""Which thread is meant, and which adapter leads there: told by a URL or by an event, before anybody is asked."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from tertulia import errors
from tertulia_cli._failure import Failure, blame, of_error
from tertulia_cli._input import MAX_PAYLOAD, read, shown

if TYPE_CHECKING:
    from tertulia.event import Event
    from tertulia.registry import Adapter, Kind
    from tertulia.thread import MessageRef, ThreadRef

__all__ = ["Target", "addresses", "of_event", "of_url", "read_event"]

_THREADS: tuple[Kind, ...] = ("tracker", "conversation")
_IN_THREADS = frozenset({"discussion_comment", "slack_message"})
"""Messages of conversations: each is in one thread, and stands for it."""
_PACKAGE = re.compile(r"tertulia-[a-z-]+(?:\[[a-z]+\])?")


@dataclass(frozen=True, slots=True)
class Target:
    """Hold where to go: the adapter, what the URL or the event addresses, and the event when there is one."""

    adapter: Adapter
    address: ThreadRef | MessageRef
    event: Event | None = None

    @property
    def thread(self) -> ThreadRef:
        """Address the thread: for a message of a conversation the one it is in, for any other all of the issue."""
        from tertulia.thread import MessageRef, ThreadRef

        address: ThreadRef | MessageRef = self.address
        if not isinstance(address, MessageRef):
            return address
        root = address.id if address.source_type in _IN_THREADS else None
        return ThreadRef(conversation=address.conversation, root=root, handle=address.handle if root else None)

    @property
    def key(self) -> str:
        """Name the thread: `github:acme/demo#7`."""
        from tertulia.ledger import key_of

        return self.event.thread_key if self.event is not None else key_of(self.adapter.system, self.thread)


def of_url(url: str) -> Target:
    """Find what a URL addresses. Nobody is asked; what is no thread, or on a host that is not configured, is refused."""
    from tertulia import registry

    try:
        adapter, address = registry.recogniser(url, kinds=_THREADS)
    except errors.Invalid as error:
        raise _unknown(error) from error
    if adapter.connect is None:
        raise Failure(f"the adapter {adapter.name} reads nothing live", "URL", "install another one for it")
    return Target(adapter, address)


def of_event(path: str) -> Target:
    """Find the thread an event is about. Nobody is asked; an event of a host that is not configured is refused."""
    from tertulia import registry
    from tertulia.thread import ThreadRef

    event = read_event(path)
    kind: Kind = "conversation" if event.entity.kind == "conversation" else "tracker"
    with blame(shown(path)):
        adapter = registry.connector(event.source.system, kind)
        thread = ThreadRef.of(event)
        known = adapter.recognise(event.entity.url)
    if known is None:
        raise Failure(
            "the event's entity.url is no thread on a host that is configured",
            shown(path),
            _addresses_advice(addresses([adapter])),
        )
    return Target(adapter, thread, event)


def read_event(path: str) -> Event:
    """Read a normalized event: the document itself, in a CloudEvent, or the one in what `tertulia normalize` prints."""
    from tertulia.event import Event
    from tertulia.parsing import load_object

    data = read(path, "the event", MAX_PAYLOAD).removeprefix(codecs.BOM_UTF8)
    with blame(shown(path), "give a normalized event, `tertulia schema event` says what it must be"):
        document = load_object(data, "event")
        if "specversion" in document:
            return Event.check(document.get("data"))
        if "events" not in document:
            return Event.check(document)
        printed = document["events"]
        if document.get("version") != 1 or not isinstance(printed, list):
            raise errors.Invalid("event: is not what `tertulia normalize` prints")
        events = [Event.check(event) for event in cast("list[object]", printed)]
    if not events:
        raise Failure(
            "there is no event: the native one was ignored", shown(path), "give one that means something here"
        )
    if len(events) > 1:
        raise Failure(f"there are {len(events)} events, and one is asked for", shown(path), "give one event")
    return events[0]


def addresses(adapters: Iterable[Adapter]) -> list[str]:
    """Name the settings that say where backends are: the first of each adapter whose name ends as one."""
    named = ([setting.name for setting in one.settings if setting.name.endswith("_URL")] for one in adapters)
    return sorted({names[0] for names in named if names})


def _unknown(error: errors.Invalid) -> Failure:
    """Say what to do: name a thread, or install the adapter for it when that is not there yet."""
    from tertulia import registry

    live = [one for one in registry.installed().adapters if one.kind in _THREADS and one.connect is not None]
    what, found, to_do = error.message.partition(f" ({error.field}): ")
    if not found:
        return of_error(error, "URL", _addresses_advice(addresses(live)))
    if not live:
        return Failure(what, "URL", to_do)
    missing = [] if "package of its system" in to_do else _missing(to_do)
    install = f", or install {' or '.join(missing)}" if missing else ""
    return Failure(what, "URL", f"{_addresses_advice(addresses(live))}{install}")


def _missing(advice: str) -> list[str]:
    """Name the packages of an advice that are not installed."""
    from importlib.metadata import distributions

    there = {one.name for one in distributions()}
    return [name for name in _PACKAGE.findall(advice) if name.partition("[")[0] not in there]


def _addresses_advice(names: list[str]) -> str:
    where = f"a host that is configured ({', '.join(names)})" if names else "a host of an installed adapter"
    return f"name an issue, a pull request or another thread on {where}"
