"""Compare reading a thread of 2,500 comments with reading its pages one after another: `python benchmarks/fetch.py`.

The client of tertulia-tracker[github] reads it whole from a GitHub on loopback that takes 50 ms for each answer. It reads the
pages one after another when no page links to the last one. The exit status is 1 when reading takes more than 26 requests, or
more than a third of that time.
"""

import asyncio
import sys
import time
from typing import Any

from tertulia.testing.github import GitHub
from tertulia.testing.loopback import serve
from tertulia.thread import ThreadRef
from tertulia_tracker.github import Client, connect

COMMENTS = 2_500
LATENCY = 0.05
REQUESTS, LIMIT = 26, 1 / 3
ROUNDS = 3
ISSUE = ThreadRef(conversation="acme/demo#7")


async def read(client: Client) -> float:
    """Read the thread, and give the seconds it takes."""
    started = time.perf_counter()
    listing = await client.read(ISSUE)
    assert (len(listing.messages), listing.complete) == (COMMENTS + 1, True)
    return time.perf_counter() - started


async def measure(github: GitHub) -> tuple[float, float]:
    """Give the shortest time of some, when the first page tells how many there are, and when it does not."""
    options: dict[str, Any] = {"token": "token-of-helper", "api_url": github.url, "http": {"trust_env": False}}
    times: dict[bool, list[float]] = {True: [], False: []}
    async with connect(**options) as client:
        for at in range(2 * ROUNDS):
            github.tells_last = at % 2 == 0
            times[github.tells_last].append(await read(client))
    return min(times[True]), min(times[False])


def main() -> int:
    """Print the figures; say whether they are over the limits."""
    with serve() as server:
        github = GitHub(server)
        github.issue(7)
        for number in range(COMMENTS):
            github.say(f"note {number}")
        github.latency = LATENCY
        together, apart = asyncio.run(measure(github))
        requests = len(server.requests) // (2 * ROUNDS)
    print(f"{requests} requests; the limit is {REQUESTS}")
    print(f"{together:.2f} s, and {apart:.2f} s one after another: {together / apart:.2f}; the limit is {LIMIT:.2f}")
    return 1 if requests > REQUESTS or together / apart > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
