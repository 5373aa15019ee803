"""How `tertulia ledger show` looks: the records of a thread and the steps in it. Text, never markup."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from tertulia_cli._output import plain

if TYPE_CHECKING:
    from tertulia.ledger import HistoryEntry, ThreadRecord, WorkflowState

__all__ = ["state_page"]

_QUIET = "bright_black"


def state_page(state: WorkflowState, chars: int) -> Iterator[RenderableType]:
    """Lay out what is kept of a thread."""
    after = f" after {state.parent_rev}" if state.parent_rev is not None else ""
    yield Text.assemble(
        (plain(state.thread_key), "bold"), f"  revision {state.rev}{after}, {chars:,} of 60,000 characters"
    )
    yield Text()
    yield _table(("record", "who", "kind", "trusted", "seen"), [_record(record) for record in state.thread])
    if state.history:
        yield Text()
        yield _table(("step", "agent", "at", "asked by", "answered in"), [_step(entry) for entry in state.history])


def _record(record: ThreadRecord) -> list[Text]:
    who = record.user_login or record.user_id or "unknown"
    told = ("deleted", "red") if record.deleted else ("yes", "green") if record.trusted else ("no", "yellow")
    seen = f"{record.first_seen or '?'} to {record.observed_rev or '?'}"
    return [Text(plain(record.ref)), Text(plain(who)), Text(record.kind), Text(*told), Text(seen, _QUIET)]


def _step(entry: HistoryEntry) -> list[Text]:
    words = (entry.step, entry.agent, f"{entry.at:%Y-%m-%dT%H:%M:%SZ}", entry.trigger, entry.reply)
    return [Text(plain(word or "")) for word in words]


def _table(names: tuple[str, ...], rows: list[list[Text]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False)
    for name in names:
        table.add_column(Text(name, "bold"), overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table
