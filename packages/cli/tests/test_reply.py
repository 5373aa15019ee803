"""`tertulia reply`: once, in parts where it is too long, and safe to run again after any failure."""

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tertulia import errors, outbound
from tertulia.thread import Limits
from tertulia_cli._parts import MOST, Answer, cut

Call = Any
ENGINE = {"FAKE_TOKEN": "engine"}
PLACE = "acme/demo#1"


@pytest.fixture
def reply(tertulia: Call, hub: ModuleType) -> Call:
    """Answer as the engine: `reply("text", "--key", "K")`."""

    def run(text: str, *arguments: str, thread: tuple[str, str] = ("--url", hub.URL)) -> Any:
        stdin = text.encode()
        return tertulia("reply", *thread, "--agent", "helper", "--body", "-", *arguments, stdin=stdin, env=ENGINE)

    return run


def posted(hub: ModuleType) -> list[str]:
    """Read what the engine has posted."""
    own = (one for one in hub.TRACKER.listing(PLACE).messages if one.author == hub.PEOPLE["engine"])
    return [one.body for one in own]


def test_an_answer_is_posted_once_whoever_runs_it_again(reply: Call, hub: ModuleType) -> None:
    first, second = reply("Here is why."), reply("Here is why.")

    assert (first.status, first.err) == (0, "")
    assert first.out == second.out
    (body,) = posted(hub)
    (message,) = json.loads(first.out)["messages"]
    assert body.startswith("<!-- bot-agent-helper -->\nHere is why.\n")
    assert outbound.find_key(body) == message["key"]
    assert message == {
        "part": 1,
        "ref": "issue_comment:1005",
        "id": "1005",
        "url": f"{hub.URL}#issuecomment-1005",
        "created_at": message["created_at"],
        "key": message["key"],
    }


def test_without_an_event_another_text_is_another_answer(reply: Call, hub: ModuleType) -> None:
    reply("Here is why.")
    reply("And here is how.")

    assert len(posted(hub)) == 2


def test_an_event_and_an_agent_are_one_answer_whatever_it_says(reply: Call, hub: ModuleType, event_file: str) -> None:
    first = reply("Here is why.", thread=("--event", event_file))
    second = reply("In other words.", thread=("--event", event_file))

    (body,) = posted(hub)
    assert first.out == second.out
    key = json.loads(Path(event_file).read_text("utf-8"))["delivery"]["key"]
    assert outbound.find_key(body) == outbound.key_digest(f"{key}/helper")


def test_a_key_of_ones_own_wins(reply: Call, hub: ModuleType, event_file: str) -> None:
    reply("One.", "--key", "K", thread=("--event", event_file))
    reply("Two.", "--key", "K")

    assert [outbound.find_key(body) for body in posted(hub)] == [outbound.key_digest("K")]


def test_a_dry_run_shows_what_is_posted_then_and_asks_nobody(reply: Call, hub: ModuleType) -> None:
    planned = reply("Here is <!-- why -->", "--dry-run")

    assert hub.CONNECTED == []
    assert posted(hub) == []
    document = json.loads(planned.out)
    reply("Here is <!-- why -->")
    assert [message["body"] for message in document["messages"]] == posted(hub)
    assert document["dry_run"] is True


LONG = "\n\n".join(f"Paragraph {n}: " + "word " * 60 for n in range(16))


def test_a_long_answer_comes_in_numbered_parts(reply: Call, hub: ModuleType) -> None:
    done = reply(LONG, "--key", "K")

    bodies, document = posted(hub), json.loads(done.out)
    count = len(bodies)
    assert count > 2
    assert document["parts"] == count
    assert [message["part"] for message in document["messages"]] == list(range(1, count + 1))
    assert [outbound.find_key(body) for body in bodies] == [outbound.key_digest(f"K/{n + 1}") for n in range(count)]
    assert [body.splitlines()[1] for body in bodies] == [f"({n + 1}/{count})" for n in range(count)]
    assert all(len(body) <= hub.LIMITS.body_chars for body in bodies)
    assert all(f"Paragraph {n}: " in "".join(bodies) for n in range(16))


def test_parts_are_short_enough_to_be_taken_whatever_is_in_them(reply: Call, hub: ModuleType) -> None:
    hub.TRACKER.limits = Limits(body_chars=2_000, part_chars=500)

    reply(LONG, "--key", "K")

    assert max(len(body) for body in posted(hub)) <= 500


def test_after_a_failure_the_same_command_goes_on_with_the_part_that_is_missing(reply: Call, hub: ModuleType) -> None:
    hub.FAULTS["post"] = [None, None, errors.Unavailable("502 Bad Gateway")]

    failed, again = reply(LONG), reply(LONG)

    assert failed.status == 4
    told = json.loads(failed.out)
    assert len(told["messages"]) == 2 < told["parts"]
    assert f"error: part 3 of {told['parts']}: 502 Bad Gateway (github:acme/demo#1): " in failed.err
    assert "the same command goes on with this part" in failed.err
    assert len(failed.err.splitlines()) == 1
    assert again.status == 0
    assert json.loads(again.out)["messages"][:2] == told["messages"]
    assert len(posted(hub)) == told["parts"]


def test_an_unknown_outcome_says_that_running_it_again_is_safe(reply: Call, hub: ModuleType) -> None:
    hub.FAULTS["lost"] = [errors.Unavailable("no answer", ambiguous=True)]

    failed, again = reply("Here is why."), reply("Here is why.")

    assert (failed.status, failed.out) == (4, "")
    assert "it may have landed: run the same again, with the same key nothing is posted twice" in failed.err
    assert again.status == 0
    assert len(posted(hub)) == 1


def test_an_interrupt_while_posting_says_that_running_it_again_is_safe(reply: Call, hub: ModuleType) -> None:
    hub.FAULTS["lost"] = [KeyboardInterrupt()]

    stopped, again = reply("Here is why."), reply("Here is why.")

    assert (stopped.status, stopped.out) == (130, "")
    assert stopped.err == (
        "note: interrupted while answering in github:acme/demo#1: "
        "it may have landed: run the same again, with the same key nothing is posted twice\n"
    )
    assert again.status == 0
    assert len(posted(hub)) == 1


def test_a_locked_thread_is_refused(reply: Call, hub: ModuleType) -> None:
    hub.TRACKER.lock(PLACE)

    done = reply("Here is why.")

    assert (done.status, done.out) == (3, "")
    assert "the issue is locked" in done.err


@pytest.mark.parametrize(
    ("body", "arguments", "told"),
    [
        (b"", (), "the text is empty"),
        (b" \n\t", (), "has nothing to read in it"),
        ("\u200b\u2060".encode(), (), "has nothing to read in it"),
        (b"\xff", (), "is not UTF-8"),
        (b"x", ("--agent", "Helper"), "--agent"),
        (b"x", ("--key", " "), "--key"),
        (b"x" * 200_000, (), f"more than {MOST}"),
    ],
)
def test_what_cannot_be_posted_is_refused_before_any_connection(
    body: bytes, arguments: tuple[str, ...], told: str, tertulia: Call, hub: ModuleType
) -> None:
    agent = () if "--agent" in arguments else ("--agent", "helper")

    done = tertulia("reply", "--url", hub.URL, "--body", "-", *agent, *arguments, stdin=body, env=ENGINE)

    assert (done.status, done.out) == (2, "")
    assert told in done.err
    assert len(done.err.splitlines()) == 1
    assert hub.CONNECTED == []


def test_a_comment_on_a_flat_thread_is_answered_in_the_thread(reply: Call, hub: ModuleType) -> None:
    done = reply("Here is why.", thread=("--url", f"{hub.URL}#issuecomment-1002"))

    assert done.status == 0
    assert len(posted(hub)) == 1


@pytest.mark.parametrize("limit", [150, 300, 2_000, None])
def test_parts_depend_on_answer_and_limit_only(limit: int | None) -> None:
    text = "\n\n".join(f"{n} @channel <!-- x -->" for n in range(30))
    answer = Answer(text, "helper", "K")

    parts = cut(answer, limit, "none")

    assert parts == cut(answer, limit, "none")
    assert [part.key for part in parts] == (["K"] if len(parts) == 1 else [f"K/{n + 1}" for n in range(len(parts))])
    assert all(limit is None or len(outbound.prepare(part, carrier="none", limit=limit)) <= limit for part in parts)
