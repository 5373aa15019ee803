"""Use the core as an agent and an adapter do. Type checkers read this file; nothing runs it."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, assert_type

from tertulia import (
    category,
    conversation,
    errors,
    forge,
    ledger,
    outbound,
    parsing,
    registry,
    thread,
    tracker,
    webhook,
)
from tertulia.event import Delivery, Event, Ignored, Normalized, find_commands, schema
from tertulia.testing.conversation import Client as ConversationClient
from tertulia.testing.conversation import Conversations
from tertulia.testing.payloads import Path, check, paths, removed, replaced
from tertulia.testing.tracker import Client, Tracker


async def an_agent(client: thread.Threads, event: Event, store: ledger.Store) -> None:
    """Read what may be read, and answer once."""
    ref = thread.ThreadRef.of(event)
    context = await ledger.read(client, ref, trigger=event, store=store)
    draft = thread.Draft(body=context.text, agent="helper", key=f"{event.key}/helper", since=event.time)

    assert_type(ref, thread.ThreadRef)
    assert_type(context, ledger.Context)
    assert_type(context.text, str)
    assert_type(await ledger.read(client, ref, scope="conversation"), ledger.Context)
    assert_type(ledger.reach(ref, "thread"), thread.ThreadRef)
    assert_type(ledger.scoped(ledger.run_of(event, None, "key"), ref), ledger.Run)
    assert_type(event.time, datetime | None)
    assert_type(await client.post(ref, draft), thread.Message)
    assert_type(await client.read(ref), thread.Listing)
    assert_type((await client.read(ref)).messages, tuple[thread.Message, ...])
    assert_type(await client.whoami(), thread.Account)


async def a_tracker(client: tracker.Client, ref: thread.ThreadRef, message: thread.MessageRef) -> None:
    """Do what only a tracker can."""
    assert_type(client.capabilities, frozenset[tracker.Capability])
    assert_type(await client.get_issue(ref), tracker.Issue)
    assert_type(await client.label(ref, add=["bug"]), tuple[str, ...])
    assert_type(client.search("is:open"), AsyncIterator[tracker.Issue])
    await client.delete(message)


async def a_conversation(
    client: conversation.Client,
    ref: thread.ThreadRef,
    message: thread.MessageRef,
    draft: conversation.ConversationDraft,
) -> None:
    """Do what only a client of conversations can."""
    found = await client.get_conversation(ref)
    assert_type(found, conversation.Conversation)
    assert_type(found.category, category.Category | None)
    assert_type(client.capabilities, frozenset[conversation.Capability])
    assert_type(client.traits, frozenset[conversation.Trait])
    assert_type(client.conversations("acme/demo", category="q-a"), AsyncIterator[conversation.Conversation])
    assert_type(client.threads(ref, since=found.updated_at), AsyncIterator[conversation.Thread])
    assert_type(await client.label(ref, add=["bug"]), tuple[str, ...])
    assert_type(await client.set_state(ref, closed=True, reason="resolved"), conversation.Conversation)
    assert_type(await client.mark_answer(message, answer=False), conversation.Conversation)
    assert_type(await client.start(draft), conversation.Conversation)
    assert_type(category.format_of(answerable=True), category.Format | None)


async def a_forge(client: forge.Client) -> None:
    """Ask a forge about a repository."""
    assert_type(await client.permission("acme/demo", "maint-a"), forge.Permission)
    assert_type(await client.get_change("acme/demo", 7), forge.Change)
    assert_type(await client.get_file("acme/demo", "README.md", ref="main"), forge.File)
    async for change in client.changes("acme/demo"):
        assert_type(change, forge.Change)


def a_tracker_in_memory(account: thread.Account) -> tracker.Client:
    """Take the client in memory where a client is asked for."""
    memory = Tracker()
    assert_type(memory.client(account), Client)
    return memory.client(account)


def conversations_in_memory(account: thread.Account) -> conversation.Client:
    """Take the client in memory where a client is asked for."""
    memory = Conversations(body_chars=4_000)
    assert_type(memory.client(account), ConversationClient)
    assert_type(memory.open("acme/demo", title="Why?", body="", author=account), conversation.Conversation)
    return memory.client(account, [conversation.Capability.BROWSE])


def a_store(path: str) -> ledger.Store:
    """Take the store of the core where a store is asked for."""
    return ledger.SqliteStore(path)


def a_test_of_a_normalizer(payload: dict[str, Any], path: Path) -> None:
    """Make a payload wrong, and hold a normalizer to what it promises."""
    assert_type(list(paths(payload)), list[Path])
    for wrong in (replaced(payload, path, None), removed(payload, path)):
        check(a_normalizer, Delivery("acme", "note", str(wrong).encode()))


def a_normalizer(delivery: Delivery) -> Normalized:
    """Write an adapter's pure half."""
    assert_type(delivery.headers, Mapping[str, str])
    assert_type(parsing.load_object(delivery.payload, "a payload"), dict[str, Any])
    return Normalized(events=(), ignored=Ignored("ping", "the webhook works"))


def a_webhook(headers: Mapping[str, str], body: bytes) -> None:
    """Check a signature, with one secret or with the old one beside the new."""
    webhook.verify_github(headers, body, "secret")
    webhook.verify_github(headers, body, ["new", "old"])


def what_is_installed() -> None:
    """Ask the registry."""
    adapter = registry.normalizer("github", "issues")

    assert_type(registry.installed(), registry.Installed)
    assert_type(adapter, registry.Adapter)
    assert_type(
        registry.recogniser("https://example.com"), tuple[registry.Adapter, thread.ThreadRef | thread.MessageRef]
    )


async def a_receiver(adapter: registry.Adapter) -> None:
    """Take what comes over one connection, and acknowledge what was kept."""
    assert adapter.source is not None
    async with adapter.source.subscribe() as envelopes:
        async for envelope in envelopes:
            assert_type(envelope, registry.Envelope)
            if isinstance(envelope.content, Delivery):
                assert_type(envelope.content.payload, bytes)
            if envelope.acknowledge is not None:
                await envelope.acknowledge()


@asynccontextmanager
async def subscribed() -> AsyncGenerator[AsyncIterator[registry.Envelope]]:
    """Write a source: connect, and give what arrives."""

    async def arriving() -> AsyncIterator[registry.Envelope]:
        yield registry.Envelope(Delivery("chat", "", b"{}"))

    yield arriving()


def a_source() -> registry.Source:
    """Offer it."""
    return registry.Source(subscribed, settings=(registry.Setting("CHAT_TOKEN", "A token.", secret=True),))


def text(draft: thread.Draft) -> None:
    """Prepare what is posted."""
    assert_type(outbound.prepare(draft, carrier="markdown", limit=65_536), str)
    assert_type(outbound.split("a body", 4000), tuple[str, ...])
    assert_type(outbound.find_key("a body"), str | None)
    assert_type(find_commands("/ask why").command, str | None)
    assert_type(schema(), dict[str, Any])


def a_refusal(error: errors.Error) -> bool:
    """Act on the class of an error."""
    match error:
        case errors.RateLimited(retry_after=seconds):
            assert_type(seconds, float | None)
        case errors.Unavailable(ambiguous=landed):
            assert_type(landed, bool)
        case errors.Unsupported(capability=name):
            assert_type(name, str)
        case _:
            pass
    return error.transient
