"""What stands around an event, and what is none."""

from collections.abc import Callable
from typing import Any

import pytest

from tertulia.errors import Invalid
from tertulia.event import Delivery, Event, Normalized
from tertulia_conversation_slack import normalize

Refused = Callable[..., Invalid]


def arrived(payload: dict[str, Any], name: str = "") -> Normalized:
    """Normalize a payload as it arrives."""
    import json

    return normalize(Delivery("slack", name, json.dumps(payload).encode()))


def test_socket_mode_carries_what_http_does(native: Any) -> None:
    assert arrived(native.frame(native.message())) == arrived(native.envelope(native.message()))


@pytest.mark.parametrize("name", ["", "message", "event_callback", "events_api"])
def test_a_delivery_is_named_after_its_event_or_not_at_all(native: Any, name: str) -> None:
    assert arrived(native.envelope(native.message()), name).events


def test_a_name_that_the_payload_does_not_have_is_refused(native: Any, refused: Refused) -> None:
    assert refused(native.envelope(native.message()), "app_mention").field == "event.type"


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ({"type": "url_verification", "challenge": "c", "token": "t"}, "url-verification"),
        ({"type": "app_rate_limited", "team_id": "T1", "minute_rate_limited": 1}, "rate-limited"),
        ({"type": "hello", "num_connections": 1}, "socket-mode"),
        ({"type": "disconnect", "reason": "warning"}, "socket-mode"),
        ({"type": "slash_commands", "payload": {}}, "unsupported-event"),
        ({"type": "interactive", "payload": {}}, "unsupported-event"),
        ({"type": "something_new"}, "unsupported-event"),
    ],
)
def test_what_holds_no_event_is_ignored(payload: dict[str, Any], reason: str) -> None:
    normalized = arrived(payload)

    assert normalized.ignored is not None
    assert (normalized.ignored.reason, normalized.events) == (reason, ())


@pytest.mark.parametrize("kind", ["reaction_added", "user_change", "team_join", "x" * 100])
def test_an_event_of_another_type_is_ignored_whatever_stands_in_it(native: Any, kind: str) -> None:
    normalized = arrived(native.envelope({"type": kind, "user": {"id": "U1"}, "channel": 7, "ts": 1.5}))

    assert normalized.ignored is not None
    assert normalized.ignored.reason == "unsupported-event"


@pytest.mark.parametrize("ts", [1740823500.1, 1740823500, "1740823500", "1.2.3", "1740823500,1", "١٧.٠٠٠١", "", None])
def test_a_ts_that_is_no_string_of_digits_is_refused(native: Any, refused: Refused, ts: object) -> None:
    assert refused(native.envelope(native.message() | {"ts": ts})).field == "event.ts"
    assert refused(native.envelope(native.changed(native.part(ts=ts), None))).field in (
        "event.message.ts",
        "event.message",
    )


@pytest.mark.parametrize("ts", ["1439022979.000389", "1740823500.000100", "1740823500.100000", "0.0"])
def test_a_ts_is_kept_digit_by_digit(native: Any, event: Callable[..., Event], ts: str) -> None:
    comment = event(native.message(ts=ts)).transition.comment

    assert comment is not None
    assert (comment.id, comment.parent_id) == (ts, ts)


@pytest.mark.parametrize(
    ("payload", "field"),
    [
        ({}, "type"),
        ({"type": 1}, "type"),
        ({"type": "event_callback"}, "event"),
        ({"type": "event_callback", "event": []}, "event"),
        ({"type": "event_callback", "event": {}}, "event.type"),
        ({"type": "events_api"}, "payload"),
        ({"type": "events_api", "payload": {}}, "payload.type"),
        ({"type": "event_callback", "event": {"type": "message", "channel": "C1", "ts": "1.1"}}, "team_id"),
        ({"type": "event_callback", "team_id": "T1", "event": {"type": "message"}}, "event.channel"),
        ({"type": "event_callback", "team_id": "t 1", "event": {"type": "message", "channel": "C1"}}, "team_id"),
        ({"type": "event_callback", "team_id": "T1", "event": {"type": "message", "channel": "C 1"}}, "event.channel"),
    ],
)
def test_a_wrong_payload_is_refused_with_its_field(refused: Refused, payload: dict[str, Any], field: str) -> None:
    told = refused(payload).field

    assert told is not None
    assert told.startswith(field)


@pytest.mark.parametrize("word", ["nan", "inf", "-inf"])
def test_what_is_no_number_never_gets_into_an_event(native: Any, word: str) -> None:
    cells = [[{"type": "raw_text", "text": "x"}], [{"type": "raw_number", "value": float(word)}]]
    (event,) = arrived(native.envelope(native.message("x", blocks=[{"type": "table", "rows": cells}]))).events
    assert event.transition.comment is not None
    assert event.transition.comment.body == "| x |\n| --- |\n|  |"


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b'{"type": NaN}', b"\xff", b"[" * 1000])
def test_what_is_no_json_object_is_refused(refused: Refused, raw: bytes) -> None:
    refused(raw)


def test_a_delivery_of_another_system_is_refused(native: Any) -> None:
    with pytest.raises(Invalid) as caught:
        normalize(Delivery("github", "message", b"{}"))

    assert caught.value.field == "system"
