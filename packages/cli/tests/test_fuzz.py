"""Files of any kind: exit status 0 or 2, at most one line of complaint, no traceback."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
KEYS = st.text(max_size=8) | st.sampled_from(
    ["thread", "context", "policy", "window", "source_type", "id", "user", "body", "created_at", "gen", "count", "event",
     "entity", "kind", "repo", "transition", "actor", "state", "source", "comment", "login"]
)  # fmt: skip
JSON = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4))
ITEM = st.fixed_dictionaries(
    {},
    optional={
        "source_type": st.sampled_from(["issue", "issue_comment", "review", "slack_message"]) | JSON,
        "id": st.integers(1, 10) | JSON,
        "user": st.fixed_dictionaries({"login": st.text(max_size=9) | JSON, "id": st.integers() | JSON}) | JSON,
        "author_association": st.sampled_from(["MEMBER", "NONE"]) | JSON,
        "created_at": st.sampled_from(["2026-10-01T10:00:00Z", "0001-01-01T00:00:00+14:00", "x"]) | JSON,
        "body": st.text() | JSON,
        "gen": JSON,
    },
)
SNAPSHOT = st.fixed_dictionaries({"thread": st.lists(ITEM, max_size=4) | JSON}, optional={"context": JSON})


def check(done: Any) -> None:
    """Hold what every run must hold."""
    assert done.status in (0, 2), done.err
    assert done.err == "" if done.status == 0 else len(done.err.splitlines()) == 1
    assert "Traceback" not in done.err
    assert "this is a bug" not in done.err
    assert done.out == "" or done.status == 0


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200))
def test_bytes(tertulia: Any, content: bytes) -> None:
    check(tertulia("normalize", "-", "--system", "json", stdin=content))
    check(tertulia("context", "--snapshot", "-", stdin=content))


@settings(max_examples=150, deadline=None)
@given(JSON)
def test_json(tertulia: Any, document: Any) -> None:
    content = json.dumps(document).encode()

    check(tertulia("normalize", "-", "--system", "json", stdin=content))
    check(tertulia("context", "--snapshot", "-", "--json", stdin=content))


@settings(max_examples=250, deadline=None)
@given(SNAPSHOT)
def test_threads(tertulia: Any, document: Any) -> None:
    check(tertulia("context", "--snapshot", "-", stdin=json.dumps(document).encode()))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(st.characters(exclude_characters="\x00"), max_size=12), max_size=4))
def test_arguments(tertulia: Any, arguments: list[str]) -> None:
    done = tertulia(*arguments)

    assert done.status in (0, 2)
    assert len(done.err.splitlines()) <= 1
    assert "this is a bug" not in done.err
