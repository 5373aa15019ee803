"""Post an answer under its root, at most once: what is there already is found first."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any

from gql import GraphQLRequest

from tertulia import outbound
from tertulia.errors import Denied, Invalid, NotFound, Unavailable
from tertulia.parsing.github import Place, checked_id
from tertulia.thread import Draft, Message, ThreadRef
from tertulia.transport import Once
from tertulia_conversation_github import _queries as queries
from tertulia_conversation_github._convert import comment
from tertulia_conversation_github._errors import BACKEND, StaleCursor
from tertulia_conversation_github._finding import Finder, check_node_id, is_reply_to, node_in
from tertulia_conversation_github._graphql import GraphQL, Operation
from tertulia_conversation_github._known import Spot
from tertulia_conversation_github._nodes import Node, Page, id_of, number_of, page_of, time_of
from tertulia_conversation_github._reading import Reader, here

__all__ = ["Poster", "handles", "is_ours", "since_of"]

_IN_A_THREAD = "already in a thread"
_UNSEEN = "the thread could not be read whole, and an answer with this key may be there"


class Poster:
    """Post answers; `once` is what makes a keyed one happen once."""

    def __init__(self, graphql: GraphQL, reader: Reader, finder: Finder, once: Once) -> None:
        self._graphql, self._reader, self._finder, self._once = graphql, reader, finder, once

    async def post(self, thread: ThreadRef, draft: Draft, body: str) -> Message:
        """Send a prepared body to a thread; with a key at most once."""
        posting = _Posting(self._graphql.operation("post"), self._reader, self._finder, thread, body)
        if draft.key is None:
            return await posting.send()
        digest, since = outbound.key_digest(draft.key), since_of(draft)
        return await self._once.post(
            draft.key, where=thread.conversation, look=lambda: posting.look(digest, since), send=posting.send
        )


class _Posting:
    """Be one answer on its way: its discussion and its root become known while it is looked for."""

    def __init__(self, asked: Operation, reader: Reader, finder: Finder, thread: ThreadRef, body: str) -> None:
        self._asked, self._reader, self._finder, self._body = asked, reader, finder, body
        self._place = Place.of(thread.conversation)
        self._number = checked_id(thread.root, "root") if thread.root is not None else None
        self._discussion, self._root = handles(thread)
        self._claimed = self._number if self._root is not None else None

    async def look(self, digest: str, since: datetime | None) -> Message | None:
        """Find the own answer with this key."""
        try:
            return await self._look(digest, since)
        except StaleCursor:
            return await self._look(digest, since)

    async def send(self) -> Message:
        """Send it. What was known before may be outdated: then it is looked up, and sent to where the thread is now."""
        had = self._discussion or self._finder.known.discussion(self._place), self._root
        try:
            return await self._send()
        except NotFound:
            if had == (None, None):
                raise
            self._finder.known.forget(self._place)
            self._discussion = self._root = None
        return await self._send()

    async def _look(self, digest: str, since: datetime | None) -> Message | None:
        root = await self._root_id() if self._number is not None else None
        document = queries.OWN_ROOTS if root is None else queries.OWN_REPLIES
        unseen = False
        async for page, whole in self._backwards(document, root):
            unseen = unseen or not whole
            for node in page.nodes:
                if is_ours(node, digest):
                    return comment(node, self._number)
            if since is not None and all(time_of(node) < since for node in page.nodes):
                break
        if unseen:
            raise Unavailable(_UNSEEN, backend=BACKEND, operation=self._asked.name)
        return None

    async def _backwards(self, document: GraphQLRequest, root: str | None) -> AsyncIterator[tuple[Page, bool]]:
        """Read pages from the newest on, and say of each whether it was given whole."""
        before: str | None = None
        while True:
            variables: dict[str, Any] = {**here(self._place), "before": before}
            if root is not None:
                variables["id"] = root
            answer = await self._reader.page(self._asked, document, "last", **variables)
            discussion = answer.at("repository", "discussion")
            self._discussion = id_of(discussion)
            if root is None:
                page = page_of(discussion.get("comments"))
            else:
                node, self._claimed = node_in(answer, self._claimed), None
                if (above := is_reply_to(node)) is not None:
                    self._root = root = above
                    continue
                self._root, self._number = id_of(node), number_of(node)
                page = page_of(node.get("replies"))
            stuck = page.before is not None and page.before == before
            yield page, not (answer.errors or page.nulls or stuck)
            if page.before is None or stuck:
                return
            before = page.before

    async def _root_id(self) -> str:
        if self._root is None:
            assert self._number is not None
            self._root = (await self._finder.spot(self._asked, self._place, self._number)).root
        return self._root

    async def _send(self) -> Message:
        root = await self._root_id() if self._number is not None else None
        discussion = self._discussion or await self._finder.discussion(self._asked, self._place)
        try:
            return await self._write(discussion, root)
        except Denied as denied:
            raise await self._finder.refusal(self._asked, self._place, denied) from denied
        except Invalid as refusal:
            if root is None or _IN_A_THREAD not in refusal.message:
                raise
        answer = await self._asked.ask(queries.MESSAGE, id=root, **here(self._place))
        self._root = is_reply_to(node_in(answer)) or root
        return await self._write(discussion, self._root)

    async def _write(self, discussion: str, root: str | None) -> Message:
        given = {"discussionId": discussion, "body": self._body} | ({"replyToId": root} if root is not None else {})
        answer = await self._asked.change(queries.ADD_COMMENT, given, repeatable=False)
        node = answer.at("addDiscussionComment", "comment")
        try:
            made = comment(node)
        except Unavailable as error:
            raise Unavailable(error.message, ambiguous=True, backend=BACKEND, operation="post") from error
        spot = Spot(id_of(node), is_reply_to(node) or id_of(node))
        self._finder.known.learn(self._place, discussion, {made.id: spot})
        return made


def is_ours(node: Node, digest: str) -> bool:
    """Say whether this account posted something with this key. Somebody else's post with the same line is none."""
    body = node.get("body")
    return node.get("viewerDidAuthor") is True and isinstance(body, str) and outbound.find_key(body) == digest


def since_of(draft: Draft) -> datetime | None:
    """Say where a look-up starts, in whole seconds: what GitHub counts in."""
    return draft.since.replace(microsecond=0) if draft.since is not None else None


def handles(thread: ThreadRef) -> tuple[str | None, str | None]:
    """Read a thread's handle: a discussion's node id, or a root's, or both with a space between them."""
    parts = [check_node_id(part) for part in thread.handle.split(" ", 1)] if thread.handle is not None else []
    if len(parts) > 1:
        return parts[0], parts[1]
    only = parts[0] if parts else None
    return (only, None) if thread.root is None else (None, only)
