"""What can only read and answer is held to `Threads`, and to no more."""

import pytest

from tertulia.thread import Account, Draft, Limits, Listing, Message, MessageRef, ThreadRef, Threads
from tertulia_contract import ThreadsContract
from tertulia_contract.memory import MemoryBackend


class Plain:
    """Read and answer through another client; have no capabilities, not even none."""

    backend = "memory"

    def __init__(self, client: Threads) -> None:
        self._client = client
        self.limits: Limits = client.limits

    async def whoami(self) -> Account:
        return await self._client.whoami()

    async def read(self, thread: ThreadRef, /) -> Listing:
        return await self._client.read(thread)

    async def get_message(self, message: MessageRef, /) -> Message:
        return await self._client.get_message(message)

    async def post(self, thread: ThreadRef, draft: Draft, /) -> Message:
        return await self._client.post(thread, draft)


class TestMemoryThreads(ThreadsContract):
    """With every ability."""

    complete = True

    @pytest.fixture
    def backend(self) -> MemoryBackend:
        """A tracker of its own."""
        return MemoryBackend()

    @pytest.fixture
    def client(self, backend: MemoryBackend) -> Plain:
        """A client that acts as the helper."""
        return Plain(backend.client())
