"""Addresses that people paste."""

import pytest

from tertulia.thread import ThreadRef
from tertulia_conversation_slack import adapter

ROOT = "1740823500.000100"


@pytest.mark.parametrize(
    ("url", "conversation", "root", "handle"),
    [
        ("https://acme.slack.com/archives/C0HELP/p1740823500000100", "C0HELP", ROOT, "acme"),
        ("https://acme.slack.com/archives/C0HELP", "C0HELP", None, "acme"),
        (
            "https://Acme.enterprise.slack.com/archives/C0HELP/p1740823600000300?thread_ts=1740823500.000100&cid=C0HELP",
            "C0HELP",
            ROOT,
            "acme.enterprise",
        ),
        (
            "https://acme.slack.com/archives/C0HELP/p1740823600000300?cid=C0HELP&thread_ts=1740823500.000100",
            "C0HELP",
            ROOT,
            "acme",
        ),
        ("https://acme.slack.com/archives/D0ANNA/p1740823500000100?cid=D0ANNA#x", "D0ANNA", ROOT, "acme"),
        ("https://app.slack.com/client/T0ACME/C0HELP", "T0ACME/C0HELP", None, "T0ACME"),
        ("https://app.slack.com/client/T0ACME/C0HELP/thread/C0HELP-1740823500.000100", "T0ACME/C0HELP", ROOT, "T0ACME"),
    ],
)
def test_a_page_of_slack_is_a_thread(url: str, conversation: str, root: str | None, handle: str | None) -> None:
    assert adapter.recognise(url) == ThreadRef(conversation=conversation, root=root, handle=handle)


@pytest.mark.parametrize(
    "url",
    [
        "https://acme.slack.com/archives/U0ANNA/p1740823500000100",
        "https://acme.slack.com/archives/C0HELP/p17",
        "https://acme.slack.com/team/C0HELP",
        "https://acme.slack.com.example/archives/C0HELP",
        "https://slack.com/archives/C0HELP",
        "http://acme.slack.com/archives/C0HELP",
        "https://github.com/acme/demo/issues/7",
        "https://app.slack.com/client/T0ACME/C0HELP/thread/C0OTHER-1740823500.000100",
        "https://user:password@acme.slack.com/archives/C0HELP",
        "slack:T0ACME/C0HELP",
        "",
        "https://acme.slack.com/archives/C0HELP?" + "a&" * 1100,
    ],
)
def test_any_other_page_is_not(url: str) -> None:
    assert adapter.recognise(url) is None


def test_a_server_of_one_s_own_is_recognised_when_it_is_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "http://127.0.0.1:5900/archives/C0HELP/p1740823500000100"

    assert adapter.recognise(url) is None
    monkeypatch.setenv("SLACK_API_URL", "http://127.0.0.1:5900/api/")
    assert adapter.recognise(url) == ThreadRef(conversation="C0HELP", root=ROOT)
