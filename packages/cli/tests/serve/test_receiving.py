"""What senders are answered, and what of it is stored."""

import json
import socket
from typing import Any

import pytest

GITHUB = {"thread": "7", "id": "104"}
SLACK = {"event": {"type": "message", "thread": "1.1", "id": "1.1"}}


def counted(shared: Any, group: str, word: str) -> int:
    """Give a counter."""
    return int(shared.stats().get(group, {}).get(word, 0))


def test_a_signed_delivery_is_answered_and_handed_on_as_a_cloud_event(receiver: Any) -> None:
    running = receiver("--output", "events.jsonl")

    answer = running.github(GITHUB)
    stats = running.settled()

    (event,) = running.events()
    key = "github:acme/demo#7/issue_comment:104@x/comment_added"
    assert (answer.status_code, answer.text) == (200, "")
    assert event | {"data": None} == {
        "specversion": "1.0",
        "id": key,
        "source": "https://github.com/acme/demo/issues/7",
        "type": "tertulia.comment_added",
        "subject": "github:acme/demo#7",
        "time": "2026-01-01T00:00:03Z",
        "datacontenttype": "application/json",
        "data": None,
    }
    assert event["data"]["delivery"]["key"] == key
    assert stats["answered"] == {"accepted": 1}
    assert stats["deliveries"] == {"done": 1, "restored": 0}
    assert stats["events"] == {"emitted": 1}


def test_the_same_body_is_answered_and_handed_on_once(receiver: Any) -> None:
    running = receiver("--output", "events.jsonl")

    answers = [running.github(GITHUB, **{"x-github-delivery": str(n)}).status_code for n in range(3)]
    stats = running.settled()
    answers.append(running.github(GITHUB).status_code)

    assert answers == [200] * 4
    assert stats["answered"] == {"accepted": 1, "duplicate": 2}
    assert len(running.events()) == 1


def test_slack_gets_its_challenge_back_and_nothing_is_stored(shared: Any) -> None:
    before = counted(shared, "answered", "accepted")

    answer = shared.slack({"type": "url_verification", "challenge": "3eZbrw1aB", "token": "x"})

    assert (answer.status_code, answer.text) == (200, "3eZbrw1aB")
    assert answer.headers["content-type"].startswith("text/plain")
    assert counted(shared, "answered", "challenge") == 1
    assert counted(shared, "answered", "accepted") == before


def test_github_gets_an_answer_to_its_ping(shared: Any) -> None:
    answer = shared.github({"zen": "Design for failure."}, name="ping")

    assert (answer.status_code, answer.text) == (200, "pong")
    assert counted(shared, "answered", "ping") == 1


@pytest.mark.parametrize("path", ["github", "slack"])
def test_what_nobody_signed_is_refused_and_counted(path: str, shared: Any) -> None:
    before = counted(shared, "refused", "signature")

    answer = shared.http.post(f"{shared.url}/{path}", json=GITHUB, headers={"x-github-event": "issue_comment"})

    assert (answer.status_code, answer.text) == (401, "signature\n")
    assert counted(shared, "refused", "signature") == before + 1


@pytest.mark.parametrize("send", ["github", "slack"])
def test_a_wrong_secret_is_refused(send: str, shared: Any) -> None:
    assert getattr(shared, send)(GITHUB, secret="secret-of-somebody").status_code == 401


def test_a_body_that_was_changed_is_refused_before_anybody_parses_it(shared: Any) -> None:
    signature = {"x-hub-signature-256": "sha256=" + "0" * 64, "x-github-event": "issue_comment"}

    answer = shared.http.post(f"{shared.url}/github", content=b'{"bug": true}', headers=signature)

    assert answer.status_code == 401
    assert "dropped" not in shared.stats()


@pytest.mark.parametrize("age", [400, -400])
def test_a_request_that_is_replayed_is_refused_as_such(age: float, shared: Any) -> None:
    before = counted(shared, "refused", "replay")

    answer = shared.slack(SLACK, age=age)

    assert (answer.status_code, answer.text) == (401, "replay\n")
    assert counted(shared, "refused", "replay") == before + 1


def test_an_old_request_with_a_wrong_signature_is_no_replay(shared: Any) -> None:
    assert shared.slack(SLACK, age=400, secret="secret-of-somebody").text == "signature\n"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/github", 405),
        ("PUT", "/slack", 405),
        ("DELETE", "/stats", 405),
        ("POST", "/healthz", 405),
        ("POST", "/", 404),
        ("POST", "/github/", 404),
        ("POST", "/gitlab", 404),
        ("GET", "/favicon.ico", 404),
    ],
)
def test_other_methods_and_paths_are_refused_and_counted(method: str, path: str, status: int, shared: Any) -> None:
    word = {404: "path", 405: "method"}[status]
    before = counted(shared, "refused", word)

    answer = shared.http.request(method, f"{shared.url}{path}")

    assert answer.status_code == status
    assert counted(shared, "refused", word) == before + 1


def test_an_event_without_a_name_is_malformed(shared: Any) -> None:
    assert shared.github(GITHUB, name="").status_code == 400
    assert shared.github(GITHUB, name="Issue Comment!").status_code == 400


def test_a_body_of_25_mib_is_taken_and_one_byte_more_is_refused(shared: Any) -> None:
    most = b'{"thread": "7", "id": "1", "ignored": "long"'.ljust(25 * 2**20 - 1) + b"}"

    assert shared.github(most).status_code == 200
    assert shared.github(most + b" ").status_code == 413
    assert counted(shared, "refused", "too-large") == 1


def test_a_body_that_does_not_say_how_long_it_is_has_the_same_limit(shared: Any) -> None:
    def chunks() -> Any:
        for _ in range(26):
            yield b" " * 2**20

    before = counted(shared, "refused", "too-large")

    assert shared.http.post(f"{shared.url}/github", content=chunks()).status_code == 413
    assert counted(shared, "refused", "too-large") == before + 1


@pytest.mark.parametrize(("size", "more"), [(25 * 2**20 + 1, "Expect: 100-continue\r\n"), (2**40, "")])
def test_a_sender_that_promises_too_much_is_told_before_it_sends(size: int, more: str, shared: Any) -> None:
    assert promised(shared, size, more).startswith(b"HTTP/1.1 413 ")


def test_a_sender_that_never_ends_is_hung_up_on(shared: Any) -> None:
    before = counted(shared, "refused", "too-large")

    with pytest.raises(ConnectionError):
        goes_on(shared, b"POST /github HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")

    assert counted(shared, "refused", "too-large") == before + 1


def goes_on(running: Any, head: bytes) -> None:
    """Send a chunk after another, until nobody listens."""
    with connected(running) as connection:
        connection.sendall(head)
        while True:
            connection.sendall(b"100000\r\n" + b" " * 2**20 + b"\r\n")


def promised(running: Any, size: int, more: str) -> bytes:
    """Say how long a body will be, and give the answer: who is refused then need not send it."""
    with connected(running) as connection:
        connection.sendall(f"POST /github HTTP/1.1\r\nHost: x\r\n{more}Content-Length: {size}\r\n\r\n".encode())
        return connection.makefile("rb").read()


def connected(running: Any) -> socket.socket:
    """Connect to the receiver."""
    host, _, port = running.url.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=30)


def test_a_sender_that_goes_away_is_counted_and_nobody_else_notices(shared: Any) -> None:
    with connected(shared) as connection:
        connection.sendall(b"POST /github HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc")

    assert shared.http.get(f"{shared.url}/healthz").json() == {"status": "ok"}
    shared.until(lambda: counted(shared, "refused", "disconnected") == 1)


def test_a_hook_without_a_secret_is_not_there(receiver: Any) -> None:
    running = receiver(env={"SLACK_SIGNING_SECRET": ""})

    assert running.slack(SLACK).status_code == 404
    assert running.github(GITHUB).status_code == 200


def test_while_a_secret_is_replaced_both_are_accepted(receiver: Any) -> None:
    env = {"GITHUB_WEBHOOK_SECRET": "old-secret\n new-secret", "SLACK_SIGNING_SECRET": "old-secret new-secret"}
    running = receiver("--output", "events.jsonl", env=env)

    answers = {
        secret: running.github(GITHUB | {"text": secret}, secret=secret).status_code
        for secret in ("old-secret", "new-secret")
    }
    slack = [running.slack(SLACK, secret=secret).status_code for secret in ("old-secret", "new-secret")]
    both = running.github(GITHUB, secret="old-secret new-secret").status_code

    assert answers == {"old-secret": 200, "new-secret": 200}
    assert (slack, both) == ([200, 200], 401)


def test_no_secret_is_kept_or_printed(receiver: Any) -> None:
    running = receiver("--output", "events.jsonl", "--debug")
    running.github(GITHUB, authorization="Bearer a-token", cookie="a-cookie")
    running.slack(SLACK)
    stats = running.settled()
    running.stop()

    inbox = b"".join(path.read_bytes() for path in running.folder.glob("tertulia-inbox*"))
    assert b"issue_comment" in inbox
    for told in (inbox, running.errors.read_bytes(), json.dumps(stats).encode()):
        assert not [word for word in (b"secret-of", b"a-token", b"a-cookie", b"sha256=") if word in told]
    assert (running.folder / "tertulia-inbox.sqlite3").stat().st_mode & 0o077 == 0
