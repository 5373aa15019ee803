"""Whatever is parsed as an event, nothing but Invalid comes out, and it says so on one short line."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertulia.errors import Invalid
from tertulia.event import Event

ANY_TEXT = st.text(st.characters(codec=None, categories=None), max_size=80)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=12,
)


def check(document: Any) -> None:
    """Parse or check, and hold a refusal to its form."""
    try:
        Event.parse(document) if isinstance(document, bytes | str) else Event.check(document)
    except Invalid as refusal:
        told = str(refusal)
        assert told.startswith("event: ")
        assert told.isprintable()
        assert len(told) <= 400


@given(st.binary(max_size=200))
def test_any_bytes(document: bytes) -> None:
    check(document)


@given(ANY_TEXT)
def test_any_text(document: str) -> None:
    check(document)


@given(VALUES)
def test_any_json(value: Any) -> None:
    check(json.dumps(value))
    check(json.dumps(value).encode())
    check(value)


@settings(deadline=None)
@given(data=st.data())
def test_any_value_at_any_place_of_an_event(documents: dict[str, Any], data: st.DataObject) -> None:
    document = copy.deepcopy(documents[data.draw(st.sampled_from(sorted(documents)))])
    place = document
    while True:
        name = data.draw(st.sampled_from(sorted(place)) | ANY_TEXT)
        if isinstance(place.get(name), dict) and data.draw(st.booleans()):
            place = place[name]
            continue
        place[name] = data.draw(VALUES)
        break

    check(json.dumps(document))


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b" \n",
        b"[]",
        b"{}",
        b"null",
        b'"event"',
        b"{",
        b'{"repo": NaN}',
        b'{"repo": "\xff"}',
        b'{"repo": "\\ud800"}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"1" * 10_000,
        b'{"repo": ' + b"9" * 10_000 + b"}",
        '{"repo": "\ud800"}',
        "\ufeff{}",
        b"\xef\xbb\xbf{}",
    ],
    ids=range(17),
)
def test_what_is_not_an_event_is_refused(document: bytes | str) -> None:
    with pytest.raises(Invalid, match=r"^event: .{1,300}$"):
        Event.parse(document)


def test_what_is_not_json_at_all_is_refused() -> None:
    circle: list[Any] = []
    circle.append(circle)

    for value in (object(), {"repo": object()}, circle, {1j: 2}):
        with pytest.raises(Invalid, match=r"^event: "):
            Event.check(value)


def test_an_unknown_field_is_named_shortened_and_made_printable(documents: dict[str, Any]) -> None:
    document = documents["issue opened"] | {"\x1b[31m" + "x" * 500: 1}

    with pytest.raises(Invalid, match=r"^event: \?\[31mx{59}: unknown field$"):
        Event.check(document)


@pytest.mark.parametrize("bom", [b"\xef\xbb\xbf", b""])
def test_a_byte_order_mark_is_dropped(documents: dict[str, Any], bom: bytes) -> None:
    text = json.dumps(documents["issue opened"])

    assert Event.parse(bom + text.encode()) == Event.parse(bom.decode() + text)
