"""One fact is handed on once, whichever way it arrives; and every drop is counted with its reason."""

from typing import Any


def slack(kind: str, ident: str = "1.1", **more: Any) -> dict[str, Any]:
    """Write a message, or the mention that arrives beside it."""
    return {"event": {"type": kind, "thread": "1.1", "id": ident} | more, "event_id": kind}


def test_a_message_and_its_mention_are_one_fact_in_either_order(receiver: Any) -> None:
    running = receiver("--output", "events.jsonl")

    for ident, kinds in (("1.1", ["message", "app_mention"]), ("1.2", ["app_mention", "message"])):
        for kind in kinds:
            running.slack(slack(kind, ident))
    stats = running.settled()

    assert [event["data"]["source"]["raw_type"] for event in running.events()] == ["message", "app_mention"]
    assert stats["dropped"] == {"duplicate-event": 2}
    assert stats["deliveries"]["done"] == 4


def test_a_filtered_event_does_not_use_up_the_claim(receiver: Any) -> None:
    running = receiver("--output", "events.jsonl", "--only", "app_mention")

    for ident, kinds in (("1.1", ["message", "app_mention"]), ("1.2", ["app_mention", "message"])):
        for kind in kinds:
            running.slack(slack(kind, ident))
    stats = running.settled()

    assert [event["data"]["transition"]["comment"]["id"] for event in running.events()] == ["1.1", "1.2"]
    assert stats["dropped"] == {"filtered": 2}
    assert stats["deliveries"] == {"done": 2, "dropped": 2, "restored": 0}


def test_the_same_ts_in_two_channels_is_two_messages(receiver: Any) -> None:
    running = receiver("--output", "events.jsonl")

    for where in ("C1", "C2"):
        running.slack(slack("message", where=where))
    running.settled()

    assert {event["subject"] for event in running.events()} == {"slack:T1/C1/1.1", "slack:T1/C2/1.1"}


def test_two_deliveries_with_different_bodies_and_one_key_are_one_fact(receiver: Any) -> None:
    running = receiver("--output", "events.jsonl")

    for number in range(5):
        running.github({"thread": "7", "id": "104", "sent": number})
    stats = running.settled()

    assert len(running.events()) == 1
    assert stats["dropped"] == {"duplicate-event": 4}


def test_a_delivery_of_several_events_gives_all_of_them_once(receiver: Any) -> None:
    running = receiver("--output", "events.jsonl")

    running.github({"thread": "7", "id": "104", "events": 3})
    stats = running.settled()

    ids = [event["data"]["transition"]["comment"]["id"] for event in running.events()]
    assert ids == ["104", "104.1", "104.2"]
    assert stats["deliveries"] == {"done": 1, "restored": 0}


def test_every_drop_has_a_reason_and_stops_nothing_else(receiver: Any) -> None:
    running = receiver("--output", "events.jsonl")

    for payload in (
        b"{",
        b"\xff",
        {"ignored": "reply-count"},
        {"ignored": "ping"},
        {"bug": True},
        {"thread": "7", "id": "104"},
    ):
        assert running.github(payload).status_code == 200
    stats = running.settled()

    assert stats["dropped"] == {"invalid": 2, "ignored: reply-count": 1, "ignored: ping": 1, "adapter-failed": 1}
    assert stats["deliveries"] == {"done": 1, "dropped": 5, "restored": 0}
    assert len(running.events()) == 1
    assert "its adapter failed: ZeroDivisionError at fake_senders.py:" in running.errors.read_text("utf-8")


def test_what_was_dropped_has_another_chance(receiver: Any) -> None:
    running = receiver("--output", "events.jsonl", "--only", "comment_edited")
    running.github({"thread": "7", "id": "104"})
    running.settled()
    running.stop()

    again = receiver("--output", "events.jsonl")
    again.github({"thread": "7", "id": "104"})

    assert again.settled()["answered"] == {"accepted": 1}
    assert len(again.events()) == 1


def test_what_was_handed_on_is_known_after_a_restart(receiver: Any) -> None:
    first = receiver("--output", "events.jsonl")
    first.github({"thread": "7", "id": "104"})
    first.settled()
    first.stop()

    again = receiver("--output", "events.jsonl")
    again.github({"thread": "7", "id": "104"})
    again.github({"thread": "7", "id": "104", "sent": "again"})
    stats = again.settled()

    assert stats["answered"] == {"accepted": 1, "duplicate": 1}
    assert stats["dropped"] == {"duplicate-event": 1}
    assert len(again.events()) == 1
