"""What every adapter for GitHub's events gets from the core, tried on an adapter for milestones."""

import json
from typing import Any, Required

import pytest

from tertulia.errors import Invalid
from tertulia.event import Delivery, Event, Ignored
from tertulia.parsing.github_events import (
    Maker,
    Native,
    Nothing,
    Payload,
    Subject,
    comment_transition,
    entity,
    entity_mark,
    labelled,
    labels_of,
    normalized,
    person,
    with_label,
)


class Milestones(Payload, total=False):
    """What an adapter says of the payload it reads."""

    issue: Required[Subject]
    pull_request: Nothing
    comment: Nothing
    review: Nothing
    thread: Nothing
    discussion: Nothing


def noted(native: Native[Milestones]) -> Event | Ignored:
    """Write an update, but for what is closed."""
    issue, action = native.payload["issue"], native.payload["action"]
    if action == "closed":
        return native.unsupported_action()
    transition = native.transition({})
    labels = with_label(labels_of(issue, "issue"), transition.label)
    url = issue.get("html_url") or f"https://github.com/{native.repo}/issues/1"
    mark = entity_mark(native.thread(issue), native.delivery.payload, "issue", issue, action, transition)
    return native.event(issue, entity("work_item", issue["number"], url), transition, labelled(labels), mark)


MAKERS: dict[str, Maker[Any]] = {"milestone": Maker(Milestones, {"issue"}, noted)}


def deliver(action: str = "noted", name: str = "milestone", **fields: Any) -> Delivery:
    """Send one."""
    body = {"action": action, "issue": {"number": 1}, "repository": {"full_name": "acme/demo"}, **fields}
    return Delivery("github", name, json.dumps(body).encode())


def test_a_delivery_becomes_the_event_that_its_maker_writes() -> None:
    (event,) = normalized(deliver(sender={"login": "alice", "id": 1}), MAKERS).events

    assert (event.repo, event.actor.id, event.source.raw_type) == ("acme/demo", "alice", "milestone")
    assert event.thread_key == "github:acme/demo#1"


def test_a_maker_may_say_why_there_is_none() -> None:
    found = normalized(deliver("closed"), MAKERS)

    assert found.events == ()
    assert found.ignored is not None
    assert found.ignored.reason == "unsupported-action"


@pytest.mark.parametrize(
    ("name", "detail"),
    [
        ("discussion", "tertulia-conversation-github"),
        ("issues", "tertulia-forge-github"),
        ("push", "no conversation"),
        ("star", "is not one of"),
    ],
)
def test_an_event_without_a_maker_is_ignored_with_a_reason(name: str, detail: str) -> None:
    ignored = normalized(deliver(name=name), MAKERS).ignored

    assert ignored is not None
    assert detail in ignored.detail


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"comment": {}}, "comment"),
        ({"discussion": {}, "comment": {}}, "comment"),
        ({"issue": {}}, "issue.number"),
        ({"issue": {"number": 1, "html_url": "javascript:alert(1)"}}, "issue.html_url"),
        ({"action": ""}, "action"),
        ({"repository": None}, "repository.full_name"),
    ],
)
def test_what_the_name_does_not_allow_is_refused_and_named(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(Invalid) as caught:
        normalized(deliver(**fields), MAKERS)

    assert caught.value.field == field


def test_the_events_own_label_is_on_it() -> None:
    listed = {"number": 1, "labels": [{"name": "a"}, None, {"name": 5}]}

    (event,) = normalized(deliver("labeled", issue=listed, label={"name": "b"}), MAKERS).events

    assert event.state.labels == ("a", "b")


@pytest.mark.parametrize(
    ("user", "told"),
    [
        ({"login": "Helper[BOT]", "id": 7, "type": "User"}, ("Helper[BOT]", "7", "bot")),
        ({"login": "helper", "id": 7, "type": "bot"}, ("helper", "7", "bot")),
        ({"login": "Ghost", "id": 10137}, ("ghost", None, "human")),
        (None, ("ghost", None, "human")),
    ],
)
def test_a_person_is_read_in_one_way(user: Any, told: tuple[str, str | None, str]) -> None:
    assert person(user) == told


@pytest.mark.parametrize(("root", "parent"), [(None, "9"), (4, "4")])
def test_a_comment_is_its_own_root_without_another(root: int | None, parent: str) -> None:
    made = comment_transition("created", {"id": 9, "body": "/ask why"}, root, None, None)

    assert made.kind == "comment_added"
    assert made.comment is not None
    assert (made.comment.parent_id, made.comment.command) == (parent, "/ask")


def test_parts_that_come_again_are_made_once() -> None:
    sent = deliver(sender={"login": "alice", "id": 1})
    one, other = (normalized(sent, MAKERS).events[0] for _ in range(2))
    assert one == other
    assert one.entity is other.entity
    assert one.actor is other.actor
    assert one.state is other.state


def test_what_takes_much_room_is_not_kept_for_the_next_event() -> None:
    labels = [{"name": f"label {number}"} for number in range(100)]
    sent = deliver(issue={"number": 1, "labels": labels})
    one, other = (normalized(sent, MAKERS).events[0] for _ in range(2))
    assert one.state == other.state
    assert one.state is not other.state
