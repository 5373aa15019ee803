"""`--report FILE`: the ledger for people to look at, as HTML, Markdown or JSON; in GitHub Actions a job's summary too."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tertulia_cli._failure import Failure
from tertulia_cli._files import write_file
from tertulia_cli._output import clean, dumps, note

if TYPE_CHECKING:
    from tertulia.ledger import Context, Snapshot
    from tertulia.ledger.report import Report

__all__ = ["check_report", "write_report"]

_FORMS = (".html", ".md", ".json")
_SUMMARY = "GITHUB_STEP_SUMMARY"


def check_report(path: str | None) -> None:
    """Refuse a file in no form that there is, before anybody is asked for anything."""
    if path is not None and not path.lower().endswith(_FORMS):
        raise Failure(f"'{path[:80]}' is in no form of a report", "--report", "end its name in .html, .md or .json")


def write_report(path: str | None, snapshot: Snapshot, context: Context) -> None:
    """Write the report where it was asked for, and add it to the summary of a job that runs this."""
    summary = os.environ.get(_SUMMARY) if os.environ.get("GITHUB_ACTIONS") == "true" else None
    if path is None and not summary:
        return
    from tertulia.ledger.report import Report

    report = Report.of(snapshot, context)
    if path is not None:
        write_file(path, _written(report, path))
    if summary:
        _summarize(report, Path(summary))


def _written(report: Report, path: str) -> str:
    if path.lower().endswith(".html"):
        return report.html()
    return clean(report.markdown()) if path.lower().endswith(".md") else dumps(report.document(), indented=False) + "\n"


def _summarize(report: Report, summary: Path) -> None:
    """Add the Markdown to the summary; a run does not fail because its summary cannot be written."""
    try:
        with summary.open("a", encoding="utf-8") as file:
            file.write(clean(report.markdown()))
    except OSError as error:
        note(f"the summary of the job could not be written: {error.strerror or error}")
