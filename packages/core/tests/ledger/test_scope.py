"""How much of a conversation is read, what that is called, and what stands in the thread a run is about."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tertulia.ledger import Run, reach, scoped
from tertulia.thread import ThreadRef

Make = Callable[..., Any]


@pytest.mark.parametrize(
    ("conversation", "root", "scope", "read"),
    [
        ("acme/shop#7", "88", None, None),
        ("acme/shop#7", "88", "conversation", None),
        ("acme/shop#7", "88", "thread", "88"),
        ("acme/shop#7", None, None, None),
        ("acme/shop#7", None, "thread", None),
        ("T1/C1", "17.01", None, "17.01"),
        ("T1/C1", "17.01", "thread", "17.01"),
        ("T1/C1", "17.01", "conversation", None),
        ("T1/C#x", "17.01", None, "17.01"),
        ("SHOP-3", None, None, None),
    ],
)
def test_what_has_a_number_is_read_whole_and_a_chat_by_the_thread(
    conversation: str, root: str | None, scope: Any, read: str | None
) -> None:
    thread = ThreadRef(conversation=conversation, root=root, handle="h")

    reached = reach(thread, scope)

    assert (reached.conversation, reached.root) == (conversation, read)
    assert reached.handle == (None if root is not None and read is None else "h")


@pytest.mark.parametrize(
    ("key", "conversation", "scope", "named"),
    [
        ("github:acme/shop#7/88", "acme/shop#7", None, "github:acme/shop#7"),
        ("github:acme/shop#7/88", "acme/shop#7", "thread", "github:acme/shop#7/88"),
        ("github:acme/shop#7", "acme/shop#7", None, "github:acme/shop#7"),
        ("slack:T1/C1/88", "T1/C1", None, "slack:T1/C1/88"),
        ("slack:T1/C1/88", "T1/C1", "conversation", "slack:T1/C1"),
        ("my own", "acme/shop#7", None, "my own"),
        ("github:acme/else#7/88", "acme/shop#7", None, "github:acme/else#7/88"),
    ],
)
def test_a_run_names_what_its_ledger_is_made_of(key: str, conversation: str, scope: Any, named: str) -> None:
    thread = ThreadRef(conversation=conversation, root="88")

    for run in (Run(thread=key), Run(thread=key, root="88")):
        fitted = scoped(run, thread, scope)

        assert fitted == Run(thread=named, root="88")
        assert scoped(fitted, thread, scope) == fitted


def test_the_root_of_an_event_comes_before_that_of_a_reference() -> None:
    run = Run(thread="github:acme/shop#7/88", root="88")

    assert scoped(run, ThreadRef(conversation="acme/shop#7")) == Run(thread="github:acme/shop#7", root="88")
    assert scoped(run, ThreadRef(conversation="acme/shop#7", root="99")).root == "88"


@pytest.fixture
def reply(note: Make) -> Make:
    """Make a comment of a discussion."""
    return lambda number, root, **fields: note(number, source_type="discussion_comment", parent_id=str(root), **fields)


def test_headers_say_what_stands_in_the_thread(context: Make, issue: Make, reply: Make, heads: Make) -> None:
    made = context(issue(source_type="discussion"), reply(1, 1), reply(2, 2), reply(3, 1), root="1")

    flags = {name: "flags=this-thread" in words for name, words in heads(made).items()}
    assert flags == {
        "discussion:9007": False,
        "discussion_comment:1": True,
        "discussion_comment:2": False,
        "discussion_comment:3": True,
    }


@pytest.mark.parametrize("root", ["17.01", "17.02", "T1/C1/17.02"])
def test_on_a_chat_the_root_may_stand_without_its_place(context: Make, note: Make, root: str) -> None:
    at = {"source_type": "slack_message"}
    first, other = note("T1/C1/17.01", **at, parent_id="T1/C1/17.01"), note("T1/C1/7.01", **at, parent_id="T1/C1/7.01")

    made = context(first, note("T1/C1/17.02", **at, parent_id=first.id), other, root=root)

    assert made.text.count("flags=this-thread") == 2
    assert f"[BEGIN {other.ref} {made.fence}] kind=human-feedback trusted=yes" in made.text
    assert made.text.partition(f"[BEGIN {other.ref} ")[2].partition("\n")[0].count("this-thread") == 0


def test_a_root_that_nobody_listed_has_its_replies(context: Make, reply: Make) -> None:
    made = context(reply(2, 2), reply(3, 1), root="1")

    assert made.text.count("flags=this-thread") == 1


def test_an_opening_post_of_the_same_number_is_no_root(context: Make, issue: Make, reply: Make) -> None:
    made = context(issue(source_type="discussion", id="2"), reply(2, 2), reply(3, 3), root="2")

    assert made.text.count("flags=this-thread") == 1


@pytest.mark.parametrize("source_type", ["issue_comment", "review_comment", "review"])
def test_an_issue_and_a_change_proposal_are_one_thread(context: Make, note: Make, source_type: str) -> None:
    made = context(*(note(n, source_type=source_type, parent_id=str(n)) for n in (1, 2)), root="1")

    assert len(made.flow) == 2
    assert "this-thread" not in made.text


def test_what_is_outside_the_window_marks_nothing(context: Make, reply: Make) -> None:
    made = context(reply(1, 1), reply(2, 2), reply(3, 3), root="1", window=1)

    assert "this-thread" not in made.text


def test_unverified_lines_are_not_marked(context: Make, reply: Make, people: SimpleNamespace) -> None:
    made = context(reply(1, 1, author=people.eve), reply(2, 2), root="1")

    assert made.unverified == ("discussion_comment:1",)
    assert "this-thread" not in made.text


def test_a_snapshot_keeps_the_root(saved: Make, opened: Make, item: Make) -> None:
    snapshot = opened(saved(item(source_type="discussion_comment"), root=88))

    assert snapshot.run.root == "88"
    assert opened(snapshot.document()) == snapshot
