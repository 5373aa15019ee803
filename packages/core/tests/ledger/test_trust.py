"""Trust on the human path: the association and the author, both."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tertulia.ledger import Ledger
from tertulia.thread import Account

Make = Callable[..., Any]

TRUSTED = ("human-feedback", True, "flow")
UNTRUSTED = ("human-feedback", False, "unverified")


def _reason(made: Ledger) -> str:
    return made.reasons[made.records[-1].ref].reason


@pytest.mark.parametrize("association", ["OWNER", "MEMBER", "COLLABORATOR"])
def test_an_associated_trigger_author_is_trusted(fate: Make, ledger: Make, note: Make, association: str) -> None:
    message = note(1, association=association)

    assert fate(message) == TRUSTED
    assert _reason(ledger(message)) == f"the trigger author, associated as {association}"


@pytest.mark.parametrize(
    "association",
    [None, "", "member", "Owner", "CONTRIBUTOR", "FIRST_TIMER", "MANNEQUIN", "NONE", "EXTERNAL", "MEMBER ", "OWNERS"],
)
def test_any_other_association_is_not_enough(fate: Make, ledger: Make, note: Make, association: str | None) -> None:
    message = note(1, association=association)

    assert fate(message) == UNTRUSTED
    assert _reason(ledger(message)) == "the trigger author, but not an owner, member or collaborator"


def test_another_member_is_not_trusted(fate: Make, ledger: Make, note: Make, people: SimpleNamespace) -> None:
    message = note(1, author=people.bo, association="OWNER")

    assert fate(message) == UNTRUSTED
    assert _reason(ledger(message)) == "not the trigger author"


def test_without_a_trigger_author_nobody_is(fate: Make, ledger: Make, note: Make) -> None:
    message = note(1, association="OWNER")

    assert fate(message, trigger_author=None) == UNTRUSTED
    assert _reason(ledger(message, trigger_author=None)) == "the run has no trigger author"


def test_a_command_needs_the_same(fate: Make, note: Make, people: SimpleNamespace) -> None:
    assert fate(note(1, "/fix")) == ("command", True, "flow")
    assert fate(note(1, "/fix", people.eve)) == ("command", False, "unverified")


def test_ids_win_over_logins(fate: Make, note: Make) -> None:
    assert fate(note(1, author=Account(id="41", login="renamed"))) == TRUSTED
    assert fate(note(1, author=Account(id="99", login="ana-ruiz"))) == UNTRUSTED


def test_a_record_without_an_id_never_matches_a_known_id(fate: Make, note: Make) -> None:
    assert fate(note(1, author=Account(login="ana-ruiz"))) == UNTRUSTED


def test_logins_are_compared_when_the_runs_own_id_is_unknown(fate: Make, note: Make) -> None:
    author = Account(login="Ana-Ruiz")

    assert fate(note(1, author=Account(id="41", login="ana-RUIZ")), trigger_author=author) == TRUSTED
    assert fate(note(1, author=Account(login="ana-ruiz")), trigger_author=author) == TRUSTED
    assert fate(note(1, author=Account(id="41", login="ana-ruis")), trigger_author=author) == UNTRUSTED


def test_a_login_that_only_looks_alike_is_another(fate: Make, note: Make) -> None:
    for name in ("\u212aim", "k\u0131m", "\u03ba\u0069m"):
        assert fate(note(1, author=Account(id="9", login=name)), trigger_author=Account(login="kim")) == UNTRUSTED


def test_an_empty_login_matches_nobody(fate: Make, note: Make) -> None:
    assert fate(note(1, author=Account(login="")), trigger_author=Account(login="")) == UNTRUSTED


@pytest.mark.parametrize(
    "nobody",
    [
        Account(login="ghost"),
        Account(id="41", login="GHOST"),
        Account(id="10137", login="was-somebody"),
        Account(id="41", login="mannequin", placeholder=True),
    ],
)
def test_nobody_matches_nobody(fate: Make, ledger: Make, note: Make, nobody: Account) -> None:
    message = note(1, author=nobody)

    assert fate(message, trigger_author=nobody) == UNTRUSTED
    assert _reason(ledger(message, trigger_author=nobody)) == "the author is nobody in particular"


def test_a_trigger_author_who_is_nobody_matches_no_record(fate: Make, note: Make, people: SimpleNamespace) -> None:
    trigger = Account(id="41", login="ana-ruiz", placeholder=True)

    assert fate(note(1), trigger_author=trigger) == UNTRUSTED


def test_a_null_user_is_not_trusted(fate: Make, note: Make) -> None:
    assert fate(note(1, author=None), trigger_author=Account(login="")) == UNTRUSTED


def test_the_number_of_githubs_ghost_is_a_person_elsewhere(fate: Make, note: Make) -> None:
    message = note(1, author=Account(id="10137", login="u"), source_type="forum_post")

    assert fate(message, trusted_user_ids=["10137"]) == TRUSTED
    assert fate(note(1, author=Account(id="10137", login="u")), trusted_user_ids=["10137"]) == UNTRUSTED


@pytest.mark.parametrize("source_type", ["issue", "pull_request", "discussion"])
def test_it_is_nobodys_on_githubs_opening_posts(fate: Make, issue: Make, source_type: str) -> None:
    ghost = {"author": Account(id="10137", login="u"), "association": "OWNER", "source_type": source_type}

    assert fate(issue(**ghost), trusted_user_ids=["10137"]) == ("issue-body", False, "body")


def test_trusted_user_ids_take_the_place_of_having_started_the_run(
    fate: Make, ledger: Make, note: Make, people: SimpleNamespace
) -> None:
    message = note(1, author=people.bo)

    assert fate(message, trusted_user_ids=["42"]) == TRUSTED
    assert _reason(ledger(message, trusted_user_ids=["42"])) == "an account of trusted_user_ids, associated as MEMBER"
    assert fate(message, trusted_user_ids=["42"], trigger_author=None) == TRUSTED
    assert fate(message, trusted_user_ids=["41"]) == UNTRUSTED


def test_they_do_not_take_the_place_of_an_association(fate: Make, note: Make, people: SimpleNamespace) -> None:
    assert fate(note(1, author=people.eve, association="NONE"), trusted_user_ids=["66"]) == UNTRUSTED


def test_they_are_ids_and_no_logins(fate: Make, note: Make) -> None:
    assert fate(note(1, author=Account(login="42")), trusted_user_ids=["42"]) == UNTRUSTED


@pytest.mark.parametrize("role", ["write", "maintain", "admin"])
def test_a_permission_to_write_replaces_the_association(fate: Make, ledger: Make, note: Make, role: str) -> None:
    message = note(1, association="NONE")

    assert fate(message, permissions={"41": role}) == TRUSTED
    assert _reason(ledger(message, permissions={"41": role})) == f"the trigger author, with permission {role}"


@pytest.mark.parametrize(
    ("permissions", "word"),
    [
        ({"41": "read"}, "read"),
        ({"41": "triage"}, "triage"),
        ({"41": "none"}, "none"),
        ({"41": "external"}, "external"),
        ({"41": "Write"}, "unknown"),
        ({"41": ""}, "unknown"),
        ({"42": "admin"}, "unknown"),
        ({}, "unknown"),
    ],
)
def test_a_lower_or_unknown_permission_is_untrusted(
    fate: Make, ledger: Make, note: Make, permissions: dict[str, str], word: str
) -> None:
    message = note(1, association="OWNER")

    assert fate(message, permissions=permissions) == UNTRUSTED
    reason = f"the trigger author, but the permission is {word}, not write or above"
    assert _reason(ledger(message, permissions=permissions)) == reason


def test_an_author_without_an_id_has_no_permission(fate: Make, note: Make) -> None:
    message = note(1, author=Account(login="ana-ruiz"))

    assert fate(message, trigger_author=Account(login="ana-ruiz"), permissions={"ana-ruiz": "admin"}) == UNTRUSTED


def test_a_permission_replaces_only_the_association(fate: Make, note: Make, people: SimpleNamespace) -> None:
    assert fate(note(1, author=people.bo), permissions={"42": "admin"}) == UNTRUSTED


def test_the_trust_of_the_opening_post_is_judged_and_it_is_shown_anyway(
    fate: Make, issue: Make, people: SimpleNamespace
) -> None:
    assert fate(issue(author=people.ana, association="OWNER")) == ("issue-body", True, "body")
    assert fate(issue(author=people.ana)) == ("issue-body", False, "body")


def test_a_trigger_author_given_explicitly_stands_even_when_it_is_the_engine(
    fate: Make, ledger: Make, note: Make, people: SimpleNamespace, flags: Make
) -> None:
    message = note(1, author=people.engine)

    assert fate(message, trigger_author=people.engine) == TRUSTED
    assert flags(ledger(message, trigger_author=people.engine)) == ["shared-engine-account -"]


def test_the_engines_account_is_seen_by_its_login_too_when_either_id_is_unknown(
    ledger: Make, people: SimpleNamespace, flags: Make
) -> None:
    by_login = Account(login="LOOM-engine")

    assert flags(ledger(trigger_author=by_login)) == ["shared-engine-account -"]
    assert flags(ledger(trigger_author=people.engine, engine=by_login)) == ["shared-engine-account -"]
    assert flags(ledger(trigger_author=Account(id="71", login="loom-engine"))) == []


UNASSOCIATED = "trigger-author-not-associated -"


def test_when_only_the_association_is_missing_one_finding_says_so(ledger: Make, note: Make, flags: Make) -> None:
    made = ledger(*(note(number, association="CONTRIBUTOR") for number in range(1, 5)))

    assert flags(made) == [UNASSOCIATED]
    assert made.audit[0].detail == (
        "nothing the trigger author wrote is trusted: the backend shows no association, often because the membership of "
        "the organisation is private; make it public, or let the `permissions` option decide by the role on the repository"
    )


def test_one_trusted_record_is_enough_for_no_finding(ledger: Make, note: Make, flags: Make) -> None:
    assert flags(ledger(note(1, association="NONE"), note(2))) == []


def test_other_peoples_records_do_not_matter(ledger: Make, note: Make, people: SimpleNamespace, flags: Make) -> None:
    assert flags(ledger(note(1, author=people.eve, association="NONE"))) == []
    assert flags(ledger(note(1, author=people.bo), note(2, association="NONE"))) == [UNASSOCIATED]


def test_neither_does_what_the_engine_wrote(ledger: Make, note: Make, people: SimpleNamespace, flags: Make) -> None:
    answer = note(1, "<!-- bot-agent-x -->\nDone.", people.engine)

    assert flags(ledger(answer, note(2, association="NONE"))) == [UNASSOCIATED]


def test_the_opening_post_of_the_trigger_author_counts_too(
    ledger: Make, issue: Make, people: SimpleNamespace, flags: Make
) -> None:
    assert flags(ledger(issue(author=people.ana, association="NONE"))) == [UNASSOCIATED]


def test_a_low_permission_has_a_finding_of_its_own(ledger: Make, note: Make, flags: Make) -> None:
    made = ledger(note(1), note(2), permissions={"41": "read"})

    assert flags(made) == ["permission-too-low -"]
    assert made.audit[0].detail == (
        "nothing the trigger author wrote is trusted: the permission is below write, or could not be looked up"
    )
    assert flags(ledger(note(1), permissions={"41": "write"})) == []


def test_an_edit_is_another_reason_and_no_missing_association(ledger: Make, note: Make, at: Make, flags: Make) -> None:
    made = ledger(note(1, updated_at=at(9)), edit_guard=True, trigger_time=at(5))

    assert flags(made) == ["edited-after-trigger issue_comment:1"]
