"""JSON lines as an output: one event a line, on standard output or at the end of a file."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from tertulia_cli._failure import Failure
from tertulia_cli.serve._cloudevent import CloudEvent
from tertulia_cli.serve._groups import Groups
from tertulia_cli.serve._outputs import Failed, Gone

__all__ = ["Lines"]


_PATIENCE = 2.0


class Lines:
    """Write events in groups; in a file they are on the disk before they count as written.

    `path` is None for standard output. A line that a crash or a full disk cut off is taken away again where the file can be
    cut, and ended otherwise.
    """

    concurrency = 2
    together = 100

    def __init__(self, path: Path | None) -> None:
        self._descriptor = _opened(path)
        self._is_file = stat.S_ISREG(os.fstat(self._descriptor).st_mode)
        self._groups: Groups[bytes, None] = Groups(self._write, name="output")

    async def emit(self, events: Sequence[CloudEvent], /) -> None:
        """Append their lines."""
        await self._groups.do(b"".join(event.document + b"\n" for event in events))

    async def close(self) -> None:
        """Write what is waiting, and close the file; a reader that takes nothing is not waited for."""
        await self._groups.close(_PATIENCE)
        os.close(self._descriptor)

    def _write(self, lines: Sequence[bytes]) -> Sequence[Exception | None]:
        before = os.fstat(self._descriptor).st_size
        try:
            _write_all(self._descriptor, b"".join(lines))
            if self._is_file:
                os.fsync(self._descriptor)
        except BrokenPipeError:
            return [Gone("nobody reads standard output any more")] * len(lines)
        except OSError as error:
            if self._is_file:
                os.ftruncate(self._descriptor, before)
                os.lseek(self._descriptor, before, os.SEEK_SET)
            return [Failed(f"cannot write: {error.strerror}")] * len(lines)
        return [None] * len(lines)


def _opened(path: Path | None) -> int:
    try:
        if path is None:
            return os.dup(1)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        _sync_folder(path.parent)
    except (OSError, ValueError) as error:
        told = f"cannot write events: {getattr(error, 'strerror', None) or error}"
        raise Failure(told, str(path or "standard output"), "name a file that can be written") from error
    _end_line(descriptor)
    return descriptor


def _sync_folder(folder: Path) -> None:
    """Have a new file's name on the disk, too: lines in a file that has none are lost."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _end_line(descriptor: int) -> None:
    """End a line that a crash left unfinished: its event is written again, on a line of its own."""
    info = os.fstat(descriptor)
    if stat.S_ISREG(info.st_mode) and info.st_size and os.pread(descriptor, 1, info.st_size - 1) != b"\n":
        _write_all(descriptor, b"\n")


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
