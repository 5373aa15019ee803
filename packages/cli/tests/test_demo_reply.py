"""The second half of `tertulia demo`: the answer, and the next run that recognises it; in memory, and on a live thread."""

import json
from types import ModuleType
from typing import Any

import pytest

from tertulia_cli._demo import _sample
from tertulia_cli._stage import Stage

Call = Any
ENGINE = {"FAKE_TOKEN": "engine"}


def by_ref(context: Any) -> dict[str, Any]:
    """Find records by their ref."""
    return {record["ref"]: record for record in context["records"]}


def test_the_bundled_thread_is_answered_and_the_answer_recognised(tertulia: Call) -> None:
    document, page = json.loads(tertulia("demo", "--json").out), tertulia("demo").out

    reply, first, again = document["reply"], by_ref(document["context"]), by_ref(document["again"])
    assert reply["posted"] is True
    assert reply["body"] in page
    assert set(again) - set(first) == {reply["ref"]}
    assert (again[reply["ref"]]["kind"], again[reply["ref"]]["trusted"]) == ("agent-output", True)
    assert {ref: record["decision"] for ref, record in again.items() if ref in first} == {
        ref: record["decision"] for ref, record in first.items()
    }
    assert "known for agent output" in page


def test_the_stage_takes_a_key_once() -> None:
    from tertulia.thread import Draft

    stage = Stage(_sample())
    draft = Draft(body="Hello.", agent="demo", key="K")

    assert stage.post(draft) == stage.post(draft)
    assert len(stage.read().messages) == len(_sample().listing.messages) + 1
    assert stage.post(Draft(body="Hello.", agent="demo")).ref != stage.post(Draft(body="Hello.", agent="demo")).ref


def test_a_live_thread_is_shown_and_not_written_to(tertulia: Call, hub: ModuleType) -> None:
    before = hub.TRACKER.listing("acme/demo#1")

    document = json.loads(tertulia("demo", hub.URL, "--json", env=ENGINE).out)
    page = tertulia("demo", hub.URL, env=ENGINE).out

    assert hub.TRACKER.listing("acme/demo#1") == before
    assert document["reply"]["posted"] is False
    assert document["again"] is None
    assert document["reply"]["body"] in page
    assert "nothing was written" in page
    assert "The second run" not in page


def test_post_answers_once_and_recognises_it(tertulia: Call, hub: ModuleType) -> None:
    first, second = (json.loads(tertulia("demo", hub.URL, "--post", "--json", env=ENGINE).out) for _ in range(2))

    ref = first["reply"]["ref"]
    assert ref == second["reply"]["ref"]
    assert len(hub.TRACKER.listing("acme/demo#1").messages) == 5
    assert by_ref(first["again"])[ref]["kind"] == "agent-output"
    assert ref not in by_ref(first["context"])
    assert "known for agent output" in tertulia("demo", hub.URL, "--post", env=ENGINE).out


@pytest.mark.parametrize("arguments", [["--post"], ["thread.json", "--post"]])
def test_only_a_live_thread_can_be_posted_to(arguments: list[str], tertulia: Call) -> None:
    done = tertulia("demo", *arguments)

    assert (done.status, done.out) == (2, "")
    assert "(--post)" in done.err
