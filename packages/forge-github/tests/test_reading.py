"""Bodies: strict, bounded, and wrong ones are refused in one clear line."""

import json
from typing import Any
from urllib.parse import quote_plus

import pytest

from tertulia.errors import Invalid
from tertulia.event import Delivery
from tertulia_forge_github import normalize

NAMES = ["issues", "issue_comment", "pull_request", "pull_request_target", "pull_request_review"]
NAMES += ["pull_request_review_comment", "push", "ping", "discussion"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"[]", "object"),
        (b"null", "object"),
        (b'"issues"', "object"),
        (b"{", "JSON"),
        (b"{}x", "JSON"),
        (b'{"x": "\xff"}', "JSON"),
        (b'{"\xff": 1}', "JSON"),
        (b'{"x": "\\ud800"}', "JSON"),
        (b'{"x": ' + b"[" * 2000 + b"]" * 2000 + b"}", "JSON"),
        (b'{"x": ' + b'{"y":' * 2000 + b"1" + b"}" * 2001, "JSON"),
        ('{"x": 1}'.encode("utf-16"), "JSON"),
    ],
)
def test_what_is_no_json_object_is_refused(refused: Any, name: str, raw: bytes, told: str) -> None:
    assert told in str(refused(name, raw))


@pytest.mark.parametrize("raw", [b'{"x": NaN}', b'{"x": [[-Infinity]]}', b'{"x": Infinity}'])
def test_an_event_nobody_reads_is_json_to_the_letter(refused: Any, raw: bytes) -> None:
    assert "JSON" in str(refused("push", raw))


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_never_gets_into_an_event(native: Any, event: Any, refused: Any, word: str) -> None:
    """The words are no JSON. In a field that is not read they are not seen, in one that is they are refused."""
    unread = json.dumps(native.payload("issue_comment", "created") | {"x": [1.5]}).replace("1.5", word).encode()
    read = json.dumps(native.payload("issue_comment", "created", comment=native.comment(id=1.5)))

    assert word not in str(event("issue_comment", unread).document())
    assert refused("issue_comment", read.replace("1.5", word).encode()).field == "comment.id"


@pytest.mark.parametrize("name", ["issues", "push"])
def test_a_body_over_githubs_limit_is_refused(refused: Any, name: str) -> None:
    assert "more than" in str(refused(name, b" " * (25 * 1024 * 1024 + 1)))


@pytest.mark.parametrize("text", ["NaN", "Infinity", "a NaN: NaN, -Infinity]"])
def test_the_words_for_no_number_are_words_in_a_text(native: Any, event: Any, text: str) -> None:
    payload = native.payload("issue_comment", "created", comment=native.comment(text))

    assert event("issue_comment", payload).transition.comment.body == text


def test_a_byte_order_mark_in_front_is_dropped(native: Any, event: Any) -> None:
    raw = b"\xef\xbb\xbf" + json.dumps(native.payload("issues", "opened")).encode()

    assert event("issues", raw).entity.id == 7


def test_a_form_carries_the_body_in_one_field(native: Any, event: Any) -> None:
    payload = native.payload("issue_comment", "created", comment=native.comment("/fix 1 + 1 & é"))
    raw = b"payload=" + quote_plus(json.dumps(payload, ensure_ascii=False)).encode()

    made = event("issue_comment", raw, headers={"Content-Type": "application/x-www-form-urlencoded; charset=utf-8"})

    assert made.transition.comment.instruction == "1 + 1 & é"


@pytest.mark.parametrize(
    "raw", [b"{}", b"other=1", b"payload=%7B%7D&payload=%7B%7D", b"payload=", b"payload=%FF", b"payload=%7"]
)
def test_a_form_that_is_none_is_refused(refused: Any, raw: bytes) -> None:
    refused("issues", raw, headers={"content-type": "application/x-www-form-urlencoded"})


def test_a_form_with_two_bodies_is_refused(native: Any, refused: Any) -> None:
    field = b"payload=" + quote_plus(json.dumps(native.payload("issues", "opened"))).encode()

    error = refused("issues", field + b"&" + field, headers={"content-type": "application/x-www-form-urlencoded"})

    assert error.field == "payload"


@pytest.mark.parametrize("name", ["issues", "push"])
def test_a_header_that_names_another_event_is_refused(native: Any, refused: Any, name: str) -> None:
    error = refused(name, native.payload("issues", "opened"), headers={"X-GitHub-Event": "issue_comment\n"})

    assert error.field == "x-github-event"


def test_a_header_that_names_the_same_event_is_fine(native: Any, event: Any) -> None:
    assert event("issues", native.payload("issues", "opened"), headers={"X-GitHub-Event": "issues"}).entity.id == 7


@pytest.mark.parametrize(
    ("name", "sent_as", "field"),
    [
        ("issues", "issue_comment", "comment"),
        ("issue_comment", "issues", "comment"),
        ("pull_request", "pull_request_review", "review"),
        ("pull_request_review", "pull_request", "review"),
        ("pull_request_review_comment", "pull_request", "comment"),
        ("pull_request", "pull_request_review_comment", "comment"),
        ("pull_request_review", "pull_request_review_comment", "comment"),
        ("issues", "pull_request", "pull_request"),
        ("pull_request_target", "issues", "pull_request"),
    ],
)
def test_a_body_signed_for_one_event_is_not_taken_for_another(
    native: Any, refused: Any, name: str, sent_as: str, field: str
) -> None:
    """The event's name is not signed."""
    error = refused(sent_as, native.payload(name, "edited"))

    assert error.field in {field, *native.payload(name, "edited"), *native.payload(sent_as, "edited")}
    assert "Field required" in str(error) or "unexpected" in str(error)


@pytest.mark.parametrize(
    ("name", "extra"),
    [("issues", "comment"), ("issue_comment", "review"), ("pull_request", "review"), ("pull_request", "thread")],
)
def test_a_key_of_another_event_is_refused_and_named(native: Any, refused: Any, name: str, extra: str) -> None:
    parts = {"comment": native.comment(), "review": native.review(), "thread": {"node_id": "PRRT_1"}}

    error = refused(name, native.payload(name, "edited", **{extra: parts[extra]}))

    assert error.field == extra
    assert "unexpected" in str(error)


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("issues", "issue"),
        ("issue_comment", "issue"),
        ("issue_comment", "comment"),
        ("pull_request", "pull_request"),
        ("pull_request_target", "pull_request"),
        ("pull_request_review", "review"),
        ("pull_request_review_comment", "comment"),
        ("issues", "action"),
    ],
)
@pytest.mark.parametrize("gone", [True, False])
def test_a_missing_part_is_refused_and_named(native: Any, refused: Any, name: str, part: str, gone: bool) -> None:
    payload = native.payload(name, "created")
    payload.pop(part)
    if not gone:
        payload[part] = None

    assert refused(name, payload).field == part


@pytest.mark.parametrize("number", ["42", 42.0, 4.2, True, None, 0, -1, [42], 10**30])
def test_a_number_is_a_number(native: Any, refused: Any, number: Any) -> None:
    assert (
        refused("issues", native.payload("issues", "opened", issue=native.issue(number=number))).field == "issue.number"
    )


@pytest.mark.parametrize("action", ["", "x" * 129, 5, ["opened"]])
def test_an_action_is_a_word(native: Any, refused: Any, action: Any) -> None:
    assert refused("issues", native.payload("issues", action)).field == "action"


def test_a_refusal_never_repeats_what_somebody_wrote_at_length(native: Any, refused: Any) -> None:
    error = refused("issues", native.payload("issues", "opened", issue=native.issue(number="secret" * 1000)))

    assert "secretsecret" not in str(error)


@pytest.mark.parametrize(
    ("delivery", "field"),
    [
        (Delivery("slack", "issues", b"{}"), "system"),
        (Delivery("github", "", b"{}"), "name"),
        (Delivery("github", "issues", "{}"), "payload"),  # type: ignore[arg-type]
        (Delivery("github", 5, b"{}"), "name"),  # type: ignore[arg-type]
    ],
)
def test_a_delivery_that_is_none_of_ours_is_refused(delivery: Delivery, field: str) -> None:
    with pytest.raises(Invalid) as caught:
        normalize(delivery)

    assert caught.value.field == field


@pytest.mark.parametrize("transport", [{"repo": 5}, {"actor": 5}])
def test_what_a_runner_says_is_text(native: Any, refused: Any, transport: dict[str, Any]) -> None:
    assert refused("issues", native.payload("issues", "opened"), **transport).field in transport
