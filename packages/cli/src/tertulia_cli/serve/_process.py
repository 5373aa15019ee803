"""A command as an output: it is started for each event, which it reads from its standard input."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import signal
from collections.abc import Collection, Sequence
from contextlib import suppress

from tertulia_cli._failure import Failure
from tertulia_cli.serve._cloudevent import CloudEvent
from tertulia_cli.serve._outputs import Failed

__all__ = ["Command"]

_GRACE = 5.0


class Command:
    """Run a command, without a shell. Exit status 0 is success; it may take `timeout` seconds.

    It has our environment without what is `hidden`, and a process group of its own: an interrupt at the terminal is for
    the server alone.
    """

    together = 1

    def __init__(self, line: str, *, timeout: float, concurrency: int, hidden: Collection[str] = ()) -> None:
        self._arguments = _split(line)
        self._timeout = timeout
        self._hidden = frozenset(hidden)
        self.concurrency = concurrency

    async def emit(self, events: Sequence[CloudEvent], /) -> None:
        """Run the command once, for one event."""
        (event,) = events
        try:
            process = await asyncio.create_subprocess_exec(
                *self._arguments, stdin=asyncio.subprocess.PIPE, env=self._environment(), start_new_session=True
            )
        except OSError as error:
            raise Failed(f"the command cannot be started: {error.strerror}") from error
        try:
            async with asyncio.timeout(self._timeout):
                await process.communicate(event.document + b"\n")
        except TimeoutError as error:
            raise Failed(f"the command took longer than {self._timeout:g} seconds") from error
        finally:
            if process.returncode is None:
                await _end(process)
        if process.returncode:
            raise Failed(f"the command ended with status {process.returncode}")

    async def close(self) -> None:
        """Hold nothing."""

    def _environment(self) -> dict[str, str]:
        return {name: value for name, value in os.environ.items() if name not in self._hidden}


def _split(line: str) -> Sequence[str]:
    try:
        arguments = shlex.split(line)
    except ValueError as error:
        raise Failure(
            f"'{line[:80]}' is not a command: {error}", "--command", "quote it like a shell command"
        ) from error
    if not arguments or shutil.which(arguments[0]) is None:
        raise Failure(f"'{(arguments or [''])[0][:80]}' cannot be run", "--command", "name a program that is there")
    return arguments


async def _end(process: asyncio.subprocess.Process) -> None:
    """Ask the command and what it started to end, and after some seconds end them."""
    for what in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, what)
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                await process.wait()
                return
