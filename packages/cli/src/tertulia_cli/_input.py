"""Everything on its way in: files, standard input, the environment."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, BinaryIO

from tertulia_cli._failure import Failure

if TYPE_CHECKING:
    from tertulia.thread import Account

__all__ = ["MAX_PAYLOAD", "MAX_POLICY", "MAX_SNAPSHOT", "account", "integer", "read", "shown", "variable", "web_host"]

MAX_PAYLOAD = 25 * 1024 * 1024
"""GitHub's documented limit for a webhook payload is 25 MB."""
MAX_SNAPSHOT = 256 * 1024 * 1024
"""A thread with 2,500 long comments is normal."""
MAX_POLICY = 1024 * 1024

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_URL = re.compile(r"https?://([A-Za-z0-9.-]+(?::[0-9]{1,5})?)(?:/.*)?")


def shown(path: str) -> str:
    """Name a file in a message."""
    return "standard input" if path == "-" else path or "an empty name"


def read(path: str, what: str, limit: int) -> bytes:
    """Read a file, or standard input for `-`; one over the limit is refused without being read whole."""
    try:
        data = _read(path, limit + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Failure(f"cannot read {what}: {reason}", shown(path), "name a file that can be read") from error
    if len(data) > limit:
        raise Failure(f"{what} has more than {limit} bytes", shown(path), "give a smaller one")
    if not data:
        raise Failure(f"{what} is empty", shown(path), "give a JSON document")
    return data


def _read(path: str, size: int) -> bytes:
    if path == "-":
        return _up_to(_standard_input(), size)
    with open(path, "rb") as file:
        return _up_to(file, size)


def _standard_input() -> BinaryIO:
    if sys.stdin is None or sys.stdin.closed:
        raise OSError("standard input is closed")
    return sys.stdin.buffer


def _up_to(file: BinaryIO, size: int) -> bytes:
    """Read until the end or `size`: one read of a pipe may give less."""
    parts: list[bytes] = []
    while size > 0 and (part := file.read(min(size, 1 << 20))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def variable(name: str) -> str | None:
    """Give an environment variable; one that is empty is not set, as in a workflow whose expression gave nothing."""
    return os.environ.get(name, "").strip() or None


def integer(name: str) -> int | None:
    """Give an environment variable that must be an integer."""
    value = variable(name)
    if value is None:
        return None
    if not _INTEGER.fullmatch(value):
        raise Failure(f"'{value[:40]}' is not an integer", name, "set it to a number, or unset it")
    return int(value)


def web_host() -> str | None:
    """Give the web host that GITHUB_SERVER_URL or GITHUB_API_URL name, or None when neither is set.

    Enterprise Server has its API on the same host (`https://HOST/api/v3`), the cloud on `api.HOST`.
    """
    for name in ("GITHUB_SERVER_URL", "GITHUB_API_URL"):
        value = variable(name)
        if value is not None:
            return _host_in(value, name)
    return None


def _host_in(url: str, name: str) -> str:
    found = _URL.fullmatch(url)
    if found is None:
        raise Failure(f"'{url[:80]}' is not a web address", name, "set it to https://HOST or unset it")
    host = found[1].lower()
    on_cloud = host == "api.github.com" or (host.startswith("api.") and host.endswith(".ghe.com"))
    return host.removeprefix("api.") if on_cloud and name == "GITHUB_API_URL" else host


def account(given: str, option: str) -> Account:
    """Read an account from the command line: digits are its id, anything else is its login."""
    from tertulia.thread import Account

    told = given.removeprefix("@")
    if not told.isprintable() or not told.strip() or " " in told or len(told) > 255:
        raise Failure(f"'{given}' is neither a login nor an account id", option, "give one or the other")
    return Account(id=told, login="") if told.isascii() and told.isdigit() else Account(login=told)
