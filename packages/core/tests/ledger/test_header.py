"""The header of a fence: a closed set of words, numbers, times, and links to configured hosts."""

from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from tertulia.ledger._header import moment
from tertulia.thread import Account

Make = Callable[..., Any]


@pytest.fixture
def head(context: Make, note: Make, heads: Make) -> Make:
    """Give the header of one trusted comment."""

    def make(asked: dict[str, Any] | None = None, **fields: Any) -> str:
        return str(heads(context(note(1, **fields), **(asked or {})))["issue_comment:1"])

    return make


def test_it_names_kind_trust_author_time_and_place(head: Make) -> None:
    assert head() == (
        "kind=human-feedback trusted=yes author=41 login=ana-ruiz time=2026-03-02T08:01:00Z"
        " url=https://github.com/acme/shop/issues/7#issuecomment-1"
    )


def test_time_is_in_whole_seconds(head: Make, at: Make) -> None:
    assert "time=2026-03-02T08:01:00Z " in head(created_at=at(1) + timedelta(microseconds=999_999))


def test_a_time_that_no_record_has_is_unknown() -> None:
    assert moment(None) == "unknown"


@pytest.mark.parametrize("login", ["a", "A-9", "a" * 39, "loom[bot]", "a" * 39 + "[bot]"])
def test_a_login_that_is_written_like_one_is_shown(head: Make, login: str) -> None:
    assert f" author=41 login={login} time=" in head(author=Account(id="41", login=login))


@pytest.mark.parametrize(
    "login", ["", "a b", "a" * 40, "a_b", "a\n", "[bot]", "loom[bot]x", "loom[app]", "\u0430na", "a=b", "a]"]
)
def test_any_other_login_is_not(head: Make, login: str) -> None:
    assert " author=41 time=" in head(author=Account(id="41", login=login))


@pytest.mark.parametrize("ident", ["a" * 64, "712020:ab-c", "U1.b_2"])
def test_an_id_is_a_plain_word(head: Make, ident: str) -> None:
    author = Account(id=ident, login="x")

    assert f" author={ident} " in head(author=author, asked={"trigger_author": author})


@pytest.mark.parametrize("ident", ["a" * 65, "a b", "a\n", "a]", "a/b", ""])
def test_an_id_that_is_not_is_unknown(head: Make, ident: str) -> None:
    author = Account(id=ident, login="x")

    assert " author=unknown login=x " in head(author=author, asked={"trigger_author": author})


def test_an_author_without_an_id_is_unknown(head: Make) -> None:
    author = Account(login="x")

    assert " author=unknown login=x " in head(author=author, asked={"trigger_author": author})


def test_an_opening_post_of_a_deleted_account_is_shown(context: Make, issue: Make, heads: Make) -> None:
    assert " author=unknown time=" in heads(context(issue(author=None)))["issue:9007"]


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/acme/shop/issues/7",
        "https://github.com/a/b#issuecomment-1",
        "https://github.com/A.b_c~d-e/0",
        "https://github.com/" + "a" * 500,
        "https://github.com/a#" + "b" * 100,
    ],
)
def test_a_link_to_a_configured_host_is_shown(head: Make, url: str) -> None:
    assert head(url=url).endswith(f" url={url}")


@pytest.mark.parametrize(
    "url",
    [
        None,
        "",
        "http://github.com/a",
        "https://evil.example/a",
        "https://github.com.evil.example/a",
        "https://github.com@evil.example/a",
        "https://u@github.com/a",
        "https://github.com:443/a",
        "https://GitHub.com/a",
        "https://github.com",
        "https://github.com/",
        "https://github.com/a?b=c",
        "https://github.com/a b",
        "https://github.com/%0a",
        "https://github.com/a]b",
        "https://github.com/a#b/c",
        "https://github.com/" + "a" * 501,
        "https://github.com/a#" + "b" * 101,
        "https://[github.com/a",
        "https://github.com/a\t",
        "https://github.com/a\n",
        "https://github.com/a#",
        "https://github.com/a?",
        "HTTPS://github.com/a",
        "//github.com/a",
        "javascript://github.com/a",
    ],
)
def test_any_other_is_not(head: Make, url: str | None) -> None:
    assert "url=" not in head(url=url)


def test_hosts_are_configured(head: Make) -> None:
    asked = {"hosts": frozenset({"git.acme.example:8443"})}

    assert "url=https://git.acme.example:8443/a" in head(url="https://git.acme.example:8443/a", asked=asked)
    assert "url=" not in head(url="https://github.com/a", asked=asked)


def test_flags_say_what_happened_to_the_message(head: Make, at: Make) -> None:
    fields = {"updated_at": at(2), "minimized": "spam <x>", "cut": 4, "body": "a\u200bb"}

    assert head(**fields).endswith(" flags=edited,minimized,cut,hidden-text-removed")


@pytest.mark.parametrize(
    ("fields", "flag"),
    [
        ({"minimized": ""}, "minimized"),
        ({"cut": 1}, "cut"),
        ({"body": "a<!-- x -->b"}, "hidden-text-removed"),
        ({"body": "a\u202eb"}, "hidden-text-removed"),
    ],
)
def test_each_flag_stands_alone(head: Make, fields: dict[str, Any], flag: str) -> None:
    assert head(**fields).endswith(f" flags={flag}")


def test_the_association_a_backend_gives_is_no_word_of_the_header(
    context: Make, issue: Make, people: SimpleNamespace, heads: Make
) -> None:
    made = context(issue(association="OBEY THIS"))

    assert "OBEY" not in made.text
