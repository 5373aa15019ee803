"""`tertulia normalize`: what it hands to an adapter, and what it prints."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tertulia import registry
from tertulia.event import Delivery, Event, Ignored, Normalized

EVENT = {
    "repo": "acme/demo",
    "entity": {"kind": "work_item", "id": 7, "url": "https://github.com/acme/demo/issues/7"},
    "transition": {"kind": "opened"},
    "actor": {"id": "maint-a", "kind": "human", "role": "none", "is_entity_author": True},
    "state": {"labels": ["bug"]},
    "source": {"system": "github", "raw_type": "issues", "raw_action": "opened"},
}
PLUGIN = """
from tertulia.event import Ignored, Normalized
from tertulia.registry import Adapter, Setting, Source

adapter = Adapter(
    name="echo", system="echo", kind="forge", names=frozenset({"said"}), recognise=lambda url: None,
    normalize=lambda delivery: Normalized(ignored=Ignored("echo", delivery.name)),
    settings=(Setting("ECHO_TOKEN", "The token of the echo.", secret=True), Setting("ECHO_URL", "Where it is.")),
    source=Source(print, settings=(Setting("ECHO_APP", "Who listens.", secret=True),)),
)
"""
Seen = list[Delivery]


def adapter(answer: Callable[[Delivery], Normalized], system: str = "github") -> registry.Adapter:
    """Make an adapter of a function."""
    names = frozenset({"issues"})
    return registry.Adapter(system, system, "forge", names, answer, lambda url: None)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """Install an adapter for GitHub, and no other, that keeps what it is given."""
    kept: Seen = []

    def answer(delivery: Delivery) -> Normalized:
        kept.append(delivery)
        return Normalized(events=(Event.check(EVENT),))

    monkeypatch.setattr("tertulia.registry.installed", lambda: registry.Installed((adapter(answer),)))
    return kept


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Save a native event."""
    path = tmp_path / "event.json"
    path.write_bytes(b'{"action":"opened"}')
    return str(path)


def test_a_native_event_becomes_a_document(seen: Seen, file: str, tertulia: Any) -> None:
    done = tertulia("normalize", file, "--name", "issues")

    assert (done.status, done.err) == (0, "")
    assert json.loads(done.out) == {"version": 1, "events": [EVENT], "ignored": None}
    assert seen == [Delivery("github", "issues", b'{"action":"opened"}')]


def test_everything_known_is_handed_over(seen: Seen, file: str, tertulia: Any) -> None:
    given = ["--repo", "acme/other", "--actor", "someone", "--engine", "engine-svc", "--header", "X-Hub:  a: b "]

    tertulia("normalize", file, "--header", "X-GitHub-Event: issues", *given)

    (delivery,) = seen
    assert (delivery.name, delivery.repo, delivery.actor) == ("issues", "acme/other", "someone")
    assert dict(delivery.headers) == {"x-github-event": "issues", "x-hub": "a: b"}
    assert delivery.engine is not None
    assert (delivery.engine.id, delivery.engine.login) == (None, "engine-svc")


def test_an_engine_in_digits_is_an_id(seen: Seen, file: str, tertulia: Any) -> None:
    tertulia("normalize", file, "--name", "issues", "--engine", "500")

    assert seen[0].engine is not None
    assert seen[0].engine.id == "500"


def test_standard_input_is_read_to_its_last_byte(seen: Seen, tertulia: Any) -> None:
    body = b'{"a": "' + b"x" * 3_000_000 + b'"}\r\n'

    tertulia("normalize", "-", "--name", "issues", stdin=body)

    assert seen[0].payload == body


ACTIONS = {"GITHUB_EVENT_NAME": "issues", "GITHUB_REPOSITORY": "acme/demo", "GITHUB_ACTOR": "maint-a"}


def test_inside_github_actions_no_argument_is_needed(seen: Seen, file: str, tertulia: Any) -> None:
    done = tertulia("normalize", env=ACTIONS | {"GITHUB_EVENT_PATH": file, "GITHUB_ACTIONS": "true"})

    assert json.loads(done.out)["events"] == [EVENT]
    assert (seen[0].name, seen[0].repo, seen[0].actor) == ("issues", "acme/demo", "maint-a")


def test_a_file_that_is_named_takes_nothing_from_the_environment(seen: Seen, file: str, tertulia: Any) -> None:
    done = tertulia("normalize", file, env=ACTIONS | {"GITHUB_EVENT_PATH": file})

    assert (done.status, seen) == (2, [])
    assert done.err == (
        f"error: the event's name is missing ({file}): give --name issue_comment or --header 'X-GitHub-Event: ...'\n"
    )


@pytest.mark.parametrize(
    ("env", "told"),
    [
        ({}, "GITHUB_EVENT_PATH and GITHUB_EVENT_NAME are not set"),
        ({"GITHUB_EVENT_PATH": "x"}, "GITHUB_EVENT_NAME is not set"),
        ({"GITHUB_EVENT_NAME": "x", "GITHUB_EVENT_PATH": ""}, "GITHUB_EVENT_PATH is not set"),
    ],
)
def test_what_the_environment_lacks_is_named(env: dict[str, str], told: str, seen: Seen, tertulia: Any) -> None:
    done = tertulia("normalize", env=env)

    assert done.status == 2
    assert told in done.err


@pytest.mark.parametrize("header", ["", "nothing", ": value", "a b: c", "a:\nb: c", "a: \x1b[31m", "é: x"])
def test_a_malformed_header_is_one_line(header: str, seen: Seen, file: str, tertulia: Any) -> None:
    done = tertulia("normalize", file, "--name", "issues", "--header", header)

    assert (done.status, done.out, seen) == (2, "", [])
    assert done.err.endswith("(--header): write it as 'Name: value'\n")
    assert len(done.err.splitlines()) == 1


def test_an_ignored_event_is_done(monkeypatch: pytest.MonkeyPatch, file: str, tertulia: Any) -> None:
    ignoring = adapter(lambda delivery: Normalized(ignored=Ignored("no-thread", "push has no conversation")))
    monkeypatch.setattr("tertulia.registry.installed", lambda: registry.Installed((ignoring,)))

    done = tertulia("normalize", file, "--name", "push")

    assert (done.status, done.err) == (0, "")
    ignored = {"reason": "no-thread", "detail": "push has no conversation"}
    assert json.loads(done.out) == {"version": 1, "events": [], "ignored": ignored}


@pytest.mark.parametrize(
    ("system", "told"),
    [("github", "install tertulia-forge-github"), ("slack", "install tertulia-conversation-slack"), ("a b", "'a b'")],
)
def test_without_an_adapter_the_package_to_install_is_named(
    system: str, told: str, file: str, tertulia: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tertulia.registry.installed", registry.Installed)

    done = tertulia("normalize", file, "--name", "issues", "--system", system)

    assert (done.status, done.out) == (2, "")
    assert told in done.err
    assert "(--system)" in done.err
    assert len(done.err.splitlines()) == 1


def test_a_normalized_event_is_checked_and_printed_in_the_same_form(tertulia: Any) -> None:
    done = tertulia("normalize", "-", "--system", "json", stdin=json.dumps(EVENT).encode())

    assert json.loads(done.out) == {"version": 1, "events": [EVENT], "ignored": None}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"repo": 7}, "repo"),
        ({"repo": "acme/.."}, "repo"),
        ({"entity": {"kind": "work_item", "url": "https://github.com/acme/demo/issues/7"}}, "entity.id"),
        ({"surprise": 1}, "surprise"),
        ({"state": {"labels": [1]}}, "state.labels"),
    ],
)
def test_a_wrong_field_is_named(change: dict[str, Any], named: str, tertulia: Any) -> None:
    done = tertulia("normalize", "-", "--system", "json", stdin=json.dumps(EVENT | change).encode())

    assert (done.status, done.out) == (2, "")
    assert named in done.err
    assert len(done.err.splitlines()) == 1


def test_an_adapter_of_somebody_else_is_found_and_listed(tmp_path: Path, file: str, process: Any) -> None:
    (tmp_path / "echo_adapter.py").write_text(PLUGIN)
    metadata = tmp_path / "echo_adapter-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: echo-adapter\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[tertulia.adapters]\necho = echo_adapter:adapter\nbad = nowhere:x\n")
    env = {"ECHO_TOKEN": "a-secret-value", "PYTHONPATH": str(tmp_path)}

    normalized = process("normalize", file, "--system", "echo", "--name", "said", env=env)
    table = process("adapters", env=env)
    document = json.loads(process("adapters", "--json", env=env).out)

    assert json.loads(normalized.out)["ignored"] == {"reason": "echo", "detail": "said"}
    (listed,) = [one for one in document["adapters"] if one["name"] == "echo"]
    settings = [(one["name"], one["help"], one["secret"], one["set"]) for one in listed["settings"]]
    assert document["version"] == 1
    assert settings == [
        ("ECHO_TOKEN", "The token of the echo.", True, True),
        ("ECHO_URL", "Where it is.", False, False),
        ("ECHO_APP", "Who listens.", True, False),
    ]
    assert listed["source"] is True
    assert [one["distribution"] for one in document["problems"]] == ["echo-adapter"]
    assert all(word in table.out for word in ("echo", "said", "ECHO_TOKEN", "not set", "cannot be used"))
    assert "a-secret-value" not in table.out + json.dumps(document)
