"""`tertulia demo`: every record, every finding, and the very text an agent gets."""

import json
from pathlib import Path
from typing import Any

import pytest

from tertulia import registry
from tertulia_cli import _demo

SAMPLES = Path(str(_demo.__file__)).with_name("_samples")


def test_the_demo_shows_every_record_every_finding_and_the_text(tertulia: Any) -> None:
    page = tertulia("demo").out
    context = json.loads(tertulia("demo", "--json").out)["context"]

    for record in context["records"]:
        assert record["ref"] in page
        assert record["decision"] in page
        assert record["reason"] in page
    for finding in context["audit"]:
        assert finding["flag"] in page
        assert finding["detail"] in page
    assert context["text"] in page


def test_the_bundled_thread_shows_each_kind_of_attack(tertulia: Any) -> None:
    context = json.loads(tertulia("demo", "--json").out)["context"]

    by_ref = {record["ref"]: record for record in context["records"]}
    flags = {(finding["flag"], finding.get("ref")) for finding in context["audit"]}
    assert ("forged-marker", "issue_comment:5005") in flags
    assert ("hidden-text", "issue:4242") in flags
    assert ("edited-after-trigger", "issue_comment:5004") in flags
    assert ("edited-by-other", "issue_comment:5004") in flags
    assert {"issue_comment:5004", "issue_comment:5005", "issue_comment:5006"} <= set(context["unverified"])
    assert by_ref["issue_comment:5007"]["decision"] == "deleted"
    assert by_ref["issue_comment:5001"]["decision"] == "engine"
    assert (by_ref["issue_comment:5002"]["kind"], by_ref["issue_comment:5002"]["decision"]) == ("agent-output", "flow")
    assert (by_ref["issue_comment:5011"]["kind"], by_ref["issue_comment:5011"]["trusted"]) == ("command", True)
    assert sum(context["counts"].values()) == len(context["records"]) == 12
    assert "LANTERN_TOKEN" not in context["text"]


def test_without_an_adapter_the_demo_says_which_one_shows_the_event(
    tertulia: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tertulia.registry.installed", registry.Installed)

    done = tertulia("demo")

    assert (done.status, done.err) == (0, "")
    assert "Install tertulia-forge-github" in done.out
    assert json.loads(tertulia("demo", "--json").out)["normalized"] is None


def test_a_thread_of_your_own_is_shown_the_same_way(tertulia: Any, thread_file: str) -> None:
    from_file = tertulia("demo", thread_file).out
    from_pipe = tertulia("demo", "-", stdin=Path(thread_file).read_bytes()).out

    assert from_file == from_pipe
    assert "issue_comment:104" in from_file
    assert "The event" not in from_file
    assert tertulia("context", "--snapshot", thread_file).out in from_file


def test_a_thread_as_the_recipe_saves_it_is_shown(tertulia: Any, thread_file: str) -> None:
    issue, *comments = json.loads(Path(thread_file).read_text("utf-8"))["thread"]
    del issue["source_type"]
    issue |= {"number": 7, "comments": 4}
    for comment in comments:
        del comment["source_type"]
        comment["issue_url"] = "https://api.github.com/repos/acme/demo/issues/7"
    saved = json.dumps({"thread": [issue, comments[:2], comments[2:]]}).encode()

    anonymous = tertulia("demo", "-", stdin=saved)
    named = tertulia("demo", "-", "--trigger-author", "maint-a", stdin=saved)

    assert (anonymous.status, named.status) == (0, 0)
    assert "Add --trigger-author" in anonymous.out
    assert "Add --trigger-author" not in named.out
    assert "5 records: 1 body, 2 flow" in named.out


def test_what_others_wrote_is_no_markup_and_no_command(tertulia: Any, thread_file: str) -> None:
    written = Path(thread_file).read_text("utf-8").replace("outsider-x", "[red]x[/red]\\u001b[31m :smile:")

    done = tertulia("demo", "-", stdin=written.encode())

    assert "[red]x[/red]" in done.out
    assert ":smile:" in done.out
    assert "\x1b" not in done.out


def test_the_samples_are_readable_json() -> None:
    names = sorted(path.name for path in SAMPLES.iterdir())

    assert names == ["issue_comment.json", "thread.json"]
    assert all(isinstance(json.loads((SAMPLES / name).read_text("utf-8")), dict) for name in names)
