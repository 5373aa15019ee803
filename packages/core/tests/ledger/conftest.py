"""A small cast, and the shortest way from messages to what became of them."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from tertulia.ledger import Context, Ledger, Options, Run, Snapshot, build_context, reconcile
from tertulia.ledger.report import Report
from tertulia.thread import Account, Listing, Message

START = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)

ANA = Account(id="41", login="ana-ruiz")
BO = Account(id="42", login="bo-lind")
EVE = Account(id="66", login="eve-x")
ENGINE = Account(id="70", login="loom-engine")
BOT = Account(id="80", login="loom[bot]", kind="bot")


@pytest.fixture
def people() -> SimpleNamespace:
    """`ana` starts the run, `bo` is another member, `eve` an outsider; the engine is a person's kind of account."""
    return SimpleNamespace(ana=ANA, bo=BO, eve=EVE, engine=ENGINE, bot=BOT)


@pytest.fixture
def at() -> Callable[[float], datetime]:
    """Give a time some minutes after the issue was opened."""
    return lambda minutes: START + timedelta(minutes=minutes)


def _note(number: Any = 104, body: str = "Ship it.", author: Account | None = ANA, **fields: Any) -> Message:
    minute = int(number) if str(number).isdigit() else 1
    source_type = fields.pop("source_type", "issue_comment")
    url = f"https://github.com/acme/shop/issues/7#issuecomment-{number}"
    start: dict[str, Any] = {"association": "MEMBER", "created_at": START + timedelta(minutes=minute), "url": url}
    return Message(id=str(number), source_type=source_type, body=body, author=author, **(start | fields))


def _issue(body: str = "The cart is empty.", author: Account | None = EVE, **fields: Any) -> Message:
    start: dict[str, Any] = {
        "id": "9007",
        "source_type": "issue",
        "title": "Cart",
        "association": "NONE",
        "created_at": START,
        "url": "https://github.com/acme/shop/issues/7",
    }
    return Message(body=body, author=author, **(start | fields))


@pytest.fixture
def note() -> Callable[..., Message]:
    """Make a comment: `ana`'s, a member's, written as many minutes after the issue as its number says."""
    return _note


@pytest.fixture
def issue() -> Callable[..., Message]:
    """Make the opening post: an outsider's."""
    return _issue


def _parts(messages: tuple[Message, ...], asked: dict[str, Any]) -> tuple[Listing, tuple[Any, ...], Run, Options]:
    run = {name: asked.pop(name) for name in tuple(asked) if name in Run.model_fields}
    listing = {name: asked.pop(name) for name in tuple(asked) if name in ("complete", "reported")}
    previous = asked.pop("previous", ())
    made = Run(**({"trigger_author": ANA, "engine": ENGINE, "thread": "github:acme/shop#7"} | run))
    return Listing(messages=messages, **listing), previous, made, Options(**asked)


@pytest.fixture
def ledger() -> Callable[..., Ledger]:
    """Reconcile messages; keywords are fields of the run, of the options, `previous`, `complete`, `reported`, `gone`."""

    def make(*messages: Message, gone: frozenset[str] = frozenset(), **asked: Any) -> Ledger:
        return reconcile(*_parts(messages, asked), gone=gone)

    return make


@pytest.fixture
def context() -> Callable[..., Context]:
    """Reconcile and render messages, with the same keywords."""

    def make(*messages: Message, **asked: Any) -> Context:
        return build_context(*_parts(messages, asked))

    return make


@pytest.fixture
def fate(ledger: Callable[..., Ledger]) -> Callable[..., tuple[str, bool, str]]:
    """Give kind, trust and decision of the last of some messages."""

    def make(*messages: Message, **asked: Any) -> tuple[str, bool, str]:
        made = ledger(*messages, **asked)
        record = next(record for record in made.records if record.ref == messages[-1].ref)
        return record.kind, record.trusted, made.reasons[record.ref].decision

    return make


@pytest.fixture
def flags() -> Callable[[Any], list[str]]:
    """List the flags of the findings of a ledger or a context, with the record each is about."""
    return lambda made: [f"{finding.flag} {finding.ref or '-'}" for finding in made.audit]


@pytest.fixture
def saved() -> Callable[..., Any]:
    """Make a snapshot document; keywords are its context."""
    return lambda *thread, **asked: {"thread": list(thread), "context": asked}


@pytest.fixture
def opened() -> Callable[[Any], Snapshot]:
    """Read a snapshot document."""
    return lambda document: Snapshot.parse(json.dumps(document))


@pytest.fixture
def item() -> Callable[..., dict[str, Any]]:
    """Make one item of a snapshot."""

    def make(number: Any = 104, **fields: Any) -> dict[str, Any]:
        return {
            "source_type": "issue_comment",
            "id": number,
            "user": {"login": "ana-ruiz", "id": 41, "type": "User"},
            "author_association": "MEMBER",
            "created_at": "2026-03-02T09:44:00Z",
            "updated_at": "2026-03-02T09:44:00Z",
            "body": "Ship it.",
            "html_url": f"https://github.com/acme/shop/issues/7#issuecomment-{number}",
        } | fields

    return make


@pytest.fixture
def inside() -> Callable[[str, str, str], str]:
    """Give what stands between the begin and the end line of a part: (text, fence, name)."""

    def find(text: str, fence: str, name: str) -> str:
        _, begin, rest = text.partition(f"\n[BEGIN {name} {fence}]")
        assert begin, f"{name} is not in the text"
        return rest.partition("\n")[2].partition(f"\n[END {name} {fence}]")[0]

    return find


@pytest.fixture
def heads() -> Callable[[Context], dict[str, str]]:
    """Give the begin line of every part of a context, by name."""

    def find(made: Context) -> dict[str, str]:
        lines = [line for line in made.text.split("\n") if line.startswith("[BEGIN ") and made.fence in line]
        return {line.split()[1]: line.partition("]")[2].strip() for line in lines}

    return find


@pytest.fixture
def report() -> Callable[..., Report]:
    """Make the report of some messages, with the keywords of a ledger."""

    def make(*messages: Message, **asked: Any) -> Report:
        listing, previous, run, options = _parts(messages, asked)
        snapshot = Snapshot(listing=listing, previous=previous, run=run, options=options)
        return Report.of(snapshot, build_context(listing, previous, run, options))

    return make
