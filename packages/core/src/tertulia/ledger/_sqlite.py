"""State in a SQLite file: several processes may share it; conflicting writers are told, never lost."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

from tertulia._json import load_object
from tertulia.errors import Conflict, Invalid, Unavailable
from tertulia.ledger._build import build_state
from tertulia.ledger._codec import to_json
from tertulia.ledger._history import HistoryEntry
from tertulia.ledger._models import Finding, Flag, Run
from tertulia.ledger._state import SCHEMA, Recalled, WorkflowState, parsed
from tertulia.thread import Listing

__all__ = ["SqliteStore"]

T = TypeVar("T")
_WAIT = 30.0
_PAUSE = 0.01
_TABLE = (
    "CREATE TABLE IF NOT EXISTS state (thread TEXT PRIMARY KEY, rev INTEGER NOT NULL, data TEXT NOT NULL) WITHOUT ROWID"
)
_AHEAD = "PRAGMA journal_mode = WAL"
_AT_ONCE = "BEGIN IMMEDIATE"
_SELECT = "SELECT data FROM state WHERE thread = ?"
_THREADS = "SELECT thread FROM state ORDER BY thread"
_INSERT = "INSERT OR IGNORE INTO state (thread, rev, data) VALUES (?, ?, ?)"
_REPLACE = "UPDATE state SET rev = ?, data = ? WHERE thread = ? AND rev = ?"


class SqliteStore:
    """Keep states in a SQLite file (write-ahead log), with compare-and-swap on `rev`.

    The file and its table are made when they are first needed. A connection is opened for each operation, so one store
    may be used by many tasks and many processes.
    """

    name = "sqlite"

    def __init__(self, path: str | Path) -> None:
        self.path: Path = Path(path)

    async def recall(self, run: Run, listing: Listing, /) -> Recalled:
        """Read the state of a run's thread; one that cannot be read is reported and never overwritten."""
        try:
            state = await self.load(run.thread)
        except Invalid as error:
            flag: Flag = "state-schema-newer" if error.field == "schema" else "state-rejected"
            detail = f"the ledger is rebuilt from the thread, not saved: {error}"
            return Recalled(findings=(Finding(flag=flag, detail=detail),), writable=False)
        return Recalled(state, source=self.name if state is not None else "none")

    async def load(self, thread_key: str, /) -> WorkflowState | None:
        """Read the state of a thread; None when there is none."""
        row = await asyncio.to_thread(self._run, lambda db: _select(db, thread_key))
        return None if row is None else _parse(row, thread_key)

    async def save(self, state: WorkflowState, /) -> str:
        """Write a state in place of the one at `state.parent_rev`; Conflict when that is not the one there."""
        data = to_json(state.document())
        there = await asyncio.to_thread(self._run, lambda db: _write(db, state, data))
        if not there:
            raise Conflict(
                f"state: {state.thread_key} was written by somebody else since rev {state.parent_rev or 'none'}"
            )
        return self.name

    async def threads(self) -> tuple[str, ...]:
        """Give the keys of the threads that are kept, in order."""
        rows = await asyncio.to_thread(self._run, lambda db: db.execute(_THREADS).fetchall())
        return tuple(str(row[0]) for row in rows)

    async def append(self, thread_key: str, entry: HistoryEntry, /) -> WorkflowState:
        """Add a step to the history of a thread, in one transaction: whoever else writes waits; give the state then."""
        return await asyncio.to_thread(self._run, lambda db: _append(db, thread_key, entry))

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with _translated(self.path), closing(sqlite3.connect(self.path, timeout=_WAIT)) as db:
            _write_ahead(db)
            with db:
                db.execute(_TABLE)
                return work(db)


@contextmanager
def _translated(path: Path) -> Generator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if _is_in_use(error):
            raise Unavailable(f"state: {path.name} is in use: {error}") from error
        raise Invalid(f"state: {path.name} cannot be used: {error}", field="state") from error
    except sqlite3.DatabaseError as error:
        raise Invalid(f"state: {path.name} is not a state file: {error}", field="state") from error


def _is_in_use(error: sqlite3.OperationalError) -> bool:
    return "locked" in str(error)


def _write_ahead(db: sqlite3.Connection) -> None:
    """Switch to the write-ahead log. SQLite itself does not wait for another that switches a new file just then."""
    until = time.monotonic() + _WAIT
    while True:
        try:
            db.execute(_AHEAD)
            return
        except sqlite3.OperationalError as error:
            if not _is_in_use(error) or time.monotonic() > until:
                raise
        time.sleep(_PAUSE)


def _select(db: sqlite3.Connection, thread_key: str) -> str | None:
    row = db.execute(_SELECT, (thread_key,)).fetchone()
    return None if row is None else str(row[0])


def _write(db: sqlite3.Connection, state: WorkflowState, data: str) -> bool:
    if state.parent_rev is None:
        return db.execute(_INSERT, (state.thread_key, state.rev, data)).rowcount == 1
    return db.execute(_REPLACE, (state.rev, data, state.thread_key, state.parent_rev)).rowcount == 1


def _append(db: sqlite3.Connection, thread_key: str, entry: HistoryEntry) -> WorkflowState:
    db.execute(_AT_ONCE)
    row = _select(db, thread_key)
    state = None if row is None else _parse(row, thread_key)
    if state is not None and entry in state.history:
        return state
    made = build_state(state, thread_key=thread_key, history=(entry,))
    _write(db, made, to_json(made.document()))
    return made


def _parse(data: str, thread_key: str) -> WorkflowState:
    document = load_object(data, "state", limit=None)
    schema = document.get("schema")
    if isinstance(schema, int) and schema > SCHEMA:
        raise Invalid(f"state: schema {schema} is newer than this release reads", field="schema")
    state = parsed(document, authenticated=True)
    if state.thread_key != thread_key:
        raise Invalid("state: belongs to another thread", field="thread_key")
    return state
