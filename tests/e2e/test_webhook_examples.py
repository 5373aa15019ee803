"""GitHub's own examples, every one of them: events that hold, or a reason."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import jsonschema
import pytest

from tertulia.errors import Invalid
from tertulia.event import Delivery, Event, Normalized, schema
from tertulia.registry import normalizer

Json = dict[str, Any]

OURS = {
    "issues",
    "issue_comment",
    "pull_request",
    "pull_request_target",
    "pull_request_review",
    "pull_request_review_comment",
    "discussion",
    "discussion_comment",
}
UNDATED = {"labeled", "unlabeled", "assigned", "unassigned", "milestoned", "demilestoned", "pinned", "unpinned"}
UNDATED |= {"review_requested", "review_request_removed", "answered", "unanswered", "category_changed"}
"""Actions on something that has no `updated_at` of its own."""


@dataclass(frozen=True)
class Example:
    """One payload and what became of it."""

    place: str
    name: str
    payload: Json
    normalized: Normalized


@pytest.fixture(scope="module")
def examples(webhook_examples: dict[str, list[Json]]) -> list[Example]:
    """Normalize them all. An exception fails every test of this module, and names the payload."""
    return list(normalized(webhook_examples))


def normalized(webhook_examples: dict[str, list[Json]]) -> Iterator[Example]:
    for release, events in webhook_examples.items():
        for event in events:
            normalize = normalizer_of(event["name"])
            for at, payload in enumerate(event["examples"]):
                place = f"{release} {event['name']}[{at}]"
                delivery = Delivery("github", event["name"], json.dumps(payload).encode())
                try:
                    result = normalize(delivery)
                except Exception as error:
                    raise AssertionError(f"{place}: {type(error).__name__}: {error}") from error
                yield Example(place, event["name"], payload, result)


@cache
def normalizer_of(name: str) -> Callable[[Delivery], Normalized]:
    """Give what normalizes an event: of the adapters installed, the one that knows its name."""
    found = normalizer("github", name).normalize
    assert found is not None
    return found


def subject_of(payload: Json) -> Json:
    """Give what an event is about: where a transferred discussion is now."""
    there = payload.get("changes", {}).get("new_discussion")
    return there or payload.get("pull_request") or payload.get("issue") or payload["discussion"]


def repo_of(payload: Json) -> str:
    """Name the repository of it."""
    changes = payload.get("changes", {})
    repository = changes["new_repository"] if "new_discussion" in changes else payload["repository"]
    return str(repository["full_name"])


def pairs(examples: list[Example]) -> Iterator[tuple[Example, Event]]:
    for example in examples:
        for event in example.normalized.events:
            yield example, event


def test_every_example_gives_events_or_a_reason(examples: list[Example]) -> None:
    assert len(examples) > 700
    for example in examples:
        given, ignored = example.normalized.events, example.normalized.ignored
        assert bool(given) is (ignored is None), example.place
        assert ignored is None or (ignored.reason and ignored.detail), example.place


def test_examples_of_our_events_give_one_event_each(examples: list[Example]) -> None:
    ours = [example for example in examples if example.name in OURS]
    silent = [example for example in ours if not example.normalized.events]

    assert len(ours) > 100
    assert {len(example.normalized.events) for example in ours if example not in silent} == {1}
    for example in silent:
        assert example.normalized.ignored is not None
        assert example.normalized.ignored.reason == "empty-review", example.place
        assert example.payload["review"]["state"] == "commented"
        assert not example.payload["review"]["body"]


def test_every_example_about_a_discussion_gives_an_event(examples: list[Example]) -> None:
    discussed = [example for example in examples if "discussion" in example.name]

    assert Counter(example.name for example in discussed) == {"discussion": 15, "discussion_comment": 4}
    for example in discussed:
        (event,) = example.normalized.events
        native, told = subject_of(example.payload), event.state.conversation
        assert told is not None, example.place
        assert told.category.id == native["category"]["node_id"], example.place
        assert (told.category.format is not None) is native["category"]["is_answerable"], example.place
        assert told.locked is native["locked"], example.place


def test_examples_of_other_events_are_ignored(examples: list[Example]) -> None:
    assert [example.place for example in examples if example.name not in OURS and example.normalized.events] == []


def test_every_event_fits_the_schema(examples: list[Example]) -> None:
    validator = jsonschema.Draft202012Validator(schema())

    for example, event in pairs(examples):
        errors = [error.message for error in validator.iter_errors(event.document())]
        assert errors == [], example.place
        assert Event.check(event.document()) == event, example.place


def test_every_event_says_what_its_payload_says(examples: list[Example]) -> None:
    for example, event in pairs(examples):
        payload = example.payload
        subject = subject_of(payload)
        assert event.repo == repo_of(payload), example.place
        assert event.entity.id == subject["number"], example.place
        assert event.actor.id == payload["sender"]["login"], example.place
        assert event.actor.account_id == str(payload["sender"]["id"]), example.place
        assert event.source.model_dump() == {
            "system": "github",
            "raw_type": example.name,
            "raw_action": payload["action"],
        }
        assert event.time is not None, example.place


def test_every_comment_is_whole(examples: list[Example]) -> None:
    commented = [(example, event) for example, event in pairs(examples) if "comment" in example.payload]

    assert commented
    for example, event in commented:
        native, comment = example.payload["comment"], event.transition.comment
        assert comment is not None, example.place
        assert (comment.id, comment.handle) == (str(native["id"]), native["node_id"])
        assert comment.parent_id == str(native.get("in_reply_to_id") or native.get("parent_id") or native["id"])
        assert comment.body == native["body"][:4096]
        assert comment.author is not None
        assert comment.author.id == str(native["user"]["id"])


def test_two_events_share_a_key_only_when_they_report_one_fact(examples: list[Example]) -> None:
    facts: dict[str, Json] = {}
    for example, event in pairs(examples):
        facts.setdefault(event.key, {}).setdefault(repr(fact(example)), []).append(example.place)

    assert len(facts) > 50
    assert {key: found for key, found in facts.items() if len(found) > 1} == {}


def fact(example: Example) -> list[Any]:
    """Say what a payload reports, without looking at its event: who did what to which revision of which thing."""
    payload = example.payload
    subject = subject_of(payload)
    thing = payload.get("comment") or payload.get("review") or subject
    beside = [
        named(payload.get(part)) for part in ("label", "assignee", "milestone", "requested_reviewer", "requested_team")
    ]
    undated = payload["action"] in UNDATED or thing.get("updated_at") is None
    told = payload if undated else thing["updated_at"]
    place = [repo_of(payload), subject["number"], subject["id"]]
    return [example.name.removesuffix("_target"), payload["action"], place, thing["id"], beside, told]


def named(part: Json | None) -> Any:
    return part and (part.get("login") or part.get("slug") or part.get("name") or part.get("title"))


def test_a_delivery_has_the_same_key_each_time_it_arrives(
    examples: list[Example], webhook_examples: dict[str, list[Json]]
) -> None:
    again = list(normalized(webhook_examples))

    assert [event.key for _, event in pairs(examples)] == [event.key for _, event in pairs(again)]


@pytest.mark.parametrize("name", sorted(OURS))
def test_no_example_is_taken_for_another_event(examples: list[Example], name: str) -> None:
    """The event's name is not signed, so the body's own keys must agree with it."""
    for example in examples:
        if example.name in OURS:
            same = example.name.removesuffix("_target") == name.removesuffix("_target")
            assert is_read(name, example.payload) is same, example.place


def is_read(name: str, payload: Json) -> bool:
    """Tell whether a body is read under a name, or refused."""
    try:
        normalizer_of(name)(Delivery("github", name, json.dumps(payload).encode()))
    except Invalid:
        return False
    return True
