"""Bring a thread and its previous records together: what every message is, and what became of those that are gone."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, cast

from tertulia._frozen import assembled
from tertulia.ledger._accounts import OPENING_TYPES, account_ids, is_engine_account
from tertulia.ledger._classify import Class, classify
from tertulia.ledger._edits import edit_findings, second
from tertulia.ledger._models import DecisionName, Finding, Ledger, Options, Run, ThreadRecord, Verdict
from tertulia.ledger._vanished import count_findings, prove
from tertulia.thread import Listing, Message

__all__ = ["newest", "reconcile", "record_key"]

_NEW = ThreadRecord(kind="human-feedback", source_type="issue_comment", id="0")
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
    messages = newest(listing.messages)
    known = {record.ref: record for record in previous}
    counts, findings = count_findings(listing, messages.values())
    observed = run.rev if listing.complete else None
    classes: dict[str, Class] = {}
    records: dict[str, ThreadRecord] = {}
    for ref, message in messages.items():
        before = known.get(ref)
        if before is None and not _is_artifact(message):
            continue
        classes[ref] = now = _unchanged(classify(message, run, options), message, before, options)
        records[ref] = _record(message, now, before, run.rev, observed, options)
    missing = [record for ref, record in known.items() if ref not in records and not record.deleted]
    vanished = prove(missing, tuple(known.values()), listing, counts, gone)
    deleted = {ref: known[ref].model_copy(update={"deleted": True}) for ref in vanished.deleted}
    every = known | deleted | records
    ordered = {ref: every[ref] for ref in sorted(every, key=lambda ref: record_key(every[ref]))}
    reasons: dict[str, Verdict] = {}
    opened = False
    for ref, record in ordered.items():
        found = classes.get(ref)
        if found is None:
            reasons[ref] = _missing(record)
            continue
        reasons[ref] = _verdict(messages[ref], record, found, run, options, opened=opened)
        opened = opened or record.kind == "issue-body"
        findings += _findings(messages[ref], record, found, known.get(ref), run)
    audit = (*run.findings, *_run_findings(run, options, classes, reasons), *vanished.findings, *findings)
    return Ledger(records=tuple(ordered.values()), reasons=reasons, audit=audit)


def newest(messages: Iterable[Message]) -> dict[str, Message]:
    """Give one message for each ref: of several the last updated."""
    chosen: dict[str, Message] = {}
    for message in messages:
        ref = message.ref
        if ref not in chosen or _version(message) > _version(chosen[ref]):
            chosen[ref] = message
    return chosen


def _version(message: Message) -> tuple[Any, ...]:
    return (message.updated_at or message.created_at, message.deleted, json.dumps(message.model_dump(), default=_plain))


def _plain(value: Any) -> Any:
    """Write what JSON has no word for, a set in one order: a lone surrogate in a body must not end a run."""
    return sorted(cast("frozenset[str]", value)) if isinstance(value, frozenset) else str(value)


def record_key(record: ThreadRecord) -> _Key:
    """Give the place of a record in the backend's order made stable: opening post first."""
    ident = record.id
    digits = ident.isascii() and ident.isdigit()
    at = second(record.created_at) if record.created_at is not None else _LAST
    source_type = record.source_type
    return (source_type not in OPENING_TYPES, at, source_type, not digits, int(ident) if digits else 0, ident)


def _is_artifact(message: Message) -> bool:
    """Say whether a message belongs in the ledger: a review without a body says nothing of its own."""
    return message.source_type != "review" or bool(message.body.strip())


def _unchanged(found: Class, message: Message, before: ThreadRecord | None, options: Options) -> Class:
    """Apply the edit guard to a body that is not the one on record: its digest says so, whatever its times say."""
    if (
        not options.edit_guard
        or not found.trusted
        or found.kind == "engine-output"
        or not _differs(message, before, options)
    ):
        return found
    return found._replace(trusted=False, reason="changed since it was first read (edit_guard)")


def _differs(message: Message, before: ThreadRecord | None, options: Options) -> bool:
    keys = options.state_key
    if keys is None or before is None or before.digest is None:
        return False
    return not keys.knows(before.digest, message.ref, message.body)


def _digest(message: Message, before: ThreadRecord | None, options: Options) -> str | None:
    """Digest a body with the state key; under the edit guard the one that was read first stays on record."""
    known = before.digest if before is not None else None
    if options.state_key is None or (options.edit_guard and _differs(message, before, options)):
        return known
    return options.state_key.digest(message.ref, message.body)


def _record(
    message: Message, found: Class, before: ThreadRecord | None, rev: int | None, observed: int | None, options: Options
) -> ThreadRecord:
    """Make the record of a live message: identity fields as first seen, the rest as it is now.

    A message does not change hands: another account than the recorded one is no ground for trust.
    """
    if message.deleted and before is not None:
        return before if before.deleted else before.model_copy(update={"deleted": True})
    author = message.author
    user_id = author.id if author is not None else None
    base = before or _NEW
    live = {
        "url": message.url if base.url is None else base.url,
        "user_id": user_id if base.user_id is None else base.user_id,
        "user_login": author.login if author is not None else None,
        "user_name": message.author_name,
        "created_at": message.created_at if base.created_at is None else base.created_at,
        "author_association": message.association,
        "trusted": found.trusted and not message.deleted and base.user_id in (None, user_id),
        "deleted": message.deleted,
        "parent_id": message.parent_id,
        "updated_at": message.updated_at,
        "author_type": author.kind if author is not None else None,
        "app_id": message.app_id,
        "minimized": message.minimized,
        "first_seen": rev if before is None else base.first_seen,
        "observed_rev": base.observed_rev if observed is None else observed,
        "digest": _digest(message, before, options),
        "cut": message.cut,
        "kind": found.kind,
        "source_type": message.source_type,
        "id": message.id,
    }
    return assembled(ThreadRecord, live)


def _verdict(
    message: Message, record: ThreadRecord, found: Class, run: Run, options: Options, *, opened: bool
) -> Verdict:
    if record.deleted:
        return _say("deleted", "deleted on the backend")
    if options.blocked_user_ids and options.blocked_user_ids & {record.user_id, *account_ids(message.author)}:
        return _say("excluded", "the account is blocked")
    if record.kind == "issue-body":
        if opened:
            return _say("excluded", "a second opening post")
        return _say("body", f"the opening post; {found.reason}")
    if record.kind == "engine-output":
        return _say("engine", found.reason)
    if options.cutoff_trigger_time and _is_late(message, run):
        return _say("excluded", "written after the trigger (cutoff_trigger_time)")
    if options.skip_minimized and message.minimized is not None:
        return _say("excluded", "minimized (skip_minimized)")
    if found.trusted and not record.trusted:
        return _say("unverified", "the account is not the one on record")
    return _say("flow" if record.trusted else "unverified", found.reason)


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


def _missing(record: ThreadRecord) -> Verdict:
    if record.deleted:
        return _say("deleted", "deleted on the backend")
    return _say("excluded", "unconfirmed: not listed, and nothing proves that it was deleted")


@lru_cache(maxsize=1024)
def _say(decision: DecisionName, reason: str) -> Verdict:
    """Make a verdict once: few are given, each on many records."""
    return Verdict(decision=decision, reason=reason)


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
