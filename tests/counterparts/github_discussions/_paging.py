"""Connections: pages by cursor, of at most a hundred. A cursor names a place in an order, not a number of items."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from operator import ge, gt, le, lt
from typing import Any, TypeVar

from graphql import FieldNode, FragmentSpreadNode, GraphQLResolveInfo, InlineFragmentNode, SelectionSetNode

from github_discussions._refusals import Refusal, over_resources

__all__ = ["Order", "connection"]

Info = GraphQLResolveInfo[Any]
T = TypeVar("T")
Key = tuple[str, int]
Order = Callable[[T], Key]
_LARGEST = 100
_COUNTED = frozenset({"totalCount", "pageInfo", "__typename"})


def connection(
    items: Sequence[T],
    order: Order[T],
    info: Info,
    *,
    descending: bool = False,
    first: int | None = None,
    last: int | None = None,
    after: str | None = None,
    before: str | None = None,
) -> dict[str, Any]:
    """Give a page of items that are sorted by their order."""
    session = info.context
    width = _width(info, first, last)
    ordered = sorted(items, key=order, reverse=descending)
    keys = [order(item) for item in ordered]
    passed, precedes = (ge, gt) if descending else (le, lt)
    if session.repeats:
        passed = precedes
    low = 0 if after is None else _count(passed, keys, _place(after, session.epoch))
    high = len(keys) if before is None else _count(precedes, keys, _place(before, session.epoch))
    if first is None and last is not None:
        start, stop = max(low, high - width), high
    else:
        start, stop = low, min(max(low, high), low + width)
    cursors = [_cursor(key, session.epoch) for key in keys[start:stop]]
    nodes = [session.shown(item) for item in ordered[start:stop]]
    return {
        "nodes": nodes,
        "edges": [{"cursor": cursor, "node": node} for cursor, node in zip(cursors, nodes, strict=True)],
        "totalCount": len(ordered),
        "pageInfo": {
            "startCursor": cursors[0] if cursors else None,
            "endCursor": cursors[-1] if cursors else None,
            "hasNextPage": stop < len(keys),
            "hasPreviousPage": start > 0,
        },
    }


def _width(info: Info, first: int | None, last: int | None) -> int:
    """Check how many items are asked for; who only counts need not say."""
    name = info.field_name
    bound, width = ("first", first) if last is None else ("last", last)
    if width is None:
        if _lists(info, info.field_nodes[0].selection_set):
            words = f"You must provide a `first` or `last` value to properly paginate the `{name}` connection."
            raise Refusal("MISSING_PAGINATION_BOUNDARIES", words)
        return 0
    if not 0 <= width <= _LARGEST:
        limit = f"exceeds the `{bound}` limit of {_LARGEST} records."
        raise Refusal("EXCESSIVE_PAGINATION", f"Requesting {width} records on the `{name}` connection {limit}")
    if info.context.widest is not None and width > info.context.widest:
        raise over_resources()
    return width


def _lists(info: Info, selected: SelectionSetNode | None) -> bool:
    """Tell whether items are selected, or what tells their number only."""
    for node in selected.selections if selected else ():
        if isinstance(node, FieldNode):
            if node.name.value not in _COUNTED:
                return True
        elif isinstance(node, InlineFragmentNode | FragmentSpreadNode):
            inner = node if isinstance(node, InlineFragmentNode) else info.fragments[node.name.value]
            if _lists(info, inner.selection_set):
                return True
    return False


def _count(compare: Callable[[Key, Key], bool], keys: list[Key], place: Key) -> int:
    return sum(compare(key, place) for key in keys)


def _cursor(key: Key, epoch: int) -> str:
    return urlsafe_b64encode(b"cursor:v2:" + json.dumps([epoch, *key]).encode()).decode()


def _place(cursor: str, epoch: int) -> Key:
    """Read a cursor of ours that has not expired."""
    try:
        made, *key = json.loads(urlsafe_b64decode(cursor).removeprefix(b"cursor:v2:"))
        place = (str(key[0]), int(key[1]))
    except (ValueError, TypeError, IndexError):
        made, place = None, ("", 0)
    if made != epoch:
        raise Refusal("INVALID_CURSOR_ARGUMENTS", f"`{cursor}` does not appear to be a valid cursor.")
    return place
