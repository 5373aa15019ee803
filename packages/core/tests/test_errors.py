"""The error tree, and the translation of an HTTP status into it."""

import copy
import pickle
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tertulia import errors

NOW = datetime(2026, 10, 1, 10, 0, 0, tzinfo=UTC)
SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
SPENT = {"x-ratelimit-remaining": "0"}
IN_A_MINUTE = str(int(NOW.timestamp()) + 60)


def translate(status: int, headers: dict[str, str] | None = None, text: str = "") -> errors.Error:
    """Translate a status as an adapter would."""
    return errors.from_status(status, headers or {}, text, backend="github", operation="post", now=NOW)


@pytest.mark.parametrize(
    ("status", "text", "cls"),
    [
        (400, "", errors.Invalid),
        (401, "Bad credentials", errors.Denied),
        (403, "x", errors.Denied),
        (403, "Resource not accessible by integration", errors.Denied),
        (404, "x", errors.NotFound),
        (405, "", errors.Invalid),
        (407, "", errors.Denied),
        (408, "", errors.Unavailable),
        (409, "", errors.Conflict),
        (410, "", errors.NotFound),
        (412, "", errors.Conflict),
        (413, "", errors.Invalid),
        (422, "Validation Failed", errors.Invalid),
        (422, "name already exists on this account", errors.Conflict),
        (422, '{"errors": [{"code": "already_exists"}]}', errors.Conflict),
        (400, "name already exists on this account", errors.Invalid),
        (423, "", errors.Conflict),
        (425, "", errors.Unavailable),
        (451, "", errors.Denied),
        (500, "", errors.Unavailable),
        (502, "", errors.Unavailable),
        (503, "", errors.Unavailable),
        (599, "", errors.Unavailable),
        (302, "", errors.Invalid),
    ],
)
def test_a_status_becomes_its_class(status: int, text: str, cls: type[errors.Error]) -> None:
    assert type(translate(status, {"x-ratelimit-remaining": "4868"}, text)) is cls


@pytest.mark.parametrize(
    ("status", "headers", "text"),
    [
        (429, {}, ""),
        (403, {}, "API rate limit exceeded for user ID 1"),
        (403, {"x-ratelimit-remaining": "4868"}, SECONDARY),
        (403, {}, "You have triggered an abuse detection mechanism."),
        (403, {"Retry-After": "5"}, ""),
        (403, {"X-RateLimit-Remaining": " 0 "}, ""),
    ],
)
def test_a_limit_is_known_by_status_headers_or_words(status: int, headers: dict[str, str], text: str) -> None:
    error = translate(status, headers, text)

    assert isinstance(error, errors.RateLimited)
    assert error.transient


@pytest.mark.parametrize("status", [401, 404, 422, 503])
def test_other_statuses_are_no_limit_whatever_their_words(status: int) -> None:
    assert not isinstance(translate(status, SPENT, SECONDARY), errors.RateLimited)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "30"}, 30),
        ({"Retry-After": "3600"}, 3600),
        ({"retry-after": " 30 "}, 30),
        ({"Retry-After": "0000000000060"}, 60),
        ({"Retry-After": "9" * 5000}, 999_999_999),
        ({"Retry-After": "0"}, 1),
        ({"Retry-After": "Thu, 01 Oct 2026 10:02:00 GMT"}, 120),
        ({"Retry-After": "Thu, 01 Oct 2026 10:02:00 -0000"}, 120),
        ({"Retry-After": "Thu, 01 Oct 2026 12:02:00 +0200"}, 120),
        ({"Retry-After": "Thu, 01 Oct 2026 09:00:00 GMT"}, 1),
        ({"Retry-After": "30", "x-ratelimit-reset": IN_A_MINUTE} | SPENT, 30),
        ({"x-ratelimit-reset": IN_A_MINUTE} | SPENT, 60),
        ({"x-ratelimit-reset": str(int(NOW.timestamp()) - 5)} | SPENT, 1),
        ({"x-ratelimit-reset": IN_A_MINUTE + "0", "x-ratelimit-remaining": "12"}, 60),
        ({"x-ratelimit-reset": "soon"} | SPENT, 60),
        ({"x-ratelimit-reset": "9" * 12} | SPENT, 60),
        ({"Retry-After": "soon"}, 60),
        ({"Retry-After": "-5"}, 60),
        ({"Retry-After": ""}, 60),
        ({"Retry-After": "٣"}, 60),
        ({"Retry-After": "Thu, 01 Oct 99999999999999999999 10:00:00 GMT"}, 60),
        ({"Retry-After": "Thu, 01 Oct 2026 10:00:00 +99999999"}, 60),
        ({}, 60),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], seconds: float) -> None:
    error = translate(429, headers)

    assert isinstance(error, errors.RateLimited)
    assert error.retry_after == seconds


def test_a_limit_says_when_it_resets_and_for_what() -> None:
    error = translate(403, SPENT | {"x-ratelimit-reset": IN_A_MINUTE, "x-ratelimit-resource": "core"})

    assert isinstance(error, errors.RateLimited)
    assert error.resets_at == NOW + timedelta(seconds=60)
    assert error.scope == "core"


def test_a_limit_that_is_not_spent_does_not_say_when_it_resets() -> None:
    error = translate(403, {"x-ratelimit-remaining": "9", "x-ratelimit-reset": IN_A_MINUTE}, SECONDARY)

    assert isinstance(error, errors.RateLimited)
    assert error.resets_at is None
    assert error.scope is None


def test_the_clock_is_asked_when_nobody_gives_the_time() -> None:
    later = str(int(datetime.now(UTC).timestamp()) + 1000)
    error = errors.from_status(429, SPENT | {"x-ratelimit-reset": later}, "", backend="github", operation="read")

    assert isinstance(error, errors.RateLimited)
    assert error.retry_after is not None
    assert 900 < error.retry_after <= 1000


@given(st.text(max_size=60))
def test_any_retry_after_gives_a_wait(value: str) -> None:
    error = translate(429, {"Retry-After": value})

    assert isinstance(error, errors.RateLimited)
    assert error.retry_after is not None
    assert error.retry_after >= 1


@pytest.mark.parametrize("header", ["X-GitHub-Request-Id", "x-slack-req-id", "X-ARequestId", "X-Request-ID"])
def test_the_message_names_backend_operation_words_and_request(header: str) -> None:
    assert str(translate(404, {header: "AB:12"}, "Not\nFound")) == "github post: 404 Not Found [request AB:12]"


def test_a_message_without_words_is_the_status() -> None:
    assert str(translate(502)) == "github post: 502"


def test_the_backends_words_are_shortened_on_one_printable_line() -> None:
    told = str(translate(400, text="a\x1b[31m\u2028b " + "x " * 3000))

    assert told.startswith("github post: 400 a [31m b x")
    assert told.endswith("…")
    assert told.isprintable()
    assert len(told) < 330


LETTERS = st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=24, max_size=40)
TOKENS = st.one_of(
    st.tuples(st.sampled_from(["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-"]), LETTERS),
    st.tuples(st.sampled_from(["xoxb-", "xoxp-", "xoxe-", "xoxe.xoxp-", "xapp-1-", "ATATT3x", "ATCTT3x"]), LETTERS),
    st.tuples(st.sampled_from(["Bearer ", "bearer ", "Basic ", "https://hooks.slack.com/services/T1/B1/"]), LETTERS),
    st.tuples(st.just("eyJ"), LETTERS),
)
AROUND = st.one_of(st.text(max_size=40), st.integers(0, 2500).map(lambda count: " " * count), st.just("x" * 290))


@given(before=AROUND, token=TOKENS, after=AROUND, status=st.sampled_from([400, 403, 404, 422, 429, 503]))
def test_no_token_ever_gets_into_a_message(before: str, token: tuple[str, str], after: str, status: int) -> None:
    assume(token[1][:12] not in before + after)
    text = f"{before} {token[0]}{token[1]} {after}"
    error = translate(status, {"x-request-id": text, "x-ratelimit-resource": text}, text)

    for told in (str(error), repr(error), str(vars(error))):
        assert token[1][:12] not in told


def test_a_token_cut_where_reading_stops_is_not_half_shown() -> None:
    for blanks in range(2380, 2400):
        assert "ghp_" not in str(translate(400, text="a" + " " * blanks + "ghp_" + "s" * 36))


def test_a_password_in_an_address_is_not_shown() -> None:
    assert str(translate(400, text="see https://ana:hunter2@jira.test/x")).endswith("see https://[token]@jira.test/x")


@pytest.mark.parametrize(
    ("error", "transient"),
    [
        (errors.NotFound("x"), False),
        (errors.Denied("x", permission="issues: write"), False),
        (errors.Invalid("x", field="entity.id"), False),
        (errors.Conflict("x"), False),
        (errors.RateLimited("x", retry_after=3, resets_at=NOW, scope="core"), True),
        (errors.Unavailable("x", ambiguous=True), True),
        (errors.Unsupported("edit", "slack"), False),
    ],
)
def test_every_error_is_one_of_the_tree_and_survives_a_copy(error: errors.Error, transient: bool) -> None:
    for one in (error, copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert isinstance(one, errors.Error)
        assert one.transient is transient
        assert str(one) == str(error)
        assert vars(one) == vars(error)


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ({}, "gone"),
        ({"backend": "github"}, "github: gone"),
        ({"operation": "read"}, "read: gone"),
        ({"backend": "github", "operation": "read", "request_id": "7"}, "github read: gone [request 7]"),
    ],
)
def test_an_error_says_where_it_happened(where: dict[str, Any], told: str) -> None:
    assert str(errors.NotFound("gone", **where)) == told


def test_a_write_is_ambiguous_only_when_somebody_says_so() -> None:
    error = translate(502)

    assert isinstance(error, errors.Unavailable)
    assert error.ambiguous is False


def test_unsupported_names_what_is_missing() -> None:
    error = errors.Unsupported("mark_answer", "slack", operation="post")

    assert error.capability == "mark_answer"
    assert str(error) == "slack post: does not support mark_answer"
