"""A live read at a terminal, in a pipe, and when somebody stops it. Each is a process of its own."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

URL = "https://tracker.example/acme/demo/issues/1"


@pytest.fixture
def live(hub_folder: Path) -> dict[str, str]:
    """Give an environment in which the hub's adapter is installed, and reading takes a moment."""
    return {"PYTHONPATH": str(hub_folder), "FAKE_TOKEN": "maint", "FAKE_DELAY": "0.4"}


def test_a_person_sees_that_it_goes_on(live: dict[str, str], terminal: Any) -> None:
    done = terminal("context", URL, env=live)

    assert done.status == 0
    assert "reading github:acme/demo#1" in done.out
    assert done.out.splitlines()[-1].startswith("4 records: ")


@pytest.mark.parametrize("columns", [80, 110])
def test_the_demo_fits_the_terminal(columns: int, live: dict[str, str], terminal: Any) -> None:
    done = terminal("demo", URL, columns=columns, env=live | {"TERM": "dumb", "FAKE_DELAY": "0"})

    page = done.out.partition("The ledger")[2].partition("The context")[0]
    assert done.status == 0
    assert max(len(line) for line in page.splitlines()) <= columns
    assert "what --post would post; nothing was written" in done.out


def test_a_pipe_gets_the_result_and_one_note(live: dict[str, str], process: Any) -> None:
    done = process("context", URL, "--json", env=live)

    assert json.loads(done.out)["version"] == 1
    assert len(done.err.splitlines()) == 1
    assert done.err.startswith("note: the trigger author is ")


@pytest.mark.parametrize("command", [["context", URL], ["demo", URL], ["context", URL, "--debug"]], ids=" ".join)
def test_an_interrupt_ends_it_quietly_and_leaves_nothing_behind(
    command: list[str], live: dict[str, str], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    ready = tmp_path_factory.mktemp("ready") / "reading"
    env = {name: value for name, value in os.environ.items() if not name.startswith("FAKE_")} | live
    program = [sys.executable, "-X", "dev", "-m", "tertulia_cli", *command]
    if command[0] == "context":
        program += ["--output", "context.md", "--save-snapshot", "thread.json", "--state", "sqlite:state.sqlite"]
    run = {
        "env": env | {"FAKE_DELAY": "30", "FAKE_READY": str(ready)},
        "cwd": tmp_path,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
    }

    with subprocess.Popen(program, **run) as child:  # type: ignore[call-overload]
        while not ready.exists() and child.poll() is None:
            time.sleep(0.02)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=20)

    assert (child.returncode, out) == (130, b"")
    assert [line for line in err.decode().splitlines() if not line.startswith("debug: asyncio")] == []
    assert os.listdir(tmp_path) == []
