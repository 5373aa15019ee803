"""The report as one HTML page: no remote loads, no style attributes, one style sheet and one script, named by their hashes.

What people wrote goes through `_text`, which escapes it and writes out what cannot be seen; nothing else adds it to the page.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, get_args

from tertulia.ledger._models import DecisionName, Finding, Kind
from tertulia.ledger.report._drawing import strip, timeline
from tertulia.ledger.report._rows import Row

if TYPE_CHECKING:
    from tertulia._text import Piece
    from tertulia.ledger.report._report import Report

__all__ = ["page"]


def page(report: Report) -> str:
    """Write the page."""
    style, script = _resource("page.css"), _resource("page.js")
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'; form-action 'none'"
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">',
        f"<title>Ledger of {_text(report.thread)}</title><style>{style}</style></head><body>",
        f"<header><h1>{_text(report.thread)}</h1>",
        f"<p>Started by {_text(report.trigger_author)}. The engine is {_text(report.engine)}.</p></header><main>",
        _verdict(report),
        _section(
            "timeline",
            "When",
            f'<div class="scrolls" tabindex="0" role="group" aria-label="Timeline">{timeline(report.rows)}</div>',
        ),
        _section("findings", "What is surprising", _findings(report.findings)),
        _section("changes", "Since the last run", _changes(report)),
        _section("sizes", "Sizes", _sizes(report)),
        _section("records", "Every record, and the rule that decided", _records(report.rows)),
        f"</main><script>{script}</script></body></html>\n",
    ]
    return "\n".join(parts)


def _verdict(report: Report) -> str:
    from tertulia.ledger.report._report import DECISIONS

    total = len(report.rows)
    items = [
        f'<li><span class="key {name}"></span><b>{report.counts[name]:,}</b> {name} <small>{escape(told)}</small></li>'
        for name, told in DECISIONS.items()
    ]
    sum_ = " + ".join(f"{report.counts[name]:,}" for name in DECISIONS)
    told = f"<p>{total:,} records = {sum_}</p>"
    return _section(
        "verdict", "What became of the records", strip(report.counts) + told + f'<ul class="key">{"".join(items)}</ul>'
    )


def _findings(findings: Iterable[Finding]) -> str:
    rows = [
        f"<dt><code>{escape(one.flag)}</code> {_anchor(one.ref)}</dt><dd>{_text(one.detail)}</dd>" for one in findings
    ]
    return f"<dl>{''.join(rows)}</dl>" if rows else "<p>Nothing.</p>"


def _changes(report: Report) -> str:
    if report.first:
        return "<p>There was no run before this one.</p>"
    counts = Counter(row.change for row in report.changed)
    if not counts:
        return "<p>Nothing changed.</p>"
    told = ", ".join(f"{count:,} {change}" for change, count in counts.items())
    items = [
        f"<li>{escape(row.change)} {_anchor(row.record.ref)} <small>{_text('; '.join(row.changes))}</small></li>"
        for row in report.changed
    ]
    return f"<details><summary>{told}</summary><ul>{''.join(items)}</ul></details>"


def _sizes(report: Report) -> str:
    rows = (f"<tr><th scope=row>{escape(name)}</th><td>{size:,}</td></tr>" for name, size in report.sizes.items())
    return f'<table class="sizes"><tbody>{"".join(rows)}</tbody></table>'


def _records(rows: tuple[Row, ...]) -> str:
    head = "".join(f"<th scope=col>{name}</th>" for name in ("Record", "Who", "Kind", "Decision", "What it says"))
    body = "\n".join(_row(row) for row in rows)
    return (
        f'<form id="filter"><label>Search <input type="search" id="search" autocomplete="off"></label> '
        f"{_select('decision', get_args(DecisionName))} {_select('kind', get_args(Kind))} "
        '<label><input type="checkbox" id="found"> with findings</label> '
        f'<output id="count">{len(rows):,} of {len(rows):,}</output></form>'
        f'<table class="records"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    )


def _select(name: str, values: Iterable[str]) -> str:
    options = "".join(f"<option>{escape(value)}</option>" for value in values)
    return f'<label>{name.capitalize()} <select id="{name}"><option value="">any</option>{options}</select></label>'


def _row(row: Row) -> str:
    record = row.record
    ref = _text(record.ref)
    place = f'<a href="{escape(row.url)}" rel="noreferrer nofollow">{ref}</a>' if row.url is not None else ref
    flags = "".join(f" <code>{escape(one.flag)}</code>" for one in row.findings)
    change = f" <em>{escape(row.change)}</em>" if row.change else ""
    trusted = "trusted" if record.trusted else "not trusted"
    cells = [
        ("Record", f"{place}{change}<br><time>{escape(row.time)}</time>"),
        (
            "Who",
            f"{_text(row.author)}<br><small>{_text(record.author_association or 'no association')}, {trusted}</small>",
        ),
        ("Kind", escape(record.kind)),
        (
            "Decision",
            f'<span class="key {row.decision}"></span>{row.decision}<br><small>{_text(row.reason)}</small>{flags}',
        ),
        ("What it says", _sides(row)),
    ]
    tds = "".join(f'<td data-label="{label}">{cell}</td>' for label, cell in cells)
    found = "1" if row.findings else "0"
    return (
        f'<tr id="{_id(record.ref)}" data-decision="{row.decision}" data-kind="{escape(record.kind)}" data-found="{found}">'
        f"{tds}</tr>"
    )


def _sides(row: Row) -> str:
    """Put what a person sees beside what the agent gets, hidden text struck through."""
    if not row.seen and not row.title and not row.given:
        return "<p>Nothing.</p>"
    title = f"<b>{_text(row.title)}</b>\n" if row.title else ""
    more = f"\n… {row.left_out:,} more characters" if row.left_out else ""
    seen = f"{title}{''.join(_piece(piece) for piece in row.seen)}{more}"
    given = _text(row.given) if row.given else "<i>nothing</i>"
    hidden = " <em>hidden text</em>" if row.hidden else ""
    return (
        f"<details><summary>{_text(row.said) or 'Nothing to see'}{hidden}</summary><div class=sides>"
        f"<section><h3>What a person sees</h3><pre dir=auto>{seen}</pre></section>"
        f"<section><h3>What the agent gets</h3><pre dir=auto>{given}</pre></section></div></details>"
    )


def _piece(piece: Piece) -> str:
    text, hidden = piece
    return f"<del>{_text(text)}</del>" if hidden else _text(text)


def _anchor(ref: str | None) -> str:
    return f'<a href="#{_id(ref)}">{_text(ref)}</a>' if ref is not None else ""


def _id(ref: str) -> str:
    """Name a row: a reference may hold any printable character, the name of an element should not."""
    return "r-" + "".join(char if char.isalnum() else f"-{ord(char):x}-" for char in ref)


def _text(text: str) -> str:
    """Escape what somebody wrote; what cannot be seen is written out as its code point."""
    return "".join(char if char.isprintable() or char in "\n\t" else f"[U+{ord(char):04X}]" for char in escape(text))


def _section(name: str, title: str, inside: str) -> str:
    return f'<section id="{name}" aria-labelledby="{name}-title"><h2 id="{name}-title">{title}</h2>{inside}</section>'


@cache
def _resource(name: str) -> str:
    return files("tertulia.ledger.report").joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
