"""The run that an event starts, and the name of the thread it is about."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from tertulia.event import Event
from tertulia.ledger import Run, key_of, run_of
from tertulia.thread import Account, ThreadRef

WHEN = datetime(2026, 10, 1, 10, tzinfo=UTC)
ISSUE = {"kind": "work_item", "id": 7, "url": "https://github.com/acme/shop/issues/7"}
TICKET = {"kind": "work_item", "id": 10042, "key": "SHOP-3", "url": "https://acme.atlassian.net/browse/SHOP-3"}
CHANNEL = {"kind": "conversation", "key": "T1/C1", "url": "https://acme.slack.com/archives/C1"}


@pytest.fixture
def commented() -> Callable[..., Event]:
    """Make the event of a comment of ana's."""

    def make(
        system: str = "github", raw: str = "issue_comment", entity: dict[str, Any] = ISSUE, **comment: Any
    ) -> Event:
        author = {"id": "41", "login": "ana", "kind": "human"}
        return Event.check(
            {
                "entity": entity,
                "transition": {"kind": "comment_added", "comment": {"body": "hi", "author": author} | comment},
                "actor": {"id": "ana", "account_id": "41", "kind": "human", "role": "none", "is_entity_author": False},
                "state": {"labels": []}
                | ({"conversation": {"category": {"name": "channel"}}} if entity == CHANNEL else {}),
                "source": {"system": system, "raw_type": raw},
                "delivery": {"key": "k", "time": "2026-10-01T10:00:00Z"},
            }
            | ({} if system == "slack" else {"repo": "acme/shop"})
        )

    return make


def test_it_has_the_author_the_time_and_the_comment_of_the_event(commented: Callable[..., Event]) -> None:
    engine = Account(id="70", login="loom")

    run = run_of(commented(id="104"), engine, "t")

    assert run == Run(
        trigger_author=Account(id="41", login="ana"),
        engine=engine,
        trigger_time=WHEN,
        trigger_comment="issue_comment:104",
        thread="github:acme/shop#7",
    )


def test_what_the_engine_wrote_makes_nobody_trusted(commented: Callable[..., Event]) -> None:
    assert run_of(commented(id="104"), Account(id="41", login="loom"), "t").trigger_author is None


def test_it_has_the_findings_about_its_author(commented: Callable[..., Event]) -> None:
    run = run_of(commented(id="104", author={"id": "66", "login": "eve", "kind": "human"}), None, "t")

    assert run.trigger_author is None
    assert [finding.flag for finding in run.findings] == ["trigger-author-ambiguous"]


def test_without_an_event_it_knows_the_engine_and_the_thread() -> None:
    engine = Account(id="70", login="loom")

    assert run_of(None, engine, "t") == Run(engine=engine, thread="t")


@pytest.mark.parametrize(
    ("asked", "ref"),
    [
        ({"id": "104"}, "issue_comment:104"),
        ({"id": "104", "raw": "pull_request_review_comment"}, "review_comment:104"),
        ({"id": "104", "raw": "discussion_comment"}, "discussion_comment:104"),
        ({"id": "104", "raw": "something_else"}, None),
        ({"id": "104", "system": "jira", "raw": "comment", "entity": TICKET}, "jira_comment:104"),
        (
            {"id": "17.01", "parent_id": "17.01", "system": "slack", "raw": "message", "entity": CHANNEL},
            "slack_message:T1/C1/17.01",
        ),
        ({}, None),
    ],
)
def test_the_comment_is_named_as_the_thread_lists_it(
    commented: Callable[..., Event], asked: dict[str, Any], ref: str | None
) -> None:
    assert run_of(commented(**asked), None, "t").trigger_comment == ref


def test_only_a_conversation_has_threads_of_its_own(commented: Callable[..., Event]) -> None:
    said = {"id": "17.02", "parent_id": "17.01"}

    assert run_of(commented(system="slack", raw="message", entity=CHANNEL, **said), None, "t").root == "17.01"
    assert run_of(commented(raw="pull_request_review_comment", **said), None, "t").root is None


@pytest.mark.parametrize(
    ("thread", "key"),
    [
        (ThreadRef(conversation="acme/shop#7"), "x:acme/shop#7"),
        (ThreadRef(conversation="acme/shop#7", root="r1"), "x:acme/shop#7/r1"),
        (ThreadRef(conversation="acme/a#b#7"), "x:acme/a%23b#7"),
        (ThreadRef(conversation="T1/C1"), "x:T1/C1"),
        (ThreadRef(conversation="T1/C1", root="17.01"), "x:T1/C1/17.01"),
        (ThreadRef(conversation="T1/17"), "x:T1/17"),
        (ThreadRef(conversation="T1/C#1x"), "x:T1/C%231x"),
        (ThreadRef(conversation="17"), "x:17@"),
    ],
)
def test_a_thread_is_named_by_its_place_its_number_and_its_root(thread: ThreadRef, key: str) -> None:
    assert key_of("x", thread) == key
