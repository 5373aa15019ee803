"""Addresses people paste: ours, or none."""

import pytest

from tertulia.thread import MessageRef, ThreadRef
from tertulia_forge_github import adapter

THREAD = ThreadRef(conversation="acme/demo#7")


def message(source_type: str, ident: str = "104") -> MessageRef:
    return MessageRef(conversation="acme/demo#7", source_type=source_type, id=ident)


@pytest.mark.parametrize(
    ("url", "ref"),
    [
        ("https://github.com/acme/demo/issues/7", THREAD),
        ("https://github.com/acme/demo/pull/7", THREAD),
        ("https://github.com/acme/demo/issues/7/", THREAD),
        ("https://GitHub.com:443/acme/demo/issues/7", THREAD),
        ("https://github.com/acme/demo/issues/7?notification_referrer_id=NT_1", THREAD),
        ("https://github.com/acme/demo/issues/7#issue-70007", THREAD),
        ("https://github.com/acme/demo/issues/7#", THREAD),
        ("https://github.com/acme/demo/issues/7#issuecomment-104", message("issue_comment")),
        ("https://github.com/acme/demo/pull/7#issuecomment-104", message("issue_comment")),
        ("https://github.com/acme/demo/pull/7#discussion_r104", message("review_comment")),
        ("https://github.com/acme/demo/pull/7?a=b#pullrequestreview-104", message("review")),
        ("https://github.com/acme/demo/issues/7#issuecomment-4870591746", message("issue_comment", "4870591746")),
        ("https://github.com/ac_me/de.m-o/issues/1", ThreadRef(conversation="ac_me/de.m-o#1")),
    ],
)
def test_a_page_of_github_is_recognised(monkeypatch: pytest.MonkeyPatch, url: str, ref: ThreadRef | MessageRef) -> None:
    monkeypatch.delenv("GITHUB_API_URL", raising=False)

    assert adapter.recognise(url) == ref


@pytest.mark.parametrize(
    "url",
    [
        "",
        "acme/demo#7",
        "http://github.com/acme/demo/issues/7",
        "https://github.com.evil.example/acme/demo/issues/7",
        "https://evil.example/github.com/acme/demo/issues/7",
        "https://user@github.com/acme/demo/issues/7",
        "https://github.com@evil.example/acme/demo/issues/7",
        "https://github.com:8443/acme/demo/issues/7",
        "https://www.github.com/acme/demo/issues/7",
        "https://api.github.com/repos/acme/demo/issues/7",
        "https://github.com/acme/demo/discussions/7",
        "https://github.com/acme/demo/issues",
        "https://github.com/acme/demo/issues/0",
        "https://github.com/acme/demo/issues/07",
        "https://github.com/acme/demo/issues/x",
        "https://github.com/acme/demo/issues/\u0667",
        "https://github.com/acme/demo/pull/7/files",
        "https://github.com/acme/../issues/7",
        "https://github.com/./demo/issues/7",
        "https://github.com/acme/de%2Fmo/issues/7",
        "https://github.com/acme/demo/issues/7#issuecomment-x",
        "https://github.com/acme/demo/issues/7#issuecomment-",
        "https://github.com/acme/demo/issues/7 ",
        "https://github.com/acme/demo/issues/7\n",
        "https://git\thub.com/acme/demo/issues/7",
        "https://github.com/acme/demo/issues/7?" + "x" * 3000,
        "https://ghe.example.com/acme/demo/issues/7",
        "https://\u0261ithub.com/acme/demo/issues/7",
    ],
)
def test_any_other_address_is_not(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.delenv("GITHUB_API_URL", raising=False)

    assert adapter.recognise(url) is None


@pytest.mark.parametrize(
    ("api", "host", "known"),
    [
        ("", "https://github.com", True),
        ("https://api.github.com", "https://github.com", True),
        ("https://api.github.com/", "https://github.com", True),
        ("https://ghe.example.com/api/v3", "https://ghe.example.com", True),
        ("https://GHE.example.com/api/v3/", "https://ghe.example.com", True),
        ("https://ghe.example.com:8443/api/v3", "https://ghe.example.com:8443", True),
        ("https://ghe.example.com:8443/api/v3", "https://ghe.example.com", False),
        ("https://ghe.example.com/api/v3", "https://github.com", False),
        ("https://ghe.example.com/api/v3", "http://ghe.example.com", False),
        ("https://api.octocorp.ghe.com", "https://octocorp.ghe.com", True),
        ("https://api.octocorp.ghe.com", "https://api.octocorp.ghe.com", False),
        ("https://api.example.com/api/v3", "https://api.example.com", True),
        ("http://127.0.0.1:5900", "http://127.0.0.1:5900", True),
        ("http://localhost:5900", "http://localhost:5900", True),
        ("http://[::1]:5900", "http://[::1]:5900", True),
        ("http://127.0.0.1:5900", "http://127.0.0.1:5901", False),
        ("http://127.0.0.1:5900", "http://localhost:5900", False),
        ("http://127.0.0.1:5900", "https://github.com", False),
        ("http://ghe.example.com/api/v3", "http://ghe.example.com", False),
        ("http://127.0.0.1.evil.example", "http://127.0.0.1.evil.example", False),
        ("not a url", "https://github.com", False),
        ("https://user:pass@ghe.example.com", "https://ghe.example.com", False),
    ],
)
def test_the_host_is_the_configured_one(monkeypatch: pytest.MonkeyPatch, api: str, host: str, known: bool) -> None:
    monkeypatch.setenv("GITHUB_API_URL", api)

    assert adapter.recognise(f"{host}/acme/demo/issues/7") == (THREAD if known else None)


def test_the_adapter_says_what_it_is() -> None:
    assert (adapter.name, adapter.system, adapter.kind) == ("github", "github", "forge")
    assert sorted(adapter.names) == [
        "issue_comment",
        "issues",
        "pull_request",
        "pull_request_review",
        "pull_request_review_comment",
        "pull_request_target",
    ]
    assert {setting.name: setting.secret for setting in adapter.settings} == {
        "GITHUB_TOKEN": True,
        "GH_TOKEN": True,
        "GITHUB_API_URL": False,
        "GITHUB_GRAPHQL_URL": False,
    }
    assert all(setting.help.endswith(".") for setting in adapter.settings)
