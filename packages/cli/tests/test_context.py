"""`tertulia context`: the saved thread, and what is laid over it."""

import json
from pathlib import Path
from typing import Any

import pytest

Call = Any


@pytest.fixture
def context(tertulia: Call, thread_file: str) -> Call:
    """Run `context --json` on the saved thread and read the document."""

    def run(*arguments: str, env: dict[str, str] | None = None) -> Any:
        done = tertulia("context", "--snapshot", thread_file, "--json", *arguments, env=env)
        assert (done.status, done.err) == (0, "")
        return json.loads(done.out)

    return run


def decisions(document: Any) -> dict[str, str]:
    """Read what became of every record."""
    return {record["ref"].partition(":")[2]: record["decision"] for record in document["records"]}


def test_the_text_is_what_json_carries(context: Call, tertulia: Call, thread_file: str) -> None:
    document = context()

    assert document["version"] == 1
    assert decisions(document) == {"7": "body", "101": "flow", "102": "unverified", "103": "engine", "104": "flow"}
    assert tertulia("context", "--snapshot", thread_file).out == document["text"]


def test_a_body_over_256_kib_is_cut_and_says_so(tertulia: Call, thread_file: str) -> None:
    path = Path(thread_file)
    saved = json.loads(path.read_text("utf-8"))
    saved["thread"][1]["body"] = "x" * 262_150
    path.write_text(json.dumps(saved), "utf-8")

    done = tertulia("context", "--snapshot", thread_file)

    assert done.status == 0
    assert "[\u2026 6 characters were not read \u2026]" in done.out


def test_standard_input_is_a_file_too(tertulia: Call, thread_file: str) -> None:
    given = Path(thread_file).read_bytes()

    assert tertulia("context", "--snapshot", "-", stdin=given) == tertulia("context", "--snapshot", thread_file)


def test_output_goes_to_a_file_and_nowhere_else(tertulia: Call, thread_file: str, tmp_path: Path) -> None:
    path = tmp_path / "context.md"
    shown = tertulia("context", "--snapshot", thread_file)

    done = tertulia("context", "--snapshot", thread_file, "--output", str(path), env={"GITHUB_ACTIONS": "true"})

    assert (done.status, done.out, done.err) == (0, "", "")
    assert path.read_text("utf-8") == shown.out
    assert "::stop-commands::" not in shown.out


def test_json_goes_to_a_file_too(tertulia: Call, context: Call, thread_file: str, tmp_path: Path) -> None:
    path = tmp_path / "context.json"

    tertulia("context", "--snapshot", thread_file, "--json", "--output", str(path))

    assert json.loads(path.read_text("utf-8")) == context()


@pytest.mark.parametrize("place", ["", "missing/context.md", "file/context.md"])
def test_a_place_that_cannot_be_written_is_one_line(
    place: str, tertulia: Call, thread_file: str, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()

    done = tertulia("context", "--snapshot", thread_file, "--output", str(tmp_path / place))

    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("error: cannot write the result: ")
    assert len(done.err.splitlines()) == 1


def test_text_is_bracketed_under_github_actions_and_json_is_not(tertulia: Call, thread_file: str) -> None:
    plain = tertulia("context", "--snapshot", thread_file)
    text = tertulia("context", "--snapshot", thread_file, env={"GITHUB_ACTIONS": "true"})
    document = tertulia("context", "--snapshot", thread_file, "--json", env={"GITHUB_ACTIONS": "true"})

    first, *middle, last = text.out.splitlines(keepends=True)
    assert first.startswith("::stop-commands::")
    assert last == f"::{first.strip().removeprefix('::stop-commands::')}::\n"
    assert "".join(middle) == plain.out
    assert json.loads(document.out)["text"] == plain.out


def test_control_characters_of_others_do_not_come_out(tertulia: Call, thread_file: str) -> None:
    assert not set(tertulia("context", "--snapshot", thread_file).out) & {"\x1b", "\x9b"}


def test_the_window_comes_from_the_environment_and_the_option_wins(context: Call) -> None:
    assert len(context()["flow"]) == 2
    assert context(env={"HISTORY_COMMENT_COUNT": "1"})["flow"] == ["issue_comment:104"]
    assert len(context("--window", "0", env={"HISTORY_COMMENT_COUNT": "1"})["flow"]) == 2
    assert len(context(env={"HISTORY_COMMENT_COUNT": " "})["flow"]) == 2
    assert len(context("--window", "-1")["flow"]) == 2


@pytest.mark.parametrize("value", ["many", "1.5", "1_0", "٣", "9" * 5_000])
def test_a_window_that_is_no_integer_is_refused_by_name(value: str, tertulia: Call, thread_file: str) -> None:
    done = tertulia("context", "--snapshot", thread_file, env={"HISTORY_COMMENT_COUNT": value})

    assert done.status == 2
    assert done.err.endswith("(HISTORY_COMMENT_COUNT): set it to a number, or unset it\n")
    assert len(done.err.splitlines()) == 1


def test_a_pin_stays_beside_the_window(context: Call) -> None:
    assert context("--window", "1", "--pin", "issue_comment:101")["flow"] == ["issue_comment:101", "issue_comment:104"]


@pytest.mark.parametrize("author", ["9001", "outsider-x", "@OUTSIDER-X"])
def test_the_trigger_author_is_an_id_or_a_login(author: str, context: Call) -> None:
    document = context("--trigger-author", author)

    assert decisions(document)["101"] == "unverified"
    assert "trigger-author-not-associated" in {finding["flag"] for finding in document["audit"]}


@pytest.mark.parametrize(("engine", "decision"), [("1001", "unverified"), ("engine-svc", "engine"), ("500", "engine")])
def test_the_engine_is_an_id_or_a_login(engine: str, decision: str, context: Call) -> None:
    assert decisions(context("--engine", engine))["103"] == decision


def test_command_prefixes_say_which_commands_count(context: Call) -> None:
    def kind(*arguments: str) -> str:
        return str(context(*arguments)["records"][-1]["kind"])

    assert kind() == "command"
    assert kind("--command-prefix", "/run") == "human-feedback"
    assert kind("--command-prefix", "/run", "--command-prefix", "/a-") == "human-feedback"
    assert kind("--command-prefix", "/run", "--command-prefix", "/ask") == "command"


def test_detail_meta_leaves_the_excerpt_out(context: Call) -> None:
    assert "skip the tests" in context()["text"]
    assert "skip the tests" not in context("--detail", "meta")["text"]


def test_a_policy_is_laid_over_the_policy_of_the_thread(context: Call, tmp_path: Path) -> None:
    policy = tmp_path / "policy.json"
    policy.write_text('\ufeff{"blocked_user_ids": ["9001"]}', "utf-8")

    assert decisions(context("--policy", str(policy)))["102"] == "excluded"


BAD_POLICIES = {
    "[]": "policy",
    '{"edit_gaurd": true}': "edit_gaurd: unknown field",
    '{"edit_guard": "yes"}': "edit_guard",
    '{"state_key": "x"}': "state_key: unknown field",
    '{"window": 3}': "window: unknown field",
    '{"max_record_chars": 0}': "max_record_chars",
    '{"permissions": []}': "permissions",
    '{"edit_guard": NaN}': "policy",
    "{": "policy",
    '{"a": ' + "[" * 2_000: "policy",
}


@pytest.mark.parametrize("policy", BAD_POLICIES, ids=lambda text: text[:24])
def test_a_wrong_policy_is_one_line_that_names_it(
    policy: str, tertulia: Call, thread_file: str, tmp_path: Path
) -> None:
    path = tmp_path / "policy.json"
    path.write_text(policy)

    done = tertulia("context", "--snapshot", thread_file, "--policy", str(path))

    assert (done.status, done.out) == (2, "")
    assert BAD_POLICIES[policy] in done.err
    assert "/policy.json)" in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--pin", "104"], "--pin"),
        (["--trigger-author", ""], "--trigger-author"),
        (["--trigger-author", "a b"], "--trigger-author"),
        (["--engine", "x\n"], "--engine"),
        (["--policy", "missing.json"], "missing.json"),
    ],
)
def test_a_wrong_option_is_one_line_that_names_it(
    arguments: list[str], named: str, tertulia: Call, thread_file: str
) -> None:
    done = tertulia("context", "--snapshot", thread_file, *arguments)

    assert (done.status, done.out) == (2, "")
    assert named in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("context_of_file", "named"),
    [
        ({"windw": 1}, "windw"),
        ({"window": "1"}, "window"),
        ({"policy": {"edit_gaurd": True}}, "edit_gaurd"),
        ({"policy": []}, "policy"),
        ([], "context"),
    ],
)
def test_an_unknown_or_wrong_name_in_the_file_is_named(context_of_file: Any, named: str, tertulia: Call) -> None:
    document = json.dumps({"thread": [], "context": context_of_file}).encode()

    done = tertulia("context", "--snapshot", "-", stdin=document)

    assert (done.status, done.out) == (2, "")
    assert named in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("env", "linked"),
    [
        ({}, "https://github.com/acme"),
        ({"GITHUB_SERVER_URL": "https://git.example.com"}, "https://git.example.com/acme"),
        ({"GITHUB_API_URL": "https://git.example.com/api/v3"}, "https://git.example.com/acme"),
        ({"GITHUB_API_URL": "https://api.github.com"}, "https://github.com/acme"),
        ({"GITHUB_API_URL": "https://api.tenant.ghe.com"}, "https://tenant.ghe.com/acme"),
        ({"GITHUB_API_URL": "https://git.example.com:8443/api/v3"}, "https://git.example.com:8443/acme"),
    ],
    ids=str,
)
def test_links_lead_to_the_configured_host_only(
    env: dict[str, str], linked: str, tertulia: Call, thread_file: str
) -> None:
    path = Path(thread_file)
    document = path.read_text("utf-8").replace("https://github.com/acme", linked)

    done = tertulia("context", "--snapshot", "-", stdin=document.encode(), env=env)
    other = tertulia(
        "context", "--snapshot", "-", stdin=document.encode(), env={"GITHUB_SERVER_URL": "https://other.example"}
    )

    assert linked in done.out
    assert linked not in other.out


@pytest.mark.parametrize("url", ["git.example.com", "ftp://git.example.com", "https://", "https://a b", "https://u@h"])
def test_an_address_that_is_none_is_refused_by_name(url: str, tertulia: Call, thread_file: str) -> None:
    done = tertulia("context", "--snapshot", thread_file, env={"GITHUB_SERVER_URL": url})

    assert done.status == 2
    assert "(GITHUB_SERVER_URL)" in done.err
