"""Use the Slack client as a workflow does. Type checkers read this file; nothing runs it."""

from typing import Any, assert_type

import tertulia_conversation_slack as slack
from tertulia import conversation, thread
from tertulia.event import Delivery, Normalized
from tertulia.registry import Adapter, Envelope, Source


def normalized(payload: bytes) -> Normalized:
    """Normalize a delivery, with what the operator says about the workspace."""
    assert_type(slack.config_schema(), dict[str, Any])
    config = slack.Config.parse(b'[sections]\nC0HELP = "Help desk"')
    return slack.normalize(Delivery(system="slack", name="", payload=payload), config=config)


async def answered(draft: thread.Draft) -> thread.Message:
    """Connect, read and answer."""
    ref = thread.ThreadRef(conversation="T0ACME/C0HELP", root="1740823500.000100")
    options: slack.HttpOptions = {"trust_env": False}
    async with slack.connect(token="xoxb-a-token", http=options) as client:
        assert_type(client, slack.Client)
        assert_type(await client.locate(ref), thread.ThreadRef)
        assert_type(client.scopes, frozenset[str] | None)
        assert_type(await client.read(ref), thread.Listing)
        assert_type(await client.get_conversation(ref), conversation.Conversation)
        found: list[conversation.Thread] = [one async for one in client.threads(ref)]
        return await client.post(found[0].ref, draft)


def as_conversation(client: slack.Client) -> conversation.Client:
    """Take the client where a conversation client is asked for."""
    return client


def as_threads(client: slack.Client) -> thread.Threads:
    """Take the client where threads are read."""
    return client


async def received() -> None:
    """Take what Slack sends over one connection."""
    async with slack.subscribe() as envelopes:
        assert_type(await anext(envelopes), Envelope)


def a_source() -> Source:
    """Take it where a source is asked for."""
    return Source(slack.subscribe)


def found() -> Adapter:
    """Take what the registry finds."""
    return slack.adapter
