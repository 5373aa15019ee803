"""What went wrong, as one line: `error: <what> (<where>): <what to do>`, and the exit status that belongs to it."""

from __future__ import annotations

import traceback
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import PurePath

from tertulia import errors

__all__ = ["BAD_INPUT", "BUG", "REFUSED", "UNAVAILABLE", "Failure", "blame", "describe", "of_bug", "of_error"]

BUG, BAD_INPUT, REFUSED, UNAVAILABLE = 1, 2, 3, 4
"""The exit statuses beside 0. What a backend, as configured, can never do counts as bad usage."""

_MEANS: tuple[tuple[type[errors.Error], int, str], ...] = (
    (errors.Invalid, BAD_INPUT, "correct the input"),
    (errors.Unsupported, BAD_INPUT, "use an adapter that can, `tertulia adapters` lists them"),
    (errors.NotFound, REFUSED, "check the address, and what this account may see"),
    (errors.Denied, REFUSED, "check the credentials and what they permit"),
    (errors.Conflict, REFUSED, "look at what is there now, then try again"),
    (errors.RateLimited, UNAVAILABLE, "wait, then try again"),
    (errors.Unavailable, UNAVAILABLE, "try again later"),
)


class Failure(Exception):
    """Carry an error to its line: `what` is wrong, `where`, and what `to_do` about it."""

    def __init__(self, what: str, where: str, to_do: str, *, status: int = BAD_INPUT) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.to_do = to_do
        self.status = status


@contextmanager
def blame(where: str, to_do: str | None = None) -> Generator[None]:
    """Say where it was when the library refuses something in this block, and what to do if there is more to say."""
    try:
        yield
    except errors.Error as error:
        raise of_error(error, where, to_do) from error


def of_error(error: errors.Error, where: str, to_do: str | None = None) -> Failure:
    """Make a failure of an error of the library."""
    for cls, status, advice in _MEANS:
        if isinstance(error, cls):
            return Failure(str(error), where, to_do or advice, status=status)
    return of_bug(error)


def of_bug(error: BaseException) -> Failure:
    """Make a failure of an error nobody expected: it names the line of code it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "no line of code"
    told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return Failure(told, where, "this is a bug in tertulia: run it again with --debug and report it", status=BUG)


def describe(failure: Failure) -> str:
    """Write the line; whoever prints it makes it printable. A long word from outside leaves room for the rest."""
    return f"error: {_short(failure.what, 600)} ({_short(failure.where, 240)}): {failure.to_do}"


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
