"""What `tertulia demo` puts on a page: event, ledger, findings, context, reply, next run. Text, never markup."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from tertulia_cli._context import summary
from tertulia_cli._output import clean, plain, width

if TYPE_CHECKING:
    from tertulia.event import Event, Normalized
    from tertulia.ledger import Context, Entry, Finding
    from tertulia.thread import Message
    from tertulia_cli._demo import Shown

__all__ = ["page"]

_REASON = 36
"""With this many columns left, the reason of a record stands beside it; else on lines below."""

_STYLES = {
    "body": "cyan",
    "flow": "green",
    "unverified": "yellow",
    "engine": "bright_black",
    "deleted": "bright_black",
    "excluded": "bright_black",
}
_ALARM = "bold red"
_QUIET = "bright_black"
_STORY = (
    "An invented thread. An outsider reports a fault, and a maintainer asks an agent about it. In between somebody forges "
    "an agent's marker, somebody poses as the maintainer, one comment is edited after the question and one is deleted, "
    "and the report itself hides instructions."
)
_GAP = "  "
_HEADINGS = [Text(name, "bold") for name in ("", "ref", "who", "kind", "trusted", "decision")]


def page(shown: Shown, *, own: bool) -> Iterator[RenderableType]:
    """Lay out everything there is to see; `own` is a thread of the reader's, which comes without an event."""
    context = shown.context
    if not own:
        yield Text()
        yield Text(_STORY)
        yield _heading("The event", "what happened, in one form for every system")
        yield _events(shown.normalized)
    yield _heading("The ledger", f"{summary(context)}, marked !" if context.audit else summary(context))
    yield _ledger(context)
    yield _heading("The findings", "what is surprising, and what was done about it")
    yield _findings(context)
    yield _heading("The context", f"what the agent gets, {len(context.text):,} characters, word for word")
    yield _context(context)
    yield from _answer(shown, own)
    yield Rule(style=_QUIET)
    yield from _parting(context, own)


def _answer(shown: Shown, own: bool) -> Iterator[RenderableType]:
    """Show the reply and, when it was posted, what the next run makes of it."""
    if shown.draft is None:
        return
    place = "posted" if own else "posted in memory"
    aside = f"{place}, once for its key" if shown.message is not None else "what --post would post; nothing was written"
    yield _heading("The reply", aside)
    yield _lines(shown.sent)
    if shown.message is not None and shown.again is not None:
        yield _heading("The second run", "the thread once more, with the reply in it")
        yield _recognised(shown.again, shown.message)


def _recognised(again: Context, message: Message) -> RenderableType:
    entries = [entry for entry in again.records if entry.record.ref == message.ref]
    if not entries:
        return Text(f"{plain(message.ref)} is not listed yet.", _ALARM)
    rows = [_Row(entry, alarm=False) for entry in entries]
    known = entries[0].record.kind == "agent-output"
    told = "known for agent output" if known else "not known for agent output"
    return Group(_table(rows), Text(), Text(f"{len(again.records)} records now, and the reply is {told}."))


def _heading(title: str, aside: str) -> Group:
    return Group(Text(), Text(title, "bold"), Text(aside, _QUIET), Rule(style=_QUIET))


def _parting(context: Context, own: bool) -> Iterator[Text]:
    if context.trigger_author is None:
        yield Text(
            "Nobody is trusted: the thread does not say who started the run. Add --trigger-author LOGIN.", _QUIET
        )
    if not own:
        yield Text("See it on a thread of yours: tertulia demo --help says how to save one.", _QUIET)


def _events(normalized: Normalized | None) -> RenderableType:
    if normalized is None:
        return Text("Install tertulia-forge-github to see the webhook of the last comment become an event.", _QUIET)
    return Group(*(_event(event) for event in normalized.events))


def _event(event: Event) -> Table:
    entity, comment, actor = event.entity, event.transition.comment, event.actor
    place = f"{event.repo or entity.key}{f'#{entity.id}' if entity.id is not None else ''}"
    role = actor.role if actor.role_verified else "not looked up"
    facts = [
        ("what", f"{event.transition.kind} on {place}, a {entity.kind.replace('_', ' ')}"),
        ("who", f"{actor.id} ({actor.kind}, role {role})"),
        ("command", (comment.command or "none") if comment else "none"),
        ("says", (comment.instruction or comment.body) if comment else ""),
        ("thread", event.thread_key),
        ("key", event.key),
    ]
    table = Table.grid(padding=(0, 2))
    table.add_column(style=_QUIET, no_wrap=True)
    table.add_column(overflow="fold")
    for name, fact in facts:
        if fact:
            table.add_row(name, Text(plain(fact)))
    return table


def _ledger(context: Context) -> RenderableType:
    alarmed = {finding.ref for finding in context.audit}
    return _table([_Row(entry, alarm=entry.record.ref in alarmed) for entry in context.records])


def _table(rows: list[_Row]) -> RenderableType:
    needed = [
        max(cell.cell_len for cell in column) for column in zip(_HEADINGS, *(row.cells for row in rows), strict=True)
    ]
    room = width() - sum(needed) - len(_GAP) * len(needed)
    return _wide(rows, needed, room) if room >= _REASON else _narrow(rows, _fitted(needed))


def _fitted(needed: list[int]) -> list[int]:
    """Let the account, then the ref, have what the other columns leave."""
    mark, ref, who, *rest = needed
    left = width() - mark - sum(rest) - len(_GAP) * (len(needed) - 1)
    who = min(who, max(left - ref, 12))
    return [mark, max(min(ref, left - who), 8), who, *rest]


def _wide(rows: list[_Row], sizes: list[int], room: int) -> Group:
    """Show the reason beside its record."""
    grid = _grid([*sizes, room])
    for row in rows:
        grid.add_row(*row.cells, row.reason, style=row.style)
    return Group(_line([*_HEADINGS, Text("reason", "bold")], [*sizes, room], ""), Rule(style=_QUIET), grid)


def _narrow(rows: list[_Row], sizes: list[int]) -> Group:
    """Show the reason on lines of its own, below its record."""
    parts: list[RenderableType] = [_line([*_HEADINGS], sizes, ""), Rule(style=_QUIET)]
    for row in rows:
        parts.append(_line(row.cells, sizes, row.style))
        parts.append(Padding(row.reason, (0, 0, 0, sizes[0] + 2 * len(_GAP))))
    return Group(*parts)


def _line(cells: list[Text], sizes: list[int], style: str) -> Table:
    line = _grid(sizes)
    line.add_row(*cells, style=style)
    return line


def _grid(sizes: list[int]) -> Table:
    grid = Table.grid(padding=(0, len(_GAP), 0, 0))
    for size in sizes:
        grid.add_column(width=size, overflow="fold")
    return grid


class _Row:
    """Lay out one record; one with a finding stands out, in colour and without."""

    def __init__(self, entry: Entry, *, alarm: bool) -> None:
        record = entry.record
        who = record.user_login or record.user_id or "nobody"
        trusted = "yes" if record.trusted else "no"
        told = ("!" if alarm else "", record.ref, who, record.kind, trusted, entry.decision)
        self.cells = [Text(plain(cell)) for cell in told]
        self.reason = Text(plain(entry.reason))
        self.style = _ALARM if alarm else _STYLES[entry.decision]


def _findings(context: Context) -> RenderableType:
    if not context.audit:
        return Text("None.", _QUIET)
    return Group(*(part for finding in context.audit for part in _finding(finding)))


def _finding(finding: Finding) -> Iterator[RenderableType]:
    yield Text.assemble((finding.flag, _ALARM), (f"  {plain(finding.ref)}" if finding.ref else "", "bold"))
    yield Padding(Text(plain(finding.detail)), (0, 0, 0, 2))


def _context(context: Context) -> Text:
    return _lines(context.text, context.fence)


def _lines(written: str, fence: str = "<!-- ") -> Text:
    text = Text()
    for line in clean(written).rstrip("\n").split("\n"):
        style = _QUIET if fence in line else "bold cyan" if line.startswith("## ") else ""
        text.append(line + "\n", style)
    return text
