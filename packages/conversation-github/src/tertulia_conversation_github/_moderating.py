"""Label, close, lock, mark, hide, react: what changes a discussion without saying anything in it."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from tertulia.conversation import Conversation
from tertulia.errors import Denied, Error, Invalid, NotFound, Unavailable
from tertulia.parsing.github import Place
from tertulia.thread import MessageRef
from tertulia_conversation_github import _queries as queries
from tertulia_conversation_github import _words as words
from tertulia_conversation_github._convert import COMMENT, conversation
from tertulia_conversation_github._errors import BACKEND
from tertulia_conversation_github._finding import Finder, Found
from tertulia_conversation_github._graphql import Operation
from tertulia_conversation_github._nodes import Node, id_of, items
from tertulia_conversation_github._reading import here

__all__ = ["Moderator"]


class Moderator:
    """Change discussions. Each change says how things shall be, and so may be made again."""

    def __init__(self, finder: Finder) -> None:
        self._finder = finder

    async def now(self, asked: Operation, place: Place) -> Conversation:
        """Read a discussion as it is now."""
        answer = await asked.ask(queries.CONVERSATION, **here(place))
        node = answer.at("repository", "discussion")
        answer.raise_for(Error)
        self._finder.known.learn(place, id_of(node))
        return conversation(node)

    async def label(
        self, asked: Operation, place: Place, add: Collection[str], remove: Collection[str]
    ) -> tuple[str, ...]:
        """Add and remove labels by name, ignoring case; one in both is removed."""
        unwanted = {name.lower() for name in _names(remove, "remove")}
        wanted = [name for name in _names(add, "add") if name.lower() not in unwanted]
        discussion, labels, known = await self._labels(asked, place, wanted)
        new = {name: ident for name, ident in known.items() if name not in labels}
        old = {name: ident for name, ident in labels.items() if name.lower() in unwanted}
        if new:
            answer = await asked.change(queries.ADD_LABELS, {"labelableId": discussion, "labelIds": [*new.values()]})
            answer.at("addLabelsToLabelable", "labelable")
        if old:
            answer = await asked.change(queries.REMOVE_LABELS, {"labelableId": discussion, "labelIds": [*old.values()]})
            answer.at("removeLabelsFromLabelable", "labelable")
        return tuple(name for name in {**labels, **new} if name not in old)

    async def set_state(
        self, asked: Operation, place: Place, closed: bool | None, locked: bool | None, reason: str | None
    ) -> Conversation:
        """Close or open, lock or unlock, where it is not so already."""
        why_closed = words.close_reason(reason) if reason is not None and closed else None
        why_locked = words.lock_reason(reason) if reason is not None and locked and not closed else None
        if reason is not None and not (closed or locked):
            raise Invalid("github: reason: says why a discussion is closed or locked", field="reason")
        before = await self.now(asked, place)
        ident = str(before.handle)
        if closed is not None and closed is not before.closed:
            await self._set_closed(asked, ident, closed, why_closed)
        if locked is not None and locked is not before.locked:
            await self._set_locked(asked, ident, locked, why_locked)
        return await self.now(asked, place)

    async def mark_answer(self, asked: Operation, message: MessageRef, answer: bool) -> Conversation:
        """Mark a comment as the answer, or take that back when it is it."""
        found = await self._comment(asked, message)
        before = await self.now(asked, found.place)
        if before.answered is None:
            told = "category: takes no answers"
            raise Invalid(told, field="category", backend=BACKEND, operation=asked.name)
        if answer is (before.answer == found.message.id):
            return before
        document, name = (
            (queries.MARK, "markDiscussionCommentAsAnswer")
            if answer
            else (queries.UNMARK, "unmarkDiscussionCommentAsAnswer")
        )
        return conversation((await asked.change(document, {"id": found.id})).at(name, "discussion"))

    async def minimize(self, asked: Operation, message: MessageRef, reason: str) -> None:
        """Hide a comment."""
        classifier = words.hide_reason(reason)
        found = await self._comment(asked, message)
        answer = await asked.change(queries.MINIMIZE, {"subjectId": found.id, "classifier": classifier})
        answer.at("minimizeComment", "minimizedComment")

    async def react(self, asked: Operation, message: MessageRef, reaction: str) -> None:
        """Add a reaction to a comment, or to the opening post."""
        content = words.reaction(reaction)
        found = await self._finder.message(asked, message)
        try:
            answer = await asked.change(queries.REACT, {"subjectId": found.id, "content": content})
            answer.at("addReaction", "reaction")
        except Denied as denied:
            raise await self._finder.refusal(asked, found.place, denied) from denied

    async def delete(self, asked: Operation, ident: str) -> None:
        """Delete a comment that was there just now."""
        answer = await asked.change(queries.DELETE_COMMENT, {"id": ident})
        with suppress(NotFound):  # somebody else was faster, or an attempt whose answer was lost
            answer.at("deleteDiscussionComment", "comment")

    async def _comment(self, asked: Operation, message: MessageRef) -> Found:
        if message.source_type != COMMENT:
            raise Invalid("github: source_type: is no comment of a discussion", field="source_type")
        return await self._finder.message(asked, message)

    async def _set_closed(self, asked: Operation, ident: str, closed: bool, reason: str | None) -> None:
        if not closed:
            (await asked.change(queries.REOPEN, {"discussionId": ident})).at("reopenDiscussion", "discussion")
            return
        given = {"reason": reason} if reason is not None else {}
        (await asked.change(queries.CLOSE, {"discussionId": ident, **given})).at("closeDiscussion", "discussion")

    async def _set_locked(self, asked: Operation, ident: str, locked: bool, reason: str | None) -> None:
        if not locked:
            (await asked.change(queries.UNLOCK, {"lockableId": ident})).at("unlockLockable", "unlockedRecord")
            return
        given = {"lockReason": reason} if reason is not None else {}
        (await asked.change(queries.LOCK, {"lockableId": ident, **given})).at("lockLockable", "lockedRecord")

    async def _labels(
        self, asked: Operation, place: Place, wanted: list[str]
    ) -> tuple[str, dict[str, str], dict[str, str]]:
        """Give a discussion's node id, its labels, and those of the repository that are wanted, by name."""
        names = {f"name{n}": name for n, name in enumerate(wanted)}
        answer = await asked.ask(queries.labels(len(wanted)), **here(place), **names)
        discussion = answer.at("repository", "discussion")
        known: dict[str, str] = {}
        for n, name in enumerate(wanted):
            if answer.at("repository").get(f"l{n}") is None:
                answer.raise_for(Denied, Unavailable)
                told = f"label: the repository has none named {name[:100]!r}"
                raise Invalid(told, field="add", backend=BACKEND, operation=asked.name)
            known |= _named(answer.at("repository", f"l{n}"))
        labels = {name: ident for label in items(discussion.get("labels")) for name, ident in _named(label).items()}
        return id_of(discussion), labels, known


def _named(label: Node) -> dict[str, str]:
    return {str(label.get("name")): id_of(label)}


def _names(names: Collection[str], field: str) -> list[str]:
    if isinstance(names, str) or not all(isinstance(name, str) and name.strip() for name in names):
        raise Invalid(f"github: {field}: must be a collection of names", field=field)
    return list(names)
