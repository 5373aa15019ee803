"""The inbox: what was accepted and is not handed on yet, in one SQLite file that survives a crash.

One thread writes, and commits whatever is waiting together; another reads. No other server touches the file meanwhile.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import sqlite3
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Self, TypeVar

from tertulia.event import Delivery
from tertulia_cli._failure import Failure
from tertulia_cli.serve import _tables as tables
from tertulia_cli.serve._groups import Groups

__all__ = ["Inbox", "Limits", "connect_to_read", "is_full"]

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], Any]

_PAGE = 4_096
_SETTINGS = (
    f"page_size = {_PAGE}",
    "journal_mode = WAL",
    "synchronous = FULL",
    "journal_size_limit = 67108864",
    "secure_delete = ON",
)
_FEWEST_PAGES = 64
_TIGHT, _EASY = 0.8, 0.7
_FULL = 0.9
"""How full of deliveries the file may get: what becomes of them needs room, too."""
_WAIT = 5.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Say how long a body is kept once it was handed on, how long its digest and keys are, and the size of the file."""

    keep: float = 86_400.0
    remember: float = 30 * 86_400.0
    size: int = 2_000_000_000


class Inbox:
    """Store deliveries before they are acknowledged, and forget none until it was handed on or dropped for a reason."""

    def __init__(self, path: Path, limits: Limits | None = None) -> None:
        self.path = path
        self._limits = limits or Limits()
        self.is_tight = False
        self._used = 0.0
        self._most_pages = max(self._limits.size // _PAGE, _FEWEST_PAGES)

    async def __aenter__(self) -> Self:
        """Open the file, or make it; a Failure says why it cannot be used."""
        with ExitStack() as stack:
            stack.enter_context(_locked(self.path))
            try:
                self._writer = stack.enter_context(closing(self._open_for_writing()))
                self._reader = stack.enter_context(closing(connect_to_read(self.path)))
            except sqlite3.Error as error:
                raise Failure(f"the inbox cannot be used: {error}", str(self.path), "name another file") from error
            self._reads: Groups[Job, Any] = Groups(self._answers, name="inbox-reader")
            self._writes: Groups[Job, Any] = Groups(self._together, name="inbox-writer")
            self._open = stack.pop_all()
        return self

    async def __aexit__(self, *exc: object) -> None:
        """Commit what is under way, and close the file."""
        await self._reads.close()
        await self._writes.close()
        await asyncio.to_thread(self._open.close)

    async def store(self, delivery: Delivery) -> bool:
        """Store a delivery, durable when this returns; False when the same body is there already."""
        try:
            return bool(await self._writes.do(lambda db: self._store(db, delivery)))
        except sqlite3.Error as error:
            self.is_tight = self.is_tight or is_full(error)
            raise

    async def finish(self, settled: Collection[tables.Settled]) -> None:
        """Keep that events were handed on, and how their deliveries ended, all or nothing of it."""
        await self._writes.do(lambda db: tables.finish(db, settled))

    async def known(self, keys: Collection[str]) -> set[str]:
        """Tell which of some events were handed on, by their keys."""
        return await self.read(lambda db: tables.known(db, keys))

    async def count_waiting(self) -> int:
        """Count the deliveries that wait."""
        return await self.read(tables.count_waiting)

    async def read(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Ask the file something, in the thread that reads."""
        answer: T = await self._reads.do(question)
        return answer

    async def forget(self) -> int:
        """Forget what is over its time, and when room gets scarce the oldest of what is settled. Gives how much it was."""
        keep, remember = self._limits.keep, self._limits.remember
        forgotten = await self._forget_older(keep, remember)
        for shorter in ((0.0, remember), (0.0, 0.0)):
            if await self._fullness() > _TIGHT:
                forgotten += await self._forget_older(*shorter, until=_EASY)
        self.is_tight = await self._fullness() > _TIGHT
        return forgotten

    async def _fullness(self) -> float:
        """Tell how full the file is: 1 is as large as it may be."""
        return await self.read(_used_pages) / self._most_pages

    async def _forget_older(self, keep: float, remember: float, until: float = 0.0) -> int:
        forgotten, now = 0, time.time()
        times = {"bodies_before": now - keep, "rows_before": now - remember}
        while await self._fullness() > until:
            some = int(await self._writes.do(lambda db: tables.forget(db, **times)))
            if not some:
                break
            forgotten += some
        return forgotten

    def _open_for_writing(self) -> sqlite3.Connection:
        db = _connect(self.path)
        for setting in _SETTINGS:
            db.execute(f"PRAGMA {setting}")
        db.execute(f"PRAGMA max_page_count = {self._most_pages}")
        tables.create(db)
        return db

    def _store(self, db: sqlite3.Connection, delivery: Delivery) -> bool:
        self._used += len(delivery.payload) / _PAGE
        if self._used > self._most_pages * _FULL:
            raise _NoRoom("the inbox is full")
        return tables.store(db, delivery)

    def _answers(self, questions: Sequence[Job]) -> list[Any]:
        return [_answer(question, self._reader) for question in questions]

    def _together(self, jobs: Sequence[Job]) -> list[Any]:
        """Do jobs in one transaction; when one of them spoils it, each in its own."""
        try:
            return self._transaction(jobs)
        except sqlite3.Error:
            return [self._alone(job) for job in jobs]

    def _alone(self, job: Job) -> Any:
        try:
            return self._transaction([job])[0]
        except sqlite3.Error as error:
            return error

    def _transaction(self, jobs: Sequence[Job]) -> list[Any]:
        db = self._writer
        db.execute("BEGIN IMMEDIATE")
        try:
            self._used = float(_used_pages(db))
            results = [job(db) for job in jobs]
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
        return results


class _NoRoom(sqlite3.OperationalError):
    """Say that a delivery does not fit."""


def is_full(error: sqlite3.Error) -> bool:
    """Tell whether there was no room, in the file or on the disk."""
    return isinstance(error, _NoRoom) or getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL


def _answer(question: Job, db: sqlite3.Connection) -> Any:
    try:
        return question(db)
    except sqlite3.Error as error:
        return error


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Connect to an inbox that is open, without a way to change it."""
    db = _connect(path)
    db.execute("PRAGMA query_only = ON")
    return db


def _connect(path: Path) -> sqlite3.Connection:
    """Connect from whichever thread: each connection is used by one of ours after it was opened."""
    return sqlite3.connect(path, timeout=_WAIT, isolation_level=None, check_same_thread=False)


def _used_pages(db: sqlite3.Connection) -> int:
    (pages,), (free,) = (db.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "freelist_count"))
    return int(pages - free)


def _locked(path: Path) -> IO[bytes]:
    """Keep other servers off the file for as long as what this gives is open; nobody but its owner may read the file."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        lock = open(f"{path}.lock", "ab")  # noqa: SIM115 (it stays open)
    except (OSError, ValueError) as error:
        told = f"the inbox cannot be used: {getattr(error, 'strerror', None) or error}"
        raise Failure(told, str(path), "name a file in a folder that can be written") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock.close()
        raise Failure("another server uses the inbox", str(path), "stop it, or name another file") from error
    return lock
