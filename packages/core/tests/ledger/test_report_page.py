"""What the page of a report shows, part by part, as a browser finds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest

from tertulia.ledger import ThreadRecord
from tertulia.ledger.report import Report
from tertulia.ledger.report._rows import MAX_SHOWN
from tertulia.thread import Message

Make = Callable[..., Message]
Reporting = Callable[..., Report]

TIMELESS = ThreadRecord(kind="human-feedback", source_type="issue_comment", id="30", deleted=True)
VOID = ("meta", "br", "input")


class Element:
    """Hold an element of the page: its attributes, and what stands in it."""

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children: list[Element | str] = []

    def __getitem__(self, name: str) -> str:
        return self.attributes[name]

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def all(self, tag: str, **attributes: str) -> list[Element]:
        return [one for one in self._below() if one.tag == tag and attributes.items() <= one.attributes.items()]

    def one(self, tag: str, **attributes: str) -> Element:
        (found,) = self.all(tag, **attributes)
        return found

    def texts(self, tag: str) -> list[str]:
        return [found.text for found in self.all(tag)]

    def _below(self) -> Iterator[Element]:
        for child in self.children:
            if isinstance(child, Element):
                yield child
                yield from child._below()


class Page(HTMLParser):
    """Read a page into a tree; every element must be closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open = [Element("page", {})]
        self.feed(html)
        (self.top,) = self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(made)
        if tag not in VOID:
            self.open.append(made)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def page(made: Report) -> Element:
    return Page(made.html()).top


def section(made: Report, name: str) -> Element:
    return page(made).one("section", id=name)


def row(made: Report, ref: str) -> Element:
    (found,) = [one for one in section(made, "records").all("tr") if ref in one.text.split("20")[0]]
    return found


def cells(found: Element) -> dict[str, str]:
    return {cell["data-label"]: cell.text for cell in found.all("td")}


def test_every_part_stands_under_its_title(report: Reporting, note: Make) -> None:
    whole = page(report(note(1)))
    parts = [one for one in whole.all("section") if "id" in one.attributes]

    assert [(part["id"], part.one("h2").text) for part in parts] == [
        ("verdict", "What became of the records"),
        ("timeline", "When"),
        ("findings", "What is surprising"),
        ("changes", "Since the last run"),
        ("sizes", "Sizes"),
        ("records", "Every record, and the rule that decided"),
    ]
    assert all(part["aria-labelledby"] == part.one("h2")["id"] for part in parts)


def test_the_page_says_whose_run_it_was(report: Reporting) -> None:
    known, unknown = page(report()), page(report(trigger_author=None, engine=None, thread=""))

    assert known.one("title").text == "Ledger of github:acme/shop#7"
    assert known.one("header").text.split("\n") == [
        "github:acme/shop#7",
        "Started by ana-ruiz (41). The engine is loom-engine (70).",
    ]
    assert unknown.one("header").text.split("\n") == [
        "a thread",
        "Started by nobody, so nobody is trusted. The engine is not known.",
    ]


def test_the_strip_shares_its_length_among_the_records(report: Reporting, note: Make, people: SimpleNamespace) -> None:
    stranger = note(2, author=people.eve, association="NONE")
    strip = section(report(note(1), stranger, note(3), note(4, deleted=True)), "verdict").one("svg")
    parts = strip.all("rect")

    assert strip["aria-label"] == "0 body, 2 flow, 1 unverified, 0 engine, 1 deleted, 0 excluded"
    assert [(one["class"], one["x"], one["width"]) for one in parts] == [
        ("flow", "0.0", "500.0"),
        ("unverified", "500.0", "250.0"),
        ("deleted", "750.0", "250.0"),
    ]
    assert strip.texts("title") == ["flow: 2 of 4", "unverified: 1 of 4", "deleted: 1 of 4"]


def test_the_key_says_what_each_decision_means(report: Reporting, note: Make) -> None:
    assert section(report(note(1)), "verdict").texts("li") == [
        "0 body the task, in full",
        "1 flow the recent thread, in full",
        "0 unverified one line each",
        "0 engine the engine's own notices",
        "0 deleted gone, kept for audit",
        "0 excluded left out",
    ]


def test_a_mark_stands_at_its_time_in_the_lane_of_its_kind(report: Reporting, issue: Make, note: Make) -> None:
    made = report(issue(), note(15), note(60), previous=(TIMELESS,))
    timeline = section(made, "timeline").one("svg")
    height = float(timeline["viewbox"].split()[3])
    lanes, marks = timeline.all("line"), timeline.all("circle")
    start, end = float(lanes[0]["x1"]), float(lanes[0]["x2"])
    places = {mark.one("title").text.split(",")[0]: (float(mark["cx"]), float(mark["cy"])) for mark in marks}
    first, last = places["issue:9007"][0], places["issue_comment:60"][0]

    assert timeline["aria-label"] == "4 records by time, a lane for each kind"
    assert [float(lane["y1"]) for lane in lanes] == pytest.approx(
        [height * place for place in (0.1, 0.3, 0.5, 0.7, 0.9)]
    )
    assert timeline.texts("text") == ["issue-body", "command", "engine-output", "agent-output", "human-feedback"]
    assert [one["y"] for one in timeline.all("text")] == [lane["y1"] for lane in lanes]
    assert start < first < last < end
    assert places["issue_comment:15"][0] == pytest.approx(first + (last - first) / 4, abs=0.1)
    assert places[TIMELESS.ref][0] == first, "nobody knows when"
    assert [places[ref][1] for ref in ("issue:9007", "issue_comment:60")] == [height * 0.1, height * 0.9]


def test_a_mark_says_what_became_of_its_record(report: Reporting, note: Make) -> None:
    (mark,) = section(report(note(1)), "timeline").all("circle")

    assert mark["class"] == "flow"
    assert mark.text == (
        "issue_comment:1, ana-ruiz (41), 2026-03-02T08:01:00Z: flow, the trigger author, associated as MEMBER"
    )


def test_records_of_one_time_and_of_none_are_drawn_too(report: Reporting, note: Make) -> None:
    (first, _) = section(report(note(1), note(2)), "timeline").all("circle")

    for made in (report(note(1)), report(previous=(TIMELESS,)), report()):
        marks = section(made, "timeline").all("circle")
        assert [mark["cx"] for mark in marks] == [first["cx"] for _ in made.rows]


def test_a_finding_leads_to_its_record(report: Reporting, note: Make) -> None:
    made = report(note(1, "Look.<!-- a -->"), engine=None)
    findings = section(made, "findings")
    (link,) = findings.all("a")

    assert findings.texts("dt") == ["engine-actor-unresolved ", "hidden-text issue_comment:1"]
    assert findings.texts("dd") == [finding.detail for finding in made.findings]
    assert link["href"] == f"#{row(made, 'issue_comment:1')['id']}"
    assert section(report(note(1)), "findings").one("p").text == "Nothing."


def test_a_row_has_a_name_that_can_stand_in_an_address(report: Reporting, note: Make) -> None:
    assert row(report(note(1)), "issue_comment:1")["id"] == "r-issue-5f-comment-3a-1"


def test_a_change_leads_to_its_record(report: Reporting, note: Make) -> None:
    before = tuple(one.record for one in report(note(1), note(2)).rows)
    made = report(note(1, minimized="spam"), note(2), note(3), previous=before)
    changes = section(made, "changes")

    assert changes.texts("li") == [
        "changed issue_comment:1 minimized: nothing → spam",
        "new issue_comment:3 ",
    ]
    assert [link["href"] for link in changes.all("a")] == [f"#r-issue-5f-comment-3a-{number}" for number in (1, 3)]
    assert [cells(row(made, f"issue_comment:{number}"))["Record"].partition("20")[0] for number in (1, 2, 3)] == [
        "issue_comment:1 changed",
        "issue_comment:2",
        "issue_comment:3 new",
    ]


def test_sizes_are_told(report: Reporting, note: Make) -> None:
    made = report(note(1), note(2))
    sizes = section(made, "sizes")

    assert dict(zip(sizes.texts("th"), sizes.texts("td"), strict=True)) == {
        "records": "2",
        "characters for the agent": f"{made.sizes['characters for the agent']:,}",
        "characters of the state": f"{made.sizes['characters of the state']:,}",
        "characters a state may have": "60,000",
        "records of kind human-feedback": "2",
    }


def test_records_can_be_searched_by_what_became_of_them(report: Reporting, note: Make) -> None:
    made = report(note(1, "Look.<!-- a -->"), note(2))
    records = section(made, "records")
    first, second = (row(made, f"issue_comment:{number}") for number in (1, 2))

    assert records.one("select", id="decision").texts("option") == [
        *("any", "body", "flow", "unverified", "engine", "deleted", "excluded")
    ]
    assert records.one("select", id="kind").texts("option") == [
        *("any", "issue-body", "command", "engine-output", "agent-output", "human-feedback")
    ]
    assert records.one("output").text == "2 of 2"
    assert [(one["data-decision"], one["data-kind"], one["data-found"]) for one in (first, second)] == [
        ("flow", "human-feedback", "1"),
        ("flow", "human-feedback", "0"),
    ]


def test_a_row_says_who_wrote_what_and_which_rule_decided(
    report: Reporting, note: Make, people: SimpleNamespace
) -> None:
    made = report(note(1), note(2, "Me too.", people.eve, association=None, url=None), note(3, "Look.<!-- a -->"))
    trusted, stranger, sly = (row(made, one.record.ref) for one in made.rows)

    assert section(made, "records").one("thead").texts("th") == [*cells(trusted)]
    assert cells(trusted) == {
        "Record": "issue_comment:12026-03-02T08:01:00Z",
        "Who": "ana-ruiz (41)MEMBER, trusted",
        "Kind": "human-feedback",
        "Decision": "flowthe trigger author, associated as MEMBER",
        "What it says": "Ship it.What a person seesShip it.What the agent getsShip it.",
    }
    assert cells(stranger)["Who"] == "eve-x (66)no association, not trusted"
    assert cells(stranger)["Decision"] == "unverifiednot the trigger author"
    assert cells(sly)["Decision"] == "flowthe trigger author, associated as MEMBER hidden-text"
    assert trusted.one("a")["href"] == "https://github.com/acme/shop/issues/7#issuecomment-1"
    assert stranger.all("a") == []


def sides(found: Element) -> tuple[str, str, str]:
    seen, given = found.texts("pre")
    return found.one("summary").text, seen, given


def test_what_a_person_sees_stands_beside_what_the_agent_gets(
    report: Reporting, issue: Make, note: Make, people: SimpleNamespace
) -> None:
    made = report(issue("Look.<!-- a -->"), note(1), note(2, "<!-- b -->"), note(3, "", deleted=True))
    opening, plain, hidden, gone = (row(made, one.record.ref) for one in made.rows)

    assert sides(opening) == ("Cart Look. hidden text", "Cart\nLook.<!-- a -->", "Cart\n\nLook.")
    assert [opening.texts(tag) for tag in ("b", "del")] == [["Cart"], ["<!-- a -->"]]
    assert sides(plain) == ("Ship it.", "Ship it.", "Ship it.")
    assert plain.texts("del") == []
    assert sides(hidden) == ("Nothing to see hidden text", "<!-- b -->", "nothing")
    assert cells(gone)["What it says"] == "Nothing."


@pytest.mark.parametrize(("title", "body", "seen"), [("Cart", "", "Cart\n"), (None, "Ship it.", "Ship it.")])
def test_a_title_alone_is_shown_and_so_is_a_body(
    report: Reporting, issue: Make, title: str | None, body: str, seen: str
) -> None:
    made = report(issue(body, title=title))

    assert sides(row(made, "issue:9007"))[1] == seen


def test_what_is_not_shown_of_a_long_body_is_counted(report: Reporting, note: Make) -> None:
    made = report(note(1, "a" * MAX_SHOWN), note(2, "a" * (MAX_SHOWN + 1_005)))

    assert "more characters" not in sides(row(made, "issue_comment:1"))[1]
    assert sides(row(made, "issue_comment:2"))[1].endswith("a\n… 1,005 more characters")
