"""Find installed adapters. Nothing is looked up at import; importing an adapter directly always works as well.

An adapter package names one `Adapter` in the entry-point group `tertulia.adapters`:

    [project.entry-points."tertulia.adapters"]
    conversation-slack = "tertulia_conversation_slack:adapter"
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Protocol

from tertulia._line import one_line
from tertulia.errors import Invalid

if TYPE_CHECKING:
    from tertulia.event import Delivery, Event, Ignored, Normalized
    from tertulia.thread import Limits, MessageRef, ThreadRef

__all__ = [
    "GROUP",
    "Adapter",
    "Envelope",
    "Installed",
    "Kind",
    "Problem",
    "Setting",
    "Source",
    "Subscribe",
    "connector",
    "enricher",
    "installed",
    "normalizer",
    "recogniser",
    "source",
]

GROUP = "tertulia.adapters"
"""The entry-point group adapters are found in."""

Kind = Literal["forge", "tracker", "conversation"]
"""Which of the three clients an adapter's `connect` gives."""

_KINDS: tuple[Kind, ...] = ("forge", "tracker", "conversation")
_SYSTEM = re.compile(r"[a-z][a-z0-9_-]{0,62}")
_GITHUB, _DISCUSSIONS = "tertulia-forge-github", "tertulia-conversation-github"
_TRACKER = "tertulia-tracker[github]"
_SLACK, _JIRA = "tertulia-conversation-slack", "tertulia-tracker[jira]"
_CLIENTS = {("github", "tracker"): (_TRACKER,), ("github", "conversation"): (_DISCUSSIONS,)}
_PACKAGES = {"github": (_GITHUB, _DISCUSSIONS), "slack": (_SLACK,), "jira": (_JIRA,)}
_HOST = re.compile(r"https?://(?:[^/?#]*@)?([^/?#@]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Setting:
    """Name an environment variable an adapter reads, with a sentence on what it is; `secret` ones are never shown."""

    name: str
    help: str
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Envelope:
    """Hold one thing that arrived over a connection: a delivery, or the reason why it is none.

    `acknowledge` tells the backend not to send it again, and is None where it does not ask for that. It raises Unavailable
    when the connection is gone: the backend then sends the same thing again.
    """

    content: Delivery | Ignored
    acknowledge: Callable[[], Awaitable[None]] | None = None


class Subscribe(Protocol):
    """Connect to a backend that sends deliveries over a connection of ours, such as Slack's Socket Mode. Once."""

    def __call__(self) -> AbstractAsyncContextManager[AsyncIterator[Envelope]]:
        """Connect, and give what arrives, in its order, until the backend asks to connect anew; that ends the iterator.

        Nothing is acknowledged here. Whoever iterates takes one envelope after another, stores what it holds, awaits
        `acknowledge`, and connects again when the connection has ended. Leaving the block closes it.

        Raises, on entering or later: Denied for refused credentials and Invalid for a wrong setting, after which there is
        no use in another try; Unavailable and RateLimited for a connection that was lost or may not be made yet.
        """
        ...


@dataclass(frozen=True, slots=True)
class Source:
    """Offer the deliveries of a backend without a webhook: how to connect, and the settings that only this reads."""

    subscribe: Subscribe
    settings: tuple[Setting, ...] = ()


def _no_scopes() -> Mapping[str, frozenset[str]]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Adapter:
    """Describe a backend: the one object an adapter package registers.

    `names` are the native events `normalize` understands, and `system` the value of `source.system` it writes.
    `capabilities` are what its client can do, and `traits` what conversations have there.
    `recognise` is pure: None for a URL that is not its own, Invalid for one on a host that is not configured. `connect`
    takes keywords only, `engine` and `max_wait` among them. `limits` are those of the client it gives, for who plans a post
    without asking anybody. `enrich(event, client)` asks that client for what an event does not carry; what cannot be looked
    up is less trust, logged as a warning, and no error. `scopes` are those a token needs for each operation, where the
    backend's tokens have any; a client has `scopes` too, those its token was granted, or None while nobody has told.
    `source` is there when the backend sends deliveries over a connection of ours; `normalize` takes those too.
    `config_schema` gives the JSON Schema (draft 2020-12) of the file that one of the settings names, where one does.
    """

    name: str
    system: str
    kind: Kind
    names: frozenset[str]
    normalize: Callable[[Delivery], Normalized] | None
    recognise: Callable[[str], ThreadRef | MessageRef | None]
    connect: Callable[..., Any] | None = None
    capabilities: frozenset[str] = frozenset()
    traits: frozenset[str] = frozenset()
    settings: tuple[Setting, ...] = ()
    limits: Limits | None = None
    enrich: Callable[[Event, Any], Awaitable[Event]] | None = None
    scopes: Mapping[str, frozenset[str]] = field(default_factory=_no_scopes)
    source: Source | None = None
    config_schema: Callable[[], dict[str, Any]] | None = None

    @property
    def every_setting(self) -> tuple[Setting, ...]:
        """Give its settings, and those that only its source reads."""
        return (*self.settings, *(self.source.settings if self.source is not None else ()))


@dataclass(frozen=True, slots=True)
class Problem:
    """Say what is wrong with one entry point: its name, its distribution and the reason, on one line."""

    name: str
    distribution: str
    reason: str


@dataclass(frozen=True, slots=True)
class Installed:
    """Hold the adapters that can be used, by distribution name, and what is wrong with the others."""

    adapters: tuple[Adapter, ...] = ()
    problems: tuple[Problem, ...] = ()


def installed() -> Installed:
    """Load every registered adapter; one that cannot be loaded is a problem and does not hide the others.

    Of two with one name the first by distribution name is taken, and the other is a problem.
    """
    adapters: dict[str, Adapter] = {}
    problems: list[Problem] = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: (_distribution(point), point.name)):
        loaded = _load(point)
        if isinstance(loaded, Adapter) and loaded.name in adapters:
            loaded = _problem(point, f"another distribution already provides an adapter named {loaded.name}")
        if isinstance(loaded, Problem):
            problems.append(loaded)
        else:
            adapters[loaded.name] = loaded
    return Installed(tuple(adapters.values()), tuple(problems))


def normalizer(system: str, name: str) -> Adapter:
    """Find the adapter that normalizes a native event: the one that knows its name, else any of the system.

    One that does not know the name says why it ignores the event. Raises Invalid for what cannot be a system, and for
    a system no installed adapter normalizes, then saying which package to install.
    """
    if not _SYSTEM.fullmatch(system):
        raise Invalid(f"{one_line(system, 64)!r} is not the name of a system (system): use {_known()}", field="system")
    found = installed()
    fitting = [one for one in found.adapters if one.system == system and one.normalize is not None]
    if not fitting:
        raise _missing(f"no installed adapter normalizes {system} events", "system", _wanted(system, name), found)
    return next((one for one in fitting if name in one.names), fitting[0])


def connector(system: str, kind: Kind) -> Adapter:
    """Find the adapter of a system whose `connect` gives a client of this kind.

    Raises Invalid when none is installed, saying which package to install.
    """
    found = installed()
    fitting = (one for one in found.adapters if (one.system, one.kind) == (system, kind) and one.connect is not None)
    adapter = next(fitting, None)
    if adapter is None:
        wanted = _CLIENTS.get((system, kind), _wanted(system, ""))
        raise _missing(f"no installed adapter connects to {system} as a {kind}", "system", wanted, found)
    return adapter


def enricher(system: str, *, conversation: bool = False) -> Adapter:
    """Find the adapter that fills in the events of a system: those about conversations, or all others.

    Raises Invalid when none is installed that can, saying which package to install.
    """
    found = installed()
    able = (
        one for one in found.adapters if one.system == system and one.enrich is not None and one.connect is not None
    )
    adapter = next((one for one in able if (one.kind == "conversation") is conversation), None)
    if adapter is None:
        wanted = _wanted(system, "discussion" if conversation else "")
        raise _missing(f"no installed adapter enriches {system} events", "system", wanted, found)
    return adapter


def source(system: str) -> Source:
    """Find the source of a system's deliveries, for whoever has no webhook.

    Raises Invalid when no installed adapter offers one, saying which package to install.
    """
    found = installed()
    offered = next((one.source for one in found.adapters if one.system == system and one.source is not None), None)
    if offered is None:
        told = f"no installed adapter receives from {one_line(system, 64)} without a webhook"
        raise _missing(told, "system", _wanted(system, ""), found)
    return offered


def recogniser(url: str, *, kinds: Iterable[Kind] | None = None) -> tuple[Adapter, ThreadRef | MessageRef]:
    """Find the adapter that a URL belongs to, of the given kinds (any by default), with the address it reads there.

    Raises Invalid when no installed adapter knows the URL, saying which package to install, and what an adapter says
    that knows the URL but not its host.
    """
    wanted = frozenset(_KINDS if kinds is None else kinds)
    found, refusal = installed(), None
    broken: list[Problem] = []
    for adapter in found.adapters:
        if adapter.kind not in wanted:
            continue
        try:
            address = adapter.recognise(url)
        except Invalid as error:
            refusal = refusal or error
        except Exception as error:  # a third party's code: it must not hide the others
            broken.append(Problem(adapter.name, adapter.name, _reason(error)))
        else:
            if address is not None:
                return adapter, address
    if refusal is not None:
        raise refusal
    host = _HOST.match(url)
    what = f"no installed adapter knows this URL on {one_line(host[1], 100)}" if host else "this is not a URL"
    known = Installed(found.adapters, (*found.problems, *broken))
    raise _missing(what, "url", _wanted_for(host[1] if host else "", url), known)


def _load(point: EntryPoint) -> Adapter | Problem:
    try:
        loaded = point.load()
    except Exception as error:  # a third party's code may raise anything while it is imported
        return _problem(point, _reason(error))
    if not isinstance(loaded, Adapter):
        return _problem(point, f"{point.value} is not a tertulia.registry.Adapter")
    if loaded.kind not in _KINDS:
        return _problem(point, f"{loaded.kind!r} is not a kind of adapter")
    return loaded


def _problem(point: EntryPoint, reason: str) -> Problem:
    return Problem(one_line(point.name), one_line(_distribution(point)), one_line(reason))


def _reason(error: Exception) -> str:
    return one_line(f"{type(error).__name__}: {error}")


def _distribution(point: EntryPoint) -> str:
    """Give the normalized name of the distribution an entry point is from."""
    return re.sub(r"[-_.]+", "-", point.dist.name).lower() if point.dist is not None else ""


def _missing(what: str, where: str, packages: tuple[str, ...], found: Installed) -> Invalid:
    advice = f"install {' or '.join(packages)}"
    if found.problems:
        first = found.problems[0]
        advice = f"{advice}, or mend {first.name}, which cannot be used ({one_line(first.reason, 120)})"
    return Invalid(f"{what} ({where}): {advice}", field=where)


def _wanted(system: str, name: str) -> tuple[str, ...]:
    if system == "github":
        return (_DISCUSSIONS,) if name.startswith("discussion") else (_GITHUB,)
    return _PACKAGES.get(system, (f"a package that provides an adapter for {system}",))


def _wanted_for(host: str, url: str) -> tuple[str, ...]:
    """Guess the package from what a URL looks like; host names decide nothing else."""
    host = host.lower().partition(":")[0]
    if host == "slack.com" or host.endswith(".slack.com"):
        return (_SLACK,)
    if host.endswith(".atlassian.net") or "/browse/" in url:
        return (_JIRA,)
    if "/discussions/" in url:
        return (_DISCUSSIONS,)
    if "/issues/" in url or "/pull/" in url:
        return (_TRACKER, _GITHUB)
    return ("the package of its system", *_every())


def _every() -> tuple[str, ...]:
    return tuple(package for packages in _PACKAGES.values() for package in packages)


def _known() -> str:
    return ", ".join(_PACKAGES)
