"""Doing something live: one event loop, one place where a backend's refusal becomes a line that says what to do."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine, Generator
from contextlib import AbstractAsyncContextManager, contextmanager
from math import ceil
from typing import TYPE_CHECKING, Any, TypeVar

from tertulia import errors
from tertulia_cli._failure import Failure, of_error
from tertulia_cli._input import account, variable
from tertulia_cli._progress import progress

if TYPE_CHECKING:
    from tertulia.registry import Adapter
    from tertulia_cli._target import Target

__all__ = ["connect", "credentials", "explain", "refusals", "run"]

T = TypeVar("T")


def run(work: Callable[[], Coroutine[Any, Any, T]], doing: str) -> T:
    """Run some work to its end, and show a person at a terminal that it goes on.

    An interrupt cancels it, which closes its connections, and then ends the command.
    """
    gc.enable()
    with progress(doing):
        return asyncio.run(work())


def connect(adapter: Adapter, *, engine: str | None = None, **options: Any) -> AbstractAsyncContextManager[Any]:
    """Connect through an adapter; `engine` is who it acts as, by id or login."""
    assert adapter.connect is not None, "only adapters that connect are looked for"
    if engine is not None:
        account(engine, "--engine")
        options["engine"] = engine.removeprefix("@")
    opened: AbstractAsyncContextManager[Any] = adapter.connect(**options)
    return opened


@contextmanager
def refusals(target: Target) -> Generator[None]:
    """Say of every error in this block which thread it was about, and what to do."""
    try:
        yield
    except errors.Error as error:
        raise explain(error, target.adapter, target.key) from error


def explain(error: errors.Error, adapter: Adapter, where: str) -> Failure:
    """Make a failure of what a backend answered: it names the variable or the permission to look at."""
    names, known = credentials(adapter)
    if isinstance(error, errors.Denied):
        return of_error(error, where, _denied(error, names, known))
    if isinstance(error, errors.NotFound) and names:
        seen = f"that the account of {known[0]} may see it" if known else f"set {names[0]} if it is not public"
        return of_error(error, where, f"check the address, and {seen}")
    if isinstance(error, errors.RateLimited) and error.retry_after is not None:
        return of_error(error, where, f"wait {ceil(error.retry_after)} s, then try again")
    return of_error(error, where)


def credentials(adapter: Adapter) -> tuple[list[str], list[str]]:
    """Name the variables that hold an adapter's secrets, and those of them that are set."""
    names = [setting.name for setting in adapter.settings if setting.secret]
    return names, [name for name in names if variable(name) is not None]


def _denied(error: errors.Denied, names: list[str], known: list[str]) -> str | None:
    if not names:
        return None
    if not known:
        return f"set {names[0]}"
    if error.permission:
        return f"give the token in {known[0]} what it needs: {error.permission}"
    return f"check that {known[0]} still holds, and what it permits"
