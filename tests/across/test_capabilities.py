"""docs/capabilities.md says what the products say of themselves."""

import importlib.util
from collections.abc import AsyncIterator
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tertulia import conversation, tracker
from tertulia.registry import Adapter, Envelope, Setting, Source
from tertulia.thread import Limits


@pytest.fixture
def writer(root: Path) -> ModuleType:
    """Load docs/capabilities.py."""
    spec = importlib.util.spec_from_file_location("docs_capabilities", root / "docs" / "capabilities.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


async def no_envelopes() -> AsyncIterator[Envelope]:
    """Bring nothing."""
    for envelope in ():
        yield envelope


def test_the_page_is_not_stale(writer: Any, root: Path) -> None:
    assert (root / "docs" / "capabilities.md").read_text("utf-8") == writer.page(), "run `nox -s capabilities`"


def test_what_is_declared_is_yes_and_the_rest_is_no(writer: Any) -> None:
    adapter = Adapter(
        name="chat",
        system="chat",
        kind="conversation",
        names=frozenset({"message"}),
        normalize=None,
        recognise=lambda url: None,
        connect=lambda **options: None,
        capabilities=frozenset({conversation.Capability.REACT}),
        traits=frozenset({conversation.Trait.CATEGORIES}),
        limits=Limits(body_chars=4_000, edit_chars=500),
        settings=(Setting("CHAT_TOKEN", "Who acts."),),
        source=Source(lambda: nullcontext(no_envelopes()), settings=(Setting("CHAT_APP", "Who listens."),)),
    )

    lines = writer.section("conversation", (adapter,)).splitlines()

    assert "| operation, or capability | chat |" in lines
    assert "| `react` | yes |" in lines
    assert "| `start` | no |" in lines
    assert "| `post` | always |" in lines
    assert "| trait `categories` | there |" in lines
    assert "| trait `opening` | absent |" in lines
    assert lines[-2:] == ["| characters a message | 4,000 |", "| characters an edit | 500 |"]
    told = writer.settings((adapter,))
    assert "| `CHAT_TOKEN` | Who acts. | chat |" in told
    assert "| `CHAT_APP` | Who listens. | chat |" in told


def test_every_operation_of_a_protocol_is_always_there_or_a_capability(writer: Any) -> None:
    assert list(writer.required(tracker)) == ["whoami", "read", "get_message", "post", "get_issue"]
    assert list(writer.required(conversation)) == ["whoami", "read", "get_message", "post", "get_conversation"]
