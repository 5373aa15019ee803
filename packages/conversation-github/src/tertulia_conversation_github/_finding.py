"""Find what a conversation, a root or a message refers to: node ids by number, and a message as it is now."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import NamedTuple

from tertulia.errors import Conflict, Denied, Error, Invalid, NotFound
from tertulia.parsing import as_object
from tertulia.parsing.github import Place, checked_id
from tertulia.thread import Message, MessageRef
from tertulia_conversation_github import _queries as queries
from tertulia_conversation_github._convert import COMMENT, OPENING, comment, opening
from tertulia_conversation_github._errors import BACKEND, unreadable
from tertulia_conversation_github._exchange import Answer
from tertulia_conversation_github._graphql import Operation
from tertulia_conversation_github._known import Known, Spot
from tertulia_conversation_github._nodes import Node, id_of, number_of
from tertulia_conversation_github._reading import IDS, WHOLE, Reader, here
from tertulia_conversation_github._tree import Tree

__all__ = ["Finder", "Found", "check_node_id", "is_reply_to", "node_in"]

_NODE_ID = re.compile(r"[A-Za-z0-9_=+/-]{1,255}")


class Found(NamedTuple):
    """Hold a message as GitHub gives it and as we do, and where it was found."""

    node: Node
    message: Message
    place: Place

    @property
    def id(self) -> str:
        """Give its node id."""
        return id_of(self.node)

    @property
    def is_own(self) -> bool:
        """Say whether the account of the token wrote it."""
        return self.node.get("viewerDidAuthor") is True


class Finder:
    """Find things, and remember their node ids."""

    def __init__(self, reader: Reader) -> None:
        self.known = Known()
        self._reader = reader

    async def discussion(self, asked: Operation, place: Place) -> str:
        """Give the node id of a discussion."""
        known = self.known.discussion(place)
        return known if known is not None else id_of(await self.now(asked, place))

    async def now(self, asked: Operation, place: Place) -> Node:
        """Read the opening of a discussion, and whether it is locked."""
        node = (await asked.ask(queries.DISCUSSION, **here(place))).at("repository", "discussion")
        self.known.learn(place, id_of(node))
        return node

    async def tree(self, asked: Operation, place: Place) -> Tree:
        """Read a discussion whole."""
        return self._learned(await self._reader.discussion(asked, place, WHOLE))

    async def spot(self, asked: Operation, place: Place, number: str) -> Spot:
        """Give where a comment is that is known by its number. GitHub looks none up by it, so its neighbours are read."""
        known = self.known.spot(place, number)
        if known is not None:
            return known
        tree = self._learned(await self._reader.discussion(asked, place, IDS, until=number))
        found = self.known.spot(place, number)
        if found is None:
            raise _missing(tree, asked)
        return found

    async def message(self, asked: Operation, message: MessageRef) -> Found:
        """Read one message as it is now.

        NotFound proves that it was deleted, alone or with its discussion. When the repository cannot be seen it is
        Denied, and proves nothing.
        """
        place = Place.of(message.conversation)
        number = checked_id(message.id, "id")
        if message.source_type == OPENING:
            return await self._opening(asked, place, number)
        if message.source_type != COMMENT:
            raise Invalid("github: source_type: is no message of a discussion", field="source_type")
        ident = check_node_id(message.handle) if message.handle is not None else None
        if ident is None and (spot := self.known.spot(place, number)) is not None:
            ident = spot.id
        if ident is None:
            return await self._by_number(asked, place, number)
        answer = await asked.ask(queries.MESSAGE, id=ident, **here(place))
        _check_sight(answer)
        node = node_in(answer)
        if number_of(node) != number:
            raise Invalid("github: handle: is another message's", field="handle")
        answer.raise_for(Error)
        return Found(node, comment(node), place)

    async def refusal(self, asked: Operation, place: Place, denied: Denied) -> Denied | Conflict:
        """Say why something was denied: GitHub has the same words for a locked discussion."""
        with suppress(Error):
            if (await self.now(asked, place)).get("locked") is True:
                return Conflict("the discussion is locked", backend=BACKEND, operation=asked.name)
        return denied

    async def _opening(self, asked: Operation, place: Place, number: str) -> Found:
        answer = await asked.ask(queries.DISCUSSION, **here(place))
        _check_sight(answer)
        node = answer.at("repository", "discussion")
        if number_of(node) != number:
            raise NotFound("the opening post is another one", backend=BACKEND, operation=asked.name)
        answer.raise_for(Error)
        self.known.learn(place, id_of(node))
        return Found(node, opening(node), place)

    async def _by_number(self, asked: Operation, place: Place, number: str) -> Found:
        try:
            tree = self._learned(await self._reader.discussion(asked, place, WHOLE, until=number))
        except NotFound as missing:
            _check_sight(await asked.ask(queries.DISCUSSION, **here(place)))
            raise missing
        for node, root in tree.comments():
            if number_of(node) == number:
                return Found(node, comment(node, number_of(root)), place)
        raise _missing(tree, asked)

    def _learned(self, tree: Tree) -> Tree:
        if tree.discussion is not None:
            self.known.learn(tree.place, id_of(tree.discussion), tree.spots())
        return tree


def check_node_id(handle: str) -> str:
    """Give a handle back when it may be a node id: GitHub takes no number where it wants one."""
    if _NODE_ID.fullmatch(handle) is None or handle.isdigit():
        raise Invalid("github: handle: must be a node id (node_id), not a number", field="handle")
    return handle


def node_in(answer: Answer, number: str | None = None) -> Node:
    """Give the comment that was asked for, which must be in the discussion that was asked for beside it.

    With a `number` it must have that, or reply to what has it.
    """
    discussion, node = answer.at("repository", "discussion"), answer.at("node")
    if "discussion" not in node:
        raise Invalid("github: handle: is no comment's", field="handle", backend=BACKEND, operation=answer.operation)
    if as_object(node["discussion"]).get("id") != id_of(discussion):
        raise NotFound("the message is in another discussion", backend=BACKEND, operation=answer.operation)
    if number is not None and number not in (number_of(node), _number_above(node)):
        raise Invalid(
            "github: handle: is another message's", field="handle", backend=BACKEND, operation=answer.operation
        )
    return node


def is_reply_to(node: Node) -> str | None:
    """Give the node id of the root that a comment replies to; None for a root."""
    replied = as_object(node.get("replyTo"))
    return id_of(replied) if replied else None


def _number_above(node: Node) -> str | None:
    replied = as_object(node.get("replyTo"))
    return number_of(replied) if replied else None


def _check_sight(answer: Answer) -> None:
    """Tell a discussion that is gone from a repository that is out of sight, which proves nothing."""
    if answer.data.get("repository") is None:
        error = answer.error_at("repository")
        if not isinstance(error, NotFound):
            raise error
        told = "the repository is not in sight of this identity, which does not prove that anything in it was deleted"
        raise Denied(told, backend=BACKEND, operation=answer.operation, request_id=error.request_id)


def _missing(tree: Tree, asked: Operation) -> Exception:
    if not tree.complete:
        return unreadable("the discussion was not given whole, and the message may be in what is missing", asked.name)
    return NotFound("there is no such comment in the discussion", backend=BACKEND, operation=asked.name)
