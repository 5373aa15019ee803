"""Compare reading a discussion with the least it takes, on a server whose answers come 50 ms late.

`python benchmarks/discussions.py` prints for each shape of a discussion the requests of `read`, how often that is the least
possible, and its time as a multiple of two plain loops over the same fields. The least is one request for each hundred roots,
or for each hundred replies of the longest thread after the page that its root is on: what one request can ask for besides is
free. One loop takes pages of a hundred roots with a hundred replies each, and then what is left of the threads, page after
page; the other takes pages of roots, and then the replies thread after thread. The exit status is 1 when a shape takes more
requests than it may.

It runs where the client, its GraphQL library and what npm installed for the end-to-end tests are: `nox -s e2e` makes such an
environment.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

import httpx

from tertulia.testing.loopback import serve
from tertulia.thread import ThreadRef

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "counterparts"))

from github_discussions import Discussions
from tertulia_conversation_github import connect

DELAY = 0.05
PAGE = 100
ROUNDS = 3
TOKEN = "token-of-helper"
AT = ThreadRef(conversation="acme/demo#7")
SAID = """id databaseId url body createdAt updatedAt deletedAt lastEditedAt authorAssociation isMinimized minimizedReason
  viewerDidAuthor author { __typename login ... on User { databaseId } } editor { __typename login }"""
NEXT = "pageInfo { hasNextPage endCursor }"
ROOTS = f"""query ($after: String, $replies: Int!) {{ repository(owner: "acme", name: "demo") {{ discussion(number: 7) {{
  comments(first: 100, after: $after) {{ {NEXT} nodes {{ {SAID}
    replies(first: $replies) {{ {NEXT} nodes {{ {SAID} }} }} }} }} }} }} }}"""
REPLIES = f"""query ($id: ID!, $after: String) {{ node(id: $id) {{ ... on DiscussionComment {{
  replies(first: 100, after: $after) {{ {NEXT} nodes {{ {SAID} }} }} }} }} }}"""


@dataclass(frozen=True)
class Shape:
    """A discussion: how many replies each thread has, and how many requests `read` may take."""

    name: str
    threads: tuple[int, ...]
    most: int

    @property
    def least(self) -> int:
        """Count the requests that nobody can do without."""
        pages = ceil(len(self.threads) / PAGE)
        return max([pages, *(root // PAGE + ceil(replies / PAGE) for root, replies in enumerate(self.threads))])


def shapes() -> list[Shape]:
    """Give the discussions to read, and by how much the least may be exceeded."""
    even = tuple(3 if root % 3 == 0 else 2 for root in range(300))
    long = (150, *(4 if root < 100 else 1 for root in range(1, 254)), *([0] * 46))
    last = (*(2 for _ in range(280)), *([1] * 19), 121)
    return [
        Shape("100 roots with 3 replies each", (3,) * 100, 2),
        Shape("1,000 comments in 300 threads, as long as one another", even, int(3 * 1.3)),
        Shape("1,000 comments in 300 threads, one of 150 on the first page", long, int(3 * 1.3)),
        Shape("1,000 comments in 300 threads, one of 121 on the last page", last, int(4 * 1.3)),
    ]


def fill(site: Discussions, shape: Shape) -> int:
    """Open a discussion of this shape. Give the number of its messages."""
    talk = site.open(number=7)
    for replies in shape.threads:
        root = site.say(talk, "The build fails on the second run only, see the log. " * 6)
        for _ in range(replies):
            site.reply(root, "It does so here too, since the last update. " * 6)
    return 1 + len(shape.threads) + sum(shape.threads)


async def in_a_loop(url: str, replies: int) -> int:
    """Read every page in a plain loop, so many replies beside each root. Give the number of comments."""
    async with httpx.AsyncClient(headers={"authorization": f"Bearer {TOKEN}"}, trust_env=False) as http:

        async def ask(query: str, **variables: Any) -> Any:
            answer = await http.post(url, json={"query": query, "variables": variables})
            return answer.json()["data"]

        count, left = 0, []
        page: Any = {"pageInfo": {"hasNextPage": True, "endCursor": None}}
        while (at := page["pageInfo"])["hasNextPage"]:
            page = (await ask(ROOTS, after=at["endCursor"], replies=replies))["repository"]["discussion"]["comments"]
            count += sum(1 + len(root["replies"]["nodes"]) for root in page["nodes"])
            left += [(root["id"], root["replies"]["pageInfo"]) for root in page["nodes"]]
        for ident, at in left:
            info = at
            while info["hasNextPage"]:
                below = (await ask(REPLIES, id=ident, after=info["endCursor"]))["node"]["replies"]
                count, info = count + len(below["nodes"]), below["pageInfo"]
        return count


async def page_after_page(url: str) -> int:
    """Read in a loop what fits beside the roots, and then the rest."""
    return await in_a_loop(url, PAGE)


async def thread_after_thread(url: str) -> int:
    """Read in a loop the roots, each with its first reply, and then the others of each thread."""
    return await in_a_loop(url, 1)


async def ours(url: str) -> int:
    """Read with the client, connected anew. Give the number of comments."""
    async with connect(token=TOKEN, graphql_url=url, http={"trust_env": False}) as client:
        listing = await client.read(AT)
    assert listing.complete
    return len(listing.messages) - 1


async def timed(
    site: Discussions, read: Callable[[str], Awaitable[int]], rounds: int = ROUNDS
) -> tuple[float, int, int]:
    """Give the best of some rounds, in seconds, the requests of one, and the comments that were read."""
    best, comments, asked = float("inf"), 0, 0
    for _ in range(rounds):
        site.server.requests.clear()
        started = time.perf_counter()
        comments = await read(site.url)
        best = min(best, time.perf_counter() - started)
        asked = len(site.server.requests)
    return best, asked, comments


async def measure(shape: Shape) -> bool:
    """Print the figures of a shape. Tell whether they are good."""
    with serve() as server:
        site = Discussions(server)
        messages = fill(site, shape)
        site.latency = DELAY
        pages, _, seen = await timed(site, page_after_page)
        threads, _, found = await timed(site, thread_after_thread, rounds=1)
        spent, asked, read = await timed(site, ours)
    assert seen == found == read == messages - 1
    print(
        f"{shape.name}: {asked} requests, {asked / shape.least:.2f} of the least; "
        f"{spent / pages:.2f} of the time of page after page, {spent / threads:.2f} of thread after thread"
    )
    return asked <= shape.most


def main() -> int:
    """Print the figures; say whether a shape takes too many requests."""
    good = [asyncio.run(measure(shape)) for shape in shapes()]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
