"""Saving a thread: what is written is read back as it was."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import jsonschema

from tertulia.ledger import Finding, Options, Run, Snapshot, ThreadRecord, build_context, snapshot_schema
from tertulia.thread import Account, Attachment, Listing, Marker, Message

Make = Callable[..., Any]

WHOLE = Message(
    id="T1/C1/1700000000.000100",
    source_type="slack_message",
    parent_id="1700000000.000000",
    title="Cart",
    author=Account(id="U1", login="loom", kind="bot", aliases=frozenset({"B1", "A1"})),
    author_name="Loom",
    association="MEMBER",
    body="é\u202e\x00\nend",
    cut=3,
    created_at=datetime(2026, 3, 2, 9, 44, 1, 250_000, tzinfo=UTC),
    updated_at=datetime(2026, 3, 2, 9, 45, tzinfo=UTC),
    last_edited_at=datetime(2026, 3, 2, 9, 46, tzinfo=UTC),
    editor=Account(id=None, login="old", placeholder=True),
    url="https://chat.example/1",
    deleted=True,
    minimized="spam",
    marker=Marker(agent="helper", key="0" * 32),
    app_id="7",
    path="a.py",
    line=3,
    attachments=(Attachment(name="a.txt", type="text/plain", size=3), Attachment(name="b")),
)


def again(snapshot: Snapshot) -> Snapshot:
    """Write a snapshot, hold it to the schema, and read it back."""
    document = snapshot.document()
    jsonschema.Draft202012Validator(snapshot_schema()).validate(json.loads(json.dumps(document)))
    return Snapshot.parse(json.dumps(document))


def test_everything_a_message_says_is_read_back() -> None:
    bare = Message(id="1", source_type="issue", created_at=datetime(2026, 3, 2, tzinfo=UTC))
    listing = Listing(messages=(WHOLE, bare), complete=False, reported={"slack_message": 4, "review": 0})

    assert again(Snapshot(listing=listing)).listing == listing


def test_what_is_not_there_is_left_out() -> None:
    """But for who wrote, who started the run and who the engine is: nobody is an answer too."""
    at, text = datetime(2026, 3, 2, tzinfo=UTC), "2026-03-02T00:00:00Z"
    nobodys = Message(id="1", source_type="issue", created_at=at)
    ana, marker = Account(id="41", login="ana"), Marker(agent="helper")
    anas = Message(id="2", source_type="issue_comment", created_at=at, author=ana, marker=marker)

    made = Snapshot(listing=Listing(messages=(nobodys, anas), reported={})).document()

    assert made == {
        "thread": [
            {"id": "1", "source_type": "issue", "body": "", "created_at": text, "user": None},
            {
                "id": "2",
                "source_type": "issue_comment",
                "body": "",
                "created_at": text,
                "user": {"login": "ana", "id": "41", "type": "User"},
                "marker": {"agent": "helper"},
            },
        ],
        "context": {"trigger_author": None, "engine_actor": None, "fetch": {"complete": True}},
    }


def test_a_record_and_a_finding_have_no_more_than_they_say() -> None:
    record = ThreadRecord(kind="command", source_type="issue_comment", id="104")
    run = Run(findings=(Finding(flag="count-mismatch", detail="x"),))

    made = Snapshot(listing=Listing(messages=()), run=run, previous=(record,)).document()["context"]

    assert made["findings"] == [{"flag": "count-mismatch", "detail": "x"}]
    assert made["previous_ledger"] == [
        {"ref": "issue_comment:104", "kind": "command", "trusted": False, "deleted": False, "cut": 0}
    ]


def test_everything_a_run_says_is_read_back() -> None:
    finding = Finding(flag="trigger-author-ambiguous", detail="nobody is trusted")
    run = Run(
        trigger_author=Account(id="U2", login="ana", aliases=frozenset({"W2"})),
        engine=Account(id="70", login="loom[bot]", kind="bot"),
        trigger_time=datetime(2026, 3, 2, 9, 44, tzinfo=UTC),
        trigger_comment="issue_comment:104",
        thread="memory:acme/shop#7",
        root="17.01",
        rev=3,
        findings=(finding,),
    )

    assert again(Snapshot(listing=Listing(messages=()), run=run)).run == run
    assert again(Snapshot(listing=Listing(messages=()), run=Run(thread="x"))).run == Run(thread="x")


def test_everything_the_options_say_but_the_fence_id_is_read_back() -> None:
    options = Options(
        window=3,
        pinned=("issue_comment:104",),
        command_prefixes=("/ask", "/run-"),
        detail="meta",
        marker_prefix="our-",
        bot_anchor="allowlist",
        trusted_bot_ids=frozenset({"80"}),
        permissions={"41": "write"},
        edit_guard=True,
        max_total_chars=9_000,
    )

    made = again(Snapshot(listing=Listing(messages=()), options=options.model_copy(update={"nonce": "0" * 32})))

    assert made.options == options


def test_the_records_before_are_read_back() -> None:
    record = ThreadRecord(
        kind="command",
        source_type="issue_comment",
        id="104",
        user_id="41",
        user_login="ana-ruiz",
        created_at=datetime(2026, 3, 2, 9, 44, tzinfo=UTC),
        trusted=True,
        deleted=True,
        first_seen=2,
        digest="ab",
        cut=4,
    )

    assert again(Snapshot(listing=Listing(messages=()), previous=(record,))).previous == (record,)


def test_a_saved_thread_gives_the_same_context(issue: Make, note: Make, people: Any) -> None:
    listing = Listing(messages=(issue(), note(), note(105, "No.", people.eve)), reported={"issue_comment": 2})
    run = Run(trigger_author=people.ana, engine=people.engine, thread="github:acme/shop#7")
    snapshot = Snapshot(listing=listing, run=run, options=Options(window=1))
    read = again(snapshot)

    nonce = {"nonce": "0" * 32}
    first, second = (
        build_context(one.listing, one.previous, one.run, one.options.model_copy(update=nonce))
        for one in (snapshot, read)
    )

    assert first == second
