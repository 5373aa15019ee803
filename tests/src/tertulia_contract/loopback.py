"""What handles on servers of `tertulia.testing` share: the half that breaks the wire, and another host that listens."""

from __future__ import annotations

import asyncio
import json
from typing import Generic, Protocol, TypeVar

from tertulia.testing.loopback import Server
from tertulia.testing.wire import Fault
from tertulia_contract._backend import Ability, Unable

__all__ = ["LoopbackBackend", "Site"]


class Site(Protocol):
    """Be a server whose wire breaks, as those on `tertulia.testing.line.Line`; it sends to `elsewhere` on `Fault.MOVE`."""

    elsewhere: str
    held: int

    @property
    def writes(self) -> int:
        """Count the writes that have arrived."""
        ...

    def break_with(self, fault: Fault) -> None:
        """Break the wire in this way."""
        ...

    def mend(self) -> None:
        """Make the wire whole."""
        ...


_Site = TypeVar("_Site", bound=Site)


class LoopbackBackend(Unable, Generic[_Site]):
    """Break the wire of a server, beside which another one stands for another host; people are up to the subclass."""

    can = frozenset(Ability)

    def __init__(self, site: _Site, stranger: Server) -> None:
        self.site, self.stranger = site, stranger
        site.elsewhere = stranger.url

    async def writes(self) -> int:
        """Count the writes."""
        return self.site.writes

    async def break_wire(self, how: Ability, /) -> None:
        """Break the wire."""
        self.site.break_with(Fault(how.value))

    async def mend(self) -> None:
        """Make the wire whole."""
        self.site.mend()

    async def held(self) -> None:
        """Wait until an answer is held back."""
        while not self.site.held:  # noqa: ASYNC110 - the server is in another thread
            await asyncio.sleep(0.002)

    async def overheard(self) -> str:
        """Give what the other host was told."""
        return "\n".join(f"{json.dumps(dict(one.headers))} {one.body!r}" for one in self.stranger.requests)
