"""The command with an adapter beside it: what it loads, and what it does inside a workflow."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HEAVY = {"httpx", "httpcore", "githubkit", "hishel", "aiohttp", "gql", "slack_sdk", "requests", "urllib3", "rich"}
"""What `tertulia normalize` never loads: HTTP libraries, SDKs, and what only a person's terminal needs."""

RUN = """
import json, sys
from tertulia_cli.main import main
status = main(sys.argv[1:])
print(json.dumps([status, sorted({name.partition(".")[0] for name in sys.modules})]), file=sys.stderr)
"""

ISSUE_COMMENT: dict[str, Any] = {
    "action": "created",
    "issue": {
        "number": 7,
        "html_url": "https://github.com/acme/demo/issues/7",
        "user": {"login": "maint-a", "id": 1001, "type": "User"},
        "labels": [],
    },
    "comment": {
        "id": 104,
        "body": "/ask why?",
        "html_url": "https://github.com/acme/demo/issues/7#issuecomment-104",
        "user": {"login": "maint-a", "id": 1001, "type": "User"},
        "created_at": "2026-10-01T10:00:00Z",
        "updated_at": "2026-10-01T10:00:00Z",
    },
    "repository": {"id": 1, "full_name": "acme/demo"},
    "sender": {"login": "maint-a", "id": 1001, "type": "User"},
}


DISCUSSION_COMMENT = {
    "action": "created",
    "discussion": {
        "number": 7,
        "html_url": "https://github.com/acme/demo/discussions/7",
        "user": {"login": "maint-a", "id": 1001, "type": "User"},
        "category": {"id": 1, "node_id": "DIC_1", "name": "Ideas", "slug": "ideas", "is_answerable": False},
    },
    "comment": ISSUE_COMMENT["comment"] | {"parent_id": 100},
    "repository": {"id": 1, "full_name": "acme/demo"},
    "sender": {"login": "maint-a", "id": 1001, "type": "User"},
}

EVENTS: dict[str, tuple[str, Any]] = {
    "issue_comment": ("tertulia_forge_github", ISSUE_COMMENT),
    "discussion_comment": ("tertulia_conversation_github", DISCUSSION_COMMENT),
}
"""Per event, whose it is, and what it looks like."""


def run(code: str, *arguments: str, env: dict[str, str]) -> tuple[str, str]:
    """Run code in a new process and give its two streams."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "HISTORY_"))}
    command = [sys.executable, "-I", "-W", "error", "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, env=kept | env)
    return done.stdout, done.stderr


def workflow(tmp_path: Path, name: str, payload: Any) -> dict[str, str]:
    """Give the environment of a workflow that an event started."""
    path = tmp_path / "event.json"
    path.write_text(json.dumps(payload), "utf-8")
    return {"GITHUB_EVENT_PATH": str(path), "GITHUB_EVENT_NAME": name, "GITHUB_ACTIONS": "true"}


@pytest.mark.parametrize("name", EVENTS)
def test_normalize_loads_no_http_library_no_sdk_and_no_rich(name: str, tmp_path: Path) -> None:
    adapter, payload = EVENTS[name]

    out, err = run(RUN, "normalize", env=workflow(tmp_path, name, payload))

    status, loaded = json.loads(err)
    (event,) = json.loads(out)["events"]
    assert status == 0
    assert event["transition"]["comment"]["command"] == "/ask"
    assert event["source"]["raw_type"] == name
    assert adapter in loaded
    assert set(loaded) & HEAVY == set()


NO_THREAD = {
    "push": {
        "ref": "refs/heads/main",
        "repository": {"id": 90210, "full_name": "acme/widgets"},
        "sender": {"login": "anna-dev", "id": 501, "type": "User"},
    },
    "schedule": {"schedule": "0 * * * *"},
    "workflow_dispatch": {"inputs": None},
}


@pytest.mark.parametrize("name", NO_THREAD)
def test_an_event_without_a_conversation_is_ignored_with_a_reason(name: str, tmp_path: Path) -> None:
    env = workflow(tmp_path, name, NO_THREAD[name]) | {"GITHUB_REPOSITORY": "acme/widgets"}

    out, err = run(RUN, "normalize", env=env)

    document = json.loads(out)
    assert json.loads(err)[0] == 0
    assert document["events"] == []
    assert document["ignored"]["reason"]
    assert name in document["ignored"]["detail"]


def test_the_demo_shows_its_event_when_the_adapter_is_there() -> None:
    out, _ = run(RUN, "demo", "--json", env={})

    (event,) = json.loads(out)["normalized"]["events"]
    assert event["transition"]["comment"]["id"] == "5011"
    assert event["delivery"]["key"].startswith("github:acme/lantern#42/issue_comment:5011@")


def test_the_github_adapter_is_listed_with_its_settings_and_no_value() -> None:
    out, _ = run(RUN, "adapters", "--json", env={"GITHUB_TOKEN": "a-secret-value"})

    (adapter,) = [one for one in json.loads(out)["adapters"] if one["name"] == "github"]
    settings = {setting["name"]: setting["set"] for setting in adapter["settings"]}
    assert "issue_comment" in adapter["events"]
    assert settings["GITHUB_TOKEN"] is True
    assert "a-secret-value" not in out


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"{", "JSON"), (b"[]", "object"), (None, "No such file"), (b"", "is empty")],
)
def test_a_missing_event_file_and_a_broken_one_are_told_apart(content: bytes | None, told: str, tmp_path: Path) -> None:
    env = workflow(tmp_path, "issue_comment", {})
    path = tmp_path / "event.json"
    path.unlink() if content is None else path.write_bytes(content)

    out, err = run(RUN, "normalize", env=env)

    line, report = err.splitlines()
    assert json.loads(report)[0] == 2
    assert out == ""
    assert told in line
    assert str(path) in line


def commented(size: int) -> bytes:
    """Make the payload of a comment so long that it has this many bytes."""
    raw = json.dumps(ISSUE_COMMENT).encode()
    return raw.replace(b"/ask why?", b"/ask why?\\n".ljust(size - len(raw) + len(b"/ask why?"), b"x"))


def test_a_payload_of_25_mib_is_normalized(tmp_path: Path) -> None:
    env = workflow(tmp_path, "issue_comment", None)
    Path(env["GITHUB_EVENT_PATH"]).write_bytes(commented(25 * 2**20))

    out, err = run(RUN, "normalize", env=env)

    comment = json.loads(out)["events"][0]["transition"]["comment"]
    assert (json.loads(err)[0], comment["command"], comment["instruction"]) == (0, "/ask", "why?")
    assert len(comment["body"]) == 4096


def test_a_payload_of_one_byte_more_is_refused(tmp_path: Path) -> None:
    env = workflow(tmp_path, "issue_comment", None)
    Path(env["GITHUB_EVENT_PATH"]).write_bytes(commented(25 * 2**20 + 1))

    out, err = run(RUN, "normalize", env=env)

    told, report = err.splitlines()
    assert (json.loads(report)[0], out) == (2, "")
    assert "more than 26214400 bytes" in told
