"""State in a comment of the engine's own, in the thread that it is about: no server, and nothing to install.

Comments have no compare-and-swap, so there is one writer a thread (in GitHub Actions a concurrency group). A second one is
noticed and reported, which is all that a comment allows.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Protocol

from tertulia.errors import Conflict, Invalid, NotFound, Unavailable
from tertulia.ledger._attempts import until_saved
from tertulia.ledger._build import build_state
from tertulia.ledger._carried import Carried, Reader, find_state
from tertulia.ledger._history import HistoryEntry
from tertulia.ledger._letter import Letter, write_state
from tertulia.ledger._models import Finding, Run
from tertulia.ledger._state import Recalled, WorkflowState
from tertulia.thread import Draft, Listing, Message, MessageRef, ThreadRef, Threads

__all__ = ["CommentStore", "Writer"]


class Writer(Threads, Protocol):
    """Be a client that can also edit its own messages."""

    async def edit(self, message: MessageRef, draft: Draft, /) -> Message:
        """Replace the body of an own message."""
        ...


class CommentStore:
    """Keep the state of one thread in a comment, over any client that can edit its own messages.

    With keys only a state that one of them signed is read, and what is written is signed. `min_rev` is a revision that was
    seen before, `posted` the messages that are known to be ours.
    """

    name = "comment"

    def __init__(self, client: Writer, thread: ThreadRef, reader: Reader = Reader()) -> None:
        self._client = client
        self._thread = ThreadRef(conversation=thread.conversation)
        self._reader = reader
        self._carried: Carried | None = None
        self._met: tuple[Finding, ...] = ()
        self._writing = asyncio.Lock()

    async def recall(self, run: Run, listing: Listing, /) -> Recalled:
        """Find the state of a run's thread among its messages, and say what else looks like one."""
        if self._met:  # what the run has read is older than what the other writer wrote
            listing = await self._client.read(self._thread)
        found = self._find(run, listing)
        source = found.message.ref if found.state is not None and found.message is not None else "none"
        return Recalled(found.state, (*self._met, *found.findings), source, found.writable, found.floor)

    async def load(self, thread_key: str, /) -> WorkflowState | None:
        """Read the state of the thread; None when there is none that counts."""
        return (await self._look(thread_key)).state

    async def save(self, state: WorkflowState, /) -> str:
        """Write a state into the comment, or into a new one; give the ref of the comment.

        Raises Conflict when the comment is not as it was when the state was recalled, Invalid for a state that does not fit
        and where the next one must not take the place of what is there.
        """
        async with self._writing:
            carried = self._carried or await self._look(state.thread_key)
            written = await self._write(state, carried)
            self._carried = Carried(state, written)
        return written.ref

    async def append(self, thread_key: str, entry: HistoryEntry, /) -> WorkflowState:
        """Add a step to the history of the thread; give the state as it is then."""
        return await until_saved(thread_key, partial(self._append, thread_key, entry))

    async def _append(self, thread_key: str, entry: HistoryEntry) -> WorkflowState:
        carried = await self._look(thread_key)
        if carried.state is not None and entry in carried.state.history:
            return carried.state
        made = build_state(carried.state, thread_key=thread_key, history=(entry,), floor=carried.floor)
        await self.save(made)
        return made

    async def _look(self, thread_key: str) -> Carried:
        """Find the state of the thread in what the thread is now."""
        run = Run(engine=await self._client.whoami(), thread=thread_key)
        return self._find(run, await self._client.read(self._thread))

    def _find(self, run: Run, listing: Listing) -> Carried:
        self._carried = find_state(listing.messages, run, self._reader)
        return self._carried

    async def _write(self, state: WorkflowState, carried: Carried) -> Message:
        if not carried.writable:
            raise Invalid(f"state: {'; '.join(finding.detail for finding in carried.findings)}", field="state")
        rev = carried.state.rev if carried.state is not None else None
        if state.parent_rev != rev:
            raise Conflict(f"state: {state.thread_key} is not at rev {state.parent_rev or 'none'} any more")
        letter = write_state(state, self._reader.keys, marker_prefix=self._reader.marker_prefix)
        if carried.message is not None and await self._is_there(carried.message):
            return await self._client.edit(_ref(self._thread, carried.message), letter.draft)
        return await self._post(letter)

    async def _is_there(self, message: Message) -> bool:
        """Tell whether the comment is as it was; somebody else's writing in it is a Conflict, and reported."""
        try:
            now = await self._client.get_message(_ref(self._thread, message))
        except NotFound:
            return False
        if now.body.rstrip() != message.body.rstrip():
            detail = "the state was written by somebody else while this run worked: one writer a thread is all it bears"
            self._met = (Finding(flag="second-writer", ref=message.ref, detail=detail),)
            raise Conflict(f"state: {message.ref} was written by somebody else meanwhile")
        return True

    async def _post(self, letter: Letter) -> Message:
        """Post the comment; when nobody knows whether it landed, look for it, and never post it again."""
        try:
            return await self._client.post(self._thread, letter.draft)
        except Unavailable as failure:
            if not failure.ambiguous:
                raise
            listing = await self._client.read(self._thread)
            landed = [message for message in listing.messages if _same(message.body, letter.body)]
            if not landed:
                raise
            return landed[0]


def _same(body: str, other: str) -> bool:
    return body.rstrip().replace("\r\n", "\n") == other


def _ref(thread: ThreadRef, message: Message) -> MessageRef:
    return MessageRef(
        conversation=thread.conversation, source_type=message.source_type, id=message.id, handle=message.handle
    )
