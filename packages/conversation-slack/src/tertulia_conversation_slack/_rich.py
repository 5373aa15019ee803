"""Slack's blocks, rich text above all, as Markdown. Pure.

Rich text is what people's messages are made of (docs.slack.dev, "Rich text block"), and what Slack makes of an app's
Markdown. A kind that nobody knows raises `Unknown`: then the message's plain text says it better.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import cast

from tertulia.parsing import as_object
from tertulia_conversation_slack._fields import Json as Block
from tertulia_conversation_slack._fields import number, objects, word
from tertulia_conversation_slack._mrkdwn import (
    broadcast,
    decoded,
    emphasized,
    fenced,
    from_mrkdwn,
    joined,
    link,
    quoted,
    spanned,
)
from tertulia_conversation_slack._table import table

__all__ = ["Unknown", "from_block"]

_SILENT = frozenset({"actions", "input", "file", "context_actions", "video", "call"})
_BARE = re.compile(r"[<>]|&(?!(?:amp|lt|gt);)")
_MAX_INDENT = 8
_MOST_ITEMS = 10_000


class Unknown(Exception):
    """Say that a block is of a kind nobody here knows."""


def from_block(block: Block) -> str:
    """Write one block as Markdown; nothing for one that only has buttons. Raises Unknown."""
    kind = word(block, "type")
    if kind in _SILENT:
        return ""
    make = _BLOCKS.get(kind)
    if make is None:
        raise Unknown(kind)
    return make(block)


def _rich_text(block: Block) -> str:
    parts: list[str] = []
    last, depth = "", -1
    for element in objects(block.get("elements")):
        kind = word(element, "type")
        if kind == "rich_text_list":
            depth = min(_indent(element), depth + 1)
            made = _list(element, depth)
        else:
            depth, made = -1, _element(element, kind)
        if made:
            parts.append(_gap(last, kind) + made if parts else made)
            last = kind
    return "".join(parts)


def _gap(before: str, kind: str) -> str:
    """Put an empty line where Markdown would take the next block for a part of the one before."""
    holds = before in ("rich_text_list", "rich_text_quote")
    return "\n\n" if holds and kind != before else "\n"


def _element(element: Block, kind: str) -> str:
    match kind:
        case "rich_text_section":
            return _inline(element).removesuffix("\n")
        case "rich_text_quote":
            return quoted(_inline(element).removesuffix("\n"))
        case "rich_text_preformatted":
            return fenced("".join(_shown(one) for one in objects(element.get("elements"))))
        case _:
            raise Unknown(kind)


def _indent(element: Block) -> int:
    return min(number(element, "indent") or 0, _MAX_INDENT)


def _list(element: Block, depth: int) -> str:
    first = min(number(element, "offset") or 0, _MOST_ITEMS) + 1 if element.get("style") == "ordered" else None
    lines: list[str] = []
    for place, item in enumerate(objects(element.get("elements"))):
        mark = "- " if first is None else f"{first + place}. "
        text = _inline(item).rstrip("\n").replace("\n", f"\n{' ' * (4 * depth + len(mark))}")
        lines.append(f"{'    ' * depth}{mark}{text}")
    return "\n".join(lines)


def _inline(section: Block) -> str:
    return "".join([_styled(one) for one in objects(section.get("elements"))])


def _styled(element: Block) -> str:
    kind, style = element.get("type"), element.get("style")
    if kind == "text" and style is None:
        return _unescaped(word(element, "text"))
    text = _link(element) if kind == "link" else _shown(element)
    if not isinstance(style, dict):
        return text
    styles = cast("Block", style)
    if styles.get("code") is True:
        return spanned(_shown(element))
    for name, mark in (("italic", "_"), ("bold", "**"), ("strike", "~~")):
        if styles.get(name) is True:
            text = emphasized(text, mark)
    return text


def _link(element: Block) -> str:
    return link(_unescaped(word(element, "url")), _unescaped(word(element, "text")))


def _shown(element: Block) -> str:
    """Give what an element shows in code, where nothing is marked up."""
    kind = word(element, "type")
    if kind == "text":
        return _unescaped(word(element, "text"))
    show = _SHOWN.get(kind)
    if show is None:
        raise Unknown(kind)
    return show(element)


def _unescaped(text: str) -> str:
    """Decode a string of a block when Slack escaped it: one with a bare `<`, `>` or `&` it did not."""
    return text if "&" not in text or _BARE.search(text) else decoded(text)


def _shown_text(value: object) -> str:
    text = as_object(value)
    shown = word(text, "text")
    return from_mrkdwn(shown) if text.get("type") == "mrkdwn" else _unescaped(shown)


def _section(block: Block) -> str:
    return joined([_shown_text(block.get("text")), *(_shown_text(one) for one in objects(block.get("fields")))])


def _header(block: Block) -> str:
    text = _shown_text(block.get("text")).replace("\n", " ")
    return f"## {text}" if text.strip() else ""


def _context(block: Block) -> str:
    parts = (_image(one) if one.get("type") == "image" else _shown_text(one) for one in objects(block.get("elements")))
    return " ".join(part for part in parts if part)


def _image(block: Block) -> str:
    """Name an image as the ledger does; nobody fetches it."""
    alternative = " ".join(_unescaped(word(block, "alt_text")).split())
    return f"[image: {alternative}]" if alternative else "[image]"


def _table(block: Block) -> str:
    rows = block.get("rows")
    lists = cast("list[object]", rows) if isinstance(rows, list) else []
    cells = [[_cell(cell) for cell in objects(row)] for row in lists]
    return table(cells, [word(one, "align") for one in objects(block.get("column_settings"))])


def _cell(cell: Block) -> str:
    match word(cell, "type"):
        case "rich_text":
            return _rich_text(cell)
        case "raw_text":
            return _unescaped(word(cell, "text"))
        case "raw_number":
            return word(cell, "text") or _numeral(cell.get("value"))
        case kind:
            raise Unknown(kind)


def _numeral(value: object) -> str:
    """Write a number; JSON has none that is not finite, and yet a parser lets them through."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return ""
    return str(value)


_SHOWN: Mapping[str, Callable[[Block], str]] = {
    "link": lambda element: _unescaped(word(element, "text") or word(element, "url")),
    "emoji": lambda element: f":{word(element, 'name')}:",
    "user": lambda element: f"<@{word(element, 'user_id')}>",
    "channel": lambda element: f"<#{word(element, 'channel_id')}>",
    "usergroup": lambda element: f"<!subteam^{word(element, 'usergroup_id')}>",
    "broadcast": lambda element: broadcast(word(element, "range")),
    "date": lambda element: word(element, "fallback"),
    "color": lambda element: word(element, "value"),
}
"""What the elements of rich text show, but for text itself, which most of them are."""

_BLOCKS: Mapping[str, Callable[[Block], str]] = {
    "rich_text": _rich_text,
    "section": _section,
    "header": _header,
    "context": _context,
    "divider": lambda _: "---",
    "image": _image,
    "markdown": lambda block: word(block, "text"),
    "table": _table,
}
