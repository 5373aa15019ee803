"""Start a discussion, at most once for a key."""

from __future__ import annotations

from datetime import datetime

from tertulia import outbound
from tertulia.conversation import Conversation, ConversationDraft
from tertulia.errors import Unavailable
from tertulia.transport import Once
from tertulia_conversation_github import _queries as queries
from tertulia_conversation_github._browsing import Browser, category_of, repository
from tertulia_conversation_github._convert import conversation
from tertulia_conversation_github._errors import BACKEND
from tertulia_conversation_github._graphql import GraphQL, Operation
from tertulia_conversation_github._nodes import time_of
from tertulia_conversation_github._posting import is_ours, since_of

__all__ = ["Starter"]


class Starter:
    """Start discussions; `once` is what makes a keyed one happen once."""

    def __init__(self, graphql: GraphQL, browser: Browser, once: Once) -> None:
        self._graphql, self._browser, self._once = graphql, browser, once

    async def start(self, draft: ConversationDraft, body: str) -> Conversation:
        """Start a discussion with a prepared body."""
        asked = self._graphql.operation("start")
        repo, category = await category_of(asked, draft.place, draft.category)
        given = {"repositoryId": repo, "categoryId": category, "title": draft.title, "body": body}
        if draft.key is None:
            return await _create(asked, given)
        digest, since = outbound.key_digest(draft.key), since_of(draft)
        return await self._once.post(
            draft.key,
            where=draft.place,
            look=lambda: self._look(asked, draft.place, digest, since),
            send=lambda: _create(asked, given),
        )

    async def _look(self, asked: Operation, place: str, digest: str, since: datetime | None) -> Conversation | None:
        """Find the own discussion with this key, the newest first, whatever its category is by now."""
        found = self._browser.listed(asked, queries.OWN_CONVERSATIONS, "discussions", repository(place))
        async for _, node in found:
            if since is not None and time_of(node) < since:
                break
            if is_ours(node, digest):
                return conversation(node)
        return None


async def _create(asked: Operation, given: dict[str, str]) -> Conversation:
    answer = await asked.change(queries.CREATE, given, repeatable=False)
    node = answer.at("createDiscussion", "discussion")
    try:
        return conversation(node)
    except Unavailable as error:
        raise Unavailable(error.message, ambiguous=True, backend=BACKEND, operation=asked.name) from error
