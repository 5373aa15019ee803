"""A small GitHub on loopback that keeps what is written, and clients that act on it."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tertulia.testing.clock import Time
from tertulia.testing.github import GitHub
from tertulia.testing.loopback import Request, serve
from tertulia_tracker import github as tracker_github


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


@pytest.fixture
def github() -> Iterator[GitHub]:
    """A GitHub with an issue 7 by alice."""
    with serve() as server:
        made = GitHub(server)
        made.issue(7)
        yield made


@pytest.fixture
def time() -> Time:
    """The clock of the client."""
    return Time()


@pytest.fixture
async def client(github: GitHub, time: Time) -> AsyncIterator[tracker_github.Client]:
    """A client that acts as helper, and fails at once where another would wait."""
    options: Any = {
        "token": "token-of-helper",
        "api_url": github.url,
        "max_wait": 0,
        "http": {"trust_env": False, "verify": False},
    }
    async with tracker_github.connect(**options) as made:
        yield tracker_github.Client(made.http, sleep=time.sleep, clock=time.now)


def sent(request: Request) -> str:
    """Give the body of a message that was sent."""
    return str(json.loads(request.body)["body"])
