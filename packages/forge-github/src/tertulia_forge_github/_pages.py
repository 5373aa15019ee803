"""Lists that come in pages."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

from tertulia.errors import Unavailable
from tertulia_forge_github._exchange import Answer

__all__ = ["MAX_PAGES", "PER_PAGE", "Pages", "read_pages"]

PER_PAGE = 100
MAX_PAGES = 1000
"""More pages than that are not read: a hundred thousand items."""

_LINK = re.compile(r'<([^<>]*)>((?:\s*;\s*[\w*-]+="[^"]*")*+)')
_REL = re.compile(r'\brel="([^"]*)"')

Ask = Callable[[str, int], Awaitable[Answer]]
"""Read one page of a route."""


@dataclass(frozen=True, slots=True)
class Pages:
    """Hold a list as read. `complete` is false when items may be missing; some may be there twice."""

    items: tuple[Any, ...]
    complete: bool = True


async def read_pages(ask: Ask, route: str, *, operation: str) -> Pages:
    """Read every page of a list by its number; the addresses a server links to are never followed.

    When the first page says which is the last, the others are read together; when it only says that there is a next
    one, one after another. What was added meanwhile is read too.
    """
    first = await ask(route, 1)
    route, pages = first.route or route, [_items(first, operation)]
    last = _last(first)
    if last is not None and last > 1:
        answers = await _together(ask, route, range(2, min(last, MAX_PAGES) + 1))
        pages.extend(_items(answer, operation) for answer in answers)
        newest = answers[-1]
    else:
        newest = first
    while _has_next(newest) and len(pages) < MAX_PAGES:
        newest = await ask(route, len(pages) + 1)
        pages.append(_items(newest, operation))
    shrunk = len(pages) > 1 and not all(pages)
    return Pages(tuple(item for page in pages for item in page), not shrunk and not _has_next(newest))


async def _together(ask: Ask, route: str, numbers: range) -> list[Answer]:
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_page(ask, route, number)) for number in numbers]
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return [task.result() for task in tasks]


async def _page(ask: Ask, route: str, number: int) -> Answer:
    return await ask(route, number)


def _items(answer: Answer, operation: str) -> list[object]:
    data = answer.data
    if not isinstance(data, list):
        raise Unavailable("a page is not a list", backend="github", operation=operation)
    return cast("list[object]", data)


def _has_next(answer: Answer) -> bool:
    return "next" in _links(answer)


def _last(answer: Answer) -> int | None:
    """Find the number of the last page; a link without a number that we can use says nothing."""
    url = _links(answer).get("last")
    try:
        (number,) = parse_qs(urlsplit(url or "").query).get("page", ["none"])
    except ValueError:
        return None
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None


def _links(answer: Answer) -> dict[str, str]:
    found: dict[str, str] = {}
    for url, parameters in _LINK.findall(answer.headers.get("link", "")[:8192]):
        relation = _REL.search(parameters)
        if relation is not None:
            found[relation[1].lower()] = url
    return found
