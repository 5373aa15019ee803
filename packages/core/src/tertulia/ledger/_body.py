"""The text of one record as it goes on to an agent: cleaned, cut when a cap is set, with what belongs beside it."""

from __future__ import annotations

from tertulia._text import Cleaned, clean, clean_characters, find_marker, own_lines
from tertulia.ledger._models import Finding, Options, ThreadRecord
from tertulia.thread import Attachment, Message

__all__ = ["hidden_finding", "show"]


def show(record: ThreadRecord, message: Message, options: Options) -> Cleaned:
    """Give the text of a record in full: title or path first, the cleaned body, attachments by name."""
    own: frozenset[int] = frozenset()
    if record.kind == "agent-output":
        marker = find_marker(message.body, options.marker_prefix)
        own = own_lines(message.body, marker) if marker is not None else own
    cleaned = clean(message.body, own)
    body = _capped(cleaned.text.strip("\n"), options.max_record_chars)
    if message.cut:
        body += f"\n[\u2026 {message.cut} characters were not read \u2026]"
    beside = (message.title, message.path, *(attachment.name for attachment in message.attachments))
    characters = cleaned.characters + sum([clean_characters(text)[1] for text in beside if text])
    parts = [_one_line(message.title)] if message.title else []
    if message.path is not None:
        parts.append(f"path: {_one_line(message.path)}")
    parts += [body] if body else []
    parts += [_attachment(attachment) for attachment in message.attachments]
    return Cleaned("\n\n".join(parts), cleaned.blocks, characters, cleaned.doubtful)


def _one_line(text: str) -> str:
    return " ".join(clean_characters(text)[0].split())


def _attachment(attachment: Attachment) -> str:
    if (attachment.type or "").startswith("image/"):
        return "[image]"
    facts = [attachment.type] if attachment.type else []
    facts += [f"{attachment.size} bytes"] if attachment.size is not None else []
    return f"[file: {_one_line(attachment.name)}{' (' + _one_line(', '.join(facts)) + ')' if facts else ''}]"


def _capped(text: str, limit: int | None) -> str:
    """Keep head and tail of a text over the cap, and say how many characters were left out."""
    if limit is None or len(text) <= limit:
        return text
    head = (limit + 1) // 2
    tail = limit - head
    return f"{text[:head]}\n[\u2026 {len(text) - limit} characters omitted \u2026]\n{text[len(text) - tail :]}"


def hidden_finding(ref: str, shown: Cleaned) -> Finding:
    """Report what was invisible in a record."""
    counted = [_count(shown.blocks, "comment or unused definition"), _count(shown.characters, "invisible character")]
    told = [f"{' and '.join(part for part in counted if part)} taken out"] if any(counted) else []
    if shown.doubtful:
        told.append("a comment is left open inside a quote: the site may hide more than was taken out")
    return Finding(flag="hidden-text", ref=ref, detail="; ".join(told))


def _count(number: int, thing: str) -> str:
    more = thing.replace(" or ", "s or ") + "s"
    return "" if number == 0 else f"1 {thing}" if number == 1 else f"{number} {more}"
