"""The unverified part: one line for a record nobody vouches for, so that an agent knows it is there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from tertulia._text import excerpt
from tertulia.ledger._header import association, link, moment, who
from tertulia.ledger._models import Options, Run, ThreadRecord
from tertulia.thread import Message

__all__ = ["unverified_lines"]

_PER_AUTHOR = 3
_IN_ALL = 50


def unverified_lines(
    records: dict[str, ThreadRecord], messages: Mapping[str, Message], run: Run, options: Options
) -> list[str]:
    """Give the lines, oldest first: at most 3 an author and 50 in all, the newest, then how many more there are."""
    kept: list[str] = []
    authors: Counter[str] = Counter()
    for ref in reversed(records):
        if len(kept) == _IN_ALL:
            break
        author = records[ref].user_id or (records[ref].user_login or "").lower()
        if authors[author] < _PER_AUTHOR:
            kept.append(ref)
            authors[author] += 1
    lines = [_line(records[ref], messages[ref], run, options) for ref in reversed(kept)]
    left = len(records) - len(kept)
    return [*lines, f"and {left} more unverified"] if left else lines


def _line(record: ThreadRecord, message: Message, run: Run, options: Options) -> str:
    facts = f"- {who(record.user_id, record.user_login)}, {association(record)}, {moment(record.created_at)}"
    place = link(record.url, run)
    facts += f", {place}" if place is not None else f", {record.ref}"
    if options.detail == "meta":
        return facts
    said = excerpt(message.body)
    return f"{facts}: {said}" if said else f"{facts}: (nothing to read)"
