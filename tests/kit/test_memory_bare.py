"""What the sites in memory have no capability for they refuse, and the rest they do all the same."""

import pytest

from tertulia import conversation, tracker
from tertulia.testing.conversation import Client as ConversationClient
from tertulia.testing.tracker import Client as TrackerClient
from tertulia_contract import ConversationContract, TrackerContract
from tertulia_contract.memory import MemoryBackend, MemoryConversations


class TestBareConversation(ConversationContract):
    """With no capability, and every ability."""

    complete = True

    @pytest.fixture
    def backend(self) -> MemoryConversations:
        """A place of its own."""
        return MemoryConversations()

    @pytest.fixture
    def client(self, backend: MemoryConversations) -> ConversationClient:
        """A client that reads and answers."""
        return backend.client(without=conversation.Capability)


class TestBareTracker(TrackerContract):
    """With no capability, and every ability."""

    complete = True

    @pytest.fixture
    def backend(self) -> MemoryBackend:
        """A tracker of its own."""
        return MemoryBackend()

    @pytest.fixture
    def client(self, backend: MemoryBackend) -> TrackerClient:
        """A client that reads and answers."""
        return backend.client(without=tracker.Capability)
