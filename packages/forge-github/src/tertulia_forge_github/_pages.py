"""Lists that come in pages."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from tertulia.errors import Unavailable
from tertulia_forge_github._exchange import Answer

__all__ = ["MAX_PAGES", "PER_PAGE", "Pages", "Take", "read_pages"]

PER_PAGE = 100
MAX_PAGES = 1000
"""More pages than that are not read: a hundred thousand items."""

_LINK = re.compile(r'<([^<>]*)>((?:\s*;\s*[\w*-]+="[^"]*")*+)')
_REL = re.compile(r'\brel="([^"]*)"')

Ask = Callable[[str, int], Awaitable[Answer]]
"""Read one page of a route."""

Take = Callable[[Any], Any]
"""Make of an item what is kept of it."""


@dataclass(frozen=True, slots=True)
class Pages:
    """Hold a list as read, or what was kept of it. `complete` is false when items may be missing; some may be there twice."""

    items: tuple[Any, ...]
    complete: bool = True


async def read_pages(ask: Ask, route: str, *, operation: str, take: Take | None = None) -> Pages:
    """Read every page of a list by its number; the addresses a server links to are never followed.

    When the first page says which is the last, the others are read together; when it only says that there is a next
    one, one after another. What was added meanwhile is read too. Each page is gone when `take` has been over it.
    """

    async def page(number: int) -> _Page:
        return _page(await ask(route, number), operation, take)

    first = await ask(route, 1)
    route = first.route or route
    pages = [_page(first, operation, take)]
    last = _last(pages[0])
    if last is not None and last > 1:
        pages += await _together(page, range(2, min(last, MAX_PAGES) + 1))
    while "next" in pages[-1].links and len(pages) < MAX_PAGES:
        pages.append(await page(len(pages) + 1))
    shrunk = len(pages) > 1 and not all(page.items for page in pages)
    complete = not shrunk and "next" not in pages[-1].links
    return Pages(tuple(item for page in pages for item in page.items), complete)


class _Page(NamedTuple):
    items: list[Any]
    links: dict[str, str]


def _page(answer: Answer, operation: str, take: Take | None) -> _Page:
    if not isinstance(answer.data, list):
        raise Unavailable("a page is not a list", backend="github", operation=operation)
    items: list[Any] = answer.data
    return _Page(items if take is None else [take(item) for item in items], _links(answer))


async def _together(page: Callable[[int], Coroutine[Any, Any, _Page]], numbers: range) -> list[_Page]:
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(page(number)) for number in numbers]
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return [task.result() for task in tasks]


def _last(page: _Page) -> int | None:
    """Find the number of the last page; a link without a number that we can use says nothing."""
    url = page.links.get("last")
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
