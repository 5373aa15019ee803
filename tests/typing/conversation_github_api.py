"""Use the GitHub Discussions client as a workflow does. Type checkers read this file; nothing runs it."""

from typing import assert_type

import tertulia_conversation_github as discussions
from tertulia import conversation, thread
from tertulia.event import Delivery, Normalized
from tertulia.registry import Adapter
from tertulia.transport import Rate


async def answered(draft: thread.Draft) -> thread.Message:
    """Connect, read and answer."""
    ref = thread.ThreadRef(conversation="acme/demo#7", root="8801")
    options: discussions.HttpOptions = {"trust_env": False}
    async with discussions.connect(token="a-token", http=options) as client:
        assert_type(client, discussions.Client)
        assert_type(await client.read(ref), thread.Listing)
        assert_type(await client.get_conversation(ref), conversation.Conversation)
        assert_type(client.rate, Rate | None)
        found: list[conversation.Thread] = [one async for one in client.threads(ref)]
        return await client.post(found[0].ref, draft)


def as_conversation(client: discussions.Client) -> conversation.Client:
    """Take the client where a conversation client is asked for."""
    return client


def as_threads(client: discussions.Client) -> thread.Threads:
    """Take the client where threads are read."""
    return client


def normalized(payload: bytes) -> Normalized:
    """Normalize a webhook."""
    return discussions.normalize(Delivery(system="github", name="discussion", payload=payload))


def found() -> Adapter:
    """Take what the registry finds."""
    return discussions.adapter
