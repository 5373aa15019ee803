"""What senders are told when it is not they who are wrong: the same application, with a store that fails."""

import asyncio
import hashlib
import hmac
import json
import sqlite3
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tertulia.event import Delivery
from tertulia_cli.serve import _http as http
from tertulia_cli.serve import _storing as storing
from tertulia_cli.serve._counters import Counters
from tertulia_cli.serve._hooks import GitHub

BODY = b'{"thread": "7"}'


def answered(accept: Any, content: Any = BODY, body: bytes = BODY) -> tuple[int, str, dict[str, Any]]:
    """Send one delivery to an application that stores in this way; gives the answer and the counters."""
    counters = Counters()

    async def tell() -> dict[str, Any]:
        return {"status": "full"}

    async def send() -> httpx.Response:
        app = http.application([GitHub(["s"])], accept, counters, tell, tell)
        signature = hmac.new(b"s", body, hashlib.sha256).hexdigest()
        headers = {"x-hub-signature-256": f"sha256={signature}", "x-github-event": "issues"}
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as client:
            return await client.post("/github", content=content, headers=headers)

    answer = asyncio.run(send())
    return answer.status_code, answer.text.strip(), counters.document()


def failing(error: Exception) -> Any:
    """Make a store that fails."""

    async def accept(delivery: Delivery) -> bool:
        raise error

    return accept


async def takes_it(delivery: Delivery) -> bool:
    """Store nothing, and say it is new."""
    return True


def full() -> sqlite3.Error:
    """Make the error of a file without room."""
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return error


@pytest.mark.parametrize(
    ("error", "word"), [(full(), "full"), (sqlite3.OperationalError("disk I/O error"), "store-failed")]
)
def test_what_could_not_be_stored_is_not_acknowledged(error: Exception, word: str) -> None:
    assert answered(failing(error)) == (503, word, {"refused": {word: 1}, "requests": {"github": 1}})


def test_a_bug_is_counted_and_the_sender_comes_again(capsys: pytest.CaptureFixture[str]) -> None:
    refused = (500, "failed", {"refused": {"failed": 1}, "requests": {"github": 1}})

    assert answered(failing(ZeroDivisionError("by nobody"))) == refused
    assert "a request of github failed: ZeroDivisionError: by nobody at test_answers.py" in capsys.readouterr().err


def test_a_store_that_takes_too_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storing, "STORED_WITHIN", 0.01)

    async def never(delivery: Delivery) -> bool:
        await asyncio.Event().wait()
        return True

    assert answered(never)[:2] == (503, "store-slow")


def test_a_sender_that_takes_too_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "BODY_WITHIN", 0.01)

    async def slowly() -> AsyncIterator[bytes]:
        yield BODY[:5]
        await asyncio.sleep(0.1)
        yield BODY[5:]

    assert answered(takes_it, slowly())[:2] == (408, "too-slow")


def test_when_there_is_no_memory_left_senders_are_told_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "IN_MEMORY", len(BODY) - 1)

    assert answered(takes_it)[:2] == (503, "busy")


def test_memory_that_was_lent_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "IN_MEMORY", len(BODY))

    async def send_twice() -> list[int]:
        app = http.application([GitHub(["s"])], takes_it, Counters(), dict, dict)  # type: ignore[arg-type]
        headers = {
            "x-hub-signature-256": f"sha256={hmac.new(b's', BODY, hashlib.sha256).hexdigest()}",
            "x-github-event": "a",
        }
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as client:
            return [(await client.post("/github", content=BODY, headers=headers)).status_code for _ in range(3)]

    assert asyncio.run(send_twice()) == [200] * 3


def test_a_receiver_that_is_full_says_so_to_who_asks_after_its_health() -> None:
    async def tell() -> dict[str, Any]:
        return {"status": "full"}

    async def ask() -> httpx.Response:
        app = http.application([], takes_it, Counters(), tell, tell)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as client:
            return await client.get("/healthz")

    answer = asyncio.run(ask())
    assert (answer.status_code, json.loads(answer.text)) == (503, {"status": "full"})
