"""The workflow among the examples: its scripts, run as a runner runs them, and the rights it asks for."""

import os
import re
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tertulia.testing.loopback import Server

Call = Callable[..., Any]

WORKFLOW = (Path(__file__).parents[2] / "examples" / "workflow.yml").read_text("utf-8")
REPO = "/repos/acme/demo"


def jobs() -> dict[str, str]:
    """Split the workflow into its jobs."""
    names = re.split(r"^  (\w+):\n", WORKFLOW.partition("\njobs:\n")[2], flags=re.MULTILINE)
    return dict(zip(names[1::2], names[2::2], strict=True))


def scripts(job: str) -> Iterator[str]:
    """Find the scripts of a job, but those that install: the packages are here."""
    for line, block in re.findall(r"^      - run: (?:\|\n((?: {10}.*\n)+)|(.*)\n)", job, re.MULTILINE):
        script = textwrap.dedent(line or block)
        if not script.startswith("pip install"):
            yield script


def run(job: str, folder: Path, env: dict[str, str]) -> None:
    """Run the scripts of a job in a folder, and expect all to end well."""
    for script in scripts(jobs()[job]):
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr


def test_the_scripts_of_the_workflow_answer_once(
    github: Call, github_emulator: str, deliveries: Server, tmp_path: Path
) -> None:
    issue = github("POST", f"{REPO}/issues", {"title": "It fails", "body": "Look."}, token="token-of-drive-by").body
    github("POST", f"{REPO}/issues/{issue['number']}/comments", {"body": "/ask why?"})
    payload = tmp_path / "payload.json"
    payload.write_bytes(delivered(deliveries))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    nothing = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "GH_"))}
    nothing |= {"PATH": path, "GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": "acme/demo", "GITHUB_ACTOR": "maint-a"}
    nothing |= {"GITHUB_EVENT_NAME": "issue_comment", "GITHUB_EVENT_PATH": str(payload)}
    helper = nothing | {"GITHUB_API_URL": github_emulator, "GITHUB_TOKEN": "token-of-helper"}

    run("read", tmp_path, helper)
    run("think", tmp_path / "thread", nothing)
    for _ in range(2):
        run("answer", tmp_path / "thread", helper)

    assert "/ask why?" in (tmp_path / "thread" / "context.md").read_text("utf-8")
    _, *answers = github("GET", f"{REPO}/issues/{issue['number']}/comments").body
    (answer,) = answers
    assert answer["user"]["login"] == "helper"
    assert "I read " in answer["body"]


def delivered(receiver: Server) -> bytes:
    """Wait for the delivery of the comment."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        for request in receiver.requests:
            if request.headers.get("x-github-event") == "issue_comment":
                return request.body
        time.sleep(0.02)
    raise AssertionError("no comment was delivered")


def test_a_job_has_the_rights_it_needs_and_no_other() -> None:
    rights = {name: re.findall(r"^      ([a-z-]+): (read|write)$", job, re.MULTILINE) for name, job in jobs().items()}

    assert "\npermissions: {}" in WORKFLOW
    assert rights == {
        "read": [("issues", "read"), ("pull-requests", "read")],
        "think": [],
        "answer": [("issues", "write"), ("pull-requests", "write")],
    }
    assert "    permissions: {}\n" in jobs()["think"]
    assert "TOKEN" not in jobs()["think"]


def test_runs_wait_for_one_another_and_strangers_hold_up_nobody() -> None:
    condition = " ".join(re.findall(r"^    if: >-\n((?: {6}.*\n)+)", jobs()["read"], re.MULTILINE)[0].split())
    (group,) = re.findall(r"^  group: >-\n((?: {4}.*\n)+)  queue: max\n", WORKFLOW, re.MULTILINE)

    assert " ".join(group.split()) == (
        f"${{{{ {condition} && format('ask-{{0}}', github.event.issue.number) || github.run_id }}}}"
    )
    assert "cancel-in-progress" not in WORKFLOW


def test_no_script_of_the_workflow_holds_an_expression() -> None:
    found = [script for job in jobs().values() for script in scripts(job)]

    assert len(found) == 3
    assert [script for script in found if "${{" in script] == []
