"""What becomes of a message after it was said."""

from collections.abc import Callable
from typing import Any

import pytest

from tertulia.errors import Invalid
from tertulia.event import Event, Ignored
from tertulia.thread import Account

ROOT, REPLY, LATER = "1740823500.000100", "1740823600.000300", "1740823700.000400"
EDITED = {"user": "U0ANNA", "ts": REPLY}

Make = Callable[..., Event]
Why = Callable[..., Ignored]


def test_another_text_is_an_edit(native: Any, event: Make) -> None:
    made = event(native.changed(native.part("new", edited=EDITED, thread_ts=ROOT), native.part("old")))

    assert made.transition.kind == "comment_edited"
    assert made.transition.comment is not None
    assert (made.transition.comment.id, made.transition.comment.parent_id) == (ROOT, ROOT)
    assert made.transition.comment.body == "new"
    assert made.key.endswith(f"/slack_message:{ROOT}@{REPLY}/comment_edited")
    assert (made.actor.id, made.source.raw_action) == ("U0ANNA", "message_changed")
    assert made.time is not None
    assert made.time.isoformat() == "2025-03-01T10:06:40.000300+00:00"


def test_two_edits_in_one_second_are_two_facts(native: Any, event: Make) -> None:
    first = native.changed(native.part("b", edited={"user": "U0ANNA", "ts": "1740823600.000300"}), native.part("a"))
    second = native.changed(native.part("c", edited={"user": "U0ANNA", "ts": "1740823600.000400"}), native.part("b"))

    assert event(first).key != event(second).key


@pytest.mark.parametrize(
    "now",
    [
        {"attachments": [{"id": 1, "title": "A", "from_url": "https://example.test/a"}]},
        {"reply_count": 1, "latest_reply": REPLY, "thread_ts": ROOT},
        {"metadata": {"event_type": "x", "event_payload": {}}},
        {"blocks": [{"type": "rich_text", "elements": []}]},
    ],
)
def test_a_preview_a_count_and_metadata_are_no_edit(native: Any, ignored: Why, now: dict[str, Any]) -> None:
    text = "/run see <https://example.test/a>"

    assert ignored(native.changed(native.part(text, **now), native.part(text))).reason == "text-unchanged"


def test_blocks_that_say_something_else_are_an_edit(native: Any, event: Make, ignored: Why) -> None:
    def blocks(text: str, ident: str) -> list[dict[str, Any]]:
        return [{"type": "section", "block_id": ident, "text": {"type": "plain_text", "text": text}}]

    before = native.part("done", blocks=blocks("one", "a"))

    assert (
        event(native.changed(native.part("done", blocks=blocks("two", "b")), before)).transition.kind
        == "comment_edited"
    )
    assert ignored(native.changed(native.part("done", blocks=blocks("one", "b")), before)).reason == "text-unchanged"


def test_an_edit_asks_only_for_what_it_added(native: Any, event: Make) -> None:
    def commands(before: str, now: str) -> tuple[str | None, tuple[str, ...] | None]:
        comment = event(native.changed(native.part(now, edited=EDITED), native.part(before))).transition.comment
        assert comment is not None
        return comment.command, comment.commands

    assert commands("/retry", "/retry (flaky net)") == (None, None)
    assert commands("/retry", "/retry\n/label infra") == (None, ("/label",))
    assert commands("hello", "/ask why") == ("/ask", ("/ask",))


def test_an_edit_of_the_engine_asks_for_nothing(native: Any, event: Make) -> None:
    made = event(native.changed(native.part("/ask", user="U0BOT", bot_id="B0BOT"), native.part("x", user="U0BOT")))

    assert made.transition.comment is not None
    assert made.transition.comment.command is None


def test_an_edit_whose_text_before_is_not_told_asks_for_nothing(native: Any, event: Make, ignored: Why) -> None:
    made = event(native.changed(native.part("/ask", edited=EDITED), None))

    assert made.transition.comment is not None
    assert (made.transition.kind, made.transition.comment.command) == ("comment_edited", None)
    assert ignored(native.changed(native.part("/ask"), None)).reason == "text-unchanged"


def test_somebody_else_who_edits_is_the_actor_and_not_the_author(native: Any, event: Make) -> None:
    edited = {"user": "U0BEN", "ts": REPLY}

    made = event(native.changed(native.part("new", edited=edited), native.part("old")))

    assert made.actor.id == "U0BEN"
    assert made.transition.comment is not None
    assert made.transition.comment.author is not None
    assert made.transition.comment.author.id == "U0ANNA"


def test_a_change_without_the_message_is_refused(native: Any, refused: Callable[..., Invalid]) -> None:
    payload = native.envelope(native.changed(native.part(), None) | {"message": None})

    assert refused(payload).field == "event.message"


def test_what_nobody_said_is_not_edited_either(native: Any, ignored: Why) -> None:
    join = native.part("new", subtype="channel_join")

    assert ignored(native.changed(join, native.part("old"))).reason == "unsupported-subtype"


def test_a_deletion_is_by_nobody_that_slack_names(native: Any, event: Make) -> None:
    made = event(native.deleted(native.part("/ask why", ts=REPLY, thread_ts=ROOT), deleted_ts=REPLY))

    assert made.transition.kind == "comment_deleted"
    comment = made.transition.comment
    assert comment is not None
    assert (comment.id, comment.parent_id, comment.body, comment.command) == (REPLY, ROOT, "/ask why", None)
    assert comment.author is not None
    assert (comment.author.id, made.actor.id, made.actor.account_id) == ("U0ANNA", "ghost", None)
    assert made.time is not None
    assert made.time.isoformat() == "2025-03-01T10:08:20.000400+00:00"


def test_a_root_that_leaves_a_tombstone_is_deleted_once(native: Any, event: Make) -> None:
    stone = native.part("This message was deleted.", user="USLACKBOT", subtype="tombstone", thread_ts=ROOT, hidden=True)

    left = event(native.changed(stone, native.part("secret", thread_ts=ROOT)))
    gone = event(native.deleted(native.part("secret", thread_ts=ROOT)))

    assert left.transition.comment is not None
    assert left.transition.comment.author is not None
    assert (left.transition.kind, left.transition.comment.author.id) == ("comment_deleted", "U0ANNA")
    assert left.key == gone.key


def test_a_tombstone_without_the_message_before_is_a_deletion_of_nobody_knows_whose(native: Any, event: Make) -> None:
    stone = native.part("This message was deleted.", user="USLACKBOT", subtype="tombstone")

    made = event(native.changed(stone, None))

    assert made.transition.comment is not None
    assert (made.transition.comment.author, made.transition.comment.body) == (None, "")


def test_a_tombstone_that_goes_is_no_second_deletion(native: Any, ignored: Why) -> None:
    stone = native.part("This message was deleted.", user="USLACKBOT", subtype="tombstone")

    assert ignored(native.deleted(stone)).reason == "unsupported-subtype"
    assert ignored(native.changed(stone, stone)).reason == "unsupported-subtype"


def test_a_deletion_may_name_the_message_only(native: Any, event: Make, refused: Callable[..., Invalid]) -> None:
    made = event(native.deleted(None))

    assert made.transition.comment is not None
    assert (made.transition.comment.id, made.transition.comment.author) == (ROOT, None)
    assert refused(native.envelope(native.deleted(None, deleted_ts=None))).field == "event.deleted_ts"


def test_an_edit_addressed_to_the_app_is_addressed(native: Any, event: Make) -> None:
    engine = Account(id="U0BOT", login="agent", kind="bot")

    made = event(native.changed(native.part("<@U0BOT> /ask", edited=EDITED), native.part("hm")), engine=engine)

    assert made.transition.comment is not None
    assert (made.transition.comment.command, made.transition.comment.addressed) == ("/ask", True)
