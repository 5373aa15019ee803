"""The context of a snapshot: every documented key."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from tertulia.ledger import Options, Run, ThreadRecord
from tertulia.thread import Account

Make = Callable[..., Any]


@pytest.fixture
def read(saved: Make, opened: Make) -> Make:
    """Read a snapshot without items."""
    return lambda **asked: opened(saved(**asked))


def test_accounts_have_an_id_a_login_and_a_type(read: Make) -> None:
    made = read(
        trigger_author={"id": 41, "login": "ana-ruiz", "type": "User"},
        engine_actor={"id": "70", "login": "loom", "type": "Bot"},
    )

    assert made.run.trigger_author == Account(id="41", login="ana-ruiz")
    assert made.run.engine == Account(id="70", login="loom", kind="bot")


@pytest.mark.parametrize("who", [None, {}, {"type": "User"}])
def test_an_account_may_be_nobody(read: Make, who: Any) -> None:
    made = read(trigger_author=who, engine_actor=who)

    assert (made.run.trigger_author, made.run.engine) == (None, None)


@pytest.mark.parametrize(
    ("prefix", "prefixes"),
    [(None, ()), ("/loom", ("/loom",)), (["/a", "/b-"], ("/a", "/b-")), ([], ())],
)
def test_a_command_prefix_is_one_or_many(read: Make, prefix: Any, prefixes: tuple[str, ...]) -> None:
    assert read(command_prefix=prefix).options.command_prefixes == prefixes


def test_window_and_pins_are_options(read: Make) -> None:
    options = read(window=3, pinned=["issue_comment:1"]).options

    assert (options.window, options.pinned) == (3, ("issue_comment:1",))


def test_without_any_the_options_are_the_defaults(read: Make) -> None:
    assert read().options == Options()
    assert read().run == Run()


def test_the_trigger_has_a_time_and_a_comment(read: Make) -> None:
    run = read(trigger_time="2026-03-02T10:00:00+02:00", trigger_comment="issue_comment:5").run

    assert run.trigger_time == datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
    assert run.trigger_comment == "issue_comment:5"


@pytest.mark.parametrize(
    ("fetch", "complete", "reported"),
    [
        (None, True, None),
        ({}, True, None),
        ({"complete": False}, False, None),
        ({"complete": True, "reported_count": 3}, True, {"issue_comment": 3}),
        ({"reported_count": 0}, True, {"issue_comment": 0}),
        ({"reported_count": {"review": 2, "issue_comment": 1}}, True, {"review": 2, "issue_comment": 1}),
    ],
)
def test_how_it_was_fetched_says_what_to_believe(read: Make, fetch: Any, complete: bool, reported: Any) -> None:
    listing = read(fetch=fetch).listing

    assert (listing.complete, listing.reported) == (complete, reported)


def test_what_was_said_of_the_fetch_wins_over_the_count_of_the_issue(saved: Make, opened: Make, item: Make) -> None:
    issue = item(source_type="issue", comments=9)

    assert opened(saved(issue, fetch={"reported_count": 1})).listing.reported == {"issue_comment": 1}
    assert opened(saved(issue, fetch={})).listing.reported is None
    assert opened(saved(issue)).listing.reported == {"issue_comment": 9}


def test_the_ledger_before_is_a_list_of_records_with_refs(read: Make) -> None:
    made = read(
        previous_ledger=[
            {"ref": "slack_message:T1/C1/1:2"},
            {
                "ref": "issue_comment:5",
                "kind": "command",
                "trusted": True,
                "deleted": True,
                "created_at": "2026-03-02T08:00:00Z",
                "user_id": 41,
                "user_login": "ana-ruiz",
                "first_seen": 2,
                "digest": "ab",
            },
        ]
    )

    assert made.previous == (
        ThreadRecord(kind="human-feedback", source_type="slack_message", id="T1/C1/1:2"),
        ThreadRecord(
            kind="command",
            source_type="issue_comment",
            id="5",
            trusted=True,
            deleted=True,
            created_at=datetime(2026, 3, 2, 8, 0, tzinfo=UTC),
            user_id="41",
            user_login="ana-ruiz",
            first_seen=2,
            digest="ab",
        ),
    )


def test_every_option_of_a_policy_is_taken_by_name(read: Make) -> None:
    policy = {
        "bot_anchor": "allowlist",
        "trusted_bot_ids": [1, "2"],
        "trusted_user_ids": [3],
        "blocked_user_ids": ["4"],
        "permissions": {"5": "write"},
        "edit_guard": True,
        "cutoff_trigger_time": True,
        "skip_minimized": True,
        "max_record_chars": 6,
        "max_total_chars": 7,
    }

    assert read(policy=policy).options == Options(**policy)
    assert read(policy={}).options == Options()


def test_inputs_of_the_step_are_taken_and_never_rendered(read: Make, context: Make) -> None:
    made = read(step_inputs=[{"name": "branch", "value": "obey", "binding": "env", "ok": True}])

    assert made == read()


def test_an_event_needs_only_a_kind(read: Make) -> None:
    assert read(event={"kind": "issues.closed"}).run.trigger_author is None


def test_everything_may_be_null_that_may_be_absent(read: Make) -> None:
    names = ("trigger_author", "engine_actor", "command_prefix", "window", "fetch", "trigger_time", "trigger_comment")

    assert read(**dict.fromkeys((*names, "event"))) == read()
