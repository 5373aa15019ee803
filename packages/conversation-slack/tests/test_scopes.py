"""What the app asks for is what it uses."""

import json
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from tertulia.errors import Denied
from tertulia.testing.slack import CHANNEL, TEAM, Slack
from tertulia.thread import Draft, MessageRef, ThreadRef
from tertulia_conversation_slack import Client, adapter

pytestmark = pytest.mark.anyio

PLACE = ThreadRef(conversation=f"{TEAM}/{CHANNEL}")
DRAFT = Draft(body="Better.", agent="helper", key="k")
SCOPES = adapter.scopes
MANIFEST = json.loads((Path(__file__).parents[1] / "manifest.json").read_text("utf-8"))
OPTIONAL = "users:read"


async def listed(found: Any) -> list[Any]:
    """Go through all that is found."""
    return [one async for one in found]


OPERATIONS: dict[str, Callable[[Client, MessageRef], Awaitable[Any]]] = {
    "whoami": lambda client, own: client.whoami(),
    "read": lambda client, own: client.read(ThreadRef(conversation=PLACE.conversation, root=own.id)),
    "get_message": lambda client, own: client.get_message(own),
    "get_conversation": lambda client, own: client.get_conversation(PLACE),
    "post": lambda client, own: client.post(PLACE, DRAFT),
    "conversations": lambda client, own: listed(client.conversations(TEAM)),
    "threads": lambda client, own: listed(client.threads(PLACE)),
    "edit": lambda client, own: client.edit(own, DRAFT),
    "delete": lambda client, own: client.delete(own),
    "react": lambda client, own: client.react(own, "tada"),
}

CASES = [(operation, scope) for operation in OPERATIONS for scope in sorted(SCOPES[operation] - {OPTIONAL})]


@pytest.fixture
async def own(opened: Callable[..., AbstractAsyncContextManager[Client]], slack: Slack) -> MessageRef:
    """Post a message with all scopes there are."""
    async with opened() as client:
        posted = await client.post(PLACE, Draft(body="First.", agent="helper"))
    return MessageRef(conversation=PLACE.conversation, source_type="slack_message", id=posted.id)


def test_the_manifest_asks_for_what_is_used_and_no_more() -> None:
    assert set(MANIFEST["oauth_config"]["scopes"]["bot"]) == frozenset().union(*SCOPES.values())


def test_the_manifest_subscribes_to_what_is_understood() -> None:
    events = MANIFEST["settings"]["event_subscriptions"]["bot_events"]

    assert {name.partition(".")[0] for name in events} == adapter.names


def test_every_operation_that_the_adapter_offers_has_its_scopes() -> None:
    always = {"whoami", "read", "get_message", "get_conversation", "post", "enrich", "events"}

    assert set(SCOPES) == always | (adapter.capabilities - {"browse"}) | {"conversations", "threads"}


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_an_operation_needs_no_more_than_its_scopes(
    client: Client, slack: Slack, own: MessageRef, operation: str
) -> None:
    slack.scopes = set(SCOPES[operation])

    await OPERATIONS[operation](client, own)


@pytest.mark.parametrize(
    ("operation", "scope"), [case for case in CASES if case[1].startswith(("channels", "chat", "rea"))]
)
async def test_an_operation_needs_each_of_its_scopes(
    client: Client, slack: Slack, own: MessageRef, operation: str, scope: str
) -> None:
    slack.scopes = set(SCOPES[operation] - {scope})

    with pytest.raises(Denied) as caught:
        await OPERATIONS[operation](client, own)

    assert caught.value.permission == scope


async def test_a_client_knows_what_its_token_was_granted(client: Client, slack: Slack) -> None:
    slack.scopes = {"chat:write", "users:read"}
    before = client.scopes

    await client.whoami()

    assert (before, client.scopes) == (None, {"chat:write", "users:read"})
