"""What a report says of each record. Pure; nothing here is markup."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tertulia._text import Piece, clean, excerpt, find_marker, own_lines, reveal
from tertulia.ledger._header import link, moment, who
from tertulia.ledger._models import Context, DecisionName, Entry, Finding, Run, ThreadRecord
from tertulia.ledger._reconcile import newest
from tertulia.ledger._snapshot import Snapshot
from tertulia.thread import Message

__all__ = ["MAX_SHOWN", "Row", "rows_of"]

MAX_SHOWN = 4_000
"""Characters of one body that a report shows: it is for looking at, not for keeping."""

_FOLLOWED = ("kind", "trusted", "deleted", "user_login", "author_association", "minimized")
"""The fields of a record that follow the live message, and say something when they change."""

_EXCERPT = 120
_UNVERIFIED = "unverified"
_OWN_KINDS = ("agent-output", "engine-output")


@dataclass(frozen=True, slots=True)
class Row:
    """Hold one record: what became of it and why, what a person sees of it, and what the agent gets.

    `seen` are the pieces of title and body, `left_out` counts the characters behind them that are not shown. `change` says how
    it stands to the last run: `new`, `changed`, `gone`, `back`, or empty. `hidden`: readers do not see all of it.
    """

    number: int
    record: ThreadRecord
    decision: DecisionName
    reason: str
    author: str
    time: str
    url: str | None
    title: str | None
    seen: tuple[Piece, ...]
    left_out: int
    given: str
    findings: tuple[Finding, ...]
    change: str
    changes: tuple[str, ...]
    hidden: bool

    @property
    def said(self) -> str:
        """Give one line of what a reader sees, which can start nothing: no link, image, tag, mention or break."""
        seen = "".join(text for text, hidden in self.seen if not hidden)
        return excerpt(f"{self.title or ''} {seen}", _EXCERPT)


def rows_of(snapshot: Snapshot, context: Context) -> tuple[Row, ...]:
    """Give a row for every record of a context, in the order of the thread."""
    messages = newest(snapshot.listing.messages)
    before = {record.ref: record for record in snapshot.previous}
    findings: defaultdict[str | None, list[Finding]] = defaultdict(list)
    for finding in context.audit:
        findings[finding.ref].append(finding)
    given = _given(context, snapshot.run)
    return tuple(
        _row(number, entry, messages.get(entry.record.ref), before, findings[entry.record.ref], given, snapshot)
        for number, entry in enumerate(context.records, start=1)
    )


def _row(
    number: int,
    entry: Entry,
    message: Message | None,
    before: Mapping[str, ThreadRecord],
    findings: list[Finding],
    given: Mapping[str, str],
    snapshot: Snapshot,
) -> Row:
    record = entry.record
    body = message.body if message is not None and not record.deleted else ""
    change, changes = _change(record, before)
    return Row(
        number=number,
        record=record,
        decision=entry.decision,
        reason=entry.reason,
        author=who(record.user_id, record.user_login),
        time=moment(record.created_at),
        url=link(record.url, snapshot.run),
        title=message.title if message is not None else None,
        seen=reveal(body[:MAX_SHOWN]),
        left_out=max(len(body) - MAX_SHOWN, 0),
        given=given.get(record.ref, "")[:MAX_SHOWN],
        findings=tuple(findings),
        change=change,
        changes=changes,
        hidden=_hides(body, record, snapshot.options.marker_prefix),
    )


def _hides(body: str, record: ThreadRecord, marker_prefix: str) -> bool:
    """Say whether a body holds what readers do not see, the host's own lines in its own posts apart."""
    marker = find_marker(body, marker_prefix) if record.kind in _OWN_KINDS else None
    return clean(body, own_lines(body, marker) if marker is not None else frozenset()).hidden


def _change(record: ThreadRecord, before: Mapping[str, ThreadRecord]) -> tuple[str, tuple[str, ...]]:
    if not before:
        return "", ()
    known = before.get(record.ref)
    if known is None:
        return "new", ()
    told = [
        f"{name}: {_said(getattr(known, name))} → {_said(getattr(record, name))}" for name in _differing(known, record)
    ]
    if record.deleted != known.deleted:
        return ("gone" if record.deleted else "back"), tuple(told)
    edited = record.updated_at != known.updated_at
    return ("changed" if told or edited else ""), (*told, *(["edited"] if edited else []))


def _differing(known: ThreadRecord, record: ThreadRecord) -> Iterator[str]:
    return (name for name in _FOLLOWED if getattr(known, name) != getattr(record, name))


def _said(value: str | bool | None) -> str:
    if value is None or isinstance(value, bool):
        return "nothing" if value is None else "yes" if value else "no"
    return value


def _given(context: Context, run: Run) -> dict[str, str]:
    """Find what stands between the fences of a context: the id of the fence is in no text, so this cannot be led astray."""
    fence = re.escape(context.fence)
    blocks = re.finditer(rf"^\[BEGIN (\S+) {fence}\].*\n((?s:.*?))\n\[END \1 {fence}\]$", context.text, re.MULTILINE)
    given = {block[1]: block[2] for block in blocks}
    lines = given.pop(_UNVERIFIED, "").split("\n")
    places = {link(entry.record.url, run) or entry.record.ref: entry.record.ref for entry in context.records}
    for line in lines:
        place = line.partition(": ")[0].rpartition(", ")[2]
        if place in places:
            given[places[place]] = line
    return given
