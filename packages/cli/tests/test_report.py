"""`tertulia context --report FILE`: the ledger for people to look at."""

import json
from pathlib import Path
from typing import Any

import pytest

Call = Any


@pytest.mark.parametrize(
    ("name", "begins"), [("r.html", "<!doctype html>"), ("R.HTML", "<!doctype html>"), ("r.md", "## Ledger of ")]
)
def test_the_end_of_the_name_says_the_form(
    tertulia: Call, thread_file: str, tmp_path: Path, name: str, begins: str
) -> None:
    path = tmp_path / name
    done = tertulia("context", "--snapshot", thread_file, "--report", str(path))

    assert (done.status, done.err) == (0, "")
    assert done.out == tertulia("context", "--snapshot", thread_file).out
    assert path.read_text("utf-8").startswith(begins)


def test_json_holds_every_record(tertulia: Call, thread_file: str, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    printed = json.loads(tertulia("context", "--snapshot", thread_file, "--json", "--report", str(path)).out)
    report = json.loads(path.read_text("utf-8"))

    assert [one["ref"] for one in report["records"]] == [one["ref"] for one in printed["records"]]
    assert report["counts"] == printed["counts"]


@pytest.mark.parametrize("name", ["r.pdf", "r", "html"])
def test_another_form_is_refused_before_anything_is_read(tertulia: Call, name: str) -> None:
    done = tertulia("context", "--snapshot", "nowhere.json", "--report", name)

    assert (done.status, done.out) == (2, "")
    assert done.err == (f"error: '{name}' is in no form of a report (--report): end its name in .html, .md or .json\n")


def test_a_place_that_cannot_be_written_is_one_line(tertulia: Call, thread_file: str, tmp_path: Path) -> None:
    done = tertulia("context", "--snapshot", thread_file, "--report", str(tmp_path / "no" / "r.html"))

    assert done.status == 2
    assert "cannot write the result" in done.err


def test_a_job_s_summary_gets_it_by_itself(tertulia: Call, thread_file: str, tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("Before.\n", "utf-8")
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}

    done = tertulia("context", "--snapshot", thread_file, "--output", str(tmp_path / "c.md"), env=env)

    assert (done.status, done.err) == (0, "")
    assert summary.read_text("utf-8").startswith("Before.\n## Ledger of ")


@pytest.mark.parametrize("env", [{}, {"GITHUB_ACTIONS": "true"}, {"GITHUB_ACTIONS": "false"}])
def test_without_a_job_there_is_no_summary(
    tertulia: Call, thread_file: str, tmp_path: Path, env: dict[str, str]
) -> None:
    summary = tmp_path / "summary.md"
    named = {"GITHUB_STEP_SUMMARY": str(summary)} if env.get("GITHUB_ACTIONS") != "true" else {}

    assert tertulia("context", "--snapshot", thread_file, env=env | named).status == 0
    assert not summary.exists()


def test_a_summary_that_cannot_be_written_fails_no_run(tertulia: Call, thread_file: str, tmp_path: Path) -> None:
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(tmp_path)}

    done = tertulia("context", "--snapshot", thread_file, "--output", str(tmp_path / "c.md"), env=env)

    assert done.status == 0
    assert done.err.startswith("note: the summary of the job could not be written: ")
    assert done.err.count("\n") == 1
