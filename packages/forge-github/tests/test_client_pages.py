"""Lists in pages: all of them, together, by number."""

import threading
from typing import Any

import pytest

from tertulia.errors import NotFound, Unavailable
from tertulia.testing.github import refusals
from tertulia.testing.loopback import Reply, Request, Server, serve
from tertulia_forge_github import Pages, _pages

pytestmark = pytest.mark.anyio


class Book:
    """A list of `count` items, a page at a time, as GitHub links them."""

    def __init__(self, server: Server, count: int, *, tells_last: bool = True) -> None:
        self.items = list(range(count))
        self._url, self._tells_last = server.url, tells_last
        server.route("GET", "/list", self.page)

    def page(self, request: Request) -> Reply:
        """Give one page."""
        size, number = int(request.query["per_page"]), int(request.query["page"])
        last = max(1, -(-len(self.items) // size))
        links = [f'<{self._url}/list?per_page={size}&page={number + 1}>; rel="next"'] if number < last else []
        if self._tells_last and number < last:
            links.append(f'<{self._url}/list?per_page={size}&page={last}>; rel="last"')
        headers = {"link": ", ".join(links)} if links else {}
        return Reply(200, self.items[(number - 1) * size : number * size], headers)


@pytest.mark.parametrize(("count", "requests"), [(0, 1), (1, 1), (100, 1), (101, 2), (250, 3), (1234, 13)])
@pytest.mark.parametrize("tells_last", [True, False])
async def test_every_page_is_read_once_and_in_order(
    count: int, requests: int, tells_last: bool, server: Server, opened: Any
) -> None:
    book = Book(server, count, tells_last=tells_last)

    async with opened() as http:
        read = await http.pages("/list", operation="read", params={"since": "x"})

    assert read == Pages(tuple(book.items), complete=True)
    assert len(server.requests) == requests
    assert all(request.query["per_page"] == "100" and request.query["since"] == "x" for request in server.requests)


@pytest.mark.parametrize("tells_last", [True, False])
async def test_what_is_made_of_an_item_is_kept_in_its_place(tells_last: bool, server: Server, opened: Any) -> None:
    Book(server, 230, tells_last=tells_last)

    async with opened() as http:
        read = await http.pages("/list", operation="read", take=lambda item: item % 7 or None)

    assert read == Pages(tuple(number % 7 or None for number in range(230)), complete=True)


@pytest.mark.parametrize("at", [0, 150])
async def test_an_item_that_nothing_can_be_made_of_ends_the_reading(at: int, server: Server, opened: Any) -> None:
    Book(server, 230)

    def refuse(item: int) -> int:
        if item == at:
            raise Unavailable("unreadable", backend="github", operation="read")
        return item

    async with opened() as http:
        with pytest.raises(Unavailable, match="unreadable"):
            await http.pages("/list", operation="read", take=refuse)


async def test_later_pages_are_read_together(server: Server, opened: Any) -> None:
    book, six = Book(server, 700), threading.Barrier(6)

    def waiting(request: Request) -> Reply:
        if request.query["page"] != "1":
            six.wait(timeout=5)
        return book.page(request)

    server.route("GET", "/list", waiting)

    async with opened(max_wait=0) as http:
        assert (await http.pages("/list", operation="read")).items == tuple(range(700))


async def test_a_link_is_never_followed(server: Server, opened: Any) -> None:
    with serve() as other:
        links = f'<{other.url}/list?page=2>; rel="next", <{other.url}/list?page=2>; rel="last"'
        server.route("GET", "/list", Reply(200, [1], {"link": links}), Reply(200, [2]))

        async with opened() as http:
            assert (await http.pages("/list", operation="read")).items == (1, 2)

        assert other.requests == []


@pytest.mark.parametrize(
    "link",
    [
        '<{url}/list?page=-1>; rel="last"',
        '<{url}/list?page=99999999999>; rel="last"',
        '<{url}/list>; rel="last"',
        '<{url}/list?page=x>; rel="last"',
        '<http://[>; rel="last"',
        '<{url}/list?page=0>; rel="last"',
        "nonsense",
        "<" * 9000,
    ],
)
async def test_a_link_without_a_usable_number_says_nothing(link: str, server: Server, opened: Any) -> None:
    server.route("GET", "/list", Reply(200, [1], {"link": link.format(url=server.url)}))

    async with opened() as http:
        assert await http.pages("/list", operation="read") == Pages((1,), complete=True)

    assert len(server.requests) == 1


async def test_what_was_added_meanwhile_is_read_too(server: Server, opened: Any) -> None:
    book = Book(server, 150)

    def growing(request: Request) -> Reply:
        if request.query["page"] == "2":
            book.items = list(range(320))
        return book.page(request)

    server.route("GET", "/list", growing)

    async with opened() as http:
        read = await http.pages("/list", operation="read")

    assert read == Pages(tuple(range(320)), complete=True)


async def test_a_list_that_shrank_is_not_complete(server: Server, opened: Any) -> None:
    book = Book(server, 350)

    def shrinking(request: Request) -> Reply:
        reply = book.page(request)
        book.items = book.items[:120]
        return reply

    server.route("GET", "/list", shrinking)

    async with opened() as http:
        assert not (await http.pages("/list", operation="read")).complete


async def test_a_list_without_an_end_is_read_to_the_bound(
    server: Server, opened: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_pages, "MAX_PAGES", 4)
    Book(server, 900)
    server.route("GET", "/endless", Reply(200, [1], {"link": f'<{server.url}/endless?page=2>; rel="next"'}))

    async with opened() as http:
        long, endless = [await http.pages(route, operation="read") for route in ("/list", "/endless")]

    assert (len(long.items), long.complete) == (400, False)
    assert (len(endless.items), endless.complete) == (4, False)


async def test_a_page_that_is_no_list_is_unavailable(server: Server, opened: Any) -> None:
    server.route("GET", "/list", Reply(200, {"message": "hello"}))

    async with opened() as http:
        with pytest.raises(Unavailable, match="not a list"):
            await http.pages("/list", operation="read")


async def test_one_page_that_is_refused_refuses_the_list(server: Server, opened: Any) -> None:
    book = Book(server, 2000)
    server.route("GET", "/list", lambda r: refusals.NOT_FOUND if r.query["page"] == "3" else book.page(r))

    async with opened() as http:
        with pytest.raises(NotFound):
            await http.pages("/list", operation="read")
        asked = len(server.requests)
        assert (await http.get("/list", operation="read", params={"page": 1, "per_page": 1})).data == [0]

    assert asked < 20
