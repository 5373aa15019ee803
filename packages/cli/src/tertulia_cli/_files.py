"""Writing a result to a file: whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress

from tertulia_cli._failure import Failure

__all__ = ["write_file"]

_NEW_FILE = 0o666


def write_file(path: str, text: str) -> None:
    """Replace a file in one step; who may read it stays as it was, or for a new file is as the umask says.

    A device or a pipe is written to as it is. A link is followed.
    """
    data = text.encode("utf-8", "backslashreplace")
    try:
        target = os.path.realpath(path)
        mode = _mode(target)
        if mode is None or stat.S_ISREG(mode):
            _replace(target, data, _permissions() if mode is None else stat.S_IMODE(mode))
        else:
            with open(target, "wb") as file:
                file.write(data)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Failure(f"cannot write the result: {reason}", path, "name a place that can be written") from error


def _mode(target: str) -> int | None:
    try:
        return os.stat(target).st_mode
    except FileNotFoundError:
        return None


def _permissions() -> int:
    umask = os.umask(0o077)
    os.umask(umask)
    return _NEW_FILE & ~umask


def _replace(target: str, data: bytes, permissions: int) -> None:
    folder, name = os.path.split(target)
    handle, temporary = tempfile.mkstemp(prefix=f".{name[:40]}.", dir=folder or ".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, permissions)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
