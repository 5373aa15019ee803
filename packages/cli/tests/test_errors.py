"""Whatever goes wrong is one line: `error: <what> (<where>): <what to do>`, with an exit status that says whose turn it is."""

import json
import logging
import re
from pathlib import Path
from typing import Any

import pytest

from tertulia import errors

LINE = re.compile(r"error: .+ \(.+\): .+\n")

THREAD = ["context", "--snapshot"]
EVENT = ["normalize", "--system", "json"]


@pytest.fixture
def bad_files(tmp_path: Path) -> Path:
    """Fill a folder with files that cannot be read or are not what is asked for."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    contents = {
        "empty": b"",
        "blank": b" \n",
        "array": b"[1]",
        "text": b'"x"',
        "null": b"null",
        "latin": '{"a": "é"}'.encode("latin-1"),
        "nan": b'{"a": NaN}',
        "deep": b'{"a": ' + b"[" * 2_000 + b"]" * 2_000 + b"}",
        "deep-objects": b'{"a": ' * 2_000 + b"1" + b"}" * 2_000,
        "broken": b'{"a": ',
        "other": b'{"a": 1}',
        "twice": b"{} {}",
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


NAMES = [
    "missing", "folder", "loop", "x" * 300, "nul\x00byte", "empty", "blank", "array", "text", "null", "latin", "nan", "deep",
    "deep-objects", "broken", "other", "twice",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", [EVENT, THREAD], ids=["normalize", "context"])
def test_a_bad_file_is_one_line_that_names_it(command: list[str], name: str, bad_files: Path, tertulia: Any) -> None:
    path = str(bad_files / name)

    done = tertulia(*command, path)

    assert (done.status, done.out) == (2, "")
    assert LINE.fullmatch(done.err), done.err
    assert "/" + "".join(c if c.isprintable() else "\\x00" for c in name)[:20] in done.err


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b"{"])
@pytest.mark.parametrize("command", [EVENT, THREAD], ids=["normalize", "context"])
def test_bad_standard_input_is_named_as_such(command: list[str], content: bytes, tertulia: Any) -> None:
    done = tertulia(*command, "-", stdin=content)

    assert done.status == 2
    assert "(standard input)" in done.err
    assert LINE.fullmatch(done.err)


def test_a_file_name_cannot_act_on_the_terminal(tmp_path: Path, tertulia: Any) -> None:
    done = tertulia(*THREAD, str(tmp_path / "a\x1b]0;owned\x07\u202eb\nerror: fine"))

    assert LINE.fullmatch(done.err)
    assert "a\\x1b]0;owned\\x07\\u202eb error: fine" in done.err


def test_what_is_wrong_inside_a_file_cannot_act_on_a_runner(tertulia: Any) -> None:
    document = json.dumps({"##[add-mask]x\n::set-env name=A::b": 1}).encode()

    done = tertulia(*EVENT, "-", stdin=document)

    assert done.status == 2
    assert LINE.fullmatch(done.err)
    assert "##[" not in done.err


def test_a_file_over_the_limit_is_not_read_whole(
    tmp_path: Path, tertulia: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tertulia_cli._normalize.MAX_PAYLOAD", 1_000)
    endless = tmp_path / "endless"
    endless.symlink_to("/dev/zero")

    done = tertulia(*EVENT, str(endless))

    assert done.status == 2
    assert "has more than 1000 bytes" in done.err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["nope"], "nope"),
        (["contxt"], "context"),
        (["normalize", "--nope"], "--nope"),
        (["normalize", "a", "b"], "b"),
        (["normalize", "--name"], "--name"),
        (["context", "--window", "many", "--snapshot", "x"], "--window"),
        (["context", "--detail", "all", "--snapshot", "x"], "--detail"),
        (["context"], "--snapshot"),
        (["context", "URL", "--snapshot", "x"], "URL and --snapshot"),
        (["context", "--snapshot", "x", "--state", "sqlite:x"], "--state"),
        (["context", "--snapshot", "x", "--save-snapshot", "x"], "--save-snapshot"),
        (["reply", "--agent", "a"], "--body"),
        (["reply", "--body", "x", "--agent", "a"], "--event FILE or --url URL"),
        (["reply", "--body", "x", "--agent", "a", "--url", "u", "--event", "e"], "one thread"),
        (["reply", "--body", "-", "--agent", "a", "--event", "-"], "--event and --body"),
        (["demo", "--post"], "--post"),
        (["doctor", "x"], "x"),
        (["schema"], "event|snapshot|context"),
        (["schema", "nothing"], "event, snapshot, context, state"),
        (["demo", "a", "b"], "b"),
        (["adapters", "x"], "x"),
        (["\x1b[31m"], "\\x1b"),
    ],
)
def test_bad_usage_is_one_line_that_names_it(arguments: list[str], named: str, tertulia: Any) -> None:
    done = tertulia(*arguments)

    assert (done.status, done.out) == (2, "")
    assert LINE.fullmatch(done.err), done.err
    assert named in done.err


STATUSES = [
    (errors.Invalid("x"), 2),
    (errors.Unsupported("x", "y"), 2),
    (errors.NotFound("x", backend="github", operation="read"), 3),
    (errors.Denied("x"), 3),
    (errors.Conflict("x"), 3),
    (errors.RateLimited("x"), 4),
    (errors.Unavailable("x"), 4),
    (errors.Error("x"), 1),
    (RuntimeError("x"), 1),
    (RecursionError(), 1),
    (OSError(5, "x"), 1),
    (AssertionError(), 1),
]


@pytest.mark.parametrize(("error", "status"), STATUSES, ids=lambda value: type(value).__name__)
def test_every_error_has_its_status(
    error: Exception, status: int, tertulia: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tertulia_cli._schema._made", raiser(error))

    done = tertulia("schema", "event")

    assert (done.status, done.out) == (status, "")
    assert LINE.fullmatch(done.err)
    assert ("this is a bug in tertulia" in done.err) == (status == 1)


def test_a_bug_says_where_it_is_and_shows_more_only_when_asked(tertulia: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tertulia_cli._schema._made", raiser(KeyError("a\x1bb\nc")))

    done = tertulia("schema", "event")
    debugged = tertulia("schema", "event", "--debug")

    assert re.fullmatch(r"error: KeyError: 'a\\x1bb\\nc' \(test_errors.py:\d+\): this is a bug.*\n", done.err)
    assert debugged.err.startswith("Traceback (most recent call last):\n")
    assert debugged.err.endswith(done.err)
    assert "\x1b" not in debugged.err


def raiser(error: Exception) -> Any:
    """Make a function that fails."""

    def fail(*given: Any) -> Any:
        raise error

    return fail


def test_debug_is_understood_anywhere_but_behind_two_dashes(tertulia: Any) -> None:
    first = tertulia("--debug", "normalize", "missing", "--system", "json")
    last = tertulia("normalize", "missing", "--system", "json", "--debug")
    name = tertulia("normalize", "--system", "json", "--", "--debug")

    assert first.err == last.err
    assert first.err.startswith("Traceback")
    assert name.err.startswith("error: ")
    assert "(--debug)" in name.err


def test_what_libraries_log_is_shown_with_debug_only_and_clean(tertulia: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def made(document: str) -> dict[str, Any]:
        logging.getLogger("tertulia.some_adapter").warning("payload names %s", "a\x1b[2J\n::add-mask::b")
        return {}

    monkeypatch.setattr("tertulia_cli._schema._made", made)

    quiet, debugged = tertulia("schema", "event"), tertulia("schema", "event", "--debug")

    assert (quiet.status, quiet.err) == (0, "")
    assert debugged.err == "warning: tertulia.some_adapter: payload names a\\x1b[2J ::add-mask::b\n"
    assert quiet.out == debugged.out
