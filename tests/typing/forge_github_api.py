"""Use the GitHub forge as a workflow does. Type checkers read this file; nothing runs it."""

from typing import assert_type

import tertulia_forge_github as github
from tertulia import forge, thread
from tertulia.event import Delivery, Event, Normalized
from tertulia.registry import Adapter


def normalized(payload: bytes) -> Normalized:
    """Normalize a webhook's body."""
    return github.normalize(Delivery(system="github", name="issues", payload=payload))


async def asked(event: Event) -> Event:
    """Connect, and ask for what the event does not say."""
    async with github.connect(token="a-token") as client:
        assert_type(client, github.Client)
        assert_type(await client.permission("acme/demo", "maint-a"), forge.Permission)
        assert_type(await client.whoami(), thread.Account)
        return await github.enrich(event, forge=client)


async def through_the_transport() -> bool:
    """Ask for what no client gives, over the same transport."""
    options: github.HttpOptions = {"trust_env": False}
    async with github.open_http(token="a-token", http=options) as http:
        assert_type(http, github.Http)
        answer = await http.get(github.repo_path("acme/demo", "issues", 7), operation="read")
        assert_type(answer, github.Answer)
        pages = await http.pages(github.path("repos", "acme", "demo", "issues"), operation="read")
        assert_type(pages, github.Pages)
        assert_type(await http.pages("/user/repos", operation="read", take=lambda repo: repo["name"]), github.Pages)
        assert_type(http.rate, github.Rate | None)
        return pages.complete


def as_forge(client: github.Client) -> forge.Client:
    """Take the client where a forge is asked for."""
    return client


def found() -> Adapter:
    """Take what the registry finds."""
    return github.adapter
