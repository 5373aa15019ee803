"""The receiver as a whole: what is opened before it listens, and what happens when it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import uvicorn

from tertulia.event import Delivery
from tertulia.registry import Source
from tertulia_cli._failure import UNAVAILABLE, Failure
from tertulia_cli._output import note
from tertulia_cli.serve._backoff import Backoff
from tertulia_cli.serve._counters import Counters
from tertulia_cli.serve._dispatch import Dispatcher
from tertulia_cli.serve._hooks import Hook
from tertulia_cli.serve._http import application
from tertulia_cli.serve._inbox import Inbox, Limits
from tertulia_cli.serve._intake import Intake, receiving
from tertulia_cli.serve._outputs import Gone, Output
from tertulia_cli.serve._reading import Reader
from tertulia_cli.serve._reading_process import ReadingProcess

__all__ = ["Receiver", "Settings", "listen", "run", "server_of"]

_HTTP_WITHIN = 5
_HOUSEKEEPING = 5.0


@dataclass(frozen=True, slots=True)
class Settings:
    """What the command line says."""

    hooks: Sequence[Hook]
    output: Callable[[], Output]
    inbox: Path
    limits: Limits
    host: str
    port: int
    reader: Reader
    backoff: Backoff
    drain: float
    sources: Mapping[str, Source]


class Receiver:
    """What stands between whatever receives deliveries and the output.

    `accept` is the seam: a webhook or an intake awaits it for each delivery, and acknowledges what it returned from.
    """

    def __init__(
        self, inbox: Inbox, dispatcher: Dispatcher, counters: Counters, sources: Mapping[str, Source] | None = None
    ) -> None:
        self._inbox = inbox
        self._dispatcher = dispatcher
        self._counters = counters
        self.intakes = [Intake(system, one, self.accept, counters) for system, one in (sources or {}).items()]
        self._since = datetime.now(UTC)

    async def accept(self, delivery: Delivery) -> bool:
        """Store a delivery, to be handed on; it is durable when this returns. False when it was there already.

        What is kept of it are system, name, headers and payload.
        """
        new = await self._inbox.store(delivery)
        if new:
            self._dispatcher.wake()
        return new

    async def stats(self) -> dict[str, Any]:
        """Give the counters since the start, and what waits now."""
        waiting = {"deliveries": await self._inbox.count_waiting()} | self._dispatcher.document()
        since = self._since.isoformat(timespec="seconds").replace("+00:00", "Z")
        sources = {one.system: one.document() for one in self.intakes}
        counted = self._counters.document() | ({"sources": sources} if sources else {})
        return {"version": 1, "since": since} | counted | {"waiting": waiting}

    async def health(self) -> dict[str, Any]:
        """Tell whether deliveries can be taken, without looking further than memory.

        A source that is not connected is no reason to start anew: it is connected again as soon as that is possible.
        """
        sources = {one.system: "connected" if one.is_connected else "connecting" for one in self.intakes}
        return {"status": "full" if self._inbox.is_tight else "ok"} | ({"sources": sources} if sources else {})


def run(settings: Settings) -> None:
    """Receive until a signal says stop; a Failure says why it cannot start or go on."""
    gc.enable()
    with listen(settings.host, settings.port) as listening:
        try:
            asyncio.run(_serve(settings, listening))
        except sqlite3.Error as error:
            advice = "mend the disk, nothing accepted is lost"
            raise Failure(f"the inbox failed: {error}", str(settings.inbox), advice, status=UNAVAILABLE) from error


async def _serve(settings: Settings, listening: socket.socket) -> None:
    counters = Counters()
    async with (
        Inbox(settings.inbox, settings.limits) as inbox,
        ReadingProcess(settings.inbox, settings.reader) as reading,
        _closing(settings.output()) as output,
    ):
        counters.count("deliveries", "restored", await inbox.count_waiting())
        dispatcher = Dispatcher(inbox, reading.after, output, counters, settings.backoff)
        receiver = Receiver(inbox, dispatcher, counters, settings.sources)
        app = application(settings.hooks, receiver.accept, counters, receiver.stats, receiver.health)
        async with receiving(receiver.intakes) as intakes:
            _say_where(settings, listening)
            beside = (dispatcher.run(), _keep_house(inbox, dispatcher), *intakes)
            over = await _until_stopped(server_of(app), listening, *beside)
        await dispatcher.drain(settings.drain)
    if over is not None:
        raise over


def server_of(app: Any) -> uvicorn.Server:
    """Make the HTTP server of an application: httptools for speed, and nothing that is not used."""
    config = uvicorn.Config(
        app,
        http="httptools",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_HTTP_WITHIN,
    )
    return uvicorn.Server(config)


async def _until_stopped(server: uvicorn.Server, listening: socket.socket, *beside: Awaitable[None]) -> Failure | None:
    """Receive until a signal says stop, or until what runs beside has ended; gives the reason when something failed."""

    def stop(*_: object) -> None:
        server.should_exit = True

    tasks = [asyncio.ensure_future(work) for work in beside]
    for task in tasks:
        task.add_done_callback(stop)
    with _signals(stop):
        await server.serve(sockets=[listening])
    for task in tasks:
        task.cancel()
    ends = [_failure(end) for end in await asyncio.gather(*tasks, return_exceptions=True)]
    return next((end for end in ends if end is not None), None)


def _failure(end: BaseException | None) -> Failure | None:
    """Read how something ended; what nobody expected is raised."""
    if isinstance(end, Gone):
        return Failure(str(end), "standard output", "start it again, nothing accepted is lost", status=UNAVAILABLE)
    if isinstance(end, Exception) and not isinstance(end, Failure):
        raise end
    return end if isinstance(end, Failure) else None


@contextmanager
def _signals(stop: Callable[..., None]) -> Generator[None]:
    """Take SIGTERM and SIGINT for a wish to stop; once it is granted, another one ends the process at once."""
    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


async def _keep_house(inbox: Inbox, dispatcher: Dispatcher) -> None:
    """Tidy the inbox from time to time, and look for what was stored after its sender was told to come again."""
    while True:
        try:
            await inbox.forget()
        except sqlite3.Error as error:
            note(f"the inbox cannot be tidied: {error}")
        await asyncio.sleep(_HOUSEKEEPING)
        dispatcher.wake()


def listen(host: str, port: int) -> socket.socket:
    """Listen, before anything else is opened; a Failure says why that is not possible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2_048)
    except (OSError, OverflowError) as error:
        told = f"cannot listen: {getattr(error, 'strerror', None) or error}"
        raise Failure(told, f"{host}:{port}", "choose another --host or --port") from error


def _say_where(settings: Settings, listening: socket.socket) -> None:
    host, port = listening.getsockname()[:2]
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    addresses = [address + hook.path for hook in settings.hooks] or [address]
    beside = [f"receiving from {system} without a webhook" for system in settings.sources]
    told = "; ".join([f"listening at {' and '.join(addresses)}", *beside, "/healthz and /stats tell how it goes"])
    note(told)


@asynccontextmanager
async def _closing(output: Output) -> AsyncGenerator[Output]:
    try:
        yield output
    finally:
        await output.close()
