"""Records that were there and are not listed any more: a tombstone needs proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tertulia.ledger._models import Finding, ThreadRecord
from tertulia.thread import Listing, Message

__all__ = ["Vanished", "count_findings", "prove"]

_MASS = 3
_CAPPED, _CAP, _NEAR_CAP = "issue_comment", 2_500, 2_000


@dataclass(frozen=True, slots=True)
class Vanished:
    """Hold what became of the records that are gone: the refs of those with proof, and the findings."""

    deleted: frozenset[str]
    findings: tuple[Finding, ...]


def prove(
    missing: Iterable[ThreadRecord],
    previous: tuple[ThreadRecord, ...],
    listing: Listing,
    counts: Mapping[str, int],
    gone: frozenset[str],
) -> Vanished:
    """Decide which missing records are deleted.

    A direct NotFound (`gone`) is proof. Without it, a complete listing whose count for the source type agrees with the
    backend's is; but when more than half of the records, and at least three, vanish together, nothing is. Records that came
    after those that are missing were last seen do not count towards the half: a later run must not change its mind.
    """
    records = tuple(missing)
    direct = frozenset(record.ref for record in records if record.ref in gone)
    rest = [record for record in records if record.ref not in gone]
    known = _population(previous, rest)
    mass = len(rest) >= _MASS and len(rest) * 2 > known
    reported = listing.reported or {}
    agreed = frozenset(
        record.ref
        for record in rest
        if listing.complete and not mass and reported.get(record.source_type) == counts.get(record.source_type, 0)
    )
    findings: tuple[Finding, ...] = ()
    if mass:
        detail = f"{len(rest)} of {known} records vanished together; nothing is taken for deleted without direct proof"
        findings = (Finding(flag="incomplete-fetch", detail=detail),)
    return Vanished(direct | agreed, findings)


def _population(previous: Iterable[ThreadRecord], missing: Iterable[ThreadRecord]) -> int:
    """Count the records that were there when the missing ones were last seen."""
    alive = [record for record in previous if not record.deleted]
    last = [record.observed_rev for record in missing]
    if None in last or not last:
        return len(alive)
    seen = max(rev for rev in last if rev is not None)
    return sum(1 for record in alive if record.first_seen is None or record.first_seen <= seen)


def count_findings(listing: Listing, messages: Iterable[Message]) -> tuple[dict[str, int], list[Finding]]:
    """Count the listed messages by source type, and report where the listing admits or shows a gap."""
    counts = dict(Counter(message.source_type for message in messages))
    findings: list[Finding] = []
    if not listing.complete:
        findings.append(Finding(flag="incomplete-fetch", detail="the listing is not complete"))
    comments = max(counts.get(_CAPPED, 0), (listing.reported or {}).get(_CAPPED, 0))
    if comments >= _NEAR_CAP:
        detail = f"{comments:,} comments: GitHub takes no more than {_CAP:,} on an issue, agents' answers among them"
        findings.append(Finding(flag="thread-near-comment-cap", detail=detail))
    for source_type, reported in sorted((listing.reported or {}).items()):
        listed = counts.get(source_type, 0)
        if listed != reported:
            detail = f"{listed} of type {source_type} were listed, the backend counts {reported}"
            findings.append(Finding(flag="count-mismatch", detail=detail))
    return counts, findings
