"""Reading in a process of its own: whatever a body holds, the process that answers senders goes on answering."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Self

from tertulia_cli._failure import UNAVAILABLE, Failure
from tertulia_cli._logs import logs
from tertulia_cli.serve import _tables as tables
from tertulia_cli.serve._groups import Groups
from tertulia_cli.serve._inbox import connect_to_read
from tertulia_cli.serve._reading import Reader, Understood

__all__ = ["Readings", "ReadingProcess"]

_BATCH = 100
_COURTESY = 5

Readings = Sequence[tuple[int, Understood]]
"""Deliveries that wait, in order, each by its number and with what it came to."""


class ReadingProcess:
    """Read what waits in an inbox, elsewhere: parsing a large body takes seconds in which Python does nothing beside.

    The process ends with this one, however that ends. It gives way to this one, because senders wait for answers.
    """

    def __init__(self, inbox: Path, reader: Reader) -> None:
        self._inbox = inbox
        self._reader = reader

    async def __aenter__(self) -> Self:
        """Start the process."""
        spawning = get_context("spawn")
        self._connection, theirs = spawning.Pipe()
        shown = logging.getLogger("tertulia").isEnabledFor(logging.DEBUG)
        self._process = spawning.Process(
            target=_answer_all, args=(theirs, self._inbox, self._reader, shown), daemon=True
        )
        self._process.start()
        theirs.close()
        self._asked: Groups[int, Readings] = Groups(self._ask, name="readings", most=1)
        return self

    async def __aexit__(self, *exc: object) -> None:
        """End the process, whatever it is at: it changes nothing."""
        self._process.kill()
        await self._asked.close()
        await asyncio.to_thread(self._process.join)
        self._connection.close()

    async def after(self, seq: int) -> Readings:
        """Give the next deliveries behind a number; none when nothing waits. Raises what a read of the inbox raised."""
        try:
            return await self._asked.do(seq)
        except (EOFError, ConnectionError) as error:
            told = "the process that reads deliveries has ended"
            raise Failure(
                told, str(self._inbox), "start it again, nothing accepted is lost", status=UNAVAILABLE
            ) from error

    def _ask(self, numbers: Sequence[int]) -> Sequence[Readings | Exception]:
        (seq,) = numbers
        self._connection.send(seq)
        return [self._connection.recv()]


def _answer_all(connection: Connection, inbox: Path, reader: Reader, shown: bool) -> None:
    """Be the process: answer until the other side is gone. Signals are for the other side, which drains."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    os.nice(_COURTESY)
    with suppress(EOFError, ConnectionError), closing(connect_to_read(inbox)) as db, logs(shown=shown):
        while True:
            connection.send(_understood(db, reader, connection.recv()))


def _understood(db: sqlite3.Connection, reader: Reader, seq: int) -> Readings | sqlite3.Error:
    try:
        return [(row.seq, reader.read(row.delivery)) for row in tables.waiting(db, seq, _BATCH)]
    except sqlite3.Error as error:
        return error
