"""The report where no page can be shown: as Markdown for the summary of a job, and as JSON for other programs."""

import re
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from tertulia.ledger import ThreadRecord
from tertulia.ledger.report import Report
from tertulia.ledger.report._markdown import MOST_ROWS
from tertulia.ledger.report._rows import MAX_SHOWN
from tertulia.thread import Message

Make = Callable[..., Message]


def test_markdown_begins_nothing_that_an_author_wrote(report: Callable[..., Report], note: Make) -> None:
    text = "a | b\n# h\n[x](https://evil.example) ![](https://evil.example/p.png) <b>@acme/all www.evil.example `c` #1"
    made = report(note(1, text)).markdown()
    (row,) = [line for line in made.split("\n") if line.startswith("| [issue\\_comment:1]")]

    assert row.count(" | ") == 5
    for word in ("](https://evil", "<b>", "@acme", "www.evil", "`c`", " #1"):
        assert word not in row


@pytest.mark.parametrize(("more", "told"), [(0, []), (1, ["1"]), (7, ["7"])])
def test_markdown_stays_short_enough_for_a_summary(
    report: Callable[..., Report], note: Make, more: int, told: list[str]
) -> None:
    """Of the records the newest are shown, of findings and changes the first."""
    numbers = range(1, MOST_ROWS + more + 1)
    before = tuple(ThreadRecord(kind="human-feedback", source_type="issue_comment", id=str(n)) for n in numbers)
    made = report(*(note(n, "\u202e" + "word " * 60) for n in numbers), previous=before).markdown()

    assert re.findall(r"^([\d,]+) older records are left out\.$", made, re.MULTILINE) == told
    assert re.findall(r"^- and ([\d,]+) more$", made, re.MULTILINE) == told * 2
    assert made.count("\n| [issue") == made.count("\n- changed") == made.count("\n- **hidden-text**") == MOST_ROWS
    assert f"\n| [issue\\_comment:{numbers[-1]}](" in made
    assert len(made) < 600_000


def test_what_cannot_be_seen_is_not_in_markdown(report: Callable[..., Report], note: Make) -> None:
    made = report(note(1), thread="a\u202eb\x07c").markdown()

    assert made.startswith("## Ledger of a b c\n")


def test_the_summary_of_a_small_thread(
    report: Callable[..., Report], issue: Make, note: Make, people: SimpleNamespace
) -> None:
    messages = (issue("Look.<!-- a -->"), note(1), note(2, "Me\u2028too.", people.eve, association="NONE", url=None))
    first = report(*messages, engine=None)
    second = report(*messages, note(3, deleted=True), previous=tuple(row.record for row in first.rows))

    assert (
        first.markdown()
        == f"""\
## Ledger of github:acme/shop\\#7

Started by ana-ruiz (41). The engine is not known.

**3 records** = 1 body + 1 flow + 1 unverified + 0 engine + 0 deleted + 0 excluded

### What is surprising

- **engine-actor-unresolved** : {first.findings[0].detail}
- **hidden-text** issue:9007: 1 comment or unused definition taken out

### Since the last run

There was no run before this one.

### Sizes

| what | how many |
| --- | --- |
| records | 3 |
| characters for the agent | {first.sizes["characters for the agent"]:,} |
| characters of the state | {first.sizes["characters of the state"]} |
| characters a state may have | 60,000 |
| records of kind human-feedback | 2 |
| records of kind issue-body | 1 |

### Every record, and the rule that decided

| record | who | kind | decision | rule | what it says |
| --- | --- | --- | --- | --- | --- |
| [issue:9007](https://github.com/acme/shop/issues/7) | eve-x (66) | issue-body | body | {first.rows[0].reason} | \
Cart Look. *(hidden text)* |
| [issue\\_comment:1](https://github.com/acme/shop/issues/7#issuecomment-1) | ana-ruiz (41) | human-feedback | flow | \
{first.rows[1].reason} | Ship it. |
| issue\\_comment:2 | eve-x (66) | human-feedback | unverified | {first.rows[2].reason} | Me too. |
"""
    )
    assert "### Since the last run\n\n- new issue\\_comment:3\n\n### Sizes" in second.markdown()


def test_the_document_holds_what_the_page_shows(
    report: Callable[..., Report], issue: Make, note: Make, people: SimpleNamespace
) -> None:
    before = tuple(row.record for row in report(issue(), note(1)).rows)
    messages = (issue("Look.<!-- a -->"), note(1, "a" * (MAX_SHOWN + 5), minimized="spam"))
    made = report(*messages, previous=before, engine=None).document()
    opening, changed = made.pop("records")

    assert opening == {
        "ref": "issue:9007",
        "number": 1,
        "kind": "issue-body",
        "trusted": False,
        "decision": "body",
        "reason": "the opening post; not the trigger author",
        "author": "eve-x (66)",
        "association": "NONE",
        "time": "2026-03-02T08:00:00Z",
        "url": "https://github.com/acme/shop/issues/7",
        "title": "Cart",
        "seen": [{"text": "Look.", "hidden": False}, {"text": "<!-- a -->", "hidden": True}],
        "given": "Cart\n\nLook.",
        "findings": ["hidden-text"],
        "changes": [],
    }
    assert (changed["number"], changed["left_out"], changed["change"]) == (2, 5, "changed")
    assert changed["changes"] == ["minimized: nothing → spam"]
    assert made == {
        "version": 1,
        "thread": "github:acme/shop#7",
        "trigger_author": "ana-ruiz (41)",
        "engine": "not known",
        "counts": {"body": 1, "flow": 1, "unverified": 0, "engine": 0, "deleted": 0, "excluded": 0},
        "findings": [
            {"flag": "engine-actor-unresolved", "detail": made["findings"][0]["detail"]},
            {"flag": "hidden-text", "ref": "issue:9007", "detail": "1 comment or unused definition taken out"},
        ],
        "sizes": made["sizes"],
        "first_run": False,
    }
    assert made["sizes"]["records"] == 2
