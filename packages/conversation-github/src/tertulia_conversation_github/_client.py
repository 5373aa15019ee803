"""The client: GitHub Discussions, read whole, answered once."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tertulia import conversation, outbound
from tertulia.conversation import Conversation, ConversationDraft, Thread
from tertulia.errors import Denied, Invalid
from tertulia.event import Role
from tertulia.parsing.github import Place, checked_id, checked_repo
from tertulia.thread import Account, Draft, Listing, Message, MessageRef, ThreadRef
from tertulia.transport import Once, Rate
from tertulia_conversation_github import _queries as queries
from tertulia_conversation_github._adapter import CAPABILITIES, LIMITS, TRAITS
from tertulia_conversation_github._browsing import Browser, repository
from tertulia_conversation_github._convert import COMMENT, OPENING, comment, opening, role
from tertulia_conversation_github._finding import Finder, Found, is_reply_to, node_in
from tertulia_conversation_github._graphql import GraphQL, HttpOptions, Operation, open_graphql
from tertulia_conversation_github._identity import identify
from tertulia_conversation_github._moderating import Moderator
from tertulia_conversation_github._nodes import number_of
from tertulia_conversation_github._posting import Poster, handles
from tertulia_conversation_github._reading import Reader
from tertulia_conversation_github._starting import Starter
from tertulia_conversation_github._tree import Tree

__all__ = ["Client", "connect"]

_log = logging.getLogger("tertulia.conversation_github")


class Client(conversation.Unimplemented):
    """Take part in GitHub Discussions; `tertulia.conversation.Client` says what each method promises.

    A discussion is addressed as `acme/demo#7`, a thread in it by the number of its root, and both faster with a node id
    as `handle`. `native` is gql's session, `graphql` the transport below this one. A post that is cancelled may have
    landed: CancelledError passes through at once, and posting again with the same key finds the answer.

    GitHub gives a transferred discussion other numbers and node ids, and does not say in GraphQL where it went: its old
    address is NotFound.
    """

    backend = "github"
    capabilities = CAPABILITIES
    traits = TRAITS
    limits = LIMITS

    def __init__(
        self,
        graphql: GraphQL,
        *,
        engine: Account | str | None = None,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Work over a transport that is open; `sleep` and `clock`, in seconds, are for tests."""
        self.graphql = graphql
        self.native = graphql.native
        self._engine = engine
        self._account: Account | None = None
        self._naming = asyncio.Lock()
        once = Once(_log, sleep=sleep, clock=clock)
        self._reader = Reader()
        self._finder = Finder(self._reader)
        self._browser = Browser(self._reader)
        self._moderator = Moderator(self._finder)
        self._poster = Poster(graphql, self._reader, self._finder, once)
        self._starter = Starter(graphql, self._browser, once)

    @property
    def rate(self) -> Rate | None:
        """Give what GitHub last said about the limit: points an hour, those left, and when it starts again."""
        return self.graphql.rate

    @property
    def scopes(self) -> frozenset[str] | None:
        """Give the scopes of the token as GitHub last said; None for one that has permissions instead."""
        return self.graphql.scopes

    async def whoami(self) -> Account:
        """Give the account this client acts as."""
        async with self._naming:
            if self._account is None:
                asked = self.graphql.operation("whoami")
                self._account = await identify(asked, self._engine, anonymous=self.graphql.anonymous)
            return self._account

    async def read(self, thread: ThreadRef, /) -> Listing:
        """Read a discussion whole, or the thread of a root; GitHub counts what is below the opening post."""
        asked, place = self.graphql.operation("read"), Place.of(thread.conversation)
        if thread.root is not None:
            return await self._thread(asked, place, thread)
        tree = await self._finder.tree(asked, place)
        assert tree.discussion is not None
        return _listing(tree, opening(tree.discussion))

    async def get_conversation(self, thread: ThreadRef, /) -> Conversation:
        """Read a discussion. GitHub counts its threads, and not the replies in them, so there is no number of messages."""
        return await self._moderator.now(self.graphql.operation("get_conversation"), Place.of(thread.conversation))

    async def get_message(self, message: MessageRef, /) -> Message:
        """Read one message as it is now.

        NotFound proves that it was deleted, alone or with its discussion. A repository that cannot be seen is Denied,
        and proves nothing.
        """
        return (await self._finder.message(self.graphql.operation("get_message"), message)).message

    async def post(self, thread: ThreadRef, draft: Draft, /) -> Message:
        """Post an answer under a root, or without one start a thread; at most once for a key."""
        body = outbound.prepare(draft, carrier="markdown", limit=LIMITS.body_chars)
        return await self._poster.post(thread, draft, body)

    def conversations(self, place: str, /, *, category: str | None = None) -> AsyncIterator[Conversation]:
        """Find the discussions of a repository, last active first."""
        return self._browser.conversations(
            self.graphql.operation("conversations"), checked_repo(place, "place"), category
        )

    def threads(self, conversation: ThreadRef, /, *, since: datetime | None = None) -> AsyncIterator[Thread]:
        """Find the threads of a discussion, in the order in which they were started."""
        return self._browser.threads(self.graphql.operation("threads"), Place.of(conversation.conversation), since)

    async def start(self, draft: ConversationDraft, /) -> Conversation:
        """Start a discussion in a category, at most once for a key."""
        body = outbound.prepare(draft, carrier="markdown", limit=LIMITS.body_chars)
        return await self._starter.start(draft, body)

    async def edit(self, message: MessageRef, draft: Draft, /) -> Message:
        """Replace the body of an own message, the opening post too; its agent and key lines are kept."""
        outbound.prepare(draft, carrier="markdown", limit=LIMITS.body_chars)
        asked = self.graphql.operation("edit")
        found = await self._own(asked, message)
        body = outbound.prepare(draft, carrier="markdown", limit=LIMITS.body_chars, replacing=found.message.body)
        try:
            return await self._edited(asked, found, body)
        except Denied as denied:
            raise await self._finder.refusal(asked, found.place, denied) from denied

    async def delete(self, message: MessageRef, /) -> None:
        """Delete an own comment; a root with replies leaves a tombstone.

        A discussion is not deleted: that would take away what everybody else wrote.
        """
        if message.source_type == OPENING:
            raise Invalid("github: source_type: a discussion is not deleted", field="source_type")
        asked = self.graphql.operation("delete")
        await self._moderator.delete(asked, (await self._own(asked, message)).id)

    async def label(
        self, thread: ThreadRef, /, *, add: Collection[str] = (), remove: Collection[str] = ()
    ) -> tuple[str, ...]:
        """Add and remove labels by name, ignoring case; one in both is removed. Give the labels afterwards."""
        return await self._moderator.label(self.graphql.operation("label"), Place.of(thread.conversation), add, remove)

    async def react(self, message: MessageRef, reaction: str, /) -> None:
        """Add a reaction: `+1`, `-1`, `laugh`, `confused`, `heart`, `hooray`, `rocket`, `eyes`."""
        await self._moderator.react(self.graphql.operation("react"), message, reaction)

    async def set_state(
        self, thread: ThreadRef, /, *, closed: bool | None = None, locked: bool | None = None, reason: str | None = None
    ) -> Conversation:
        """Close or open, lock or unlock a discussion.

        Reasons to close are `resolved`, `outdated`, `duplicate`; to lock `resolved`, `off-topic`, `too heated`, `spam`.
        """
        asked = self.graphql.operation("set_state")
        return await self._moderator.set_state(asked, Place.of(thread.conversation), closed, locked, reason)

    async def mark_answer(self, message: MessageRef, /, *, answer: bool = True) -> Conversation:
        """Mark a comment as the answer, or take that back."""
        return await self._moderator.mark_answer(self.graphql.operation("mark_answer"), message, answer)

    async def minimize(self, message: MessageRef, reason: str, /) -> None:
        """Hide a comment: `abuse`, `duplicate`, `off-topic`, `outdated`, `resolved`, `spam`."""
        await self._moderator.minimize(self.graphql.operation("minimize"), message, reason)

    async def role_of(self, repo: str, login: str) -> tuple[Role, str | None]:
        """Look up an account's role on a repository, and the id of the account that has the login now.

        An account without access has the role none. Raises NotFound when the repository is not visible, and Denied when
        this identity may not ask: GitHub shows collaborators to those with push access.
        """
        answer = await self.graphql.operation("role_of").ask(queries.COLLABORATOR, login=login, **repository(repo))
        return role(answer.at("repository", "collaborators"), login)

    async def _thread(self, asked: Operation, place: Place, thread: ThreadRef) -> Listing:
        """Read one thread. A reply's id in place of the root's means the same thread."""
        number, handle = checked_id(str(thread.root), "root"), handles(thread)[1]
        ident = handle or (await self._finder.spot(asked, place, number)).root
        answer, tree = await self._reader.thread(asked, place, ident)
        if (above := is_reply_to(node_in(answer, number if handle is not None else None))) is not None:
            answer, tree = await self._reader.thread(asked, place, above)
            node_in(answer)
        return _listing(tree)

    async def _own(self, asked: Operation, message: MessageRef) -> Found:
        """Find a message that this account wrote. GitHub lets maintainers change what others wrote; an agent may not."""
        found = await self._finder.message(asked, message)
        if not found.is_own:
            raise Denied("the message is somebody else's", backend=self.backend, operation=asked.name)
        return found

    async def _edited(self, asked: Operation, found: Found, body: str) -> Message:
        if found.message.source_type == COMMENT:
            answer = await asked.change(queries.UPDATE_COMMENT, {"commentId": found.id, "body": body})
            return comment(answer.at("updateDiscussionComment", "comment"))
        answer = await asked.change(queries.UPDATE_DISCUSSION, {"discussionId": found.id, "body": body})
        return opening(answer.at("updateDiscussion", "discussion"))


def _listing(tree: Tree, *above: Message) -> Listing:
    below = [comment(node, number_of(root)) for node, root in tree.comments()]
    return Listing(messages=(*above, *below), complete=tree.complete, reported={COMMENT: tree.counted})


@asynccontextmanager
async def connect(
    *,
    token: str | Callable[[], Awaitable[str]] | None = None,
    api_url: str | None = None,
    graphql_url: str | None = None,
    engine: Account | str | None = None,
    max_wait: float = 60.0,
    timeout: float = 30.0,  # noqa: ASYNC109 - between two bytes; a deadline is the caller's
    http: HttpOptions | None = None,
) -> AsyncGenerator[Client]:
    """Connect to GitHub, and close the connections at the end. Nothing is asked before the first operation.

    `token`: a string (empty for none), or an async callable that is asked for each request, and once more after a 401;
    by default `GITHUB_TOKEN` or `GH_TOKEN`, else requests are made as nobody. `graphql_url`: by default
    `GITHUB_GRAPHQL_URL`, else what belongs to `api_url` or `GITHUB_API_URL`, else github.com's. `engine`: the account
    the client acts as, an id or a login, for tokens that do not tell. `max_wait`: seconds that one call may sleep in
    all. `timeout`: seconds without a byte from the server. `http`: another proxy, other certificates than the
    environment names, or a transport.

    Raises Invalid for an address that is none.
    """
    async with open_graphql(
        token=token, api_url=api_url, graphql_url=graphql_url, max_wait=max_wait, timeout=timeout, http=http
    ) as graphql:
        yield Client(graphql, engine=engine)


if TYPE_CHECKING:
    _CLIENT: type[conversation.Client] = Client
