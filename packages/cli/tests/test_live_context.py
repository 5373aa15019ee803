"""`tertulia context` on a live thread: the backend is a tracker in memory, behind an adapter that is installed for the test."""

import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tertulia import errors

Call = Any
MAINT = {"FAKE_TOKEN": "maint"}
ENGINE = {"FAKE_TOKEN": "engine"}
FENCE = re.compile(r"[0-9a-f]{32}")


@pytest.fixture
def context(tertulia: Call, hub: ModuleType) -> Call:
    """Run `context --json` on the live thread as the engine and read the document."""

    def run(*arguments: str, env: dict[str, str] = ENGINE) -> Any:
        done = tertulia("context", *(arguments or (hub.URL,)), "--json", env=env)
        assert done.status == 0, done.err
        return json.loads(done.out)

    return run


def decisions(document: Any) -> dict[str, str]:
    """Read what became of every record."""
    return {record["ref"]: record["decision"] for record in document["records"]}


def without_fence(document: Any) -> Any:
    """Leave out what is never the same twice, and what a file has no part in."""
    return {name: FENCE.sub("F", json.dumps(value)) for name, value in document.items() if name != "state"}


def test_a_url_is_read_live(context: Call, hub: ModuleType) -> None:
    document = context(hub.URL, "--trigger-author", "maint-a")

    assert document["thread"] == "github:acme/demo#1"
    assert decisions(document) == {
        "issue:1001": "body",
        "issue_comment:1002": "flow",
        "issue_comment:1003": "unverified",
        "issue_comment:1004": "flow",
    }
    assert document["state"] == {"source": "none", "rev": 1, "chars": document["state"]["chars"], "writable": True}


def test_a_url_of_a_comment_reads_its_thread(context: Call, hub: ModuleType) -> None:
    whole, one = context(hub.URL), context(f"{hub.URL}#issuecomment-1002")

    assert without_fence(whole) == without_fence(one)


def test_the_options_are_laid_over_a_live_thread(context: Call, hub: ModuleType, tmp_path: Path) -> None:
    policy = tmp_path / "policy.json"
    policy.write_text('{"blocked_user_ids": ["9001"]}')

    document = context(
        hub.URL, "--trigger-author", "1001", "--window", "1", "--pin", "issue_comment:1002", "--policy", str(policy),
        "--command-prefix", "/run",
    )  # fmt: skip

    assert document["flow"] == ["issue_comment:1002", "issue_comment:1004"]
    assert decisions(document)["issue_comment:1003"] == "excluded"
    assert document["records"][-1]["kind"] == "human-feedback"


@pytest.mark.parametrize("option", ["--policy", "--pin", "--trigger-author", "--engine", "--state"])
def test_a_wrong_option_is_refused_before_any_connection(option: str, tertulia: Call, hub: ModuleType) -> None:
    done = tertulia("context", hub.URL, option, "no such file")

    assert (done.status, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    assert hub.CONNECTED == []


def test_an_event_says_who_asks_and_where(context: Call, event_file: str) -> None:
    document = context("--event", event_file)

    assert document["thread"] == "github:acme/demo#1"
    assert document["trigger_author"] == {"id": "1001", "login": "maint-a"}


def test_what_normalize_prints_is_an_event_too(context: Call, event_file: str, tmp_path: Path) -> None:
    event = json.loads(Path(event_file).read_text("utf-8"))
    printed = tmp_path / "printed.json"
    printed.write_text(json.dumps({"version": 1, "events": [event], "ignored": None}))

    assert without_fence(context("--event", str(printed))) == without_fence(context("--event", event_file))


def test_what_serve_hands_on_is_an_event_too(context: Call, event_file: str, tmp_path: Path) -> None:
    event = json.loads(Path(event_file).read_text("utf-8"))
    handed = tmp_path / "handed.json"
    handed.write_text(json.dumps({"specversion": "1.0", "id": "x", "source": "/", "type": "tertulia.x", "data": event}))

    assert without_fence(context("--event", str(handed))) == without_fence(context("--event", event_file))


def test_a_named_author_wins_over_the_event(context: Call, event_file: str) -> None:
    document = context("--event", event_file, "--trigger-author", "outsider-x")

    assert document["trigger_author"] == {"id": None, "login": "outsider-x"}
    assert decisions(document)["issue_comment:1004"] == "unverified"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda e: {"version": 1, "events": [e, e]}, "there are 2 events"),
        (lambda e: {"version": 1, "events": [], "ignored": {"reason": "x"}}, "the native one was ignored"),
        (lambda e: {"version": 2, "events": [e]}, "is not what `tertulia normalize` prints"),
        (lambda e: {"version": 1, "events": "x"}, "is not what `tertulia normalize` prints"),
        (lambda e: {"specversion": "1.0"}, "event:"),
        (lambda e: e | {"repo": 7}, "repo"),
        (lambda e: e | {"entity": e["entity"] | {"url": "https://evil.example/acme/demo/issues/1"}}, "FAKE_URL"),
        (lambda e: e | {"source": {"system": "gitlab", "raw_type": "x"}}, "connects to gitlab as a tracker"),
    ],
)
def test_an_event_that_leads_nowhere_is_refused_before_any_connection(
    change: Any, told: str, event_file: str, tertulia: Call, hub: ModuleType
) -> None:
    path = Path(event_file)
    path.write_text(json.dumps(change(json.loads(path.read_text("utf-8")))))

    done = tertulia("context", "--event", event_file)

    assert (done.status, done.out) == (2, "")
    assert told in done.err
    assert "/event.json)" in done.err
    assert len(done.err.splitlines()) == 1
    assert hub.CONNECTED == []


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/acme/demo/issues/1",
        "https://tracker.example/acme/demo",
        "nonsense",
        "file:///etc/passwd",
        "",
    ],
)
def test_a_url_that_is_no_thread_here_is_refused_before_any_connection(
    url: str, tertulia: Call, hub: ModuleType
) -> None:
    done = tertulia("context", url)

    assert (done.status, done.out) == (2, "")
    assert "(URL): name an issue" in done.err
    assert "FAKE_URL" in done.err
    assert len(done.err.splitlines()) == 1
    assert hub.CONNECTED == []


def test_without_an_adapter_the_package_to_install_is_named(tertulia: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tertulia.registry.GROUP", "nobody.is.here")

    done = tertulia("context", "https://github.com/acme/demo/issues/7")

    assert done.status == 2
    assert "install tertulia-tracker[github]" in done.err


def test_the_tokens_own_account_asks_when_it_is_a_person(tertulia: Call, hub: ModuleType) -> None:
    done = tertulia("context", hub.URL, "--json", env=MAINT)

    assert json.loads(done.out)["trigger_author"] == {"id": "1001", "login": "maint-a"}
    assert done.err == (
        "note: the trigger author is the token's own account, maint-a; --trigger-author names another\n"
    )


def test_a_bot_asks_nothing(tertulia: Call, hub: ModuleType) -> None:
    done = tertulia("context", hub.URL, "--json", env={"FAKE_TOKEN": "bot"})

    assert json.loads(done.out)["trigger_author"] is None
    assert done.err == (
        "note: nobody is trusted: the token is the bot helper[bot]'s; name who asks with --trigger-author\n"
    )


def test_without_a_token_nobody_is_trusted_and_the_engine_is_not_known(tertulia: Call, hub: ModuleType) -> None:
    done = tertulia("context", hub.URL, "--json")

    document = json.loads(done.out)
    assert done.status == 0
    assert document["trigger_author"] is None
    assert "engine-actor-unresolved" in {finding["flag"] for finding in document["audit"]}
    first, second = done.err.splitlines()
    assert "name it with --engine (FAKE_TOKEN is not set)" in first
    assert second.startswith("note: nobody is trusted: ")


@pytest.mark.parametrize("engine", ["500", "engine-svc", "@engine-svc"])
def test_the_engine_is_looked_up_by_the_adapter_and_the_token_asks(
    engine: str, tertulia: Call, hub: ModuleType
) -> None:
    hub.TRACKER.say("acme/demo#1", "<!-- bot-agent-x -->\nDone.", author=hub.PEOPLE["engine"])

    done = tertulia("context", hub.URL, "--engine", engine, "--json", env=MAINT)

    document = json.loads(done.out)
    assert document["records"][-1]["kind"] == "agent-output"
    assert document["trigger_author"]["login"] == "maint-a"
    assert hub.CONNECTED[0] == {"engine": engine.removeprefix("@")}


def test_a_state_makes_a_tombstone_of_what_was_deleted(context: Call, hub: ModuleType, tmp_path: Path) -> None:
    state = f"sqlite:{tmp_path / 'ledger.sqlite'}"
    first = context(hub.URL, "--state", state)
    hub.TRACKER.remove("acme/demo#1", "1003")

    second = context(hub.URL, "--state", state)
    third = context(hub.URL, "--state", state)

    assert (first["state"]["source"], first["state"]["rev"]) == ("sqlite", 1)
    assert decisions(second)["issue_comment:1003"] == "deleted"
    assert [second["state"]["rev"], third["state"]["rev"]] == [2, 2]


@pytest.mark.parametrize(
    ("state", "told"),
    [("sqlite:", "sqlite:PATH"), ("comments", "sqlite:PATH"), ("x", "sqlite:PATH"), ("redis:x", "sqlite:PATH")],
)
def test_a_state_that_cannot_be_is_refused(state: str, told: str, tertulia: Call, hub: ModuleType) -> None:
    done = tertulia("context", hub.URL, "--state", state)

    assert done.status == 2
    assert told in done.err
    assert hub.CONNECTED == []


def test_a_state_in_a_place_that_is_none_is_refused(tertulia: Call, hub: ModuleType, tmp_path: Path) -> None:
    done = tertulia("context", hub.URL, "--state", f"sqlite:{tmp_path / 'missing' / 'x.sqlite'}", env=MAINT)

    assert (done.status, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    assert hub.CONNECTED == []


def test_a_state_that_cannot_be_read_is_left_alone_and_told(
    context: Call, tertulia: Call, hub: Any, tmp_path: Path
) -> None:
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(b"this is somebody else's file" * 100)

    done = tertulia("context", hub.URL, "--state", f"sqlite:{path}", "--json", env=ENGINE)

    assert done.status == 0
    assert json.loads(done.out)["state"]["writable"] is False
    assert "not saved: " in done.err.splitlines()[-1]
    assert path.read_bytes().startswith(b"this is somebody")


@pytest.mark.parametrize("gone", [(), ("1003",)], ids=["whole", "deleted"])
def test_a_saved_thread_gives_the_same_context(
    gone: tuple[str, ...], context: Call, hub: ModuleType, event_file: str, tmp_path: Path
) -> None:
    state, saved = f"sqlite:{tmp_path / 'ledger.sqlite'}", str(tmp_path / "saved.json")
    context("--event", event_file, "--state", state)
    for ident in gone:
        hub.TRACKER.remove("acme/demo#1", ident)

    live = context(
        "--event", event_file, "--state", state, "--window", "2", "--detail", "meta", "--save-snapshot", saved
    )
    again = context("--snapshot", saved, env={})

    assert without_fence(again) == without_fence(live)
    assert ("deleted" in decisions(live).values()) is bool(gone)


def test_a_saved_thread_keeps_why_nobody_is_trusted(context: Call, event_file: str, tmp_path: Path) -> None:
    path, saved = Path(event_file), str(tmp_path / "saved.json")
    path.write_text(path.read_text("utf-8").replace('"id": "1001", "login"', '"id": "77", "login"'))

    live = context("--event", event_file, "--save-snapshot", saved)
    again = context("--snapshot", saved, env={})

    assert live["trigger_author"] is None
    assert "trigger-author-ambiguous" in {finding["flag"] for finding in live["audit"]}
    assert without_fence(again) == without_fence(live)


FAILURES = [
    (errors.NotFound("404 Not Found", backend="github", operation="read"), 3, "the account of FAKE_TOKEN may see it"),
    (errors.Denied("401 Bad credentials"), 3, "check that FAKE_TOKEN still holds"),
    (errors.Denied("403 no", permission="issues=read"), 3, "give the token in FAKE_TOKEN what it needs: issues=read"),
    (errors.RateLimited("slow down", retry_after=29.2), 4, "wait 30 s"),
    (errors.Unavailable("no answer from tracker.example"), 4, "try again later"),
]


@pytest.mark.parametrize(("error", "status", "told"), FAILURES, ids=lambda value: type(value).__name__)
def test_a_refusal_is_one_line_that_says_what_to_do(
    error: Exception, status: int, told: str, tertulia: Call, hub: ModuleType, tmp_path: Path
) -> None:
    hub.FAULTS["read"] = [error]
    paths = [str(tmp_path / name) for name in ("out.md", "saved.json")]

    done = tertulia("context", hub.URL, "--output", paths[0], "--save-snapshot", paths[1], env=MAINT)

    assert (done.status, done.out) == (status, "")
    assert "(github:acme/demo#1): " in done.err
    assert told in done.err
    assert len(done.err.splitlines()) == 1
    assert not [path for path in paths if Path(path).exists()]


def test_without_a_token_a_refusal_names_the_variable(tertulia: Call, hub: ModuleType) -> None:
    hub.FAULTS["read"] = [errors.Denied("401 Requires authentication"), errors.NotFound("404 Not Found")]

    denied, missing = tertulia("context", hub.URL), tertulia("context", hub.URL)

    assert denied.err.endswith("(github:acme/demo#1): set FAKE_TOKEN\n")
    assert missing.err.endswith("set FAKE_TOKEN if it is not public\n")
