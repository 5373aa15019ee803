"""Where a ledger is kept between runs: nowhere, in a SQLite file, or in a comment of the thread itself."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from tertulia_cli._failure import Failure, blame
from tertulia_cli._input import variable

if TYPE_CHECKING:
    from tertulia.ledger import Options, Reader, StateKeys, Store
    from tertulia.thread import ThreadRef

__all__ = ["Place", "place_of", "reader_of", "sqlite", "state_keys"]

KEY_VARIABLE = "TERTULIA_STATE_KEY"


@dataclass(frozen=True, slots=True)
class Place:
    """Hold where a state is: `path` is the file of a SQLite one."""

    kind: Literal["none", "sqlite", "comment"]
    path: str = ""

    def store(self, client: Any, thread: ThreadRef, options: Options) -> Store | None:
        """Open the store, with the client that reads the thread."""
        if self.kind == "none":
            return None
        from tertulia import ledger

        if self.kind == "sqlite":
            return ledger.SqliteStore(self.path)
        return ledger.CommentStore(client, thread, reader_of(options))


def place_of(state: str) -> Place:
    """Read `--state`."""
    kind, _, path = state.partition(":")
    if state in ("none", "comment"):
        return Place("comment" if state == "comment" else "none")
    if kind != "sqlite" or not path:
        raise Failure(f"'{state[:80]}' is no place for a state", "--state", "give none, comment or sqlite:PATH")
    return sqlite(path)


def sqlite(path: str) -> Place:
    """Name a SQLite file; the folder must be there."""
    if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
        raise Failure("there is no folder for the state", path, "make it, or name another place")
    return Place("sqlite", path)


def reader_of(options: Options) -> Reader:
    """Say with what a state is read: the options have it all."""
    from tertulia.ledger import Reader

    return Reader(options.state_key, options.min_rev, options.posted_ids, options.marker_prefix)


def state_keys() -> StateKeys | None:
    """Read the keys from the environment; None when there are none."""
    value = variable(KEY_VARIABLE)
    if value is None:
        return None
    from tertulia.ledger import StateKeys

    with blame(KEY_VARIABLE, "set it to NAME:SECRET, or unset it"):
        return StateKeys.parse(value)
