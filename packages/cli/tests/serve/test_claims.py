"""Who may hand on a fact: a claim in memory, and then a key in the inbox."""

import sqlite3
from collections.abc import Generator
from contextlib import closing

import pytest

from tertulia.event import Delivery
from tertulia_cli.serve import _tables as tables
from tertulia_cli.serve._claims import Claims
from tertulia_cli.serve._tables import Settled


@pytest.fixture
def db() -> Generator[sqlite3.Connection]:
    """Make an inbox in memory."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as opened:
        tables.create(opened)
        yield opened


def delivery(body: str, system: str = "github") -> Delivery:
    """Make a delivery."""
    return Delivery(system, "issue_comment", body.encode(), headers={"x-github-event": "issue_comment"})


def seqs(db: sqlite3.Connection) -> list[int]:
    """Give the numbers of what waits."""
    return [row.seq for row in tables.waiting(db, 0, 100)]


def test_one_event_of_a_key_is_under_way_at_a_time() -> None:
    claims = Claims()

    assert [claims.take("k"), claims.take("k"), claims.take("l")] == [True, False, True]


def test_a_key_that_is_released_can_be_claimed_again() -> None:
    claims = Claims()
    claims.take("k")

    claims.release("k")

    assert claims.take("k")


def test_what_is_stored_waits_as_it_came(db: sqlite3.Connection) -> None:
    sent = delivery("a")

    assert tables.store(db, sent)

    (row,) = tables.waiting(db, 0, 10)
    assert row.delivery == sent


def test_the_same_body_is_stored_once_for_each_system(db: sqlite3.Connection) -> None:
    stored = [
        tables.store(db, delivery("a")),
        tables.store(db, delivery("a")),
        tables.store(db, delivery("a", "slack")),
    ]

    assert stored == [True, False, True]
    assert tables.count_waiting(db) == 2


def test_a_body_that_was_handed_on_is_not_stored_again(db: sqlite3.Connection) -> None:
    tables.store(db, delivery("a"))
    tables.finish(db, [Settled(seqs(db)[0], "done", "k")])

    assert not tables.store(db, delivery("a"))
    assert tables.known(db, ["j", "k"]) == {"k"}
    assert tables.count_waiting(db) == 0


@pytest.mark.parametrize("state", ["dropped", "failed"])
def test_a_body_that_came_to_nothing_is_stored_again_behind_the_others(
    state: tables.State, db: sqlite3.Connection
) -> None:
    tables.store(db, delivery("a"))
    tables.store(db, delivery("b"))
    first, second = seqs(db)
    tables.finish(db, [Settled(first, state)])

    assert tables.store(db, delivery("a"))

    assert seqs(db)[0] == second
    assert seqs(db)[1] > second
    assert db.execute("SELECT count(*) FROM bodies").fetchone() == (2,)


def test_a_key_is_kept_without_an_end_of_its_delivery(db: sqlite3.Connection) -> None:
    tables.store(db, delivery("a"))

    tables.finish(db, [Settled(seqs(db)[0], None, "k")])

    assert tables.known(db, ["j", "k"]) == {"k"}
    assert tables.count_waiting(db) == 1


def test_what_waits_is_read_in_the_order_of_arrival_from_anywhere(db: sqlite3.Connection) -> None:
    for body in "abcde":
        tables.store(db, delivery(body))

    rows = [row.delivery.payload for row in tables.waiting(db, 2, 2)]

    assert rows == [b"c", b"d"]


def test_bodies_are_forgotten_before_rows_and_keys_and_what_waits_never(db: sqlite3.Connection) -> None:
    for body in "ab":
        tables.store(db, delivery(body))
    tables.finish(db, [Settled(seqs(db)[0], "done", "k")], now=1_000)

    bodies = tables.forget(db, bodies_before=1_000, rows_before=999)
    still_known = not tables.store(db, delivery("a")) and tables.known(db, ["j", "k"]) == {"k"}
    rest = tables.forget(db, bodies_before=1_000, rows_before=1_000)

    assert (bodies, still_known, rest) == (1, True, 2)
    assert not tables.known(db, ["j", "k"])
    assert [row.delivery.payload for row in tables.waiting(db, 0, 10)] == [b"b"]


@pytest.mark.parametrize("version", [1, 99])
def test_a_file_of_another_release_is_refused(version: int, db: sqlite3.Connection) -> None:
    db.execute(f"PRAGMA user_version = {version}")

    with pytest.raises(sqlite3.DatabaseError, match="another release"):
        tables.create(db)
