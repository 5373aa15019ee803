"""What a transport is told: a token, a rate, and why nothing was answered."""

from datetime import UTC, datetime

import pytest

from tertulia.errors import Denied, Invalid, Unavailable
from tertulia.transport import Rate, Token, granted, unanswered

pytestmark = pytest.mark.anyio


async def test_a_token_comes_from_the_first_variable_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FIRST", raising=False)
    monkeypatch.setenv("SECOND", " a-token ")

    token = Token(None, "FIRST", "SECOND", backend="test")

    assert (await token.get(), token.now(), token.absent, token.renewable) == ("a-token", "a-token", False, False)
    assert Token(None, "FIRST", backend="test").absent
    assert Token("", "SECOND", backend="test").absent


async def test_a_callable_is_asked_each_time() -> None:
    tokens = iter(["one", "two"])

    async def ask() -> str:
        return next(tokens)

    token = Token(ask, backend="test")

    assert [await token.get(), await token.get(), token.renewable, token.absent] == ["one", "two", True, False]
    with pytest.raises(Invalid, match="asynchronous"):
        token.now()


async def test_what_is_no_token_is_refused_and_never_shown() -> None:
    async def ask() -> str:
        return "secret\nwith a line end"

    for source in ("secret\nwith a line end", "sécret"):
        with pytest.raises(Denied) as caught:
            Token(source, backend="test")
        assert "cret" not in str(caught.value)
    with pytest.raises(Denied):
        await Token(ask, backend="test").get()
    with pytest.raises(Invalid, match="must be a string"):
        Token(None, backend="test")._checked(7)


async def test_a_callable_that_fails_makes_it_unavailable() -> None:
    async def broken() -> str:
        raise KeyError("vault")

    async def refused() -> str:
        raise Denied("no such app")

    with pytest.raises(Unavailable, match="KeyError"):
        await Token(broken, backend="test").get()
    with pytest.raises(Denied, match="no such app"):
        await Token(refused, backend="test").get()


def test_scopes_are_read_from_the_headers_with_those_they_imply() -> None:
    assert granted({}) is None
    assert granted({"x-oauth-scopes": ""}) == frozenset()
    assert granted({"x-oauth-scopes": "repo,, read:org "}) == {"repo", "read:org"}
    assert granted({"x-oauth-scopes": "repo"}, {"repo": frozenset({"public_repo"})}) == {"repo", "public_repo"}


def test_a_rate_is_read_from_the_headers() -> None:
    headers = {"x-ratelimit-limit": "5000", "x-ratelimit-remaining": "7", "x-ratelimit-reset": "1790000000"}

    assert Rate.of(headers) == Rate(5000, 7, datetime.fromtimestamp(1790000000, UTC), None)
    assert Rate.of({**headers, "x-ratelimit-resource": "graphql"}) == Rate(
        5000, 7, datetime.fromtimestamp(1790000000, UTC), "graphql"
    )
    for name in ("limit", "remaining"):
        assert Rate.of({**headers, f"x-ratelimit-{name}": "many"}) is None
    assert Rate.of({}) is None


def test_an_error_says_who_did_not_answer_and_why() -> None:
    cause = OSError("cut")

    told = unanswered(cause, host="api.test", backend="test", operation="read", ambiguous=True, timeout=3.0)

    assert str(told) == "test read: no answer from api.test within 3 s (OSError: cut)"
    assert (told.ambiguous, told.__cause__) == (True, cause)
