"""What Slack is asked about an event."""

import json
import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from tertulia.errors import Invalid
from tertulia.event import Delivery, Event
from tertulia.testing.slack import Slack
from tertulia_conversation_slack import Client, Config, adapter, enrich, normalize

pytestmark = pytest.mark.anyio

Opened = Callable[..., AbstractAsyncContextManager[Client]]
CONFIG = Config.parse(b"[roles]\nS0TRIAGE = 'triage'\nS0OTHER = 'admin'\nU0OWNER = 'maintain'")


@pytest.fixture
def said(native: Any) -> Callable[..., Event]:
    """Normalize a mention: it tells nothing of the channel but its id."""

    def one(user: str = "U0ANNA", **around: Any) -> Event:
        raw = json.dumps(native.envelope(native.mention(user=user, **around))).encode()
        (made,) = normalize(Delivery("slack", "app_mention", raw), config=CONFIG).events
        return made

    return one


async def test_a_group_gives_its_members_a_role(opened: Opened, slack: Slack, said: Callable[..., Event]) -> None:
    slack.groups["S0OTHER"] = ["U0BEN"]

    async with opened(config=CONFIG) as client:
        roles = {user: (await enrich(said(user), conversation=client)).actor for user in ("U0ANNA", "U0BEN", "U0GUEST")}

    assert [(one.role, one.role_verified) for one in roles.values()] == [
        ("triage", True),
        ("admin", True),
        ("none", False),
    ]


async def test_whoever_is_in_several_groups_has_the_greatest_role(
    opened: Opened, slack: Slack, said: Callable[..., Event]
) -> None:
    slack.groups["S0OTHER"] = ["U0ANNA"]

    async with opened(config=CONFIG) as client:
        assert (await enrich(said(), conversation=client)).actor.role == "admin"


async def test_a_role_of_one_s_own_stands(opened: Opened, slack: Slack, said: Callable[..., Event]) -> None:
    slack.groups |= {"S0OTHER": ["U0OWNER"]}

    async with opened(config=CONFIG) as client:
        actor = (await enrich(said("U0OWNER"), conversation=client)).actor

    assert (actor.role, actor.role_verified) == ("maintain", True)
    assert slack.asked("usergroups.users.list") == 0


async def test_a_group_that_cannot_be_read_gives_nobody_a_role(
    opened: Opened, slack: Slack, said: Callable[..., Event], caplog: pytest.LogCaptureFixture
) -> None:
    slack.scopes.remove("usergroups:read")

    async with opened(config=CONFIG) as client:
        with caplog.at_level(logging.WARNING):
            actor = (await enrich(said(), conversation=client)).actor

    assert (actor.role, actor.role_verified) == ("none", False)
    assert "the role of the actor could not be looked up" in caplog.text


async def test_the_channel_is_known_by_its_name_and_kind(
    opened: Opened, slack: Slack, said: Callable[..., Event]
) -> None:
    slack.channel("C0GENERAL", "secret", is_private=True)

    async with opened() as client:
        assert adapter.enrich is not None
        conversation = (await adapter.enrich(said(), client)).state.conversation

    assert conversation is not None
    assert (conversation.category.name, conversation.title, conversation.closed) == ("private-channel", "secret", False)


async def test_a_channel_out_of_sight_is_left_as_the_event_has_it(
    opened: Opened, slack: Slack, said: Callable[..., Event]
) -> None:
    event = said(channel="C0HIDDEN")

    async with opened() as client:
        assert (await enrich(event, conversation=client)).state == event.state


async def test_an_event_of_another_system_is_refused(client: Client, slack: Slack, said: Callable[..., Event]) -> None:
    event = said()
    other = event.model_copy(update={"source": event.source.model_copy(update={"system": "github"})})

    with pytest.raises(Invalid):
        await enrich(other, conversation=client)

    assert slack.server.requests == []
