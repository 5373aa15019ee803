"""A sign of life on standard error while a backend is asked; nothing where no person looks."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

from tertulia_cli._output import is_terminal, plain

__all__ = ["progress"]

_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE"})


class _Requests(logging.Handler):
    """Count requests: every adapter logs a line for each, which begins with the method."""

    def __init__(self, told: Callable[[int], None]) -> None:
        super().__init__(logging.INFO)
        self._told = told
        self._count = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Count a line that is about a request."""
        if isinstance(record.args, tuple) and record.args and record.args[0] in _METHODS:
            self._count += 1
            self._told(self._count)


@contextmanager
def progress(doing: str) -> Generator[None]:
    """Show what is done, how many requests it took so far, and for how long."""
    ours = logging.getLogger("tertulia")
    if not is_terminal(sys.stderr) or os.environ.get("TERM") == "dumb" or ours.isEnabledFor(logging.DEBUG):
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(plain(doing), total=None)
        handler = _Requests(lambda count: shown.update(task, description=_described(doing, count)))
        level = ours.level
        ours.addHandler(handler)
        ours.setLevel(logging.INFO)
        try:
            yield
        finally:
            ours.removeHandler(handler)
            ours.setLevel(level)


def _described(doing: str, count: int) -> str:
    return f"{plain(doing)}, {count} request{'' if count == 1 else 's'}"
