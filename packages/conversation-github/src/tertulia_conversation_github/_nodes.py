"""Take GraphQL's objects apart. What GitHub's schema promises and an answer does not keep makes it unreadable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple, cast

from tertulia.parsing import as_list, as_object
from tertulia_conversation_github._errors import unreadable

__all__ = ["Node", "Page", "id_of", "items", "number_of", "page_of", "time_of"]

Node = Mapping[str, Any]
"""An object as GraphQL gives it."""

_ANCHOR = re.compile(r"#discussioncomment-([1-9][0-9]{0,18})$")


class Page(NamedTuple):
    """Hold one page of a list: what is there, how many are null, how many there are in all (0 when nobody asked).

    `after` is where the next page begins, `before` where the one before ends; None where there is none.
    """

    nodes: tuple[Node, ...]
    nulls: int = 0
    total: int = 0
    after: str | None = None
    before: str | None = None


def page_of(connection: object) -> Page:
    """Read a page."""
    page = as_object(connection)
    nodes, info, total = page.get("nodes"), as_object(page.get("pageInfo")), page.get("totalCount", 0)
    if not isinstance(nodes, list) or not info or not isinstance(total, int):
        raise unreadable("a page is not one")
    found = tuple(items(page))
    return Page(
        nodes=found,
        nulls=len(cast("list[object]", nodes)) - len(found),
        total=total,
        after=_cursor(info, "hasNextPage", "endCursor"),
        before=_cursor(info, "hasPreviousPage", "startCursor"),
    )


def items(connection: object) -> Iterator[Node]:
    """Go through what is there of a page: items may be null."""
    return filter(None, map(as_object, as_list(as_object(connection).get("nodes"))))


def id_of(node: Node) -> str:
    """Give the node id of a thing."""
    ident = node.get("id")
    if not isinstance(ident, str) or not ident:
        raise unreadable("a thing has no node id")
    return ident


def number_of(node: Node) -> str:
    """Give the numeric id of a comment or a discussion.

    `databaseId` is an Int, which cannot hold what GitHub's ids have grown to; the address of a comment ends with it too.
    """
    number = node.get("databaseId")
    if isinstance(number, int) and not isinstance(number, bool):
        return str(number)
    anchor = _ANCHOR.search(str(node.get("url")))
    if anchor is None:
        raise unreadable("a message has no numeric id")
    return anchor[1]


def time_of(node: Node) -> datetime:
    """Give the time when something was made."""
    try:
        return datetime.fromisoformat(str(node.get("createdAt")))
    except ValueError:
        raise unreadable("a message has no time") from None


def _cursor(info: Node, there_is: str, name: str) -> str | None:
    cursor = info.get(name)
    return cursor if info.get(there_is) is True and isinstance(cursor, str) else None
