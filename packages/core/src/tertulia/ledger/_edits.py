"""What is known about edits: when a message was last changed, and whether by somebody else."""

from __future__ import annotations

from datetime import datetime

from tertulia.ledger._accounts import OPENING_TYPES, fold, is_nobody
from tertulia.ledger._models import Finding, Run
from tertulia.thread import Message

__all__ = ["edit_findings", "edit_problem", "edited_at", "second"]


def second(moment: datetime) -> datetime:
    """Cut a time to whole seconds: backends differ in precision."""
    return moment.replace(microsecond=0) if moment.microsecond else moment


def edited_at(message: Message) -> datetime | None:
    """Give when a message was last edited, or None.

    `last_edited_at` where the backend gives it; else `updated_at` when it is later than `created_at`, but not for an
    opening post, whose `updated_at` moves with every comment.
    """
    if message.last_edited_at is not None:
        return message.last_edited_at
    if message.source_type in OPENING_TYPES or message.updated_at is None:
        return None
    return message.updated_at if second(message.updated_at) > second(message.created_at) else None


def edited_by_other(message: Message) -> bool:
    """Say whether the backend names an editor who is not the author."""
    editor, author = message.editor, message.author
    if editor is None:
        return False
    if author is None or is_nobody(author):
        return True
    if editor.id is not None and author.id is not None:
        return editor.id != author.id
    return fold(editor.login) != fold(author.login)


def edit_problem(message: Message, run: Run) -> str | None:
    """Say, in words, why an edit takes trust away under the edit guard; None when nothing does."""
    if edited_by_other(message):
        return "edited by somebody else"
    edited = edited_at(message)
    if edited is None:
        return None
    if run.trigger_time is None:
        return "edited, and the run has no trigger time to compare with"
    return "edited at or after the trigger" if second(edited) >= second(run.trigger_time) else None


def edit_findings(message: Message, run: Run) -> list[Finding]:
    """Report an edit at or after the trigger second, and one by somebody else."""
    findings: list[Finding] = []
    edited = edited_at(message)
    if edited is not None and run.trigger_time is not None and second(edited) >= second(run.trigger_time):
        detail = (
            f"edited at {edited:%Y-%m-%dT%H:%M:%SZ}, the run was triggered at {run.trigger_time:%Y-%m-%dT%H:%M:%SZ}"
        )
        findings.append(Finding(flag="edited-after-trigger", ref=message.ref, detail=detail))
    if edited_by_other(message):
        findings.append(Finding(flag="edited-by-other", ref=message.ref, detail="the editor is not the author"))
    return findings
