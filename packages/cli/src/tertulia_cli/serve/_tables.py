"""The inbox's tables, and every statement about them: functions of a connection, for whoever holds the transaction."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from tertulia.event import Delivery

__all__ = [
    "END",
    "Settled",
    "State",
    "Waiting",
    "count_waiting",
    "create",
    "finish",
    "forget",
    "known",
    "store",
    "waiting",
]

State = Literal["done", "dropped", "failed"]
"""How a delivery ends: handed on, without an event that anybody wanted, or given up."""

END = 2**63 - 1
"""A number behind every delivery's."""

_CHUNK = 500
_VERSION = 2
_SCHEMA = """
CREATE TABLE IF NOT EXISTS deliveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    digest BLOB NOT NULL,
    system TEXT NOT NULL,
    name TEXT NOT NULL,
    headers TEXT NOT NULL,
    received REAL NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting',
    settled REAL,
    has_body INTEGER NOT NULL DEFAULT 1,
    UNIQUE (digest, system)
) STRICT;
CREATE TABLE IF NOT EXISTS bodies (
    seq INTEGER PRIMARY KEY REFERENCES deliveries ON DELETE CASCADE,
    body BLOB NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS waiting ON deliveries (seq) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS settled ON deliveries (settled) WHERE settled IS NOT NULL;
CREATE INDEX IF NOT EXISTS kept ON deliveries (settled) WHERE settled IS NOT NULL AND has_body;
CREATE TABLE IF NOT EXISTS emitted (key TEXT PRIMARY KEY, at REAL NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS emitted_at ON emitted (at);
"""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A delivery that waits to be handed on; `seq` is its place in the order of arrival."""

    seq: int
    delivery: Delivery


class Settled(NamedTuple):
    """What became of an event: `key` when it was handed on, and how its delivery ended when that was its last event."""

    seq: int
    state: State | None
    key: str | None = None


def create(db: sqlite3.Connection) -> None:
    """Make the tables where they are missing; raises DatabaseError for a file of another release.

    Bodies are apart from what is known about deliveries: to settle one writes a row of some bytes, and not its body again.
    """
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version not in (0, _VERSION):
        raise sqlite3.DatabaseError(f"it was written by another release (version {version})")
    db.execute("PRAGMA foreign_keys = ON")
    db.executescript(_SCHEMA)
    db.execute(f"PRAGMA user_version = {_VERSION}")


def store(db: sqlite3.Connection, delivery: Delivery, *, now: float | None = None) -> bool:
    """Store a delivery; False when its body is there, and waits or was handed on.

    One that was dropped or given up has another chance: what stood in its way may have been mended.
    """
    digest = hashlib.sha256(delivery.payload).digest()
    at = time.time() if now is None else now
    row = (digest, delivery.system, delivery.name, json.dumps(dict(delivery.headers)), at)
    if not _is_added(db, row):
        known = "digest = ? AND system = ? AND state IN ('dropped', 'failed')"
        db.execute(f"DELETE FROM deliveries WHERE {known}", (digest, delivery.system))
        if not _is_added(db, row):
            return False
    db.execute("INSERT INTO bodies (seq, body) VALUES (last_insert_rowid(), ?)", (delivery.payload,))
    return True


def _is_added(db: sqlite3.Connection, row: tuple[bytes, str, str, str, float]) -> bool:
    columns = "digest, system, name, headers, received"
    return (
        db.execute(f"INSERT INTO deliveries ({columns}) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", row).rowcount
        == 1
    )


def waiting(db: sqlite3.Connection, after: int, most: int) -> Iterator[Waiting]:
    """Give deliveries that wait, in the order of arrival, one body in memory at a time."""
    rows = db.execute(
        "SELECT seq, system, name, headers, body FROM deliveries INDEXED BY waiting JOIN bodies USING (seq)"
        " WHERE state = 'waiting' AND seq > ? ORDER BY seq LIMIT ?",
        (after, most),
    )
    for seq, system, name, headers, body in rows:
        yield Waiting(seq, Delivery(system, name, body, headers=json.loads(headers)))


def count_waiting(db: sqlite3.Connection) -> int:
    """Count the deliveries that wait."""
    (count,) = db.execute("SELECT count(*) FROM deliveries INDEXED BY waiting WHERE state = 'waiting'").fetchone()
    return int(count)


def known(db: sqlite3.Connection, keys: Collection[str]) -> set[str]:
    """Give the keys of events that were handed on, of some hundreds that are asked for."""
    marks = ",".join("?" * len(keys))
    return {key for (key,) in db.execute(f"SELECT key FROM emitted WHERE key IN ({marks})", tuple(keys))}


def finish(db: sqlite3.Connection, settled: Collection[Settled], *, now: float | None = None) -> None:
    """Keep the keys of events that were handed on, and how deliveries ended."""
    at = time.time() if now is None else now
    keys = [(one.key, at) for one in settled if one.key is not None]
    ends = [(one.state, at, one.seq) for one in settled if one.state is not None]
    db.executemany("INSERT INTO emitted (key, at) VALUES (?, ?) ON CONFLICT DO NOTHING", keys)
    db.executemany("UPDATE deliveries SET state = ?, settled = ? WHERE seq = ?", ends)


def forget(db: sqlite3.Connection, *, bodies_before: float, rows_before: float) -> int:
    """Forget some of what was settled before these times: bodies, then whole rows, then keys. Gives how many there were.

    A call takes a bounded number, the oldest first; what waits is never touched.
    """
    bodies = db.execute(
        "UPDATE deliveries SET has_body = 0 WHERE seq IN (SELECT seq FROM deliveries INDEXED BY kept"
        " WHERE settled IS NOT NULL AND has_body AND settled <= ? ORDER BY settled LIMIT ?) RETURNING seq",
        (bodies_before, _CHUNK),
    ).fetchall()
    db.executemany("DELETE FROM bodies WHERE seq = ?", bodies)
    rows = db.execute(
        "DELETE FROM deliveries WHERE seq IN (SELECT seq FROM deliveries INDEXED BY settled"
        " WHERE settled IS NOT NULL AND settled <= ? ORDER BY settled LIMIT ?)",
        (rows_before, _CHUNK),
    )
    keys = db.execute(
        "DELETE FROM emitted WHERE key IN (SELECT key FROM emitted WHERE at <= ? ORDER BY at LIMIT ?)",
        (rows_before, _CHUNK),
    )
    return len(bodies) + rows.rowcount + keys.rowcount
