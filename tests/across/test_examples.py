"""What the examples promise, on backends in memory. Each is loaded by its path, as whoever copies it has it."""

import asyncio
import importlib.util
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tertulia import ledger, outbound
from tertulia.event import Event
from tertulia.testing.tracker import Tracker
from tertulia.thread import Account

MAINT = Account(id="1001", login="maint-a")
ENGINE = Account(id="500", login="engine-svc")


@pytest.fixture
def answer(root: Path) -> ModuleType:
    """Load examples/answer.py."""
    spec = importlib.util.spec_from_file_location("examples_answer", root / "examples" / "answer.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def event(comment: str) -> Event:
    """Make the event of a maintainer's question."""
    author = {"id": "1001", "login": "maint-a", "kind": "human"}
    said = {"id": comment, "parent_id": comment, "body": "/ask why?", "command": "/ask", "author": author}
    return Event.check(
        {
            "repo": "acme/demo",
            "entity": {"kind": "work_item", "id": 1, "url": "https://tracker.example/acme/demo/issues/1"},
            "transition": {"kind": "comment_added", "comment": said},
            "actor": {
                "id": "maint-a",
                "kind": "human",
                "role": "none",
                "is_entity_author": False,
                "account_id": "1001",
            },
            "state": {"labels": []},
            "source": {"system": "github", "raw_type": "issue_comment", "raw_action": "created"},
            "delivery": {"key": "github:acme/demo#1/issue_comment:1/comment_added", "time": "2026-01-01T00:00:01Z"},
        }
    )


def test_the_twelve_lines_answer_once_and_remember_the_thread(
    answer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = []

    async def agent(context: str) -> str:
        given.append(context)
        return f"I read {len(context.splitlines())} lines."

    monkeypatch.setattr(answer, "agent", agent)
    tracker, store = Tracker(), ledger.SqliteStore(tmp_path / "ledger.sqlite")
    tracker.open("acme/demo", title="It fails", body="Please look.", author=None)
    asked = tracker.say("acme/demo#1", "/ask why?", author=MAINT, association="MEMBER")

    for _ in range(2):
        asyncio.run(answer.answer(tracker.client(ENGINE), event(asked.id), store))

    _, _, *answers = tracker.listing("acme/demo#1").messages
    (message,) = answers
    assert message.author == ENGINE
    assert message.body.startswith("<!-- bot-agent-helper -->\nI read ")
    assert outbound.find_key(message.body) == outbound.key_digest(f"{event(asked.id).key}/helper")
    assert "/ask why?" in given[0]
    assert "I read " not in given[0]
    assert "kind=agent-output trusted=yes" in given[1]


def test_the_agent_of_the_example_answers(answer: Any) -> None:
    assert asyncio.run(answer.agent("a\nb")) == "I read 2 lines."


def test_the_readme_shows_the_same_lines(root: Path, answer: Any) -> None:
    code = (root / "examples" / "answer.py").read_text("utf-8").partition("async def answer(")[2].partition("\n\n\n")[0]
    shown = (
        textwrap.dedent((root / "README.md").read_text("utf-8"))
        .partition("async def answer(")[2]
        .partition("async with")[0]
    )

    assert statements(shown) == [line for line in statements(code) if not line.startswith('"""')]


def statements(code: str) -> list[str]:
    """Leave out indentation and comments."""
    return [line.partition("  #")[0].strip() for line in code.splitlines() if line.strip()]
