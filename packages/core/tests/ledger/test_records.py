"""Records: metadata only, frozen, keyed by type and id."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from pydantic import ValidationError

from tertulia.ledger import Context, Entry, Finding, Ledger, Options, Run, StateInfo, ThreadRecord, Verdict


def _record(**fields: Any) -> ThreadRecord:
    return ThreadRecord(**({"kind": "command", "source_type": "issue_comment", "id": "104"} | fields))


def test_a_key_is_written_with_its_type() -> None:
    assert _record().ref == "issue_comment:104"


def test_an_issue_and_a_comment_may_share_a_number() -> None:
    assert _record().ref != _record(source_type="issue", kind="issue-body").ref


def test_a_record_never_holds_a_body() -> None:
    assert set(ThreadRecord.model_fields) == {
        *("kind", "source_type", "id", "url", "user_id", "user_login", "user_name", "created_at", "author_association"),
        *("trusted", "deleted", "parent_id", "updated_at", "author_type", "app_id", "minimized", "first_seen"),
        *("observed_rev", "digest", "cut"),
    }


@pytest.mark.parametrize(
    "made",
    [
        _record(),
        Verdict(decision="flow", reason="r"),
        Finding(flag="resurrected", detail="d"),
        Run(),
        Options(),
        Ledger(),
        StateInfo(),
        Context(text="", records=(), fence="0" * 32),
    ],
    ids=lambda made: type(made).__name__,
)
def test_nothing_is_ever_changed_in_place(made: Any) -> None:
    name = next(iter(type(made).model_fields))

    with pytest.raises(ValidationError, match="frozen"):
        setattr(made, name, None)


def test_an_entry_is_never_changed_in_place() -> None:
    with pytest.raises(FrozenInstanceError):
        Entry(record=_record(), decision="flow", reason="r").reason = "s"  # type: ignore[misc]


def test_a_context_is_printed_and_read_with_its_entries() -> None:
    entry = Entry(record=_record(), decision="flow", reason="r")
    made = Context(text="", records=(entry,), fence="0" * 32)

    assert Context.model_validate_json(made.model_dump_json()) == made


def test_a_model_takes_no_field_it_does_not_know() -> None:
    with pytest.raises(ValidationError, match="body"):
        _record(body="text")


@pytest.mark.parametrize("kind", ["issue-body", "command", "engine-output", "agent-output", "human-feedback"])
def test_there_are_five_kinds(kind: str) -> None:
    assert _record(kind=kind).kind == kind


def test_there_is_no_sixth_kind() -> None:
    with pytest.raises(ValidationError):
        _record(kind="notice")


def test_a_record_is_untrusted_and_there_until_it_is_said_otherwise() -> None:
    record = _record()

    assert (record.trusted, record.deleted, record.cut) == (False, False, 0)


def test_every_option_is_off_by_default() -> None:
    options = Options()

    assert options.model_dump() == {
        "bot_anchor": "type",
        "trusted_bot_ids": frozenset(),
        "trusted_user_ids": frozenset(),
        "blocked_user_ids": frozenset(),
        "permissions": None,
        "edit_guard": False,
        "cutoff_trigger_time": False,
        "skip_minimized": False,
        "max_record_chars": None,
        "max_total_chars": None,
        "posted_ids": None,
        "min_rev": None,
        "window": None,
        "pinned": (),
        "command_prefixes": (),
        "detail": "excerpt",
        "nonce": None,
        "marker_prefix": "bot-",
    }


@pytest.mark.parametrize("name", ["max_record_chars", "max_total_chars"])
def test_a_cap_is_one_character_at_least(name: str) -> None:
    assert getattr(Options(**{name: 1}), name) == 1

    with pytest.raises(ValidationError) as refused:
        Options(**{name: 0})
    assert [error["msg"] for error in refused.value.errors()] == ["must be 1 or more"]


@pytest.mark.parametrize("nonce", ["a" * 31, "a" * 33, "A" * 32, "g" * 32, "a" * 32 + "\n"])
def test_a_nonce_is_128_bits_in_hex(nonce: str) -> None:
    with pytest.raises(ValidationError):
        Options(nonce=nonce)


@pytest.mark.parametrize("prefix", ["bot", "", "-", "Bot-", "bot -", "b" * 32 + "-", "bot-\n"])
def test_a_marker_prefix_is_a_word_with_a_dash(prefix: str) -> None:
    with pytest.raises(ValidationError):
        Options(marker_prefix=prefix)


@pytest.mark.parametrize("pin", ["104", "issue_comment:", "Issue:1", "issue_comment:1 2", "issue_comment:1\n"])
def test_a_pin_is_a_ref(pin: str) -> None:
    with pytest.raises(ValidationError):
        Options(pinned=(pin,))


@pytest.mark.parametrize("host", ["GitHub.com", "https://github.com", "a/b", "", "a@b", "github.com:"])
def test_a_link_host_is_a_plain_host_name(host: str) -> None:
    with pytest.raises(ValidationError):
        Run(hosts=frozenset({host}))


def test_links_lead_to_github_unless_other_hosts_are_given() -> None:
    assert Run().hosts == {"github.com"}
    assert Run(hosts=frozenset({"git.acme.example:8443"})).hosts == {"git.acme.example:8443"}


def test_an_id_may_come_as_a_number() -> None:
    assert _record(id=104, user_id=41).user_id == "41"


def test_what_is_printed_has_no_more_than_is_known(context: Any, note: Any) -> None:
    made = context(note(104, url=None), reported={"issue_comment": 2}).document()

    assert made["audit"] == [
        {"flag": "count-mismatch", "detail": "1 of type issue_comment were listed, the backend counts 2"}
    ]
    assert made["records"] == [
        {
            "ref": "issue_comment:104",
            "source_type": "issue_comment",
            "id": "104",
            "kind": "human-feedback",
            "trusted": True,
            "deleted": False,
            "decision": "flow",
            "reason": "the trigger author, associated as MEMBER",
            "user_id": "41",
            "user_login": "ana-ruiz",
            "created_at": "2026-03-02T09:44:00Z",
            "author_association": "MEMBER",
            "author_type": "human",
            "cut": 0,
        }
    ]
    assert made["trigger_author"] == {"id": "41", "login": "ana-ruiz"}
