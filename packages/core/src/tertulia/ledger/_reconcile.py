"""Bring a thread and its previous records together: what every message is, and what became of those that are gone."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, cast

from tertulia.ledger._accounts import OPENING_TYPES, account_ids, is_engine_account
from tertulia.ledger._classify import Class, classify
from tertulia.ledger._edits import edit_findings, second
from tertulia.ledger._models import Finding, Ledger, Options, Run, ThreadRecord, Verdict
from tertulia.ledger._vanished import count_findings, prove
from tertulia.thread import Listing, Message

__all__ = ["reconcile", "sort_messages"]

_LAST = datetime.max.replace(tzinfo=UTC)
_Key = tuple[bool, datetime, str, bool, int, str]


def reconcile(
    listing: Listing,
    previous: tuple[ThreadRecord, ...] = (),
    run: Run = Run(),
    options: Options = Options(),
    *,
    gone: frozenset[str] = frozenset(),
) -> Ledger:
    """Decide what every message of a thread is; pure, whatever the order of the listing.

    `gone` are refs that a direct look-up answered with NotFound. Reconciling the outcome again changes nothing.
    """
    messages = sort_messages(listing.messages)
    known = {record.ref: record for record in previous}
    counts, findings = count_findings(listing, messages)
    classes = {message.ref: classify(message, run, options) for message in messages if _is_artifact(message, known)}
    records: list[ThreadRecord] = []
    reasons: dict[str, Verdict] = {}
    opened = False
    for message in messages:
        found = classes.get(message.ref)
        if found is None:
            continue
        record = _record(message, found, known.get(message.ref))
        verdict = _verdict(message, record, found, run, options, opened=opened)
        opened = opened or record.kind == "issue-body"
        records.append(record)
        reasons[record.ref] = verdict
        findings += _findings(message, record, found, known.get(record.ref), run)
    missing = [record for record in known.values() if record.ref not in reasons]
    vanished = prove([record for record in missing if not record.deleted], tuple(known.values()), listing, counts, gone)
    for record in missing:
        kept, reasons[record.ref] = _missing(record, vanished.deleted)
        records.append(kept)
    audit = (*run.findings, *_run_findings(run, options, classes, reasons), *vanished.findings, *findings)
    return Ledger(records=tuple(sorted(records, key=_record_key)), reasons=reasons, audit=audit)


def sort_messages(messages: Iterable[Message]) -> list[Message]:
    """Put messages in the backend's order made stable, one for each ref: of several the last updated, opening post first."""
    chosen: dict[str, Message] = {}
    for message in messages:
        other = chosen.get(message.ref)
        if other is None or _version(message) > _version(other):
            chosen[message.ref] = message
    return sorted(chosen.values(), key=lambda m: _key(m.source_type, m.id, m.created_at))


def _version(message: Message) -> tuple[Any, ...]:
    return (message.updated_at or message.created_at, message.deleted, json.dumps(message.model_dump(), default=_plain))


def _plain(value: Any) -> Any:
    """Write what JSON has no word for, a set in one order: a lone surrogate in a body must not end a run."""
    return sorted(cast("frozenset[str]", value)) if isinstance(value, frozenset) else str(value)


def _key(source_type: str, ident: str, created_at: datetime | None) -> _Key:
    digits = ident.isascii() and ident.isdigit()
    at = second(created_at) if created_at is not None else _LAST
    return (source_type not in OPENING_TYPES, at, source_type, not digits, int(ident) if digits else 0, ident)


def _record_key(record: ThreadRecord) -> _Key:
    return _key(record.source_type, record.id, record.created_at)


def _is_artifact(message: Message, known: dict[str, ThreadRecord]) -> bool:
    """Say whether a message belongs in the ledger: a review without a body says nothing of its own."""
    return message.source_type != "review" or bool(message.body.strip()) or message.ref in known


def _record(message: Message, found: Class, before: ThreadRecord | None) -> ThreadRecord:
    """Make the record of a live message: identity fields as first seen, the rest as it is now."""
    if message.deleted and before is not None:
        return before if before.deleted else before.model_copy(update={"deleted": True})
    author = message.author
    user_id = author.id if author is not None else None
    return ThreadRecord.model_construct(
        kind=found.kind,
        source_type=message.source_type,
        id=message.id,
        url=before.url if before is not None and before.url is not None else message.url,
        user_id=before.user_id if before is not None and before.user_id is not None else user_id,
        user_login=author.login if author is not None else None,
        user_name=message.author_name,
        created_at=before.created_at if before is not None and before.created_at is not None else message.created_at,
        author_association=message.association,
        trusted=found.trusted and not message.deleted and _same_person(before, user_id),
        deleted=message.deleted,
        parent_id=message.parent_id,
        updated_at=message.updated_at,
        author_type=author.kind if author is not None else None,
        app_id=message.app_id,
        minimized=message.minimized,
        first_seen=before.first_seen if before is not None else None,
        observed_rev=before.observed_rev if before is not None else None,
        digest=before.digest if before is not None else None,
        cut=message.cut,
    )


def _same_person(before: ThreadRecord | None, user_id: str | None) -> bool:
    """Say whether the account is the recorded one: a message does not change hands, so a difference is no ground for trust."""
    return before is None or before.user_id is None or before.user_id == user_id


def _verdict(
    message: Message, record: ThreadRecord, found: Class, run: Run, options: Options, *, opened: bool
) -> Verdict:
    if record.deleted:
        return Verdict(decision="deleted", reason="deleted on the backend")
    if options.blocked_user_ids & {record.user_id, *account_ids(message.author)}:
        return Verdict(decision="excluded", reason="the account is blocked")
    if record.kind == "issue-body":
        if opened:
            return Verdict(decision="excluded", reason="a second opening post")
        return Verdict(decision="body", reason=f"the opening post; {found.reason}")
    if record.kind == "engine-output":
        return Verdict(decision="engine", reason=found.reason)
    if options.cutoff_trigger_time and _is_late(message, run):
        return Verdict(decision="excluded", reason="written after the trigger (cutoff_trigger_time)")
    if options.skip_minimized and message.minimized is not None:
        return Verdict(decision="excluded", reason="minimized (skip_minimized)")
    if found.trusted and not record.trusted:
        return Verdict(decision="unverified", reason="the account is not the one on record")
    return Verdict(decision="flow" if record.trusted else "unverified", reason=found.reason)


def _is_late(message: Message, run: Run) -> bool:
    """Say whether a message waits for the next run: the trigger comment itself, known by its ref, never does."""
    if run.trigger_time is None or message.ref == run.trigger_comment:
        return False
    created, trigger = second(message.created_at), second(run.trigger_time)
    return created > trigger or (created == trigger and run.trigger_comment is not None)


def _findings(
    message: Message, record: ThreadRecord, found: Class, before: ThreadRecord | None, run: Run
) -> list[Finding]:
    findings = list(found.findings)
    if before is not None and before.deleted and not record.deleted:
        findings.append(Finding(flag="resurrected", ref=record.ref, detail="was deleted, and is listed again"))
    if not record.deleted and (found.trusted or found.by_trigger or found.kind in ("issue-body", "agent-output")):
        findings += edit_findings(message, run)
    return findings


def _missing(record: ThreadRecord, deleted: frozenset[str]) -> tuple[ThreadRecord, Verdict]:
    if record.deleted:
        return record, Verdict(decision="deleted", reason="deleted on the backend")
    if record.ref in deleted:
        return record.model_copy(update={"deleted": True}), Verdict(decision="deleted", reason="deleted on the backend")
    return record, Verdict(
        decision="excluded", reason="unconfirmed: not listed, and nothing proves that it was deleted"
    )


def _run_findings(run: Run, options: Options, classes: dict[str, Class], reasons: dict[str, Verdict]) -> list[Finding]:
    findings: list[Finding] = []
    if run.engine is None:
        detail = (
            "the engine's account is not known: a marker on a person's account counts for nobody; name it with --engine"
        )
        findings.append(Finding(flag="engine-actor-unresolved", detail=detail))
    elif is_engine_account(run.trigger_author, run.engine):
        detail = "the engine posts with the account of the person who started the run: markers alone tell them apart"
        findings.append(Finding(flag="shared-engine-account", detail=detail))
    if run.trigger_comment is not None and not _is_live(run.trigger_comment, classes, reasons):
        detail = "the comment that started the run is not in the thread any more"
        findings.append(Finding(flag="trigger-comment-missing", ref=run.trigger_comment, detail=detail))
    own = [found for found in classes.values() if found.by_trigger]
    if own and not any(found.trusted for found in own) and all("(edit_guard)" not in found.reason for found in own):
        findings.append(_unassociated(options))
    return findings


def _is_live(ref: str, classes: dict[str, Class], reasons: dict[str, Verdict]) -> bool:
    return ref in classes and reasons[ref].decision != "deleted"


def _unassociated(options: Options) -> Finding:
    if options.permissions is not None:
        detail = "nothing the trigger author wrote is trusted: the permission is below write, or could not be looked up"
        return Finding(flag="permission-too-low", detail=detail)
    detail = (
        "nothing the trigger author wrote is trusted: the backend shows no association, often because the membership of "
        "the organisation is private; make it public, or let the `permissions` option decide by the role on the repository"
    )
    return Finding(flag="trigger-author-not-associated", detail=detail)
