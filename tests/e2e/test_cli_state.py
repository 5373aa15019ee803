"""State in a comment on a live GitHub: kept, signed, and known when somebody has had a hand in it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]

REPO = "/repos/acme/demo"
KEY = "k1:a-published-key-for-tests"


@pytest.fixture
def tertulia(here: Call, github_emulator: str, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Run the command against the emulator, with a key."""
    monkeypatch.setenv("TERTULIA_STATE_KEY", KEY)
    return partial(here, github_emulator)


def test_a_state_is_kept_in_the_thread_and_nobody_forges_it(tertulia: Call, github: Call, tmp_path: Path) -> None:
    made = github("POST", f"{REPO}/issues", {"title": "Kept", "body": "It broke."}, token="token-of-drive-by").body
    route, url = f"{REPO}/issues/{made['number']}", made["html_url"]
    first = github("POST", f"{route}/comments", {"body": "Which build?"}, token="token-of-member-b").body
    report = tmp_path / "report.html"
    context = ("context", url, "--trigger-author", "maint-a", "--state", "comment", "--json")

    before = tertulia(*context).json()
    github("DELETE", f"{REPO}/issues/comments/{first['id']}", token="token-of-member-b")
    after = tertulia(*context, "--report", str(report)).json()
    good = tertulia("ledger", "verify", url)

    states = [one for one in github("GET", f"{route}/comments").body if "workflow-state" in one["body"]]
    (state,) = states
    assert state["user"]["login"] == "helper"
    assert state["body"].count("\n") == 2
    assert (before["state"]["rev"], after["state"]["rev"]) == (1, 2)
    assert after["state"]["source"] == f"issue_comment:{state['id']}"
    assert {one["ref"]: one["decision"] for one in after["records"]}[f"issue_comment:{first['id']}"] == "deleted"
    assert "1 gone" in report.read_text("utf-8")
    assert (good.status, good.err) == (0, "")

    github("POST", f"{route}/comments", {"body": state["body"].replace("rev=2", "rev=9")}, token="token-of-drive-by")
    foreign = tertulia(*context)
    forged = state["body"].replace("rev=2", "rev=9")
    github("PATCH", f"{REPO}/issues/comments/{state['id']}", {"body": forged}, token="token-of-maint-a")
    wrong = tertulia("ledger", "verify", url)
    rebuilt = tertulia(*context).json()

    assert "foreign-state-ignored" in foreign.err
    assert wrong.status == 2
    assert "none of our keys signed it" in wrong.err
    assert "state-mac-invalid" in {finding["flag"] for finding in rebuilt["audit"]}
    assert tertulia("ledger", "verify", url).status == 0
