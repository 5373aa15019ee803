"""Whatever arrives: an event, a reason, or one `Invalid`."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tertulia.event import Delivery
from tertulia.testing.payloads import check, paths, removed, replaced
from tertulia.thread import Account
from tertulia_forge_github import normalize

CASES = [
    ("issues", "opened"),
    ("issues", "labeled"),
    ("issues", "assigned"),
    ("issue_comment", "created"),
    ("issue_comment", "edited"),
    ("pull_request", "closed"),
    ("pull_request_target", "review_requested"),
    ("pull_request_review", "submitted"),
    ("pull_request_review_comment", "edited"),
]

WORDS = st.sampled_from(
    ["/fix", "ghost", "[bot]", "Bot", "2026-10-01T10:00:00Z", "0001-01-01T00:00:00+23:59", "https://", ""]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=300) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)
SETTINGS = settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
ENGINE = Account(id="900", login="helper[bot]", kind="bot")


def whole(native: Any, name: str, action: str) -> dict[str, Any]:
    """Give a payload with everything that may stand in one."""
    return dict(
        native.payload(
            name,
            action,
            label={"name": "ready"},
            assignee=native.user("carol", 3),
            requested_team={"name": "Team", "slug": "team"},
            changes={"body": {"from": "before"}},
        )
    )


@pytest.mark.parametrize(("name", "action"), CASES)
@SETTINGS
@given(data=st.data())
def test_any_node_may_be_anything(native: Any, name: str, action: str, data: st.DataObject) -> None:
    payload = whole(native, name, action)
    for _ in range(data.draw(st.integers(1, 3))):
        payload = replaced(payload, data.draw(st.sampled_from(list(paths(payload)))), data.draw(JSON))

    check(normalize, Delivery("github", name, json.dumps(payload).encode("utf-8", "surrogatepass"), engine=ENGINE))


@pytest.mark.parametrize(("name", "action"), CASES)
@SETTINGS
@given(data=st.data())
def test_any_node_may_be_gone(native: Any, name: str, action: str, data: st.DataObject) -> None:
    payload = whole(native, name, action)
    payload = removed(payload, data.draw(st.sampled_from(list(paths(payload)))))

    check(normalize, Delivery("github", name, json.dumps(payload).encode()))


@SETTINGS
@given(st.text(max_size=40) | st.sampled_from([name for name, _ in CASES]), st.binary(max_size=200), st.booleans())
def test_any_bytes_may_arrive_under_any_name(name: str, raw: bytes, form: bool) -> None:
    content_type = "application/x-www-form-urlencoded" if form else "application/json"

    check(normalize, Delivery("github", name, raw, {"content-type": content_type}))
    check(normalize, Delivery("github", name, b"payload=" + raw, {"content-type": content_type}))


@SETTINGS
@given(st.sampled_from(CASES), st.sampled_from([name for name, _ in CASES] + ["push", "discussion"]), st.integers(0))
def test_a_real_payload_may_arrive_under_any_name_and_cut_anywhere(
    native: Any, case: tuple[str, str], name: str, cut: int
) -> None:
    raw = json.dumps(native.payload(*case)).encode()

    check(normalize, Delivery("github", name, raw))
    check(normalize, Delivery("github", name, raw[: cut % len(raw)]))


@SETTINGS
@given(st.text(max_size=20), st.text(max_size=300), JSON, st.text(max_size=300))
def test_any_transport_may_say_anything(native: Any, system: str, repo: str, headers: Any, actor: str) -> None:
    raw = json.dumps(native.payload("issues", "opened", sender=None)).encode()

    check(normalize, Delivery("github", "issues", raw, repo=repo, actor=actor))
    check(normalize, Delivery(system, "issues", raw, {"content-type": str(headers), "x-github-event": "issues"}))
