"""Many tasks on one client: connections shared, cancellation without a trace, another way to the server."""

import asyncio
import contextvars
import ssl
import threading
from typing import Any

import httpx
import pytest

from tertulia.errors import Unavailable
from tertulia.testing.github import refusals
from tertulia.testing.loopback import Reply, Request, Server
from tertulia.transport import Clock
from tertulia_forge_github import Http

pytestmark = pytest.mark.anyio


class Connections:
    """Count connections: the server gives each a thread of its own."""

    def __init__(self, server: Server, delay: float = 0.0) -> None:
        self.seen: set[threading.Thread] = set()
        self._delay = delay
        server.route("GET", "/x", self.answer)

    def answer(self, request: Request) -> Reply:
        """Remember where the request came from."""
        self.seen.add(threading.current_thread())
        return Reply(200, [], delay=self._delay)


async def test_requests_one_after_another_use_one_connection(server: Server, opened: Any) -> None:
    connections = Connections(server)

    async with opened() as http:
        for _ in range(5):
            await http.get("/x", operation="x")
            await http.native.arequest("GET", "/x")

    assert len(server.requests) == 10
    assert len(connections.seen) == 1


async def test_a_task_with_another_context_uses_the_same_connection(server: Server, opened: Any) -> None:
    connections = Connections(server)
    elsewhere = contextvars.Context()

    async with opened() as http:
        for _ in range(5):
            task = asyncio.get_running_loop().create_task(http.get("/x", operation="x"), context=elsewhere)
            await task
            await asyncio.get_running_loop().create_task(http.native.arequest("GET", "/x"), context=elsewhere)

    assert len(server.requests) == 10
    assert len(connections.seen) == 1


async def test_a_client_opened_in_one_context_is_closed_in_another(server: Server, opened: Any) -> None:
    Connections(server)
    manager = opened()
    loop = asyncio.get_running_loop()

    http: Http = await loop.create_task(manager.__aenter__(), context=contextvars.Context())
    await http.get("/x", operation="x")
    await loop.create_task(manager.__aexit__(None, None, None), context=contextvars.Context())

    with pytest.raises(RuntimeError, match="closed"):
        await http.get("/x", operation="x")


async def test_sixty_reads_together_use_six_connections(server: Server, opened: Any) -> None:
    connections = Connections(server, delay=0.005)

    async with opened() as http:
        await asyncio.gather(*(http.get("/x", operation="x") for _ in range(60)))

    assert len(connections.seen) <= 6


async def test_a_deadline_is_the_callers_and_the_client_stays_usable(server: Server, opened: Any) -> None:
    server.route("GET", "/slow", Reply(200, [], delay=0.3))
    server.route("GET", "/x", Reply(200, ["fine"]))

    async with opened() as http:
        for _ in range(3):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await asyncio.gather(*(http.get("/slow", operation="x") for _ in range(8)))
        answers = await asyncio.gather(*(http.get("/x", operation="x") for _ in range(12)))

    assert [answer.data for answer in answers] == [["fine"]] * 12


async def test_nothing_is_left_running_after_a_cancellation(server: Server, opened: Any) -> None:
    last = {"link": f'<{server.url}/list?page=30>; rel="last"'}
    server.route("GET", "/list", lambda r: Reply(200, [1], last, delay=0.0 if r.query["page"] == "1" else 0.1))

    before = asyncio.all_tasks()

    async with opened() as http:
        task = asyncio.create_task(http.pages("/list", operation="x"))
        await asyncio.sleep(0.15)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0.15)
        asked = len(server.requests)
        await asyncio.sleep(0.2)

        assert asyncio.all_tasks() == before
        assert len(server.requests) == asked < 20


class Forever(Clock):
    """A clock on which nobody wakes up."""

    def __init__(self) -> None:
        self.sleeping = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        """Fall asleep."""
        self.sleeping.set()
        await asyncio.Event().wait()


async def test_a_cancellation_while_sleeping_ends_at_once(server: Server, opened: Any) -> None:
    server.route("GET", "/limited", refusals.slow_down("30"))
    server.route("GET", "/failing", Reply(500))

    for route in ("/limited", "/failing"):
        clock = Forever()
        async with opened(_clock=clock) as http:
            task = asyncio.create_task(http.get(route, operation="x"))
            await clock.sleeping.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    assert [request.path for request in server.requests] == ["/limited", "/failing"]


async def test_a_proxy_is_used_when_the_environment_names_one(
    server: Server, opened: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.route("GET", ".*", Reply(200, ["through the proxy"]))
    monkeypatch.setenv("HTTP_PROXY", server.url)

    async with opened(api_url="http://127.0.0.9:9") as http:
        assert (await http.get("/user", operation="x")).data == ["through the proxy"]
    async with opened(api_url="http://127.0.0.9:9", http={"trust_env": False, "proxy": server.url}) as http:
        await http.get("/user", operation="x")

    assert [request.headers["host"] for request in server.requests] == ["127.0.0.9:9"] * 2


async def test_a_transport_of_the_callers_is_used(opened: Any) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json=[str(request.url)])

    async with opened(
        api_url="https://git.acme.example/api/v3", http={"transport": httpx.MockTransport(answer)}
    ) as http:
        assert (await http.get("/user", operation="x")).data == ["https://git.acme.example/api/v3/user"]
        assert http.web_host == "git.acme.example"


@pytest.mark.parametrize("error", [ssl.SSLError("bad record"), httpx.ReadError("reset"), OSError("pulled out")])
async def test_a_connection_that_breaks_is_unavailable_and_names_its_cause(opened: Any, error: Exception) -> None:
    def broken(request: httpx.Request) -> httpx.Response:
        raise error

    async with opened(max_wait=0, http={"transport": httpx.MockTransport(broken)}) as http:
        with pytest.raises(Unavailable) as caught:
            await http.send("POST", "/x", operation="x")

    assert caught.value.ambiguous
    assert caught.value.__cause__ is error


async def test_two_clients_share_nothing(server: Server, opened: Any) -> None:
    server.route("GET", "/x", Reply(200, []))

    async with opened(token="one") as first, opened(token="two") as second:
        await first.get("/x", operation="x")
        await second.get("/x", operation="x")
        strategies = {id(http.native.config.cache_strategy) for http in (first, second)}

    assert [request.headers["authorization"] for request in server.requests] == ["Bearer one", "Bearer two"]
    assert len(strategies) == 2
