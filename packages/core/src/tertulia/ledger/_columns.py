"""How a column of values is written as JSON: what repeats once, and a number as the step from the one before.

Each kind of column reads back what it wrote. Whoever reads may be reading what somebody else wrote: then it is Invalid, or
what a wrong type raises. `docs/state-format.md` describes each kind, for other languages.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

__all__ = ["Column", "Joined", "Letters", "Numbers", "Parents", "Plain", "Rows", "Steps", "Table", "Times", "Urls"]

Rows = Mapping[str, Sequence[Any]]
"""The values of each field, one a record. A column may look at those before it."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_SECOND = 1_000_000
_LONGEST = 18
"""Digits of a number that is written as a step: JSON readers differ beyond 64 bits."""


class Column(Protocol):
    """Write the values of one field, and read them back."""

    def write(self, values: Sequence[Any], rows: Rows) -> Any:
        """Give what stands for the values in JSON."""
        ...

    def read(self, written: Any, rows: Rows) -> Sequence[Any]:
        """Give the values."""
        ...


@dataclass(frozen=True, slots=True)
class Letters:
    """Write each value as a letter, all in one string."""

    letters: Mapping[Any, str]

    def write(self, values: Sequence[Any], rows: Rows) -> str:
        """Write a string."""
        return "".join([self.letters[value] for value in values])

    def read(self, written: Any, rows: Rows) -> Sequence[Any]:
        """Read a string."""
        values = {letter: value for value, letter in self.letters.items()}
        return [values[letter] for letter in written]


class Plain:
    """Write each value as it is: a string, a number or null."""

    def write(self, values: Sequence[Any], rows: Rows) -> list[Any]:
        """Write a list."""
        return list(values)

    def read(self, written: Any, rows: Rows) -> Sequence[Any]:
        """Read a list."""
        return list(written)


@dataclass(frozen=True, slots=True)
class Joined:
    """Write words of one width in one string, and dashes where there is none; words of other widths as they are."""

    width: int

    def write(self, values: Sequence[Any], rows: Rows) -> str | list[Any]:
        """Write a string, or a list."""
        if all(value is None or (len(value) == self.width and "-" not in value) for value in values):
            return "".join(["-" * self.width if value is None else value for value in values])
        return list(values)

    def read(self, written: Any, rows: Rows) -> Sequence[Any]:
        """Read a string, or a list."""
        if not isinstance(written, str):
            return list(written)
        words = [written[at : at + self.width] for at in range(0, len(written), self.width)]
        return [None if word == "-" * self.width else word for word in words]


class Numbers:
    """Write numbers as steps from the one before; null as it is."""

    def write(self, values: Sequence[Any], rows: Rows) -> list[Any]:
        """Write a list."""
        return list(_steps(values))

    def read(self, written: Any, rows: Rows) -> Sequence[Any]:
        """Read a list."""
        return list(_sums(written))


class Steps:
    """Write ids that are numbers as steps from the one before; other strings, and null, as they are."""

    def write(self, values: Sequence[Any], rows: Rows) -> list[Any]:
        """Write a list."""
        return list(_steps(_number(value) for value in values))

    def read(self, written: Any, rows: Rows) -> Sequence[Any]:
        """Read a list."""
        return [str(value) if isinstance(value, int) else value for value in _sums(written)]


@dataclass(frozen=True, slots=True)
class Table:
    """Write each different value once, in the order of their first use, and for each record which one it is.

    0 is the next one in the table, n the n-th. So a column of all different values costs no more than a plain one.
    """

    column: Column

    def write(self, values: Sequence[Any], rows: Rows) -> list[Any]:
        """Write the table and the places."""
        places: dict[Hashable, int] = {}
        of: list[int] = []
        for value in values:
            of.append(places.get(value, 0))
            places.setdefault(value, len(places) + 1)
        return [self.column.write(list(places), rows), of]

    def read(self, written: Any, rows: Rows) -> Sequence[Any]:
        """Read the table and the places."""
        table, of = self.column.read(written[0], rows), written[1]
        fresh = iter(table)
        return [next(fresh) if place == 0 else table[_not_negative(place - 1)] for place in of]


@dataclass(frozen=True, slots=True)
class Times:
    """Write times as steps in seconds, or in microseconds where one needs them; `after` counts from another column."""

    after: str | None = None

    def write(self, values: Sequence[Any], rows: Rows) -> list[Any]:
        """Write the unit, in microseconds, and the steps."""
        counts = [None if value is None else (value - _EPOCH) // _MICROSECOND for value in values]
        unit = _SECOND if all(count is None or count % _SECOND == 0 for count in counts) else 1
        numbers = [None if count is None else count // unit for count in counts]
        if self.after is None:
            return [unit, list(_steps(numbers))]
        starts = (0 if one is None else (one - _EPOCH) // _MICROSECOND // unit for one in rows[self.after])
        return [unit, [None if n is None else n - start for n, start in zip(numbers, starts, strict=True)]]

    def read(self, written: Any, rows: Rows) -> Sequence[Any]:
        """Read the unit and the steps."""
        unit, numbers = written
        if self.after is None:
            return [None if n is None else _EPOCH + n * unit * _MICROSECOND for n in _sums(numbers)]
        starts = (0 if one is None else (one - _EPOCH) // _MICROSECOND // unit for one in rows[self.after])
        pairs = zip(numbers, starts, strict=True)
        return [None if n is None else _EPOCH + (start + n) * unit * _MICROSECOND for n, start in pairs]


class Urls:
    """Write an address as what stands before and after the record's own id, each different pair once.

    A third member, 1, says that the id stands there without its dots; a single one is the whole address.
    """

    def write(self, values: Sequence[Any], rows: Rows) -> list[Any]:
        """Write the table of pairs and the places."""
        return Table(Plain()).write([_around(url, ident) for url, ident in zip(values, rows["id"], strict=True)], rows)

    def read(self, written: Any, rows: Rows) -> Sequence[Any]:
        """Read the table of pairs and the places."""
        pairs = Table(Plain()).read(written, rows)
        return [_filled(pair, ident) for pair, ident in zip(pairs, rows["id"], strict=True)]


class Parents:
    """Write a thread's root as how many records before it stands: 0 is the record itself. Other ids are strings."""

    def write(self, values: Sequence[Any], rows: Rows) -> list[Any]:
        """Write a list."""
        places: dict[str, int] = {}
        made: list[Any] = []
        for here, (parent, ident) in enumerate(zip(values, rows["id"], strict=True)):
            places[ident] = here
            made.append(here - places[parent] if parent in places else parent)
        return made

    def read(self, written: Any, rows: Rows) -> Sequence[Any]:
        """Read a list."""
        ids = rows["id"]
        return [
            ids[_not_negative(here - value)] if isinstance(value, int) else value for here, value in enumerate(written)
        ]


def _around(url: str | None, ident: str) -> tuple[Any, ...] | None:
    if url is None:
        return None
    for told, bare in ((ident, ()), (ident.replace(".", ""), (1,))):
        before, found, after = url.rpartition(told)
        if found:
            return (before, after, *bare)
    return (url,)


def _filled(pair: Sequence[Any] | None, ident: str) -> str | None:
    match pair:
        case None:
            return None
        case [str(whole)]:
            return whole
        case [str(before), str(after)]:
            return f"{before}{ident}{after}"
        case [str(before), str(after), 1]:
            return f"{before}{ident.replace('.', '')}{after}"
        case _:
            raise ValueError("is no address")


def _number(value: Any) -> Any:
    """Give a number for an id that is one, as it would be written again."""
    plain = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= _LONGEST
    return int(value) if plain and (value == "0" or value[0] != "0") else value


def _steps(values: Iterable[Any]) -> Iterator[Any]:
    last = 0
    for value in values:
        yield value - last if isinstance(value, int) else value
        last = value if isinstance(value, int) else last


def _sums(values: Iterable[Any]) -> Iterator[Any]:
    last = 0
    for value in values:
        last += value if isinstance(value, int) else 0
        yield last if isinstance(value, int) else value


def _not_negative(place: int) -> int:
    if place < 0:
        raise IndexError("lies before the first one")
    return place
