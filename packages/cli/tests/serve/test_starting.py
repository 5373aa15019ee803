"""What must be there before it starts; what is not is one line that says what to do."""

import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tertulia import registry

LINE = re.compile(r"error: .+ \(.+\): .+\n")
SECRETS = {"GITHUB_WEBHOOK_SECRET": "secret-of-github"}


@pytest.fixture
def serve(tertulia: Any, senders: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Run the command in this process, where it must fail: with a secret and the adapters of the senders."""
    monkeypatch.syspath_prepend(str(senders))
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, env: Any = None) -> str:
        done = tertulia("serve", *arguments, env=SECRETS if env is None else env)
        assert (done.status, done.out) == (2, "")
        assert LINE.fullmatch(done.err), done.err
        assert "secret-of" not in done.err
        return str(done.err)

    return run


def test_without_the_extra_it_says_what_to_install(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tertulia_cli.serve._command._NEEDED", ("uvicorn", "not_there"))

    assert serve() == "error: the receiver needs not_there (tertulia serve): install tertulia-cli[serve]\n"


def test_without_a_secret_it_names_the_variables(serve: Any) -> None:
    assert "neither GITHUB_WEBHOOK_SECRET nor SLACK_SIGNING_SECRET is set" in serve(env={"GITHUB_WEBHOOK_SECRET": "  "})


def test_without_an_adapter_it_says_which_to_install(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "GROUP", "of.nobody")

    assert "tertulia-forge-github" in serve()


def test_without_a_source_it_says_which_adapter_to_install(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "GROUP", "of.nobody")

    told = serve("--socket-mode", env={})

    assert "no installed adapter receives from slack without a webhook" in told
    assert "install tertulia-conversation-slack (--source)" in told.replace(" (system)", "")


def test_a_port_that_is_taken_is_named(serve: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"127.0.0.1:{port}" in serve("--port", str(port))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--output", "x", "--post", "http://127.0.0.1/"], "events go to one place"),
        (["--keep", "long"], "(--keep): write it like 90s"),
        (["--size", "1"], "(--size): write it like 500MB"),
        (["--port", "70000"], "--port"),
        (["--host", "nowhere.invalid"], "nowhere.invalid"),
        (["--concurrency", "0"], "--concurrency"),
        (["--engine", "a b"], "--engine"),
        (["--only", "comment_aded"], "'comment_aded' is nothing that happens (--only)"),
        (["--port", "0", "--post", "ftp://127.0.0.1/"], "this is not a web address (--post)"),
        (["--port", "0", "--post", "http://[::1"], "this is not a web address (--post)"),
        (["--port", "0", "--post", "http://me:word@127.0.0.1/"], "set TERTULIA_OUTPUT_TOKEN instead"),
        (["--port", "0", "--command", "'"], "is not a command"),
        (["--port", "0", "--command", " "], "cannot be run"),
        (["--port", "0", "--command", "no-such-program-here"], "'no-such-program-here' cannot be run (--command)"),
        (["--port", "0", "--output", "no/such/folder"], "cannot write events: No such file"),
        (["--port", "0", "--inbox", "no/such/folder"], "the inbox cannot be used: No such file"),
        (["--port", "0", "--inbox", "."], "the inbox cannot be used: Is a directory"),
    ],
)
def test_what_cannot_be_done_is_one_line_that_names_the_option(arguments: list[str], told: str, serve: Any) -> None:
    assert told in serve(*arguments)


def test_a_file_that_is_no_inbox_is_refused_and_left_alone(serve: Any, tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("not a database, but somebody's notes" * 100)

    assert "the inbox cannot be used: file is not a database (notes)" in serve("--port", "0", "--inbox", "notes")
    assert (tmp_path / "notes").read_text().startswith("not a database")


def test_its_help_loads_nothing_that_the_extra_brings() -> None:
    code = "import sys; from tertulia_cli.main import main; main(['serve', '--help']); print(*sys.modules)"

    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True).stdout

    assert "tertulia serve --post https://agents.example/events" in told
    assert not {"starlette", "uvicorn", "httpx", "sqlite3"} & set(told.split())
