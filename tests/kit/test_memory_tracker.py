"""The tracker in memory keeps the contract that it specifies."""

import pytest

from tertulia.testing.tracker import Client
from tertulia_contract import TrackerContract
from tertulia_contract.memory import MemoryBackend


class TestMemoryTracker(TrackerContract):
    """With every capability, and every ability."""

    complete = True

    @pytest.fixture
    def backend(self) -> MemoryBackend:
        """A tracker of its own."""
        return MemoryBackend()

    @pytest.fixture
    def client(self, backend: MemoryBackend) -> Client:
        """A client that acts as the helper."""
        return backend.client()
