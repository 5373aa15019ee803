"""A web address names a workspace: the token's own, or none that is asked about anything."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tertulia.errors import Invalid
from tertulia.testing.loopback import Reply
from tertulia.testing.slack import BOT, CHANNEL, ME, TEAM, Slack
from tertulia.thread import Draft, ThreadRef
from tertulia_conversation_slack import Client, adapter

pytestmark = pytest.mark.anyio

OPERATIONS: dict[str, Callable[[Client, ThreadRef], Awaitable[Any]]] = {
    "read": lambda client, thread: client.read(thread),
    "locate": lambda client, thread: client.locate(thread),
    "get_conversation": lambda client, thread: client.get_conversation(thread),
    "post": lambda client, thread: client.post(thread, Draft(body="Hm.", agent="helper", key="k")),
    "post without a key": lambda client, thread: client.post(thread, Draft(body="Hm.", agent="helper")),
    "threads": lambda client, thread: anext(client.threads(thread)),
}


def pasted(url: str) -> ThreadRef:
    """Read a web address."""
    found = adapter.recognise(url)
    assert isinstance(found, ThreadRef)
    return found


def addresses(name: str, team: str, ts: str) -> list[str]:
    """Write the addresses of a message that a workspace's people see."""
    return [
        f"https://{name}.slack.com/archives/{CHANNEL}/p{ts.replace('.', '')}",
        f"https://{name}.slack.com/archives/{CHANNEL}",
        f"https://app.slack.com/client/{team}/{CHANNEL}/thread/{CHANNEL}-{ts}",
        f"https://app.slack.com/client/{team}/{CHANNEL}",
    ]


def home(slack: Slack, **fields: str) -> None:
    """Say once more whose the token is, and where."""
    told = {"url": "https://acme.slack.com/", "team_id": TEAM, "user_id": ME, "user": "agent", "bot_id": BOT}
    slack.refuse("auth.test", Reply(200, {"ok": True, **told, **fields}))


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_an_address_of_another_workspace_is_invalid_before_anything_is_asked_about_it(
    client: Client, slack: Slack, operation: str
) -> None:
    ts = slack.say("It fails.")["ts"]

    for url in addresses("other", "T0OTHER", ts):
        with pytest.raises(
            Invalid, match=r"the address is in the workspace (other|T0OTHER), and the token in"
        ) as refused:
            await OPERATIONS[operation](client, pasted(url))
        assert refused.value.field == "url"

    assert [one.path for one in slack.server.requests] == ["/api/auth.test"]


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_an_address_of_its_own_workspace_is_taken(client: Client, slack: Slack, operation: str) -> None:
    ts = slack.say("It fails.")["ts"]

    for url in addresses("ACME", TEAM, ts):
        await OPERATIONS[operation](client, pasted(url))


async def test_a_workspace_of_a_grid_may_be_seen_under_the_organisation_s_address(client: Client, slack: Slack) -> None:
    home(slack, url="https://acme-sales.enterprise.slack.com/", enterprise_id="E0ACME")
    ts = slack.say("It fails.")["ts"]

    for url in addresses("acme.enterprise", "E0ACME", ts):
        assert (await client.locate(pasted(url))).conversation.endswith(CHANNEL)
    with pytest.raises(Invalid, match=r"workspace other, and the token in acme-sales\.enterprise"):
        await client.locate(pasted(addresses("other", "T0OTHER", ts)[0]))


async def test_a_server_of_another_name_has_no_workspace_to_compare(client: Client, slack: Slack) -> None:
    home(slack, url="http://127.0.0.1:5901/")
    by_name, _, by_team, _ = addresses("acme", "T0OTHER", slack.say("It fails.")["ts"])

    assert (await client.locate(pasted(by_name))).conversation == f"{TEAM}/{CHANNEL}"
    with pytest.raises(Invalid, match="T0OTHER, and the token in T0ACME"):
        await client.locate(pasted(by_team))
