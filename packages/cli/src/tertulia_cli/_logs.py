"""What libraries log: nothing of it is the command's own word, so a person sees it with --debug only, as clean lines."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager

from tertulia_cli._output import error_line

__all__ = ["logs"]

_OURS = "tertulia"


class _Lines(logging.Handler):
    """Write a record as one line on standard error."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write it."""
        error_line(f"{record.levelname.lower()}: {record.name}: {record.getMessage()}")


@contextmanager
def logs(*, shown: bool) -> Generator[None]:
    """Show what is logged in this block, or keep it from the last resort of `logging`, which prints it as it is."""
    root, ours = logging.getLogger(), logging.getLogger(_OURS)
    handler, level = _Lines() if shown else logging.NullHandler(), ours.level
    root.addHandler(handler)
    ours.setLevel(logging.DEBUG if shown else level)
    try:
        yield
    finally:
        root.removeHandler(handler)
        ours.setLevel(level)
