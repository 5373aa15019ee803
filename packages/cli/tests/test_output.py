"""What people wrote leaves as data, on every way out."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tertulia_cli import _output
from tertulia_cli._failure import Failure
from tertulia_cli._files import write_file

EVIL = "a\x00\x07\x1b[31mred\x1b[0m\r\x7f\x9bm\x85\tb\nc"
CLEAN = "a[31mred[0mm\tb\nc"


def test_control_characters_but_tab_and_line_feed_are_removed() -> None:
    assert _output.clean(EVIL) == CLEAN


def test_a_line_is_one_line_and_shows_what_cannot_be_seen() -> None:
    line = _output.one_line("a\nb\x1b[2J\u202e\u2028c\udcffd")

    assert line == "a b\\x1b[2J\\u202e c\\udcffd"


def test_a_line_has_an_end() -> None:
    assert len(_output.one_line("x" * 10_000)) == 1_000


def test_json_is_read_back_the_same_and_holds_no_character_a_terminal_or_a_runner_obeys() -> None:
    document = {"text": EVIL + "\u2028\u2029\u202e\u2066\ud800 é 👩‍💻", "more": "##[add-mask]x\n::set-env name=A::b"}

    written = _output.dumps(document, indented=False)

    assert json.loads(written) == document
    assert not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202e\u2066\ud800-\udfff]", written)
    assert "##[" not in written
    assert "é 👩‍💻" in written


@pytest.mark.parametrize("indented", [False, True])
def test_no_line_of_json_begins_as_a_workflow_command(indented: bool) -> None:
    written = _output.dumps({"::add-mask::x": "\n::debug::x", "list": ["::group::"]}, indented=indented)

    assert not [line for line in written.splitlines() if line.lstrip().startswith("::")]


def test_text_under_github_actions_stands_between_words_nobody_can_guess(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")

    for _ in range(2):
        _output.print_text("::add-mask::x")

    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == lines[4] == "::add-mask::x"
    opened = [lines[0], lines[3]]
    assert [f"::{line.removeprefix('::stop-commands::')}::" for line in opened] == [lines[2], lines[5]]
    assert re.fullmatch("::stop-commands::[0-9a-f]{32}", lines[0])
    assert opened[0] != opened[1]


def test_a_word_that_stands_in_the_text_is_not_taken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = iter(["a" * 32, "b" * 32])
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setattr("secrets.token_hex", lambda size: next(words))

    _output.print_text(f"::{'a' * 32}::\n::add-mask::x")

    assert capsys.readouterr().out.startswith(f"::stop-commands::{'b' * 32}\n")


def test_a_file_is_replaced_whole_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "result.md"
    path.write_text("old")
    path.chmod(0o640)

    write_file(str(path), "new \udc80")

    assert path.read_text() == "new \\udc80"
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["result.md"]


def test_a_new_file_is_as_the_umask_says(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_file(str(tmp_path / "result.md"), "new")
    finally:
        os.umask(before)

    assert (tmp_path / "result.md").stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("target")

    write_file(str(tmp_path / "link"), "new")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"


def test_a_device_is_written_to_and_not_replaced() -> None:
    before = os.stat("/dev/null")

    write_file("/dev/null", "x")

    assert os.stat("/dev/null").st_rdev == before.st_rdev


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "result.md"
    path.write_text("old")
    monkeypatch.setattr("os.replace", refuse)

    with pytest.raises(Failure, match="No space left"):
        write_file(str(path), "new")

    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["result.md"]


def refuse(*given: Any) -> None:
    """Be a disk that is full."""
    raise OSError(28, "No space left on device")


def test_output_is_utf_8_with_line_feeds_whatever_the_locale(process: Any) -> None:
    document = {"repo": "é"}

    done = process(
        "normalize", "-", "--system", "json",
        input=json.dumps(document).encode(), env={"LC_ALL": "C", "PYTHONIOENCODING": "ascii:strict"},
    )  # fmt: skip

    assert done.status == 2
    assert done.err.startswith("error: event: ")


def test_a_reader_that_stops_reading_ends_it_quietly(tmp_path: Path, process: Any) -> None:
    reading, writing = os.pipe()
    os.close(reading)

    done = process("schema", "event", stdout=writing)
    os.close(writing)

    assert (done.status, done.err) == (0, "")


def test_a_full_disk_is_one_line(process: Any) -> None:
    with open("/dev/full", "wb") as full:
        done = process("schema", "event", stdout=full)

    assert done.status == 2
    assert done.err == (
        "error: cannot print: No space left on device (standard output): free it, or send the result to a file\n"
    )


def test_closed_streams_are_no_reason_for_a_traceback(tmp_path: Path, process: Any) -> None:
    done = process("schema", "event", stdout=None, stdin=None, preexec_fn=close_both)

    assert done.status == 2
    assert done.err.startswith("error: cannot print: ")
    assert len(done.err.splitlines()) == 1


def close_both() -> None:
    """Start a program as `program <&- >&-` does."""
    os.close(0)
    os.close(1)


def test_an_interrupt_is_quiet(tertulia: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*given: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tertulia_cli._schema._made", interrupt)

    done = tertulia("schema", "event")

    assert (done.status, done.out, done.err) == (130, "", "")


def test_an_error_that_nobody_can_be_told_is_in_the_exit_status(process: Any) -> None:
    with open("/dev/full", "wb") as full:
        done = process("normalize", "missing", "--system", "json", stderr=full)

    assert (done.status, done.out) == (2, "")
