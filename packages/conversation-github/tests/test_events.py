"""Discussions and comments on them as GitHub sends them, made into events."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertulia.errors import Invalid
from tertulia.event import Delivery, Event, Ignored
from tertulia.thread import Account
from tertulia_conversation_github import _convert, adapter, normalize

Json = dict[str, Any]

PLACE = "https://github.com/acme/widgets/discussions/12"


def user(login: str, ident: int, **fields: Any) -> Json:
    """An account."""
    return {"login": login, "id": ident, "node_id": f"U_{ident}", "type": "User", **fields}


def discussion(**fields: Any) -> Json:
    """Discussion 12 of acme/widgets, by anna; the category's times have an offset, as GitHub's have."""
    category = {
        "id": 3301,
        "node_id": "DIC_3301",
        "repository_id": 1,
        "name": "General",
        "slug": "general",
        "emoji": ":speech_balloon:",
        "is_answerable": False,
        "created_at": "2025-03-01T04:00:00.000-05:00",
    }
    return {
        "id": 7001,
        "node_id": "D_7001",
        "number": 12,
        "title": "Release plan",
        "body": "What ships next?",
        "category": category | fields.pop("category", {}),
        "state": "open",
        "locked": False,
        "active_lock_reason": None,
        "user": user("anna-dev", 501),
        "html_url": PLACE,
        "answer_html_url": None,
        "answer_chosen_at": None,
        "created_at": "2025-03-01T10:00:00Z",
        "updated_at": "2025-03-01T10:00:00Z",
        **fields,
    }


def comment(ident: int = 8801, body: str | None = "hello", **fields: Any) -> Json:
    """A comment by ben; nobody replied to yet."""
    return {
        "id": ident,
        "node_id": f"DC_{ident}",
        "parent_id": None,
        "child_comment_count": 0,
        "discussion_id": 7001,
        "body": body,
        "user": user("ben-ops", 502),
        "author_association": "CONTRIBUTOR",
        "repository_url": "acme/widgets",
        "html_url": f"{PLACE}#discussioncomment-{ident}",
        "created_at": "2025-03-01T10:05:00Z",
        "updated_at": "2025-03-01T10:05:00Z",
        **fields,
    }


def payload(action: str, **fields: Any) -> Json:
    """The body of an event, sent by ben; with `comment` one of discussion_comment."""
    repository = {"id": 90210, "full_name": "acme/widgets"}
    sent = {"action": action, "discussion": discussion(), "repository": repository, "sender": user("ben-ops", 502)}
    return sent | fields


def deliver(body: Json | bytes, name: str | None = None, **transport: Any) -> Delivery:
    """Wrap a body as it would arrive."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    told = name or ("discussion_comment" if isinstance(body, dict) and "comment" in body else "discussion")
    return Delivery("github", told, raw, **transport)


def event(body: Json, **transport: Any) -> Event:
    """Give the one event of a payload, which the model takes back as it was written."""
    (made,) = normalize(deliver(body, **transport)).events
    assert Event.check(made.document()) == made
    return made


def said(body: Json, **transport: Any) -> Any:
    """Give the comment of the one event of a payload."""
    return event(body, **transport).transition.comment


def refused(body: Json | bytes, name: str | None = None) -> Invalid:
    """Give the refusal of a payload."""
    with pytest.raises(Invalid) as caught:
        normalize(deliver(body, name))
    return caught.value


def test_the_adapter_knows_the_two_events() -> None:
    assert (adapter.names, adapter.normalize) == ({"discussion", "discussion_comment"}, normalize)


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        ("created", "opened"),
        ("edited", "edited"),
        ("closed", "closed"),
        ("reopened", "reopened"),
        *((action, "updated") for action in ("answered", "unanswered", "category_changed", "pinned", "unpinned")),
        *((action, "updated") for action in ("locked", "unlocked", "transferred", "deleted", "invented tomorrow")),
    ],
)
def test_every_action_on_a_discussion_has_its_transition(action: str, kind: str) -> None:
    made = event(payload(action, changes={}))

    assert (made.transition.kind, made.source.raw_action) == (kind, action)
    assert (made.entity.kind, made.entity.id, str(made.entity.url)) == ("conversation", 12, PLACE)
    assert (made.repo, made.thread_key) == ("acme/widgets", "github:acme/widgets#12")
    assert made.actor.model_dump(exclude={"role_verified"}) == {
        "id": "ben-ops",
        "kind": "human",
        "role": "none",
        "is_entity_author": False,
        "account_id": "502",
    }


@pytest.mark.parametrize(("action", "kind"), [("created", "added"), ("edited", "edited"), ("deleted", "deleted")])
def test_every_action_on_a_comment_has_its_transition(action: str, kind: str) -> None:
    assert event(payload(action, comment=comment())).transition.kind == f"comment_{kind}"


def test_an_action_on_a_comment_that_says_nothing_is_ignored() -> None:
    normalized = normalize(deliver(payload("pinned", comment=comment())))

    assert normalized.ignored is not None
    assert (normalized.events, normalized.ignored.reason) == ((), "unsupported-action")


def test_a_comment_that_begins_a_thread_is_its_own_root() -> None:
    made = event(payload("created", comment=comment()))

    assert made.transition.comment is not None
    assert (made.transition.comment.id, made.transition.comment.parent_id) == ("8801", "8801")
    assert made.thread_key == "github:acme/widgets#12/8801"
    assert made.key == "github:acme/widgets#12/8801/discussion_comment:8801@2025-03-01T10:05:00Z/comment_added"
    assert (made.state.labels, made.actor.id) == ((), "ben-ops")


def test_a_reply_is_in_the_thread_that_graphql_says_too() -> None:
    reply = said(payload("created", comment=comment(8802, parent_id=8801)))
    root = said(payload("created", comment=comment(8801)))
    node = {"id": "DC_8802", "databaseId": 8802, "body": "hello", "createdAt": "2025-03-01T10:05:00Z"}

    found = _convert.comment(node | {"replyTo": {"id": "DC_8801", "databaseId": 8801}})

    assert (reply.id, reply.parent_id) == (found.id, found.parent_id) == ("8802", root.id)
    assert (reply.handle, found.handle) == ("DC_8802", "DC_8802")


def test_an_app_has_one_login_whichever_api_names_it() -> None:
    bot = user("helper-app[bot]", 900, type="Bot")
    made = event(payload("created", comment=comment(user=bot), sender=bot))

    found = _convert.account({"__typename": "Bot", "login": "helper-app", "databaseId": 900})

    assert found is not None
    assert (made.actor.id, made.actor.kind) == (found.login, found.kind) == ("helper-app[bot]", "bot")
    assert said(payload("created", comment=comment(user=bot))).author.kind == "bot"


def test_the_engines_own_comment_asks_for_nothing() -> None:
    bot, engine = user("helper-app[bot]", 900, type="Bot"), Account(id="900", login="helper-app[bot]", kind="bot")

    assert said(payload("created", comment=comment(body="/ask why", user=bot)), engine=engine).command is None
    assert said(payload("created", comment=comment(body="/ask why")), engine=engine).command == "/ask"


def test_a_body_with_crlf_has_its_command() -> None:
    found = said(payload("created", comment=comment(body="/ask why\r\nand when\r\n")))

    assert (found.command, found.instruction, found.commands) == ("/ask", "why", ("/ask",))


def test_an_edit_asks_for_what_it_added() -> None:
    edited = payload("edited", comment=comment(body="/ask why"), changes={"body": {"from": "why"}})

    assert said(edited).command == "/ask"
    assert said(edited | {"changes": {"body": {"from": "/ask when"}}}).command is None
    assert said(edited | {"changes": {}}).command is None


def test_deleted_accounts_are_the_ghost() -> None:
    made = event(payload("created", comment=comment(user=None), discussion=discussion(user=None), sender=None))

    assert (made.actor.id, made.actor.account_id, made.actor.is_entity_author) == ("ghost", None, False)
    assert made.transition.comment is not None
    assert made.transition.comment.author is not None
    assert made.transition.comment.author.login == "ghost"


def test_without_a_sender_the_runner_says_who_acted() -> None:
    body = payload("unanswered")
    del body["sender"]

    assert event(body).actor.id == "ghost"
    assert event(body, actor="carol").actor.id == "carol"


def test_who_opened_a_discussion_is_its_author() -> None:
    assert event(payload("edited", sender=user("renamed", 501))).actor.is_entity_author


def test_a_category_is_no_label() -> None:
    made = event(payload("created"))

    assert made.state.labels == ()
    assert made.state.conversation is not None
    assert made.state.conversation.model_dump(exclude_none=True) == {
        "category": {"id": "DIC_3301", "name": "General", "slug": "general"},
        "title": "Release plan",
        "locked": False,
        "closed": False,
    }


def conversation(**fields: Any) -> Any:
    """Give what an event says about a discussion."""
    return event(payload("edited", discussion=discussion(**fields))).state.conversation


@pytest.mark.parametrize(("answerable", "form"), [(True, "question_answer"), (False, None), (None, None)])
def test_a_category_that_takes_answers_is_for_questions(answerable: bool | None, form: str | None) -> None:
    assert conversation(category={"is_answerable": answerable, "name": "Q&A"}).category.format == form


def test_an_old_category_has_no_node_id_and_a_name() -> None:
    assert conversation(category={"node_id": None, "slug": None}).category.model_dump(exclude_none=True) == {
        "name": "General"
    }
    assert refused(payload("created", discussion=discussion(category={"name": " "}))).field is not None
    assert refused(payload("created", discussion=discussion() | {"category": None})).field == "discussion.category"


def test_a_discussion_is_answered_when_an_answer_was_chosen() -> None:
    questions = {"is_answerable": True}

    assert conversation(category=questions, answer_chosen_at="2021-03-30T19:17:18.000-04:00").answered is True
    assert conversation(category=questions).answered is False
    assert conversation().answered is None


@pytest.mark.parametrize(
    ("state", "closed"),
    [("open", False), ("closed", True), ("locked", None), ("converting", None), ("transferring", None), ("new", None)],
)
def test_any_state_is_taken_and_two_say_whether_it_is_closed(state: str, closed: bool | None) -> None:
    made = event(payload("created", discussion=discussion(state=state)))

    assert made.transition.kind == "opened"
    assert made.state.conversation is not None
    assert made.state.conversation.closed is closed


@pytest.mark.parametrize("locked", [True, False])
def test_the_switch_says_whether_it_is_locked_and_not_the_reason_it_was(locked: bool) -> None:
    for reason, state in (("resolved", "open"), (None, "locked")):
        assert conversation(locked=locked, active_lock_reason=reason, state=state).locked is locked


@pytest.mark.parametrize("listed", [{}, {"labels": None}, {"labels": [{"name": "Bug"}, {"name": "kept"}]}])
def test_the_events_own_label_is_put_on_and_taken_off(listed: Json) -> None:
    body = payload("labeled", discussion=discussion(**listed), label={"name": "bug"})

    added, removed = event(body), event(body | {"action": "unlabeled"})

    assert [label.lower() for label in added.state.labels if label != "kept"] == ["bug"]
    assert [label for label in removed.state.labels if label != "kept"] == []
    assert added.transition.model_dump(exclude_none=True)["label"] == {"name": "bug", "action": "added"}
    assert removed.transition.model_dump(exclude_none=True)["label"] == {"name": "bug", "action": "removed"}
    assert "General" not in added.state.labels


def test_a_transferred_discussion_is_at_its_new_place() -> None:
    there = discussion(number=1, id=9, html_url="https://github.com/acme/other/discussions/1", title="Moved")
    changes = {"new_discussion": there, "new_repository": {"full_name": "acme/other"}}

    made = event(payload("transferred", changes=changes), repo="acme/widgets")

    assert (made.repo, made.entity.id, made.entity.url) == ("acme/other", 1, there["html_url"])
    assert made.thread_key == "github:acme/other#1"
    assert made.state.conversation is not None
    assert made.state.conversation.title == "Moved"


def test_without_a_page_the_address_is_the_one_on_github() -> None:
    assert event(payload("created", discussion=discussion(html_url=None))).entity.url == PLACE


def test_an_update_that_moves_no_time_is_told_apart_by_its_body() -> None:
    first, second = (event(payload("pinned", sender=user(login, 3))) for login in ("x", "y"))

    assert first.key != second.key
    assert event(payload("locked")).key == "github:acme/widgets#12/discussion:7001@2025-03-01T10:00:00Z/updated:locked"


def test_both_formats_of_time_are_one_time() -> None:
    made = event(payload("created", discussion=discussion(updated_at="2025-03-01T05:00:00.000-05:00")))

    assert made.key.endswith("@2025-03-01T10:00:00Z/opened")


@pytest.mark.parametrize(
    ("body", "name", "field"),
    [
        (payload("created"), "discussion_comment", "comment"),
        (payload("created", comment=comment()), "discussion", "comment"),
        (payload("created", issue={"number": 1}), "discussion", "issue"),
        (payload("created", discussion=None), "discussion", "discussion"),
        (payload("created", discussion=discussion(number="12")), "discussion", "discussion.number"),
        (payload("created", comment=comment(parent_id="DC_1")), "discussion_comment", "comment.parent_id"),
        (payload("created", changes=[]), "discussion", "changes"),
        (payload("created", discussion=discussion(html_url="x:y")), "discussion", "discussion.html_url"),
        (
            payload("transferred", changes={"new_discussion": discussion(), "new_repository": {"full_name": "../x"}}),
            "discussion",
            "repo",
        ),
    ],
)
def test_what_github_does_not_send_is_refused_and_named(body: Json, name: str, field: str) -> None:
    assert refused(body, name).field == field


def test_a_body_over_githubs_limit_is_refused() -> None:
    assert "more than" in str(refused(b" " * (25 * 1024 * 1024 + 1)))


@pytest.mark.parametrize(
    ("name", "reason"), [("issues", "other-adapter"), ("ping", "ping"), ("push", "unsupported-event")]
)
def test_other_events_are_ignored_with_a_reason(name: str, reason: str) -> None:
    ignored = normalize(deliver({}, name)).ignored

    assert isinstance(ignored, Ignored)
    assert ignored.reason == reason


PLACES: list[Callable[[Json], Json]] = [
    lambda body: body,
    lambda body: body["discussion"],
    lambda body: body["discussion"]["category"],
    lambda body: body["discussion"]["user"],
    lambda body: body["comment"],
    lambda body: body["comment"]["user"],
    lambda body: body["sender"],
]
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=300), st.just([]), st.just({}), st.just([1])
)


@settings(max_examples=300, deadline=None)
@given(st.data(), st.sampled_from(PLACES), VALUES, st.sampled_from(["created", "edited", "deleted", "transferred"]))
def test_whatever_arrives_gives_an_event_or_a_refusal(
    data: st.DataObject, place: Callable[[Json], Json], value: Any, action: str
) -> None:
    body = payload(action, comment=comment(), changes={"new_discussion": discussion()})
    part = place(body)
    part[data.draw(st.sampled_from(sorted(part)))] = value
    if data.draw(st.booleans()):
        body.pop("comment", None)

    try:
        normalized = normalize(deliver(body))
    except Invalid:
        return
    assert all(Event.check(made.document()) == made for made in normalized.events)
