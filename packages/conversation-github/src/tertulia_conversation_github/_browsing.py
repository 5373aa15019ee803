"""Browse: the discussions of a repository, the threads of a discussion, page by page as they are needed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any

from gql import GraphQLRequest

from tertulia.conversation import Conversation, Thread
from tertulia.errors import Error, Invalid
from tertulia.parsing.github import Place, checked_repo
from tertulia_conversation_github import _queries as queries
from tertulia_conversation_github._convert import conversation, place_of, thread
from tertulia_conversation_github._errors import BACKEND, StaleCursor, unreadable
from tertulia_conversation_github._graphql import Operation
from tertulia_conversation_github._nodes import Node, id_of, items, page_of
from tertulia_conversation_github._reading import Reader, here

__all__ = ["Browser", "category_of", "repository"]


class Browser:
    """Go through lists."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def conversations(self, asked: Operation, repo: str, category: str | None) -> AsyncIterator[Conversation]:
        """Find the discussions of a repository, or of a category, last active first."""
        chosen = None if category is None else (await category_of(asked, repo, category))[1]
        variables = {**repository(repo), "category": chosen}
        async for _, node in self.listed(asked, queries.CONVERSATIONS, "discussions", variables):
            yield conversation(node)

    async def threads(self, asked: Operation, place: Place, since: datetime | None) -> AsyncIterator[Thread]:
        """Find the threads of a discussion, in the order in which they were started."""
        start = since.replace(microsecond=0) if since is not None else None
        async for above, node in self.listed(asked, queries.THREADS, "comments", here(place)):
            found = thread(node, place_of(above), id_of(above))
            if start is None or found.last_activity >= start:
                yield found

    async def listed(
        self, asked: Operation, document: GraphQLRequest, name: str, variables: dict[str, Any]
    ) -> AsyncIterator[tuple[Node, Node]]:
        """Go through a list of a repository or a discussion, each item once and with what it hangs on.

        A list that changes so much that its cursor expires is begun again, once: who was given before is left out.
        What stands beside a page as an error is raised, and a page that has holes is Unavailable: nobody could be told
        otherwise.
        """
        seen: set[str] = set()
        after, again = None, True
        above = ("repository",) if name == "discussions" else ("repository", "discussion")
        while True:
            try:
                answer = await self._reader.page(asked, document, "first", **variables, after=after)
            except StaleCursor:
                if not again:
                    raise
                after, again = None, False
                continue
            holder, page = answer.at(*above), page_of(answer.at(*above, name))
            answer.raise_for(Error)
            if page.nulls or (page.after is not None and page.after == after):
                raise unreadable("a page was not given whole", asked.name)
            for node in page.nodes:
                if id_of(node) not in seen:
                    seen.add(id_of(node))
                    yield holder, node
            if page.after is None:
                return
            after = page.after


async def category_of(asked: Operation, repo: str, category: str) -> tuple[str, str]:
    """Give the node ids of a repository and of its category with this id or slug. Raises Invalid when it has none."""
    answer = await asked.ask(queries.CATEGORIES, **repository(repo))
    found = answer.at("repository")
    for one in items(answer.at("repository", "discussionCategories")):
        if category in (one.get("id"), one.get("slug")):
            return id_of(found), id_of(one)
    told = "category: the repository has none with this id or slug; an id is a node id (node_id)"
    raise Invalid(told, field="category", backend=BACKEND, operation=asked.name)


def repository(repo: str) -> dict[str, Any]:
    """Name a repository in the variables of a query."""
    owner, _, name = checked_repo(repo, "place").partition("/")
    return {"owner": owner, "name": name}
