"""What goes into an adapter's normalize, and what comes out."""

from typing import Any

import pytest

from tertulia.event import Delivery, Event, Ignored, Normalized


def test_header_names_have_no_case() -> None:
    delivery = Delivery("github", "issues", b"{}", headers={"X-GitHub-Event": "issues"})

    assert delivery.headers == {"x-github-event": "issues"}


def test_headers_cannot_be_changed() -> None:
    delivery = Delivery("github", "issues", b"{}")

    with pytest.raises(TypeError):
        delivery.headers["x"] = "y"  # type: ignore[index]


def test_a_normalized_delivery_is_written_with_its_events(documents: dict[str, Any]) -> None:
    event = Event.check(documents["issue opened"])

    assert Normalized((event,)).document() == {
        "version": 1,
        "events": [documents["issue opened"]],
        "ignored": None,
    }


def test_an_ignored_delivery_is_written_with_its_reason() -> None:
    normalized = Normalized(ignored=Ignored("unsupported", "nobody needs stars"))

    assert normalized.document()["ignored"] == {"reason": "unsupported", "detail": "nobody needs stars"}
    assert normalized.document()["events"] == []
