"""Use the GitHub tracker as an agent does. Type checkers read this file; nothing runs it."""

from typing import assert_type

import tertulia_tracker.github as github
from tertulia import thread, tracker
from tertulia.registry import Adapter


async def answered(ref: thread.ThreadRef, draft: thread.Draft) -> thread.Message:
    """Connect, and answer."""
    async with github.connect(token="a-token") as client:
        assert_type(client, github.Client)
        assert_type(await client.read(ref), thread.Listing)
        assert_type(await client.get_issue(ref), tracker.Issue)
        return await client.post(ref, draft)


def as_tracker(client: github.Client) -> tracker.Client:
    """Take the client where a tracker is asked for."""
    return client


def as_threads(client: github.Client) -> thread.Threads:
    """Take the client where reading and answering is enough."""
    return client


def found() -> Adapter:
    """Take what the registry finds."""
    return github.adapter
