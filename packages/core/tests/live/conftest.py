"""People, an issue, and an event about it, on a tracker in memory."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tertulia import event
from tertulia.ledger import SqliteStore
from tertulia.testing.tracker import Tracker
from tertulia.thread import Account, Message

Make = Callable[..., event.Event]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def maintainer() -> Account:
    return Account(id="101", login="mara")


@pytest.fixture
def outsider() -> Account:
    return Account(id="666", login="otto")


@pytest.fixture
def helper() -> Account:
    return Account(id="900", login="helper[bot]", kind="bot")


@pytest.fixture
def tracker(outsider: Account) -> Tracker:
    made = Tracker()
    made.open("acme/demo", title="It breaks", body="On start.", author=outsider)
    return made


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return SqliteStore(tmp_path / "ledger.sqlite")


@pytest.fixture
def about() -> Make:
    """Make the event a comment on acme/demo#1 gives."""

    def make(message: Message, kind: str = "comment_added") -> event.Event:
        assert message.author is not None
        author = message.author
        return event.Event(
            repo="acme/demo",
            entity=event.Entity(kind="work_item", id=1, url="https://tracker.example/acme/demo/issues/1"),
            transition=event.Transition(
                kind=kind,
                comment=event.Comment(
                    id=message.id,
                    parent_id=message.id,
                    body=message.body,
                    author=event.Author(id=author.id, login=author.login, kind=author.kind),
                ),
            ),
            actor=event.Actor(
                id=author.login, account_id=author.id, kind=author.kind, role="none", is_entity_author=False
            ),
            state=event.State(labels=()),
            source=event.Source(system="github", raw_type="issue_comment", raw_action="created"),
            delivery=event.DeliveryMark(
                key=f"github:acme/demo#1/issue_comment:{message.id}@1/{kind}", time=message.created_at
            ),
        )

    return make
