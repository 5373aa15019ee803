"""The report: made once of a snapshot and its context, written as HTML, as Markdown or as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tertulia.ledger._header import who
from tertulia.ledger._models import Context, DecisionName, Finding
from tertulia.ledger._size import MAX_STATE
from tertulia.ledger._snapshot import Snapshot
from tertulia.ledger.report._rows import Row, rows_of
from tertulia.thread import Account

__all__ = ["DECISIONS", "Report"]

DECISIONS: Mapping[DecisionName, str] = {
    "body": "the task, in full",
    "flow": "the recent thread, in full",
    "unverified": "one line each",
    "engine": "the engine's own notices",
    "deleted": "gone, kept for audit",
    "excluded": "left out",
}
"""What becomes of a record, in the order in which the counts add up."""


@dataclass(frozen=True, slots=True)
class Report:
    """Hold what people look at: a row for every record, the findings, what changed, and how large it all is.

    Everything an author can choose is data in it, and is escaped on every way out.
    """

    thread: str
    trigger_author: str
    engine: str
    rows: tuple[Row, ...]
    findings: tuple[Finding, ...]
    counts: Mapping[DecisionName, int]
    sizes: Mapping[str, int]
    first: bool

    @classmethod
    def of(cls, snapshot: Snapshot, context: Context) -> Report:
        """Make the report of a context and of the snapshot that it was made from."""
        return cls(
            thread=context.thread or "a thread",
            trigger_author=_name(snapshot.run.trigger_author, "nobody, so nobody is trusted"),
            engine=_name(snapshot.run.engine, "not known"),
            rows=rows_of(snapshot, context),
            findings=context.audit,
            counts={name: context.counts[name] for name in DECISIONS},
            sizes=_sizes(context),
            first=not snapshot.previous,
        )

    @property
    def changed(self) -> tuple[Row, ...]:
        """Give the rows that are not as they were at the last run."""
        return tuple(row for row in self.rows if row.change)

    def html(self) -> str:
        """Write one HTML page that loads nothing and runs no script but its own."""
        from tertulia.ledger.report._html import page

        return page(self)

    def markdown(self) -> str:
        """Write Markdown, as the summary of a job in GitHub Actions shows it."""
        from tertulia.ledger.report._markdown import text

        return text(self)

    def document(self) -> dict[str, Any]:
        """Write a JSON document, `"version": 1`."""
        return {
            "version": 1,
            "thread": self.thread,
            "trigger_author": self.trigger_author,
            "engine": self.engine,
            "counts": dict(self.counts),
            "findings": [finding.model_dump(mode="json", exclude_none=True) for finding in self.findings],
            "sizes": dict(self.sizes),
            "first_run": self.first,
            "records": [_document(row) for row in self.rows],
        }


def _name(account: Account | None, nobody: str) -> str:
    return who(account.id, account.login) if account is not None else nobody


def _sizes(context: Context) -> dict[str, int]:
    kinds = Counter(entry.record.kind for entry in context.records)
    return {
        "records": len(context.records),
        "characters for the agent": len(context.text),
        "characters of the state": context.state.chars,
        "characters a state may have": MAX_STATE,
        **{f"records of kind {kind}": count for kind, count in sorted(kinds.items())},
    }


def _document(row: Row) -> dict[str, Any]:
    made = {
        "ref": row.record.ref,
        "number": row.number,
        "kind": row.record.kind,
        "trusted": row.record.trusted,
        "decision": row.decision,
        "reason": row.reason,
        "author": row.author,
        "association": row.record.author_association,
        "time": row.time,
        "url": row.url,
        "title": row.title,
        "seen": [{"text": text, "hidden": hidden} for text, hidden in row.seen],
        "left_out": row.left_out or None,
        "given": row.given or None,
        "findings": [finding.flag for finding in row.findings],
        "change": row.change or None,
        "changes": list(row.changes),
    }
    return {name: value for name, value in made.items() if value is not None}
