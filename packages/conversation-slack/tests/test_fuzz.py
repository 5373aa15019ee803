"""Whatever arrives: an event, a reason, or one `Invalid`."""

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tertulia.event import Delivery, Normalized
from tertulia.testing.payloads import check, paths, removed, replaced
from tertulia.thread import Account
from tertulia_conversation_slack import Config, normalize
from tertulia_conversation_slack._mrkdwn import from_mrkdwn

WORDS = st.sampled_from(
    [
        "/fix",
        "U0ANNA",
        "<@U0BOT> /ask",
        "*b* `c`",
        "```",
        "&gt;&gt;&gt; x",
        "1740823500.000100",
        "tombstone",
        "rich_text",
        "",
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=100) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)
SETTINGS = settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
CONFIG = Config(repo="acme/demo", sections={"C0GENERAL": "Help"}, roles={"U0ANNA": "write"})
KINDS = ["said", "mentioned", "changed", "deleted", "tombstone", "created"]
RICH = [
    {
        "type": "rich_text",
        "elements": [
            {"type": "rich_text_section", "elements": [{"type": "text", "text": "a", "style": {"bold": True}}]},
            {
                "type": "rich_text_list",
                "style": "ordered",
                "indent": 1,
                "elements": [{"type": "rich_text_section", "elements": [{"type": "user", "user_id": "U1"}]}],
            },
            {"type": "rich_text_preformatted", "elements": [{"type": "link", "url": "https://x.example"}]},
        ],
    },
    {"type": "table", "rows": [[{"type": "raw_text", "text": "a"}]], "column_settings": [{"align": "right"}]},
    {"type": "context", "elements": [{"type": "mrkdwn", "text": "*a*"}]},
]


def whole(native: Any, kind: str) -> dict[str, Any]:
    """Give an envelope with everything that may stand in one."""
    fields: dict[str, Any] = {
        "blocks": copy.deepcopy(RICH),
        "attachments": [{"title": "a", "title_link": "https://x", "text": "b"}],
    }
    part = native.part(
        "new", edited={"user": "U0ANNA", "ts": "1740823600.000300"}, thread_ts="1740823500.000100", **fields
    )
    made = {
        "said": native.message(
            "/ask", bot_id="B1", bot_profile={"id": "B1", "name": "n"}, root={"ts": "1.1"}, **fields
        ),
        "mentioned": native.mention(**fields),
        "changed": native.changed(part, native.part("old", **fields)),
        "deleted": native.deleted(part),
        "tombstone": native.changed(native.part(subtype="tombstone"), part),
        "created": {
            "type": "channel_created",
            "channel": {"id": "C1", "name": "n", "creator": "U1"},
            "event_ts": "1.1",
        },
    }[kind]
    return dict(native.frame(made, context_team_id="T1", enterprise_id="E1"))


def configured(delivery: Delivery) -> Normalized:
    """Normalize with what an operator says of the workspace."""
    return normalize(delivery, config=CONFIG)


@pytest.mark.parametrize("kind", KINDS)
@SETTINGS
@given(data=st.data())
def test_any_node_may_be_anything(native: Any, kind: str, data: st.DataObject) -> None:
    payload = whole(native, kind)
    for _ in range(data.draw(st.integers(1, 3))):
        payload = replaced(payload, data.draw(st.sampled_from(list(paths(payload)))), data.draw(JSON))

    engine = Account(id="U0BOT", login="agent", kind="bot")
    check(configured, Delivery("slack", "", json.dumps(payload).encode("utf-8", "surrogatepass"), engine=engine))


@pytest.mark.parametrize("kind", KINDS)
@SETTINGS
@given(data=st.data())
def test_any_node_may_be_gone(native: Any, kind: str, data: st.DataObject) -> None:
    payload = whole(native, kind)
    payload = removed(payload, data.draw(st.sampled_from(list(paths(payload)))))

    check(configured, Delivery("slack", "", json.dumps(payload).encode()))


@SETTINGS
@given(st.text(max_size=40), st.binary(max_size=200), st.integers(0))
def test_any_bytes_may_arrive_under_any_name(native: Any, name: str, raw: bytes, cut: int) -> None:
    real = json.dumps(whole(native, "said")).encode()

    check(configured, Delivery("slack", name, raw))
    check(configured, Delivery("slack", name, real))
    check(configured, Delivery("slack", "", real[: cut % len(real)]))


@SETTINGS
@given(st.text(st.sampled_from("*_~`<>&;|@#!• \nabglt/")))
def test_any_text_is_converted(text: str) -> None:
    made = from_mrkdwn(text)

    assert "\x00" not in made
    assert "&lt;" not in from_mrkdwn("&lt;")
