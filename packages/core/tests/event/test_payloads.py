"""What the tests of an adapter stand on: payloads made wrong, and a check that catches one that breaks its promise."""

from typing import Any

import pytest

from tertulia.errors import Invalid
from tertulia.event import Delivery, Event, Ignored, Normalized
from tertulia.testing.payloads import check, paths, removed, replaced

PAYLOAD: dict[str, Any] = {"a": {"b": [1, {"c": None}]}, "d": "x"}
DELIVERY = Delivery("paper", "note", b"{}")


def test_every_node_below_the_top_has_a_path() -> None:
    assert list(paths(PAYLOAD)) == [("a",), ("a", "b"), ("a", "b", 0), ("a", "b", 1), ("a", "b", 1, "c"), ("d",)]
    assert list(paths("x")) == []


def test_a_node_is_replaced_or_gone_in_a_copy() -> None:
    made = replaced(PAYLOAD, ("a", "b", 1, "c"), 7), removed(PAYLOAD, ("a", "b", 0)), removed(PAYLOAD, ("d",))

    assert made == (
        {"a": {"b": [1, {"c": 7}]}, "d": "x"},
        {"a": {"b": [{"c": None}]}, "d": "x"},
        {"a": {"b": [1, {"c": None}]}},
    )
    assert PAYLOAD == {"a": {"b": [1, {"c": None}]}, "d": "x"}


def refusing(words: str) -> Any:
    """Make an adapter that refuses everything."""

    def normalize(delivery: Delivery) -> Normalized:
        raise Invalid(words)

    return normalize


def test_events_a_reason_and_a_refusal_of_one_line_are_what_may_come_of_a_delivery(documents: dict[str, Any]) -> None:
    event = Event.check(documents["issue opened"])

    check(lambda _: Normalized(events=(event, event)), DELIVERY)
    check(lambda _: Normalized(ignored=Ignored("no-note", "it is empty")), DELIVERY)
    check(refusing("paper: body: missing"), DELIVERY)


def test_an_adapter_that_breaks_its_promise_is_caught(documents: dict[str, Any]) -> None:
    event = Event.check(documents["issue opened"])
    unchecked = event.model_copy(update={"repo": "no repository"})

    for liar in (
        refusing("two\nlines"),
        lambda _: Normalized(),
        lambda _: Normalized(events=(event,), ignored=Ignored("both", "")),
    ):
        with pytest.raises(AssertionError):
            check(liar, DELIVERY)
    with pytest.raises(Invalid, match="repo"):
        check(lambda _: Normalized(events=(unchecked,)), DELIVERY)
    with pytest.raises(ZeroDivisionError):
        check(lambda _: 1 // 0, DELIVERY)
