"""A source, for the fixture `senders` to install: JSON lines from the port that `FAKE_SOURCE` names, acknowledged by id.

A line is `{"id": "1", "payload": {...}}`; `{"id": "1", "ignored": "why"}` holds no delivery, and what has no id cannot be
acknowledged. `{"end": true}` asks to connect anew, `{"raise": "Denied"}` raises an error of the tree.
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tertulia import errors
from tertulia.event import Delivery, Ignored
from tertulia.registry import Adapter, Envelope, Setting, Source


@asynccontextmanager
async def subscribe() -> AsyncIterator[AsyncIterator[Envelope]]:
    """Connect, and wait for a line that says that we are welcome."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(os.environ["FAKE_SOURCE"]))
    except OSError as error:
        raise errors.Unavailable("nobody is there", backend="slack") from error
    try:
        await read(reader)
        yield arriving(reader, writer)
    finally:
        writer.close()


async def arriving(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> AsyncIterator[Envelope]:
    """Give what arrives."""
    while "end" not in (line := await read(reader)):
        yield envelope(line, writer)


def envelope(line: dict[str, Any], writer: asyncio.StreamWriter) -> Envelope:
    """Make an envelope of a line."""

    async def acknowledge() -> None:
        writer.write(f"{line['id']}\n".encode())
        await writer.drain()

    kept = line.get("ignored")
    content = Ignored(kept) if kept else Delivery("slack", "", json.dumps(line.get("payload")).encode())
    return Envelope(content, acknowledge if "id" in line else None)


async def read(reader: asyncio.StreamReader) -> dict[str, Any]:
    """Read a line."""
    line = await reader.readline()
    if not line:
        raise errors.Unavailable("the connection was lost", backend="slack")
    told: dict[str, Any] = json.loads(line)
    if "raise" in told:
        raise getattr(errors, told["raise"])("no entry with this token", backend="slack")
    return told


adapter = Adapter(
    name="fake-source",
    system="slack",
    kind="conversation",
    names=frozenset(),
    normalize=None,
    recognise=lambda url: None,
    source=Source(subscribe, settings=(Setting("FAKE_TOKEN", "Who may connect.", secret=True),)),
)
