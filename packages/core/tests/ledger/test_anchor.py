"""Who may carry a marker: the engine by any of its ids, and on GitHub an account of type Bot; never a name."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tertulia.thread import Account

Make = Callable[..., Any]

BODY = "<!-- bot-agent-scribe -->\nMerged."
AGENT = ("agent-output", True, "flow")
HUMAN = ("human-feedback", False, "unverified")


def test_an_outsiders_marker_does_not_make_a_bot(
    fate: Make, ledger: Make, note: Make, people: SimpleNamespace, flags: Make
) -> None:
    message = note(1, BODY, people.eve, association="NONE")

    assert fate(message) == HUMAN
    assert flags(ledger(message)) == ["forged-marker issue_comment:1"]
    assert ledger(message).audit[0].detail == "a marker on an account that is neither the engine's nor a bot's"


def test_a_trusted_persons_marker_leaves_a_trusted_person(fate: Make, note: Make) -> None:
    assert fate(note(1, BODY)) == ("human-feedback", True, "flow")


def test_the_engine_is_known_by_its_number(fate: Make, note: Make) -> None:
    assert fate(note(1, BODY, Account(id="70", login="renamed"))) == AGENT
    assert fate(note(1, BODY, Account(id="71", login="loom-engine"))) == HUMAN
    assert fate(note(1, BODY, Account(login="loom-engine"))) == HUMAN


def test_any_of_its_ids_anchors(fate: Make, note: Make) -> None:
    engine = Account(id="U9", login="loom", aliases=frozenset({"B9", "A9"}))
    asked = {"engine": engine}

    for ident in ("U9", "B9", "A9"):
        assert fate(note(1, BODY, Account(id=ident, login="x")), **asked) == AGENT
    assert fate(note(1, BODY, Account(id="X", login="x", aliases=frozenset({"A9"}))), **asked) == AGENT
    assert fate(note(1, BODY, Account(id="X9", login="loom")), **asked) == HUMAN


def test_an_engine_known_by_aliases_alone_is_not_compared_by_login(fate: Make, note: Make) -> None:
    engine = Account(login="loom", aliases=frozenset({"B9"}))

    assert fate(note(1, BODY, Account(id="X9", login="loom")), engine=engine) == HUMAN
    assert fate(note(1, BODY, Account(id="B9", login="x")), engine=engine) == AGENT


def test_the_login_is_the_fallback_when_the_number_is_unknown(fate: Make, note: Make) -> None:
    engine = Account(login="Loom-Engine")

    assert fate(note(1, BODY, Account(id="70", login="lOOM-eNGINE")), engine=engine) == AGENT
    assert fate(note(1, BODY, Account(id="70", login="loom-engine2")), engine=engine) == HUMAN


def test_only_ascii_letters_have_two_cases(fate: Make, note: Make) -> None:
    """The Kelvin sign lowers to k, and a dotted capital I to an i with a dot."""
    for name, other in (
        ("kiki", "\u212aiki"),
        ("\u212aiki", "kiki"),
        ("zoo\u00e9", "zoo\u00c9"),
        ("a[b", "a{b"),
        ("a@b", "a`b"),
    ):
        assert fate(note(1, BODY, Account(id="9", login=other)), engine=Account(login=name)) == HUMAN
    assert fate(note(1, BODY, Account(id="9", login="AZ")), engine=Account(login="az")) == AGENT


def test_an_engine_without_a_name_and_an_id_is_nobody(fate: Make, note: Make) -> None:
    assert fate(note(1, BODY, Account(id="9", login="")), engine=Account(login="")) == HUMAN


def test_a_ghost_is_no_engine(fate: Make, note: Make) -> None:
    assert fate(note(1, BODY, Account(login="ghost")), engine=Account(login="Ghost")) == HUMAN


def test_a_github_bot_anchors_and_is_flagged(
    fate: Make, ledger: Make, note: Make, people: SimpleNamespace, flags: Make
) -> None:
    message = note(1, BODY, people.bot, association="NONE")

    assert fate(message) == AGENT
    assert flags(ledger(message)) == ["bot-anchor-not-engine issue_comment:1"]


@pytest.mark.parametrize("source_type", ["issue_comment", "review", "review_comment", "discussion_comment"])
def test_it_does_on_every_github_artifact(fate: Make, note: Make, people: SimpleNamespace, source_type: str) -> None:
    assert fate(note(1, BODY, people.bot, source_type=source_type)) == AGENT


def test_elsewhere_bot_is_self_declared_and_anchors_nothing(
    fate: Make, ledger: Make, note: Make, people: SimpleNamespace, flags: Make
) -> None:
    message = note(1, BODY, people.bot, source_type="forum_post")

    assert fate(message) == HUMAN
    assert flags(ledger(message)) == ["forged-marker forum_post:1"]


def test_a_name_never_anchors(fate: Make, note: Make) -> None:
    assert fate(note(1, BODY, Account(id="9", login="github-actions[bot]"))) == HUMAN


@pytest.mark.parametrize(
    "author",
    [
        None,
        Account(id="10137", login="was-deleted", kind="bot"),
        Account(login="ghost", kind="bot"),
        Account(id="5", login="m", kind="bot", placeholder=True),
    ],
)
def test_nobody_anchors_nothing(fate: Make, note: Make, author: Account | None) -> None:
    assert fate(note(1, BODY, author)) == HUMAN


def test_the_engine_itself_is_not_flagged(ledger: Make, note: Make, people: SimpleNamespace, flags: Make) -> None:
    assert flags(ledger(note(1, BODY, people.engine))) == []


def test_a_bot_without_a_marker_takes_the_human_path(
    fate: Make, ledger: Make, note: Make, people: SimpleNamespace, flags: Make
) -> None:
    message = note(1, "Coverage fell.", people.bot)

    assert fate(message) == HUMAN
    assert flags(ledger(message)) == []


def test_an_allowlist_takes_the_place_of_the_type(
    fate: Make, ledger: Make, note: Make, people: SimpleNamespace, flags: Make
) -> None:
    message = note(1, BODY, people.bot)
    listed = {"bot_anchor": "allowlist", "trusted_bot_ids": ["80"]}

    assert fate(message, **listed) == AGENT
    assert flags(ledger(message, **listed)) == []
    for other in (["81"], []):
        asked = {"bot_anchor": "allowlist", "trusted_bot_ids": other}
        assert fate(message, **asked) == HUMAN
        assert flags(ledger(message, **asked)) == ["bot-not-allowlisted issue_comment:1"]
        assert ledger(message, **asked).audit[0].detail == "a marker by a bot that is not in trusted_bot_ids"


def test_a_bot_without_a_number_is_on_no_allowlist(fate: Make, note: Make) -> None:
    message = note(1, BODY, Account(login="loom[bot]", kind="bot"))

    assert fate(message, bot_anchor="allowlist", trusted_bot_ids=["loom[bot]"]) == HUMAN


def test_a_person_on_the_allowlist_is_no_bot(fate: Make, note: Make, people: SimpleNamespace) -> None:
    asked = {"bot_anchor": "allowlist", "trusted_bot_ids": ["66"]}

    assert fate(note(1, BODY, people.eve), **asked) == HUMAN


def test_the_allowlist_means_nothing_unless_it_is_asked_for(fate: Make, note: Make, people: SimpleNamespace) -> None:
    assert fate(note(1, BODY, people.bot), trusted_bot_ids=["81"]) == AGENT


def test_the_engine_needs_no_allowlist(fate: Make, note: Make, people: SimpleNamespace) -> None:
    assert fate(note(1, BODY, people.engine), bot_anchor="allowlist") == AGENT


def test_without_an_engine_a_persons_marker_counts_for_nobody(
    fate: Make, ledger: Make, note: Make, people: SimpleNamespace, flags: Make
) -> None:
    message = note(1, BODY, people.engine)

    made = ledger(message, engine=None)

    assert fate(message, engine=None) == HUMAN
    assert flags(made) == ["engine-actor-unresolved -", "forged-marker issue_comment:1"]
    assert made.audit[1].detail == "a marker on an account that could not be compared with the engine's"


def test_without_an_engine_a_genuine_bot_still_anchors(fate: Make, note: Make, people: SimpleNamespace) -> None:
    assert fate(note(1, BODY, people.bot), engine=None) == AGENT


def test_a_bot_kind_is_trusted_whatever_its_association(fate: Make, note: Make, people: SimpleNamespace) -> None:
    assert fate(note(1, BODY, people.engine, association="NONE"), trigger_author=None) == AGENT


def test_the_reason_names_the_anchor(ledger: Make, note: Make, people: SimpleNamespace) -> None:
    made = ledger(note(1, BODY, people.engine), note(2, "<!-- bot-engine-x -->", people.bot))
    listed = ledger(note(1, BODY, people.bot), bot_anchor="allowlist", trusted_bot_ids=["80"])

    assert made.reasons["issue_comment:1"].reason == "the engine's own account, marked as agent output"
    assert (
        made.reasons["issue_comment:2"].reason == "a GitHub bot account that is not the engine, marked as engine output"
    )
    assert listed.reasons["issue_comment:1"].reason == "a bot of trusted_bot_ids, marked as agent output"


def test_where_it_is_known_what_the_engine_posted_nothing_else_anchors(
    fate: Make, ledger: Make, note: Make, people: SimpleNamespace, flags: Make
) -> None:
    for author in (people.engine, people.bot):
        message = note(1, BODY, author)
        made = ledger(message, posted_ids=["issue_comment:2"])

        assert fate(message, posted_ids=["issue_comment:1"]) == AGENT
        assert made.reasons["issue_comment:1"].decision == "unverified"
        assert flags(made) == ["forged-marker issue_comment:1"]
        assert made.audit[0].detail == "a marker on a message that the engine did not post (posted_ids)"
