"""The report as Markdown, short enough for the summary of a job. What people wrote is in it as one neutral line each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tertulia.ledger.report._rows import Row

if TYPE_CHECKING:
    from tertulia.ledger._models import Finding
    from tertulia.ledger.report._report import Report

__all__ = ["MOST_ROWS", "text"]

MOST_ROWS = 500
"""Records in the table: a summary takes 1 MiB, and nobody reads more."""

_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~&$]|(?<=:)/(?=/)|(?<=www)\.", re.IGNORECASE)


def text(report: Report) -> str:
    """Write the whole report."""
    counts = " + ".join(f"{count:,} {name}" for name, count in report.counts.items())
    parts = [
        f"## Ledger of {_plain(report.thread)}",
        f"Started by {_plain(report.trigger_author)}. The engine is {_plain(report.engine)}.",
        f"**{len(report.rows):,} records** = {counts}",
        f"### What is surprising\n\n{_findings(report.findings)}",
        f"### Since the last run\n\n{_changes(report)}",
        f"### Sizes\n\n{_table(['what', 'how many'], [[name, f'{size:,}'] for name, size in report.sizes.items()])}",
        f"### Every record, and the rule that decided\n\n{_records(report.rows)}",
    ]
    return "\n\n".join(parts) + "\n"


def _findings(findings: Iterable[Finding]) -> str:
    lines = [f"- **{one.flag}** {_plain(one.ref or '')}: {_plain(one.detail)}" for one in findings]
    return _bounded(lines) or "Nothing."


def _changes(report: Report) -> str:
    if report.first:
        return "There was no run before this one."
    lines = [
        f"- {row.change} {_plain(row.record.ref)} {_plain('; '.join(row.changes))}".rstrip() for row in report.changed
    ]
    return _bounded(lines) or "Nothing changed."


def _bounded(lines: list[str]) -> str:
    left = len(lines) - MOST_ROWS
    return "\n".join([*lines[:MOST_ROWS], *([f"- and {left:,} more"] if left > 0 else [])])


def _records(rows: tuple[Row, ...]) -> str:
    """Write the newest records as a table, and say how many older ones are left out."""
    shown = rows[-MOST_ROWS:]
    lines = [
        [_record(row), _plain(row.author), row.record.kind, row.decision, _plain(row.reason), _said(row)]
        for row in shown
    ]
    table = _table(["record", "who", "kind", "decision", "rule", "what it says"], lines)
    left = len(rows) - len(shown)
    return f"{left:,} older records are left out.\n\n{table}" if left else table


def _record(row: Row) -> str:
    ref = _plain(row.record.ref)
    return f"[{ref}]({row.url})" if row.url is not None else ref


def _said(row: Row) -> str:
    return f"{_plain(row.said)} *(hidden text)*" if row.hidden else _plain(row.said)


def _table(head: list[str], lines: list[list[str]]) -> str:
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _plain(text: str) -> str:
    """Write text in which Markdown, GitHub's own links and mentions find nothing to begin with."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return _MARKUP.sub(r"\\\g<0>", line).replace("@", "@\u2060")
