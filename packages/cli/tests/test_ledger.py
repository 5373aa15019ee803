"""`tertulia ledger show|verify` and `--state comment`: what is kept of a thread, and whether it counts, in words."""

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from jsonschema import Draft202012Validator

Call = Any

ENGINE = {"FAKE_TOKEN": "engine"}
KEY = {"TERTULIA_STATE_KEY": "k1:a-published-key-for-tests"}
ISSUE = "acme/demo#1"


@pytest.fixture
def kept(tertulia: Call, hub: ModuleType) -> Call:
    """Keep the thread's state, `kept("comment")`, and give the context's document."""

    def run(state: str, env: dict[str, str] = ENGINE) -> Any:
        done = tertulia("context", hub.URL, "--trigger-author", "maint-a", "--state", state, "--json", env=env)
        assert done.status == 0, done.err
        return json.loads(done.out)

    return run


def comments(hub: ModuleType) -> list[str]:
    """Find the comments with a state."""
    return [message.body for message in hub.TRACKER.listing(ISSUE).messages if "workflow-state" in message.body]


def test_a_state_is_kept_in_a_comment_and_read_from_it(kept: Call, hub: ModuleType) -> None:
    first = kept("comment")
    hub.TRACKER.remove(ISSUE, "1003")
    second = kept("comment")

    (body,) = comments(hub)
    decisions = {record["ref"]: record["decision"] for record in second["records"]}
    assert first["state"]["source"] == second["state"]["source"] == "issue_comment:1005"
    assert [first["state"]["rev"], second["state"]["rev"]] == [1, 2]
    assert decisions["issue_comment:1003"] == "deleted"
    assert decisions["issue_comment:1005"] == "engine"
    assert " rev=2 data=" in body


def test_with_a_key_the_state_is_signed_and_an_unsigned_one_is_told(
    kept: Call, tertulia: Call, hub: ModuleType
) -> None:
    kept("comment")

    done = tertulia(
        "context", hub.URL, "--trigger-author", "1001", "--state", "comment", "--output", "-", env=ENGINE | KEY
    )

    assert done.err == "note: state-mac-invalid (issue_comment:1005): it is not signed\n"
    assert " kid=k1 mac=" in comments(hub)[0]
    assert "published" not in done.out + done.err + comments(hub)[0]


def test_a_key_that_is_none_is_refused_before_any_connection(tertulia: Call, hub: ModuleType) -> None:
    done = tertulia("context", hub.URL, "--state", "comment", env=ENGINE | {"TERTULIA_STATE_KEY": "short"})

    assert (done.status, hub.CONNECTED) == (2, [])
    assert done.err.startswith("error: state key: write NAME:SECRET")
    assert "(TERTULIA_STATE_KEY): set it to NAME:SECRET, or unset it" in done.err


@pytest.mark.parametrize("place", ["comment", "sqlite"])
def test_verify_says_that_a_state_counts(
    kept: Call, tertulia: Call, hub: ModuleType, tmp_path: Path, place: str
) -> None:
    state = "comment" if place == "comment" else f"sqlite:{tmp_path / 'ledger.sqlite'}"
    kept(state)

    done = tertulia("ledger", "verify", hub.URL if place == "comment" else state, env=ENGINE)

    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("github:acme/demo#1: revision 1 counts; 4 records, 0 of them deleted; 0 steps; ")


def test_verify_says_in_words_what_is_wrong(kept: Call, tertulia: Call, hub: ModuleType) -> None:
    kept("comment", ENGINE | KEY)
    hub.TRACKER.alter(ISSUE, "1005", comments(hub)[0].replace("rev=1", "rev=2"))

    done = tertulia("ledger", "verify", hub.URL, env=ENGINE | KEY)

    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "error: no state counts: none of our keys signed it (issue_comment:1005): somebody edited it, or signed it with "
        "another key; the next run rebuilds the ledger and signs it\n"
    )


def test_verify_names_what_only_looks_like_a_state(kept: Call, tertulia: Call, hub: ModuleType) -> None:
    kept("comment")
    hub.TRACKER.say(ISSUE, comments(hub)[0].replace("rev=1", "rev=9"), author=hub.OUTSIDER)

    done = tertulia("ledger", "verify", hub.URL, env=ENGINE)

    assert done.status == 0
    assert "foreign-state-ignored issue_comment:1006: a state in a comment that is not the engine's own; " in done.out


def test_show_lists_records_and_steps(kept: Call, tertulia: Call, tmp_path: Path) -> None:
    state = f"sqlite:{tmp_path / 'ledger.sqlite'}"
    kept(state)

    done = tertulia("ledger", "show", state)

    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[0].startswith("github:acme/demo#1  revision 1, ")
    (asked,) = [line.split() for line in done.out.splitlines() if line.startswith("issue_comment:1004")]
    assert asked == ["issue_comment:1004", "maint-a", "command", "yes", "1", "to", "1"]


def test_json_holds_the_state_as_its_schema_says(kept: Call, tertulia: Call, tmp_path: Path) -> None:
    state = f"sqlite:{tmp_path / 'ledger.sqlite'}"
    kept(state)

    document = json.loads(tertulia("ledger", "show", state, "--json").out)

    schema = json.loads(tertulia("schema", "state").out)
    assert (document["version"], document["counts"], document["source"]) == (1, True, "sqlite")
    assert list(Draft202012Validator(schema).iter_errors(document["state"])) == []
    assert list(Draft202012Validator(schema).iter_errors(document["state"] | {"rev": 0})) != []


def test_the_text_of_a_comment_is_read_from_a_file_or_standard_input(
    kept: Call, tertulia: Call, hub: ModuleType, tmp_path: Path
) -> None:
    kept("comment", ENGINE | KEY)
    path = tmp_path / "comment.md"
    path.write_text(comments(hub)[0], "utf-8")

    shown = tertulia("ledger", "show", str(path), env=KEY)

    assert (shown.status, shown.err) == (0, "")
    assert tertulia("ledger", "show", "-", stdin=path.read_bytes(), env=KEY) == shown
    other = tertulia("ledger", "verify", str(path), "--thread", "github:acme/demo#2", env=KEY)
    assert other.status == 2
    assert "it belongs to another thread" in other.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["show", "sqlite:nowhere.sqlite"], "there is no such file (nowhere.sqlite)"),
        (["show", "sqlite:"], "there is no such file (an empty name)"),
        (["verify", "nowhere.md"], "cannot read the comment"),
        (["verify", "https://elsewhere.example/x"], "error: "),
        (["verify"], "Missing argument"),
        (["burn", "x"], "No such command"),
    ],
)
def test_what_is_no_state_is_one_line(tertulia: Call, hub: ModuleType, arguments: list[str], told: str) -> None:
    done = tertulia("ledger", *arguments)

    assert (done.status, done.out) == (2, "")
    assert told in done.err
    assert done.err.count("\n") == 1
    assert hub.CONNECTED == []


def test_a_text_without_a_state_is_told(tertulia: Call) -> None:
    done = tertulia("ledger", "verify", "-", stdin=b"Hello")

    assert done.status == 2
    assert "the text holds none" in done.err


def test_of_several_threads_one_must_be_named(kept: Call, tertulia: Call, hub: ModuleType, tmp_path: Path) -> None:
    state = f"sqlite:{tmp_path / 'ledger.sqlite'}"
    kept(state)
    hub.TRACKER.open("acme/demo", title="Another", body="x", author=hub.OUTSIDER)
    other = hub.URL.replace("/1", "/2")
    assert tertulia("context", other, "--state", state, "--output", "-", env=ENGINE).status == 0

    both = tertulia("ledger", "show", state)
    one = tertulia("ledger", "show", state, "--thread", "github:acme/demo#2")
    none = tertulia("ledger", "show", state, "--thread", "github:acme/demo#3")

    assert (both.status, one.status, none.status) == (2, 0, 2)
    assert "it keeps 2 threads" in both.err
    assert "github:acme/demo#1, github:acme/demo#2" in both.err
    assert "there is no state of github:acme/demo#3" in none.err


def test_an_older_state_that_is_put_back_is_known_by_our_own_answers(
    kept: Call, tertulia: Call, hub: ModuleType
) -> None:
    kept("comment", ENGINE | KEY)
    (old,) = comments(hub)
    hub.TRACKER.remove(ISSUE, "1003")
    rev = kept("comment", ENGINE | KEY)["state"]["rev"]
    reply = ("reply", "--url", hub.URL, "--agent", "helper", "--body", "-", "--rev", str(rev))
    assert tertulia(*reply, stdin=b"Because.", env=ENGINE).status == 0
    hub.TRACKER.alter(ISSUE, "1005", old)

    put_back = tertulia("ledger", "verify", hub.URL, env=ENGINE | KEY)
    rebuilt = kept("comment", ENGINE | KEY)
    after = tertulia("ledger", "verify", hub.URL, env=ENGINE | KEY)

    assert rev == 2
    assert "revision 1 is older than 2, which was seen before (issue_comment:1005)" in put_back.err
    assert rebuilt["state"]["rev"] == 3
    assert after.status == 0
