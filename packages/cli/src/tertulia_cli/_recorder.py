"""Remember what a ledger was made of, so that it can be saved: the thread as read, and the records before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertulia.errors import NotFound
from tertulia.thread import Draft, Limits, Listing, Message, MessageRef, ThreadRef, Threads, record_ref

if TYPE_CHECKING:
    from tertulia.ledger import Finding, HistoryEntry, Recalled, Run, Store, ThreadRecord, WorkflowState
    from tertulia.thread import Account

__all__ = ["Recorder", "RecordingStore"]


class Recorder:
    """Be a client, and remember what it read: `found` and `gone` are messages that were asked for one by one."""

    def __init__(self, client: Threads) -> None:
        self._client = client
        self._listing = Listing(messages=())
        self._found: list[Message] = []
        self._gone: set[str] = set()

    @property
    def backend(self) -> str:
        """Name the backend."""
        return self._client.backend

    @property
    def limits(self) -> Limits:
        """Say how much the backend takes."""
        return self._client.limits

    async def whoami(self) -> Account:
        """Give the account the client acts as."""
        return await self._client.whoami()

    async def read(self, thread: ThreadRef, /) -> Listing:
        """Read the thread."""
        self._listing = await self._client.read(thread)
        return self._listing

    async def get_message(self, message: MessageRef, /) -> Message:
        """Read one message."""
        try:
            found = await self._client.get_message(message)
        except NotFound:
            self._gone.add(record_ref(message.source_type, message.id))
            raise
        self._found.append(found)
        return found

    async def post(self, thread: ThreadRef, draft: Draft, /) -> Message:
        """Post an answer."""
        return await self._client.post(thread, draft)

    def listing(self) -> Listing:
        """Give the thread as it was read, with what was found one by one."""
        return self._listing.model_copy(update={"messages": (*self._listing.messages, *self._found)})

    def previous(self, records: tuple[ThreadRecord, ...]) -> tuple[ThreadRecord, ...]:
        """Give the records before, those marked as deleted that were proved to be gone: a file proves nothing."""
        gone = self._gone
        return tuple(one.model_copy(update={"deleted": True}) if one.ref in gone else one for one in records)


class RecordingStore:
    """Be a store, and remember the records it gave, what it found, and the revision that is made of them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.records: tuple[ThreadRecord, ...] = ()
        self.findings: tuple[Finding, ...] = ()
        self.rev: int | None = None

    @property
    def name(self) -> str:
        """Name the kind of store."""
        return self._store.name

    async def recall(self, run: Run, listing: Listing, /) -> Recalled:
        """Read the state of a run's thread."""
        recalled = await self._store.recall(run, listing)
        self.records = recalled.state.thread if recalled.state is not None else ()
        self.findings = recalled.findings
        self.rev = max(recalled.state.rev if recalled.state is not None else 0, recalled.floor) + 1
        return recalled

    async def load(self, thread_key: str, /) -> WorkflowState | None:
        """Read the state of a thread."""
        return await self._store.load(thread_key)

    async def save(self, state: WorkflowState, /) -> str:
        """Write a state."""
        return await self._store.save(state)

    async def append(self, thread_key: str, entry: HistoryEntry, /) -> WorkflowState:
        """Add a step to the history of a thread."""
        return await self._store.append(thread_key, entry)
