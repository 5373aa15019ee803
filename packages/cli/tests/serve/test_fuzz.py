"""Whatever is sent, signed or not: an answer that is meant for it, and a receiver that goes on."""

import json
import socket
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

TEXT = st.text(st.characters(codec="latin-1", exclude_characters="\r\n\0"), max_size=40)
NAMES = st.sampled_from(
    ["x-github-event", "x-hub-signature-256", "x-slack-signature", "x-slack-request-timestamp", "content-type",
     "content-length", "transfer-encoding", "x-github-delivery", "host", "connection", "expect", "upgrade"]
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=10,
)
PARTS = st.dictionaries(st.sampled_from(["thread", "id", "event", "type", "challenge", "events", "ignored"]), JSON)


def raw(shared: Any, data: bytes) -> bytes:
    """Send bytes as they are, and give what comes back until either side has had enough."""
    host, _, port = shared.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        try:
            return connection.makefile("rb").read()
        except ConnectionError:
            return b""


def goes_on(shared: Any) -> bool:
    """Tell whether the receiver still takes what is right."""
    return bool(shared.github({"thread": "7", "id": "1", "ignored": "fuzz"}).status_code == 200)


@FEW
@given(st.binary(max_size=400))
def test_bytes_that_are_no_request_are_refused(shared: Any, data: bytes) -> None:
    answer = raw(shared, data)

    assert not answer or answer.startswith((b"HTTP/1.1 4", b"HTTP/1.1 200")), answer
    assert goes_on(shared)


@FEW
@given(
    st.sampled_from(["GET", "POST", "PUT", "HEAD", "OPTIONS", "TRACE", "PATCH", "BREW"]),
    st.one_of(
        st.sampled_from(["/github", "/slack", "/stats", "/healthz", "*", "http://x/github", "/github?x=%ff"]), TEXT
    ),
    st.lists(st.tuples(NAMES, TEXT), max_size=5),
    st.binary(max_size=200),
)
def test_a_request_that_nobody_signed_is_never_taken(
    shared: Any, method: str, path: str, headers: list[tuple[str, str]], body: bytes
) -> None:
    before = shared.stats().get("answered", {}).get("accepted", 0)
    lines = [f"{method} {path} HTTP/1.1", "host: x", *(f"{name}: {value}" for name, value in headers), "", ""]

    answer = raw(shared, "\r\n".join(lines).encode("latin-1") + body)

    assert not answer or answer.split(b" ", 2)[1][:1] in (b"1", b"2", b"4"), answer
    assert shared.stats().get("answered", {}).get("accepted", 0) == before


@FEW
@given(
    st.one_of(st.binary(max_size=200), st.one_of(JSON, PARTS).map(lambda value: json.dumps(value).encode())),
    st.booleans(),
)
def test_whatever_is_signed_is_taken_and_settled(shared: Any, body: bytes, from_slack: bool) -> None:
    answer = shared.slack(body) if from_slack else shared.github(body)

    assert answer.status_code == 200
    stats = shared.settled()
    assert sum(stats["deliveries"].values()) == stats["answered"]["accepted"]
    assert "adapter-failed" not in shared.errors.read_text("utf-8")
