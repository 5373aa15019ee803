"""Read discussions and threads page by page, and say honestly where something may be missing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from gql import GraphQLRequest

from tertulia.errors import NotFound
from tertulia.parsing import as_object
from tertulia.parsing.github import Place
from tertulia_conversation_github import _queries as queries
from tertulia_conversation_github._errors import BACKEND, StaleCursor, TooManyNodes, TooWide
from tertulia_conversation_github._exchange import Answer
from tertulia_conversation_github._graphql import Operation
from tertulia_conversation_github._nodes import id_of
from tertulia_conversation_github._tree import Branch, Tree

__all__ = ["IDS", "WHOLE", "Depth", "Reader", "here"]

_log = logging.getLogger("tertulia.conversation_github")

WIDTH = 100
"""Items of a page, at most: GitHub gives no more."""

_TOGETHER = 1000
_MOST_THREADS = 20
_LARGEST = 2**31 - 1


Depth = Callable[..., GraphQLRequest]
"""How much of each message is asked for."""

WHOLE: Depth = queries.read
IDS: Depth = queries.read_ids


class Reader:
    """Read whole lists. A page that is too much work for GitHub is halved, from then on."""

    def __init__(self) -> None:
        self._width = WIDTH

    async def discussion(
        self, asked: Operation, place: Place, depth: Depth = WHOLE, *, until: str | None = None
    ) -> Tree:
        """Read a discussion, and once more when it changed meanwhile; until there is the comment with this number."""
        tree = await self._discussion(asked, place, depth, until)
        return await self._discussion(asked, place, depth, until) if tree.unsettled else tree

    async def thread(self, asked: Operation, place: Place, ident: str) -> tuple[Answer, Tree]:
        """Read the thread that a comment is in, by the comment's node id, and once more when it changed meanwhile."""
        answer, tree = await self._thread(asked, place, ident)
        return await self._thread(asked, place, ident) if tree.unsettled else (answer, tree)

    async def page(self, asked: Operation, document: GraphQLRequest, *widths: str, **variables: Any) -> Answer:
        """Ask for one page, whose widths these variables are, as wide as GitHub lets it be."""
        while True:
            answer = await asked.ask(document, **dict.fromkeys(widths, self._width), **variables)
            try:
                answer.raise_for(TooWide, TooManyNodes, StaleCursor)
            except (TooWide, TooManyNodes):
                if self._width == 1:
                    raise
                self._width = max(1, self._width // 2)
                _log.info("a page was too much for GitHub: the next ones have %d items", self._width)
            else:
                return answer

    async def _discussion(self, asked: Operation, place: Place, depth: Depth, until: str | None) -> Tree:
        tree = Tree(place)
        try:
            while tree.discussion is None or tree.roots.after is not None:
                await self._more(asked, tree, depth, tree.pending()[: self._threads], roots=True)
                if until is not None and until in tree.spots():
                    return tree
            await self._remaining(asked, tree, depth)
        except StaleCursor:
            tree.shifted = True
        return tree

    async def _thread(self, asked: Operation, place: Place, ident: str) -> tuple[Answer, Tree]:
        answer = await self.page(asked, queries.THREAD, "replies", id=ident, **here(place))
        tree = Tree(place)
        root = as_object(answer.data.get("node"))
        if root and root.get("replyTo") is None:
            tree.roots = Branch(nodes={id_of(root): root}, total=1, latest=1)
            tree.take_replies(id_of(root), root.get("replies"))
            _note_errors(tree, answer)
            try:
                await self._remaining(asked, tree, WHOLE)
            except StaleCursor:
                tree.shifted = True
        return answer, tree

    async def _remaining(self, asked: Operation, tree: Tree, depth: Depth) -> None:
        """Read the replies that did not fit beside their roots: those of several threads in one request."""
        while pending := tree.pending():
            size = self._threads
            chunks = [pending[at : at + size] for at in range(0, len(pending), size)]
            try:
                async with asyncio.TaskGroup() as group:
                    for chunk in chunks:
                        group.create_task(self._more(asked, tree, depth, chunk))
            except BaseExceptionGroup as failed:
                raise failed.exceptions[0] from None

    @property
    def _threads(self) -> int:
        """Say of how many threads replies are asked for in one request."""
        return max(1, min(_MOST_THREADS, _TOGETHER // self._width))

    async def _more(
        self, asked: Operation, tree: Tree, depth: Depth, chunk: list[tuple[str, str]], *, roots: bool = False
    ) -> None:
        """Read the next replies of some threads, and beside them the next page of roots or not."""
        variables: dict[str, Any] = {f"id{n}": root for n, (root, _) in enumerate(chunk)}
        variables |= {f"after{n}": after for n, (_, after) in enumerate(chunk)}
        if roots:
            variables |= {**here(tree.place), "after": tree.roots.after, "first": tree.discussion is None}
        widths = ("roots", "replies") if roots else ("replies",)
        answer = await self.page(asked, depth(len(chunk), roots=roots), *widths, **variables)
        if roots:
            tree.take(answer.at("repository", "discussion"))
        for n, (root, _) in enumerate(chunk):
            try:
                tree.take_replies(root, answer.at(f"t{n}").get("replies"))
            except NotFound:
                tree.shifted, tree.threads[root].after = True, None
        _note_errors(tree, answer)


def here(place: Place) -> dict[str, Any]:
    """Name a discussion in the variables of a query. Raises NotFound for a number that is larger than GraphQL's."""
    if int(place.number) > _LARGEST:
        raise NotFound("there is no discussion with such a number", backend=BACKEND)
    return {"owner": place.owner, "name": place.repo, "number": int(place.number)}


def _note_errors(tree: Tree, answer: Answer) -> None:
    """Remember that parts were refused; what was given is taken."""
    for one in answer.errors:
        where = ".".join(str(step) for step in one.path)
        _log.warning("%s: a part could not be read (%s at %s)", tree.place.conversation, one.kind or "an error", where)
        tree.partial = True
