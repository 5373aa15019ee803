"""What somebody said, and what it asks for."""

from collections.abc import Callable
from typing import Any

import pytest

from tertulia.event import Event, Ignored
from tertulia.thread import Account, ThreadRef

ROOT, REPLY = "1740823500.000100", "1740823600.000300"

Make = Callable[..., Event]
Why = Callable[..., Ignored]


def test_a_message_is_a_comment_in_a_conversation(native: Any, event: Make) -> None:
    made = event(native.message("/status now"))

    assert (made.entity.kind, made.entity.key, made.entity.id, made.repo) == (
        "conversation",
        "T0ACME/C0GENERAL",
        None,
        None,
    )
    assert made.entity.url == "https://app.slack.com/client/T0ACME/C0GENERAL"
    comment = made.transition.comment
    assert comment is not None
    assert (comment.id, comment.parent_id, comment.body) == (ROOT, ROOT, "/status now")
    assert (comment.command, comment.instruction, comment.commands) == ("/status", "now", ("/status",))
    assert comment.created_at is not None
    assert comment.created_at.isoformat() == "2025-03-01T10:05:00.000100+00:00"
    assert made.time == comment.created_at
    assert made.state.labels == ()
    assert (made.source.system, made.source.raw_type, made.source.raw_action) == ("slack", "message", None)


def test_who_wrote_it_is_a_user_id_whose_role_nobody_verified(native: Any, event: Make) -> None:
    made = event(native.message())

    assert made.actor.model_dump() == {
        "id": "U0ANNA",
        "kind": "human",
        "role": "none",
        "is_entity_author": False,
        "account_id": "U0ANNA",
        "role_verified": False,
    }
    assert made.transition.comment is not None
    assert made.transition.comment.author is not None
    assert made.transition.comment.author.model_dump() == {"id": "U0ANNA", "login": "U0ANNA", "kind": "human"}


def test_a_reply_names_its_root(native: Any, event: Make) -> None:
    made = event(native.message(ts=REPLY, thread_ts=ROOT, parent_user_id="U0BEN"))

    assert made.transition.comment is not None
    assert (made.transition.comment.id, made.transition.comment.parent_id) == (REPLY, ROOT)
    assert ThreadRef.of(made) == ThreadRef(conversation="T0ACME/C0GENERAL", root=ROOT)
    assert made.thread_key == f"slack:T0ACME/C0GENERAL/{ROOT}"


@pytest.mark.parametrize(
    ("said", "ids"),
    [
        ({"ts": "1741000000.000700"}, ("1741000000.000700", "1741000000.000700")),
        ({"ts": "1741000000.000700", "thread_ts": "1741000000.000700"}, ("1741000000.000700", "1741000000.000700")),
        ({"ts": "1741000060.000800", "thread_ts": "1741000000.000700"}, ("1741000060.000800", "1741000000.000700")),
        (
            {"ts": "1741000120.000900", "thread_ts": "1741000000.000700", "subtype": "thread_broadcast"},
            ("1741000120.000900", "1741000000.000700"),
        ),
    ],
    ids=["a root", "a root with replies", "a reply", "a reply sent to the channel too"],
)
def test_a_message_and_its_thread_go_by_the_digits_slack_sent(
    native: Any, event: Make, said: dict[str, Any], ids: tuple[str, str]
) -> None:
    made = event(native.message(**said))

    assert made.transition.comment is not None
    assert (made.transition.comment.id, made.transition.comment.parent_id) == ids
    assert ThreadRef.of(made).root == ids[1]


def test_entities_are_decoded_once_before_a_command_is_read(native: Any, event: Make) -> None:
    comment = event(native.message("/check x &lt; y &amp;&amp; &amp;lt;")).transition.comment

    assert comment is not None
    assert comment.body == "/check x < y && &lt;"
    assert (comment.command, comment.instruction) == ("/check", "x < y && &lt;")


def test_a_root_with_replies_is_its_own_root(native: Any, event: Make) -> None:
    made = event(native.message(thread_ts=ROOT))

    assert ThreadRef.of(made).root == ROOT


@pytest.mark.parametrize(
    "around", [{"root": {"ts": ROOT, "thread_ts": ROOT}}, {"root": {"ts": ROOT}}, {"thread_ts": ROOT}]
)
def test_a_reply_sent_to_the_channel_too_is_a_reply(native: Any, event: Make, around: dict[str, Any]) -> None:
    made = event(native.message("/retry build", ts=REPLY, subtype="thread_broadcast", **around))

    comment = made.transition.comment
    assert comment is not None
    assert (comment.id, comment.parent_id, comment.command, comment.instruction) == (REPLY, ROOT, "/retry", "build")
    assert made.source.raw_action == "thread_broadcast"


@pytest.mark.parametrize("subtype", ["file_share", "me_message"])
def test_a_file_and_an_act_are_said_too(native: Any, event: Make, subtype: str) -> None:
    made = event(native.message(None, subtype=subtype, files=[{"name": "a.png"}]))

    assert made.transition.kind == "comment_added"
    assert made.transition.comment is not None
    assert made.transition.comment.body == ""


def test_a_bot_without_a_user_is_known_by_its_id_and_never_by_its_name(native: Any, event: Make) -> None:
    made = event(native.message("deployed", subtype="bot_message", bot_id="B0OTHER", username="U0ANNA", user=None))

    assert (made.actor.id, made.actor.account_id, made.actor.kind) == ("B0OTHER", "B0OTHER", "bot")
    assert made.transition.comment is not None
    assert made.transition.comment.author is not None
    assert made.transition.comment.author.model_dump() == {"id": "B0OTHER", "login": "U0ANNA", "kind": "bot"}


def test_a_bot_s_message_may_have_no_user_at_all(native: Any, event: Make) -> None:
    said = native.message("deployed", ts=REPLY, subtype="bot_message", bot_id="B0OTHER", username="Deploys")
    del said["user"], said["team"]

    made = event(said)

    comment = made.transition.comment
    assert comment is not None
    assert (comment.id, comment.parent_id, comment.body) == (REPLY, REPLY, "deployed")
    assert comment.author is not None
    assert (made.actor.id, made.actor.kind, comment.author.login) == ("B0OTHER", "bot", "Deploys")


def test_an_app_of_today_is_a_bot_under_its_user_id(native: Any, event: Make) -> None:
    made = event(native.message(user="U0CI", bot_id="B0CI", bot_profile={"id": "B0CI", "app_id": "A0CI", "name": "CI"}))

    assert (made.actor.id, made.actor.kind) == ("U0CI", "bot")


def test_slackbot_is_a_bot(native: Any, event: Make) -> None:
    assert event(native.message(user="USLACKBOT")).actor.kind == "bot"


def test_a_message_of_nobody_is_by_the_ghost(native: Any, event: Make) -> None:
    made = event(native.message(user=None))

    assert (made.actor.id, made.actor.account_id, made.actor.role) == ("ghost", None, "none")
    assert made.transition.comment is not None
    assert made.transition.comment.author is not None
    assert (made.transition.comment.author.id, made.transition.comment.author.login) == (None, "ghost")


def test_a_leading_mention_of_the_app_addresses_it(native: Any, event: Make) -> None:
    asked = event(native.message("<@U0BOT> /ask why")).transition.comment
    told = event(native.message("<@U0BOT|agent>, please look")).transition.comment
    other = event(native.message("<@U0BEN> /ask why")).transition.comment

    assert asked is not None
    assert told is not None
    assert other is not None
    assert (asked.command, asked.instruction, asked.addressed) == ("/ask", "why", True)
    assert (told.command, told.body, told.addressed) == (None, "<@U0BOT>, please look", True)
    assert (other.command, other.addressed) == (None, False)


def test_the_app_may_be_addressed_by_any_of_its_ids(native: Any, event: Make) -> None:
    engine = Account(id="U0X", login="agent", kind="bot", aliases=frozenset({"W0AGENT"}))

    made = event(native.message("<@W0AGENT> /ask"), engine=engine)

    assert made.transition.comment is not None
    assert (made.transition.comment.command, made.transition.comment.addressed) == ("/ask", True)


def test_who_an_installation_is_for_is_not_the_app(native: Any, event: Make) -> None:
    person = [{"team_id": "T0ACME", "user_id": "U0BOT", "is_bot": False}]

    made = event(native.message("<@U0BOT> /ask"), around={"authorizations": person})

    assert made.transition.comment is not None
    assert (made.transition.comment.command, made.transition.comment.addressed) == (None, None)


@pytest.mark.parametrize(
    "who",
    [
        {"user": "U0BOT", "bot_id": "B0BOT"},
        {"user": None, "subtype": "bot_message", "bot_id": "B0BOT", "app_id": "A0APP"},
        {"user": None, "subtype": "bot_message", "bot_profile": {"id": "B0BOT", "app_id": "A0APP"}},
    ],
)
def test_the_engine_asks_itself_for_nothing(native: Any, event: Make, who: dict[str, Any]) -> None:
    made = event(native.message("/ask why", **who))

    assert made.actor.kind == "bot"
    assert made.transition.comment is not None
    assert (made.transition.comment.command, made.transition.comment.commands) == (None, None)


def test_a_mention_arrives_twice_and_is_one_fact(native: Any, event: Make) -> None:
    text = "<@U0BOT> /status"

    said, mentioned = event(native.message(text)), event(native.mention(text), around={"event_id": "Ev0002"})

    assert said.key == mentioned.key == f"slack:T0ACME/C0GENERAL/{ROOT}/slack_message:{ROOT}@{ROOT}/comment_added"
    assert (mentioned.source.raw_type, mentioned.transition) == ("app_mention", said.transition)


def test_a_mention_that_an_edit_added_is_the_same_message(native: Any, event: Make) -> None:
    edited = native.mention(edited={"user": "U0ANNA", "ts": REPLY})

    assert event(edited).key == event(native.message()).key


def test_one_ts_in_two_channels_is_two_messages(native: Any, event: Make) -> None:
    assert event(native.message()).key != event(native.message(channel="C0OTHER")).key


def test_a_count_of_replies_is_no_message(native: Any, ignored: Why) -> None:
    count = {"type": "message", "channel": "C0GENERAL", "ts": REPLY, "message": native.part(reply_count=1)}

    assert ignored(count).reason == "reply-count"
    assert ignored(count | {"subtype": "message_replied"}).reason == "unsupported-subtype"


@pytest.mark.parametrize(
    "subtype", ["channel_join", "channel_leave", "ekm_access_denied", "group_join", "new", "x" * 200]
)
def test_what_nobody_said_is_ignored(native: Any, ignored: Why, subtype: str) -> None:
    assert ignored(native.message(subtype=subtype)).reason == "unsupported-subtype"
