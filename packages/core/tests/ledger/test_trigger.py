"""Who a run may trust: derived from the event that started it."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tertulia.event import Event
from tertulia.ledger import trigger_of
from tertulia.thread import Account

Make = Callable[..., Any]

AMBIGUOUS = ["trigger-author-ambiguous"]


@pytest.fixture
def event() -> Make:
    """Make an event on an issue: ana (41) does something; keywords replace parts of it."""

    def make(kind: str, author: dict[str, Any] | None = None, /, system: str = "github", **actor: Any) -> Event:
        transition: dict[str, Any] = {"kind": kind}
        if kind.startswith("comment_"):
            transition["comment"] = {"body": "/go"} | ({"author": author} if author else {})
        if kind == "label_changed":
            transition["label"] = {"name": "ready", "action": "added"}
        who = {"id": "ana-ruiz", "kind": "human", "role": "write", "is_entity_author": False, "account_id": "41"}
        return Event.check(
            {
                "repo": "acme/shop",
                "entity": {"kind": "work_item", "id": 7, "url": "https://github.com/acme/shop/issues/7"},
                "transition": transition,
                "actor": {name: value for name, value in (who | actor).items() if value is not None},
                "state": {"labels": []},
                "source": {"system": system, "raw_type": "issues"},
            }
        )

    return make


def _author(ident: str | None = "41", login: str = "ana-ruiz") -> dict[str, Any]:
    return {"login": login, "kind": "human"} | ({"id": ident} if ident else {})


def _derived(event: Event, engine: Account | None = None) -> tuple[str | None, list[str]]:
    author, findings = trigger_of(event, engine)
    return author.login if author else None, [finding.flag for finding in findings]


@pytest.mark.parametrize("kind", ["closed", "reopened", "label_changed", "updated", "comment_deleted"])
def test_the_sender_of_most_events_is_the_trigger_author(event: Make, people: SimpleNamespace, kind: str) -> None:
    author, findings = trigger_of(event(kind, _author("66", "eve-x")), people.engine)

    assert (author, findings) == (people.ana, ())


@pytest.mark.parametrize("kind", ["comment_added", "comment_edited"])
def test_the_sender_of_a_comment_must_have_written_it(event: Make, kind: str) -> None:
    assert _derived(event(kind, _author())) == ("ana-ruiz", [])
    assert _derived(event(kind, _author("66", "eve-x"))) == (None, AMBIGUOUS)
    assert _derived(event(kind)) == (None, AMBIGUOUS)
    assert _derived(event(kind, is_entity_author=True)) == (None, AMBIGUOUS)


def test_sender_and_author_compare_by_id(event: Make) -> None:
    assert _derived(event("comment_added", _author("41", "renamed"))) == ("ana-ruiz", [])
    assert _derived(event("comment_added", _author("99"))) == (None, AMBIGUOUS)
    assert _derived(event("comment_added", _author(None))) == (None, AMBIGUOUS)


def test_they_compare_by_login_when_the_sender_has_no_id(event: Make) -> None:
    assert _derived(event("comment_added", _author("41", "ANA-ruiz"), account_id=None)) == ("ana-ruiz", [])
    assert _derived(event("comment_added", _author(None), account_id=None)) == ("ana-ruiz", [])
    assert _derived(event("comment_added", _author(None, "eve-x"), account_id=None)) == (None, AMBIGUOUS)
    kelvin = event("comment_added", _author(None, "\u212aim"), account_id=None, id="kim")
    assert _derived(kelvin) == (None, AMBIGUOUS)


@pytest.mark.parametrize("kind", ["opened", "edited"])
def test_the_sender_must_have_written_the_opening_post(event: Make, kind: str) -> None:
    assert _derived(event(kind, is_entity_author=True)) == ("ana-ruiz", [])
    assert _derived(event(kind)) == (None, AMBIGUOUS)


def test_the_finding_names_the_kind_of_event(event: Make) -> None:
    _, findings = trigger_of(event("edited"), None)

    assert findings[0].detail.startswith("the sender of the edited event is not known to be the author")


def test_a_bot_is_nobody(event: Make) -> None:
    assert _derived(event("closed", kind="bot")) == (None, [])


@pytest.mark.parametrize("login", ["loom[bot]", "Loom[BOT]"])
def test_the_login_of_a_bot_is_nobodys_either(event: Make, login: str) -> None:
    assert _derived(event("closed", id=login)) == (None, [])


def test_the_engine_is_nobody(event: Make) -> None:
    assert _derived(event("closed"), Account(id="41", login="x")) == (None, [])
    assert _derived(event("closed"), Account(id="70", login="ana-ruiz")) == ("ana-ruiz", [])


def test_the_engine_is_known_by_its_login_when_either_id_is_unknown(event: Make) -> None:
    assert _derived(event("closed", account_id=None), Account(id="41", login="Ana-Ruiz")) == (None, [])
    assert _derived(event("closed"), Account(login="Ana-Ruiz")) == (None, [])


def test_ghost_is_nobody(event: Make) -> None:
    assert _derived(event("closed", id="ghost")) == (None, [])
    assert _derived(event("closed", account_id="10137")) == (None, [])


@pytest.mark.parametrize("system", ["schedule", "manual"])
def test_a_schedule_and_a_dispatch_are_nobody(event: Make, system: str) -> None:
    assert _derived(event("updated", system=system)) == (None, [])
    assert _derived(event("opened", system=system)) == (None, [])


SENDER = {"id": 41, "login": "ana-ruiz", "type": "User"}
OTHER = {"id": 66, "login": "eve-x", "type": "User"}


@pytest.fixture
def derived(saved: Make, opened: Make, item: Make) -> Make:
    """Read a snapshot of ana's issue with an event in its context."""

    def make(kind: str, sender: Any = SENDER, author: Any = None, opener: Any = SENDER, **asked: Any) -> Any:
        first = item(9007, source_type="issue", title="Cart", user=opener)
        happening = {"kind": kind, "sender": sender, "comment_author": author}
        run = opened(saved(item(1, user=OTHER), first, event=happening, **asked)).run
        return run.trigger_author and run.trigger_author.login, [finding.flag for finding in run.findings]

    return make


@pytest.mark.parametrize("kind", ["issue_comment.created", "issue_comment.edited", "comment_added", "comment_edited"])
def test_a_saved_event_on_a_comment_needs_its_author(derived: Make, kind: str) -> None:
    assert derived(kind, author=SENDER) == ("ana-ruiz", [])
    assert derived(kind, author=OTHER) == (None, AMBIGUOUS)
    assert derived(kind) == (None, AMBIGUOUS)


@pytest.mark.parametrize("kind", ["pull_request_review.edited", "pull_request_review_comment.edited"])
def test_the_opening_posts_author_is_not_that_of_what_stands_below_it(derived: Make, kind: str) -> None:
    assert derived(kind) == (None, AMBIGUOUS)


@pytest.mark.parametrize("kind", ["issues.opened", "issues.edited", "opened", "edited", "discussion.created"])
def test_a_saved_event_on_the_opening_post_takes_its_author(derived: Make, kind: str) -> None:
    assert derived(kind) == ("ana-ruiz", [])
    assert derived(kind, opener=OTHER) == (None, AMBIGUOUS)
    assert derived(kind, opener=None) == (None, AMBIGUOUS)


def test_an_author_who_is_nobody_is_not_the_sender(derived: Make) -> None:
    assert derived("issue_comment.created", author=SENDER | {"type": "Mannequin"}) == (None, AMBIGUOUS)


def test_created_alone_does_not_say_what_was_created(derived: Make) -> None:
    assert derived("created") == (None, AMBIGUOUS)


@pytest.mark.parametrize(
    "kind",
    ["issues.labeled", "issues.assigned", "issues.closed", "pull_request_review.submitted", "label_changed", "closed"],
)
def test_the_sender_of_other_saved_events_stands(derived: Make, kind: str) -> None:
    assert derived(kind, opener=OTHER) == ("ana-ruiz", [])


@pytest.mark.parametrize(
    "kind", ["schedule", "manual", "dispatch", "workflow_dispatch", "repository_dispatch", "github.schedule"]
)
def test_a_saved_schedule_or_dispatch_is_nobody(derived: Make, kind: str) -> None:
    assert derived(kind) == (None, [])


@pytest.mark.parametrize(
    "sender", [None, {}, {"login": "ghost"}, {"id": 5, "login": "loom", "type": "Bot"}, {"id": 5, "type": "Mannequin"}]
)
def test_a_saved_event_whose_sender_is_nobody_trusts_nobody(derived: Make, sender: Any) -> None:
    assert derived("issues.closed", sender=sender) == (None, [])


def test_a_saved_event_of_the_engine_trusts_nobody(derived: Make) -> None:
    assert derived("issues.closed", engine_actor={"id": 41, "login": "x"}) == (None, [])


def test_a_trigger_author_given_explicitly_wins_over_the_event(derived: Make) -> None:
    assert derived("issues.closed", trigger_author=OTHER) == ("eve-x", [])
    assert derived("issues.closed", trigger_author=None) == (None, [])


def test_what_deriving_brought_up_is_among_the_findings(
    saved: Make, opened: Make, item: Make, context: Make, ledger: Make, flags: Make, people: SimpleNamespace
) -> None:
    happening = {"kind": "issue_comment.created", "sender": SENDER, "comment_author": OTHER}
    run = opened(saved(item(), event=happening)).run

    assert flags(ledger(findings=run.findings)) == ["trigger-author-ambiguous -"]


def test_without_the_opening_post_nobody_is_known_to_have_opened_it(saved: Make, opened: Make, item: Make) -> None:
    run = opened(saved(item(), event={"kind": "issue.opened", "sender": {"id": 41, "login": "ana-ruiz"}})).run

    assert (run.trigger_author, [finding.flag for finding in run.findings]) == (None, AMBIGUOUS)
