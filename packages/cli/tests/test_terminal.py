"""At a terminal there is colour and width; everywhere else there is the result and nothing more."""

import json
import re
from typing import Any

import pytest

ESCAPE = "\x1b"
EVENT = {
    "repo": "acme/demo",
    "entity": {"kind": "work_item", "id": 7, "url": "https://github.com/acme/demo/issues/7"},
    "transition": {"kind": "opened"},
    "actor": {"id": "maint-a", "kind": "human", "role": "none", "is_entity_author": True},
    "state": {"labels": ["a\u009b31m"]},
    "source": {"system": "github", "raw_type": "issues", "raw_action": "opened"},
}


def test_the_demo_is_in_colour_at_a_terminal(terminal: Any) -> None:
    assert ESCAPE in terminal("demo").out


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_colour_can_be_refused(env: dict[str, str], terminal: Any) -> None:
    done = terminal("demo", env=env)

    assert done.status == 0
    assert ESCAPE not in done.out


def test_an_empty_no_color_refuses_nothing(terminal: Any) -> None:
    assert ESCAPE in terminal("demo", env={"NO_COLOR": ""}).out


@pytest.mark.parametrize("command", [["demo"], ["adapters"], ["--help"]], ids=str)
@pytest.mark.parametrize("env", [{}, {"FORCE_COLOR": "1", "TTY_COMPATIBLE": "1"}], ids=str)
def test_a_pipe_gets_no_escape_codes(command: list[str], env: dict[str, str], process: Any) -> None:
    done = process(*command, env={"TERM": "xterm-256color"} | env)

    assert (done.status, done.err) == (0, "")
    assert ESCAPE not in done.out


@pytest.mark.parametrize("columns", [80, 100, 120])
def test_nothing_is_wider_than_the_terminal(columns: int, terminal: Any) -> None:
    done = terminal("demo", columns=columns, env={"NO_COLOR": "1"})

    assert done.status == 0
    assert max(len(line) for line in done.out.splitlines()) <= columns


def test_json_is_indented_at_a_terminal_and_one_line_elsewhere(terminal: Any, tertulia: Any, tmp_path: Any) -> None:
    path = tmp_path / "event.json"
    path.write_text(json.dumps(EVENT))

    shown = terminal("normalize", "--system", "json", str(path))
    piped = tertulia("normalize", "--system", "json", str(path))

    assert json.loads(shown.out) == json.loads(piped.out)
    assert shown.out.startswith('{\n  "version": 1,\n')
    assert len(piped.out.splitlines()) == 1
    assert "\x9b" not in shown.out + piped.out
    assert json.loads(piped.out)["events"][0]["state"]["labels"] == ["a\x9b31m"]


def test_a_person_is_told_what_was_decided(terminal: Any, process: Any, thread_file: str) -> None:
    shown = terminal("context", "--snapshot", thread_file)
    piped = process("context", "--snapshot", thread_file)

    summary = shown.out.splitlines()[-1]
    counted = re.fullmatch(r"(\d+) records: (.*); (\d+) findings?", summary)
    assert counted is not None, summary
    assert int(counted[1]) == sum(int(part.split()[0]) for part in counted[2].split(", "))
    assert piped.err == ""
    assert summary not in piped.out
