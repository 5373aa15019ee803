"""The object that the registry finds."""

from __future__ import annotations

import os
from contextlib import AbstractAsyncContextManager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tertulia.conversation import Capability, Trait
from tertulia.errors import Invalid
from tertulia.registry import Adapter, Setting, Source
from tertulia.thread import Limits
from tertulia_conversation_slack._payload import NAMES
from tertulia_conversation_slack._scopes import SCOPES
from tertulia_conversation_slack._urls import recognise

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tertulia.event import Delivery, Event, Normalized
    from tertulia.registry import Envelope
    from tertulia_conversation_slack._client import Client
    from tertulia_conversation_slack._config import Config

__all__ = [
    "APP_TOKEN",
    "CAPABILITIES",
    "EDIT_CHARS",
    "LIMITS",
    "MARKDOWN_CHARS",
    "TEXT_CHARS",
    "TRAITS",
    "adapter",
    "configured",
]

CAPABILITIES = frozenset({Capability.BROWSE, Capability.EDIT, Capability.DELETE, Capability.REACT})

TRAITS = frozenset({Trait.CATEGORIES})
"""Nothing opens a channel, and no section takes answers."""

MARKDOWN_CHARS, TEXT_CHARS, EDIT_CHARS = 12_000, 40_000, 4_000
"""What Slack takes as `markdown_text`, before it cuts `text`, and in an edit, where it refuses more (docs.slack.dev)."""

LIMITS = Limits(body_chars=TEXT_CHARS, part_chars=MARKDOWN_CHARS, edit_chars=EDIT_CHARS)

APP_TOKEN = "SLACK_APP_TOKEN"
"""The variable with the token that Socket Mode is opened with."""

_FILE = "TERTULIA_SLACK_CONFIG"


def _normalize(delivery: Delivery) -> Normalized:
    """Normalize with what the operator's file says; what reads events is loaded when there is one."""
    from tertulia_conversation_slack._events import normalize

    return normalize(delivery, config=configured())


def _connect(**options: Any) -> AbstractAsyncContextManager[Client]:
    """Connect to Slack; the SDK is loaded now, and not before."""
    from tertulia_conversation_slack._client import connect

    return connect(**options)


async def _enrich(event: Event, client: Client) -> Event:
    """Ask Slack for what an event does not carry."""
    from tertulia_conversation_slack._enrich import enrich

    return await enrich(event, conversation=client)


def _subscribe() -> AbstractAsyncContextManager[AsyncIterator[Envelope]]:
    """Open Socket Mode; aiohttp is loaded now, and not before."""
    from tertulia_conversation_slack._socket_mode import subscribe

    return subscribe()


def _config_schema() -> dict[str, Any]:
    from tertulia_conversation_slack._config import config_schema

    return config_schema()


def configured() -> Config:
    """Read the file that the environment names; nothing is said where there is none. Raises Invalid."""
    from tertulia_conversation_slack._config import Config

    path = os.environ.get(_FILE, "").strip()
    if not path:
        return Config()
    try:
        state = os.stat(path)
        return _read(path, state.st_mtime_ns, state.st_size)
    except OSError as error:
        raise Invalid(f"{_FILE}: cannot be read: {error.strerror}", field=_FILE) from None


@lru_cache(maxsize=1)
def _read(path: str, _changed: int, _size: int) -> Config:
    from tertulia_conversation_slack._config import Config

    return Config.parse(Path(path).read_bytes())


adapter = Adapter(
    name="conversation-slack",
    system="slack",
    kind="conversation",
    names=NAMES,
    normalize=_normalize,
    recognise=recognise,
    connect=_connect,
    enrich=_enrich,
    capabilities=frozenset(capability.value for capability in CAPABILITIES),
    traits=frozenset(trait.value for trait in TRAITS),
    limits=LIMITS,
    scopes=SCOPES,
    config_schema=_config_schema,
    settings=(
        Setting("SLACK_BOT_TOKEN", "The bot token (xoxb-) that requests are made with.", secret=True),
        Setting(_FILE, "A TOML file with the sections and repositories of channels, and the roles of people."),
        Setting("SLACK_API_URL", "The Web API, https://slack.com/api/ by default."),
    ),
    source=Source(
        _subscribe,
        settings=(Setting(APP_TOKEN, "The app-level token (xapp-) that Socket Mode is opened with.", secret=True),),
    ),
)
