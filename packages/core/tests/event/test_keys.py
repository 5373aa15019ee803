"""Keys: one name for one thread and one fact, whatever the parts are made of."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertulia.event import Event, delivery_key, encode_part, revision, thread_key

PARTS = st.one_of(
    st.text(alphabet="aT1/:#@% ", max_size=6), st.text(st.characters(codec=None, categories=None), max_size=3)
)
THREADS = st.tuples(PARTS, st.none() | PARTS, st.none() | PARTS)


@pytest.mark.parametrize(
    ("part", "encoded"),
    [
        ("1700000000.000100", "1700000000.000100"),
        ("a/b", "a%2Fb"),
        ("a:b#c@d%e", "a%3Ab%23c%40d%25e"),
        ("%2F", "%252F"),
        ("a b", "a%20b"),
        ("a\tb\n", "a%09b%0A"),
        ("\u2028", "%E2%80%A8"),
        ("\ud800", "%ED%A0%80"),
        ("\ud801", "%ED%A0%81"),
        ("größe", "größe"),
        ("", ""),
    ],
)
def test_a_part_is_percent_encoded_where_it_must_be(part: str, encoded: str) -> None:
    assert encode_part(part) == encoded


@given(st.text(st.characters(codec=None, categories=None)), st.text(st.characters(codec=None, categories=None)))
def test_encoding_keeps_parts_apart_and_printable(one: str, other: str) -> None:
    assert (encode_part(one) == encode_part(other)) is (one == other)
    assert encode_part(one).isprintable()
    assert not set("/:#@ ") & set(encode_part(one))


@pytest.mark.parametrize(
    ("parts", "key"),
    [
        (("github", "acme/demo", "7"), "github:acme/demo#7"),
        (("github", "acme/demo", "7", "88"), "github:acme/demo#7/88"),
        (("gitlab", "acme/web/demo", "7"), "gitlab:acme/web/demo#7"),
        (("slack", "T1/C1"), "slack:T1/C1"),
        (("slack", "T1/C1", None, "1700000000.000100"), "slack:T1/C1/1700000000.000100"),
        (("jira", "acme.atlassian.net/PROJ-1"), "jira:acme.atlassian.net/PROJ-1"),
        (("jira", "jira.test:8443/PROJ-1"), "jira:jira.test%3A8443/PROJ-1"),
        (("slack", "T1"), "slack:T1@"),
        (("slack", "T1", None, "C1"), "slack:T1@/C1"),
    ],
)
def test_a_thread_has_a_readable_name(parts: tuple[str, ...], key: str) -> None:
    assert thread_key(*parts) == key


@settings(max_examples=500)
@given(THREADS, THREADS)
def test_two_threads_never_share_a_name(
    one: tuple[str, str | None, str | None], other: tuple[str, str | None, str | None]
) -> None:
    assert (thread_key("slack", *one) == thread_key("slack", *other)) is (one == other)


@given(place=st.lists(st.sampled_from(["a", "b", ""]), min_size=1, max_size=4), root=st.sampled_from(["a", "b", ""]))
def test_a_root_is_never_taken_for_a_part_of_the_place(place: list[str], root: str) -> None:
    longer = "/".join([*place, root])

    assert thread_key("slack", "/".join(place), None, root) != thread_key("slack", longer)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("issue opened", "github:acme/shop#7"),
        ("pull request commented", "github:acme/shop#12"),
        ("merge request merged", "gitlab:acme/web/shop#12"),
        ("ticket commented", "jira:acme.atlassian.net/SHOP-3"),
        ("discussion opened", "github:acme/shop#5"),
        ("discussion commented", "github:acme/shop#5/880"),
        ("message posted", "slack:T1/C1/1700000000.000100"),
        ("timer", "schedule:acme/shop#7"),
    ],
)
def test_an_event_names_its_thread(documents: dict[str, Any], name: str, key: str) -> None:
    assert Event.check(documents[name]).thread_key == key


def test_a_chat_event_is_named_by_its_channel_also_with_a_repository_and_a_number(
    changed: Callable[..., dict[str, Any]],
) -> None:
    event = Event.check(changed("message posted", ("repo", "acme/shop"), ("entity.id", 4)))

    assert event.thread_key == "slack:T1/C1/1700000000.000100"


def test_a_jira_host_is_taken_without_user_and_with_its_port(changed: Callable[..., dict[str, Any]]) -> None:
    document = changed("ticket commented", ("entity.url", "https://ana@jira.test:8443/browse/SHOP-3"))

    assert Event.check(document).thread_key == "jira:jira.test%3A8443/SHOP-3"


def test_a_revision_is_the_update_in_whole_utc_seconds() -> None:
    moment = datetime(2026, 10, 1, 12, 0, 0, 999999, tzinfo=timezone(timedelta(hours=2)))

    assert revision(moment, b"ignored") == "2026-10-01T10:00:00Z"


def test_a_revision_has_four_digits_for_the_year() -> None:
    assert revision(datetime(1, 2, 3, tzinfo=UTC), b"") == "0001-02-03T00:00:00Z"


def test_without_an_update_the_revision_is_from_the_raw_body() -> None:
    assert revision(None, b"test") == "9f86d081884c7d65"


def test_a_delivery_key_names_thread_thing_revision_and_transition() -> None:
    at = revision(datetime(2026, 10, 1, 10, tzinfo=UTC), b"")

    key = delivery_key("github:acme/demo#7", ("issue_comment", "104"), at, "comment_added")
    label = delivery_key("github:acme/demo#7", ("label", "kind/bug@1"), "9f86d081884c7d65", "label_changed:added")

    assert key == "github:acme/demo#7/issue_comment:104@2026-10-01T10:00:00Z/comment_added"
    assert label == "github:acme/demo#7/label:kind%2Fbug%401@9f86d081884c7d65/label_changed:added"
